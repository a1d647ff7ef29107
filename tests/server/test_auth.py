from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from arena.errors import InputError, MessageError, TokenError
from arena.server.auth import (
    AdmitAll,
    Tickets,
    TicketsFirst,
    TokenFile,
    grants_to_text,
    hash_token,
    new_token,
    read_grants,
)


def entry(**changes):
    return {"name": "a", "role": "bot", "sha256": "0" * 64, **changes}


def test_an_open_gate_takes_the_bots_own_name():
    """Without tokens the name in the hello counts, and there must be one."""
    assert AdmitAll().admit("", "mine") == "mine"
    with pytest.raises(TokenError, match="set its name"):
        AdmitAll().admit("", "")


@pytest.mark.parametrize("name", ["a/b", "a\\b", ".x", " a", "a" * 65])
def test_an_open_gate_takes_only_names_that_a_tournament_takes(name):
    """A bot whose name no file can have is told so at once: it would block tournaments of all."""
    with pytest.raises(MessageError, match="the bot's name"):
        AdmitAll().admit("", name)


def test_names_of_launched_bots_are_theirs_alone(tmp_path):
    """Nobody else comes in under such a name, written in whatever case, with a token or without."""
    tickets = Tickets()
    tickets.reserve("Mine")
    token, grant = new_token("mine", "bot")
    file = tmp_path / "tokens"
    file.write_text(grants_to_text([grant]))
    for others, said in ((AdmitAll(), ""), (TokenFile(file), token)):
        admission = TicketsFirst(tickets, others)
        with pytest.raises(TokenError, match="'mine' is a bot that the arena starts itself"):
            admission.admit(said, "mine")
        ticket = tickets.issue("Mine/2")
        assert admission.expects(ticket)
        assert admission.admit(ticket, "") == "Mine/2"
        assert admission.still_admits("Mine/2", hash_token(ticket))
    assert TicketsFirst(tickets, AdmitAll()).admit("", "yours") == "yours"


def test_tokens_expire(tmp_path):
    """A token counts until its time, is then refused as expired, and stays in the file."""
    file = tmp_path / "tokens"
    now = datetime.now(UTC)
    fresh, lasting = new_token("a", "bot", now + timedelta(hours=1))
    stale, over = new_token("b", "bot", now)
    file.write_text(grants_to_text([lasting, over]))
    assert read_grants(file) == [lasting, over]
    tokens = TokenFile(file)
    assert tokens.admit(fresh, "") == "a"
    assert tokens.still_admits("a", lasting.sha256)
    with pytest.raises(TokenError, match="this token has expired: ask the organiser"):
        tokens.admit(stale, "")
    assert not tokens.still_admits("b", over.sha256)


def test_tickets_are_good_once():
    """A ticket lets one session in under its name, then nobody."""
    tickets = Tickets()
    token = tickets.issue("a")
    assert token not in repr(tickets.__dict__)
    assert tickets.admit(token, "other") == "a"
    with pytest.raises(TokenError, match="already used"):
        tickets.admit(token, "a")


def test_withdrawn_tickets_are_worthless():
    """Tickets of a name can be taken back; those of others stay good."""
    tickets = Tickets()
    mine, other = tickets.issue("a"), tickets.issue("b")
    tickets.withdraw("a")
    with pytest.raises(TokenError):
        tickets.admit(mine, "a")
    assert tickets.admit(other, "") == "b"


def test_a_token_file_holds_hashes_only(tmp_path):
    """The file lets the token in, but the token cannot be read from it."""
    token, grant = new_token("a", "bot")
    file = tmp_path / "tokens"
    file.write_text(grants_to_text([grant]))
    assert token not in file.read_text()
    assert grant.sha256 == hashlib.sha256(token.encode()).hexdigest()
    assert TokenFile(file).admit(token, "whatever") == "a"
    assert read_grants(file) == [grant]
    assert new_token("a", "bot")[0] != token


