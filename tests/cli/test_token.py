from __future__ import annotations

import json
import stat
from datetime import UTC, datetime, timedelta

import pytest

from arena.errors import TokenError
from arena.server.auth import TokenFile, grants_to_text, hash_token, new_token, read_grants


def test_a_token_is_shown_once_and_stored_hashed(run, tmp_path):
    """The token is printed, works, and is not in the file, which is the owner's alone."""
    file = tmp_path / "tokens.json"
    done = run("token", "add", "mine", "--tokens", file)
    token = done.out.strip()

    assert (done.code, done.err) == (0, "")
    assert token not in file.read_text()
    assert hash_token(token) in file.read_text()
    assert TokenFile(file).admit(token, "") == "mine"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_tokens_are_listed_and_taken_away(run, tmp_path):
    """List shows names and roles, never tokens; a removed one is worthless."""
    file = tmp_path / "tokens.json"
    token = run("token", "add", "mine", "--tokens", file).out.strip()
    run("token", "add", "boss", "--role", "admin", "--tokens", file)

    listed = run("token", "list", "--tokens", file)
    assert [line.split() for line in listed.out.splitlines()] == [
        ["mine", "bot"],
        ["boss", "admin"],
    ]

    assert run("token", "remove", "mine", "--tokens", file).code == 0
    with pytest.raises(TokenError):
        TokenFile(file).check(token)
    assert run("token", "list", "--tokens", file).out.split() == ["boss", "admin"]


@pytest.mark.parametrize(
    ("text", "expires"),
    [
        ("90m", timedelta(minutes=90)),
        ("12h", timedelta(hours=12)),
        ("30d", timedelta(days=30)),
        ("2w", timedelta(weeks=2)),
        ("2999-12-31", datetime(2999, 12, 31).astimezone()),
        ("2999-12-31T18:00+02:00", datetime(2999, 12, 31, 16, tzinfo=UTC)),
    ],
)
def test_a_token_may_expire(run, tmp_path, text, expires):
    """The time is stored, shown by list, and counted from now if it is a duration."""
    file = tmp_path / "tokens.json"
    before = datetime.now(UTC)
    assert run("token", "add", "mine", "--expires", text, "--tokens", file).code == 0
    (grant,) = read_grants(file)
    assert grant.expires is not None
    if isinstance(expires, timedelta):
        assert before + expires - timedelta(seconds=1) <= grant.expires
        assert grant.expires <= datetime.now(UTC) + expires
    else:
        assert grant.expires == expires
    shown = f"{grant.expires.astimezone():%Y-%m-%d %H:%M}"
    assert f"expires {shown}" in run("token", "list", "--tokens", file).out


def test_an_expired_token_is_listed_as_such(run, tmp_path):
    """List says which tokens count no more."""
    file = tmp_path / "tokens.json"
    _, grant = new_token("old", "bot", datetime(2020, 1, 31, tzinfo=UTC))
    file.write_text(grants_to_text([grant]))
    assert "expired 2020-01-31" in run("token", "list", "--tokens", file).out


def test_a_name_has_one_token(run, tmp_path):
    """A second token for the same name is refused, with what to do; the file stays as it was."""
    file = tmp_path / "tokens.json"
    run("token", "add", "mine", "--tokens", file)
    before = file.read_bytes()
    done = run("token", "add", "mine", "--tokens", file)

    assert (done.code, done.out) == (2, "")
    assert "revoke it first with: arena token remove mine" in done.err
    assert file.read_bytes() == before


def test_names_in_a_file_are_harmless(run, tmp_path):
    """A file may be anybody's: escape sequences in it never reach the terminal."""
    file = tmp_path / "tokens.json"
    entry = {"name": "evil\x1b[31m\n", "role": "bot", "sha256": "0" * 64}
    file.write_text(json.dumps({"format": "arena-tokens/1", "tokens": [entry]}))
    done = run("token", "list", "--tokens", file)

    assert "\x1b" not in done.out + done.err
    assert done.code == 2
    assert "tokens[0].name" in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "required: ACTION"),
        (("add",), "required: NAME"),
        (("give", "x"), "invalid choice: 'give'"),
        (("add", "x", "--role", "king"), "invalid choice: 'king'"),
        (("add", "a/b"), "must not contain /"),
        (("add", "x", "--expires", "soon"), "--expires 'soon' must be"),
        (("add", "x", "--expires", "2020-01-31"), "--expires 2020-01-31 is in the past"),
        (("add", "x", "--expires", "0d"), "--expires 0d is in the past"),
        (("add", "x", "--expires", "9999999999d"), "must be"),
        (("add", ""), "must have 1 to 64 characters"),
        (("add", "a\x1b[31m"), r"name 'a\x1b[31m' has characters that cannot be printed"),
        (("remove", "x"), "tokens.json: cannot be read: No such file or directory"),
        (("list",), "tokens.json: cannot be read: No such file or directory"),
    ],
)
def test_bad_usage(run, tmp_path, monkeypatch, arguments, reason):
    """Whatever is wrong is said on stderr, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = run("token", *arguments)

    assert (done.code, done.out) == (2, "")
    assert reason in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not a token file: not JSON"),
        ("[" * 100_000, "not a token file: not JSON"),
        ("{}", "format must be 'arena-tokens/1'"),
        ('{"format": "arena-tokens/1", "tokens": [{}]}', "tokens[0] must have the texts"),
    ],
)
def test_broken_files_are_not_overwritten(run, tmp_path, content, reason):
    """A file that is no token file is refused by every action and stays as it is."""
    file = tmp_path / "tokens.json"
    file.write_text(content)
    for action in (("add", "x"), ("list",), ("remove", "x")):
        done = run("token", *action, "--tokens", file)
        assert (done.code, done.out) == (2, "")
        assert f"{file}: " in done.err
        assert reason in done.err
    assert file.read_text() == content


def test_nobody_of_that_name(run, tmp_path):
    """Taking away what nobody has is an error."""
    file = tmp_path / "tokens.json"
    run("token", "add", "mine", "--tokens", file)
    done = run("token", "remove", "yours", "--tokens", file)
    assert done.code == 2
    assert "there is no token for 'yours'" in done.err
