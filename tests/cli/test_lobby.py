from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from arena.client.organiser import OrganiserClient
from arena.v1 import tournament_pb2

EVIL = "evil\x1b[31m\n"
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def bots(monkeypatch) -> list[tournament_pb2.LobbyBot]:
    """Who is in the lobby that the command asks."""
    there: list[tournament_pb2.LobbyBot] = []

    async def list_bots(_client):
        return there

    monkeypatch.setattr(OrganiserClient, "list_bots", list_bots)
    return there


def add(bots, name: str, **fields) -> None:
    known = {"version": "1", "language": "go", "games": ["byzanz"], "present": True, "free": 3}
    bots.append(tournament_pb2.LobbyBot(name=name, connected_at=AT, **{**known, **fields}))


@pytest.mark.parametrize("server", ["nowhere", "unix:", "host:99999"])
def test_bad_addresses(run, server):
    """An address that cannot be one is refused at once."""
    done = run("lobby", "--server", server)
    assert (done.code, done.out) == (2, "")
    assert f"{server!r} must be HOST:PORT or unix:PATH" in done.err


def test_no_arena_there(run, tmp_path):
    """Without an arena there is no lobby, and one line says so."""
    done = run("lobby", "--server", f"unix:{tmp_path}/nobody")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: no arena at unix:{tmp_path}/nobody: ")
    assert len(done.err.splitlines()) == 1


def test_nobody(run, bots):
    """An empty lobby is said to be one."""
    assert run("lobby") == (0, "no bot is connected\n", "")
    assert run("lobby", "--json") == (0, "[]\n", "")


def test_who_is_there(run, bots):
    """A line for each bot: since when it is there, its games, and what it does now."""
    add(bots, "alice", playing=1)
    add(bots, "名前", playing=12, games=["byzanz", "schwarzmarkt"])
    add(bots, "idle")
    add(bots, "lost", present=False, playing=1, free=0)
    done = run("lobby")

    since = f"{AT.astimezone():%Y-%m-%d %H:%M:%S}"
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "bot    version  language  connected since      games                 now",
        f"alice  1        go        {since}  byzanz                playing 1 match",
        f"名前   1        go        {since}  byzanz, schwarzmarkt  playing 12 matches",
        f"idle   1        go        {since}  byzanz                waiting",
        f"lost   1        go        {since}  byzanz                connection lost",
    ]


def test_texts_from_outside_are_harmless(run, bots):
    """Names and versions are shown escaped, and what an arena does not tell is left open."""
    bots.append(tournament_pb2.LobbyBot(name=EVIL, version=EVIL, games=[EVIL], present=True))
    out = run("lobby").out

    assert "\x1b" not in out
    assert len(out.splitlines()) == 2
    assert r"evil\x1b[31m\n  -         -                evil\x1b[31m\n  waiting" in out


def test_json(run, bots):
    """With --json it is an array with an object a bot."""
    add(bots, "alice", playing=1)
    assert json.loads(run("lobby", "--json").out) == [
        {
            "name": "alice",
            "version": "1",
            "language": "go",
            "games": ["byzanz"],
            "connected_at": "2026-01-02T03:04:05Z",
            "present": True,
            "playing": 1,
            "free": 3,
        }
    ]
