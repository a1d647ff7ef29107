from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import ForbiddenError, TokenError
from arena.server.auth import grants_to_text
from arena.server.callers import Callers
from tests.server.served import make_tokens


def call(peer: str = "ipv4:192.0.2.1:5000", **metadata: Any) -> Any:
    """Return a call from somewhere, with these metadata."""
    return SimpleNamespace(peer=lambda: peer, invocation_metadata=lambda: tuple(metadata.items()))


@pytest.fixture
def tokens(tmp_path):
    """A token for each role, and the file."""
    return make_tokens(tmp_path)


@pytest.mark.parametrize(
    "peer",
    [
        "unix:",
        "unix:/run/arena",
        "ipv4:127.0.0.1:5000",
        "ipv4:127.9.9.9:1",
        "ipv6:%5B::1%5D:5000",
        "ipv6:[::1]:5000",
        "ipv6:[::ffff:127.0.0.1]:5000",
    ],
)
def test_without_tokens_this_machine_may_do_everything(peer):
    """Whoever dials from here can organise and read."""
    callers = Callers(None)
    callers.check_admin(call(peer))
    assert callers.check_reader(call(peer))


@pytest.mark.parametrize(
    "peer", ["ipv4:192.0.2.1:5000", "ipv6:[2001:db8::1]:9", "ipv4:127.0.0.1.evil:1", "", "unknown"]
)
def test_without_tokens_others_may_do_nothing(peer):
    """A call from elsewhere is refused, should one ever come."""
    callers = Callers(None)
    with pytest.raises(TokenError):
        callers.check_admin(call(peer))
    with pytest.raises(TokenError):
        callers.check_reader(call(peer))


def test_with_tokens_the_role_decides(tokens):
    """An organiser may do both, a bot's author may read, wherever they are."""
    file, made = tokens
    callers = Callers(file)
    admin, bot = (call(authorization=f"Bearer {made[role]}") for role in ("admin", "bot"))
    callers.check_admin(admin)
    assert callers.check_reader(admin)
    assert not callers.check_reader(bot)
    with pytest.raises(ForbiddenError, match="role admin"):
        callers.check_admin(bot)


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"authorization": ""},
        {"authorization": "Bearer "},
        {"authorization": "Bearer guess"},
        {"authorization": "Basic guess"},
        {"authorization": b"Bearer guess"},
        {"token": "guess"},
    ],
)
def test_with_tokens_nobody_comes_in_without(tokens, metadata):
    """From this machine neither."""
    file, made = tokens
    if "token" in metadata:
        metadata = {"token": made["admin"]}
    callers = Callers(file)
    with pytest.raises(TokenError):
        callers.check_admin(call("unix:", **metadata))


def test_a_token_that_was_taken_away(tokens, tmp_path):
    """It is worthless from then on."""
    file, made = tokens
    callers = Callers(file)
    context = call(authorization=f"Bearer {made['admin']}")
    callers.check_admin(context)
    (tmp_path / "tokens.json").write_text(grants_to_text([]))
    with pytest.raises(TokenError, match="unknown token"):
        callers.check_admin(context)


def test_only_an_admins_token_proves_an_organiser(tokens):
    """Where bots run beside the arena, dialling from here proves nothing."""
    file, made = tokens
    callers = Callers(file)
    assert callers.shows_token_of_admin(call(authorization=f"Bearer {made['admin']}"))
    assert not callers.shows_token_of_admin(call(authorization=f"Bearer {made['bot']}"))
    assert not callers.shows_token_of_admin(call("unix:"))
    assert not Callers(None).shows_token_of_admin(call("unix:"))