@pytest.mark.parametrize(("token", "text"), [("", "set ARENA_TOKEN"), ("x", "ask the organiser")])
def test_unknown_tokens_are_refused_with_advice(tmp_path, token, text):
    """Nobody gets in without a token of the file, and is told what to do."""
    file = tmp_path / "tokens"
    file.write_text(grants_to_text([]))
    with pytest.raises(TokenError, match=text):
        TokenFile(file).admit(token, "a")


def test_a_changed_file_counts_at_once(tmp_path):
    """Tokens added and removed take effect without a restart."""
    file = tmp_path / "tokens"
    (first, grant), (second, other) = new_token("a", "bot"), new_token("b", "bot")
    file.write_text(grants_to_text([grant]))
    tokens = TokenFile(file)
    file.write_text(grants_to_text([grant, other]))
    assert tokens.admit(second, "") == "b"
    file.write_text(grants_to_text([other]))
    os.utime(file, ns=(1, 1))  # even if the clock stood still
    with pytest.raises(TokenError, match="unknown token"):
        tokens.check(first)
    assert tokens.check(second) == other


def test_an_admin_token_is_not_for_playing(tmp_path):
    """A token of another role is known, but does not let a bot in."""
    token, grant = new_token("boss", "admin")
    file = tmp_path / "tokens"
    file.write_text(grants_to_text([grant]))
    tokens = TokenFile(file)
    assert tokens.check(token) == grant
    with pytest.raises(TokenError, match="role admin"):
        tokens.admit(token, "boss")


@pytest.mark.parametrize("content", [None, "{"])
def test_a_file_that_breaks_later_leaves_the_old_tokens(tmp_path, caplog, content):
    """While the file is missing or half written the tokens read before count, with a warning."""
    file = tmp_path / "tokens"
    token, grant = new_token("a", "bot")
    file.write_text(grants_to_text([grant]))
    tokens = TokenFile(file)
    if content is None:
        file.unlink()
    else:
        file.write_text(content)
    assert tokens.admit(token, "") == "a"
    assert "still count" in caplog.text
    assert token not in caplog.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "format must be 'arena-tokens/1'"),
        (b'{"format": "arena-tokens/2", "tokens": []}', "format must be"),
        (b'{"format": "arena-tokens/1"}', r"tokens\[0\] must have"),
        ([3], r"tokens\[0\] must have the texts name, role and sha256"),
        ([entry(), entry(name=1)], r"tokens\[1\] must have"),
        ([entry(more="")], r"tokens\[0\] must have"),
        ([entry(), entry(role="king")], r"tokens\[1\]\.role must be bot or admin"),
        ([entry(name="")], r"tokens\[0\]\.name must have 1 to 64 characters"),
        ([entry(name="a\n")], r"tokens\[0\]\.name 'a\\n' has characters"),
        ([entry(name="a/b")], r"tokens\[0\]\.name 'a/b' must not contain /"),
        ([entry(expires=3)], r"tokens\[0\]\.expires must be a time with its zone"),
        ([entry(expires="soon")], r"tokens\[0\]\.expires must be a time"),
        ([entry(expires="2027-01-31T00:00:00")], r"tokens\[0\]\.expires must be a time with"),
        ([entry(sha256="F" * 64)], r"tokens\[0\]\.sha256 must be 64 hexadecimal"),
    ],
)
def test_bad_files_are_named_with_the_place(tmp_path, content, text):
    """A file that is no token file is refused: which, where and what."""
    file = tmp_path / "tokens"
    if isinstance(content, list):
        content = json.dumps({"format": "arena-tokens/1", "tokens": content}).encode()
    file.write_bytes(content)
    with pytest.raises(InputError, match=text) as caught:
        TokenFile(file)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    """A token file that is not there is an error from the start."""
    with pytest.raises(InputError, match="cannot be read: No such file"):
        TokenFile(tmp_path / "none")


def test_tokens_of_any_text_can_be_hashed():
    """No text a person passes on makes the hash fail."""
    assert len(hash_token("\udcff")) == 64
