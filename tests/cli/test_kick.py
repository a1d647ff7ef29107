from __future__ import annotations

import pytest

from arena.client.organiser import OrganiserClient


@pytest.fixture
def kicked(monkeypatch) -> list[tuple[str, str]]:
    """What the arena was asked; only `mine` is connected."""
    asked: list[tuple[str, str]] = []

    async def kick(_client, bot, reason):
        asked.append((bot, reason))
        return bot == "mine"

    monkeypatch.setattr(OrganiserClient, "kick", kick)
    return asked


def test_a_bot_is_kicked(run, kicked):
    """Name and reason reach the arena, and nothing is printed."""
    assert run("kick", "mine", "--reason", "too slow") == (0, "", "")
    assert kicked == [("mine", "too slow")]


def test_a_bot_that_is_not_there(run, kicked):
    """Kicking nobody is an error that says where to look."""
    done = run("kick", "yours")
    assert (done.code, done.out) == (2, "")
    assert done.err == "arena: no bot 'yours' is connected: arena lobby lists those that are\n"


def test_bad_usage(run, tmp_path):
    """A name is needed, and an arena."""
    assert "required: NAME" in run("kick").err
    done = run("kick", "mine", "--server", f"unix:{tmp_path}/nobody")
    assert done.code == 2
    assert done.err.startswith(f"arena: no arena at unix:{tmp_path}/nobody: ")
