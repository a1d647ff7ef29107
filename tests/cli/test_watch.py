from __future__ import annotations

import grpc
import grpc.aio
import pytest

from arena.cli.watch import _Viewer
from arena.games.registry import get_game
from arena.games.shuffle import SeededChance
from arena.v1 import play_pb2, watch_pb2
from arena.wire import watch
from arena.wire.codec import codec_for

EVIL = "evil\x1b[31m\n"
NONE, CRASH = play_pb2.FAULT_UNSPECIFIED, play_pb2.FAULT_CRASH


@pytest.mark.parametrize("server", ["nowhere", "://", "unix:", "host:99999"])
def test_bad_addresses(run, server):
    """An address that cannot be one is refused at once."""
    done = run("watch", "--server", server)
    assert (done.code, done.out) == (2, "")
    assert f"{server!r} must be HOST:PORT or unix:PATH" in done.err


@pytest.mark.parametrize("match", [(), ("m1",)])
def test_no_arena_there(run, tmp_path, match):
    """Without an arena there is nothing to watch, and one line says so."""
    done = run("watch", *match, "--server", f"unix:{tmp_path}/nobody")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: no arena at unix:{tmp_path}/nobody: ")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("m1", "--next"), "give one of the two"),
        (("m1", "--bot", "a"), "give one of the two"),
        (("--bot", ""), "--bot needs the name of a bot"),
        (("--next", "--pace", "-1"), "--pace must be 0 to 60 seconds, not -1.0"),
        (("--next", "--pace", "nan"), "--pace must be 0 to 60 seconds, not nan"),
        (("--next", "--pace", "fast"), "invalid float value: 'fast'"),
    ],
)
def test_bad_usage(run, arguments, reason):
    """What makes no sense is refused before anything is dialled."""
    done = run("watch", *arguments)
    assert (done.code, done.out) == (2, "")
    assert reason in done.err


def table(game_name: str = "byzanz") -> watch_pb2.WatchedTable:
    game = get_game(game_name)
    state = game.start(game.setup(b"seed", 3), SeededChance(b"seed"))
    message = watch.table(
        match_id=EVIL,
        game=game,
        seats=[play_pb2.SeatInfo(bot=EVIL) for _ in range(3)],
        observation=codec_for(game).observation(state.observe(None)),
    )
    return watch_pb2.WatchResponse.FromString(message).table


@pytest.mark.parametrize(
    ("code", "exit_code", "text"),
    [
        (grpc.StatusCode.UNAVAILABLE, 3, "arena: the arena went away before the match ended\n"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 2, "arena: the arena refused: why\n"),
    ],
)
def test_a_stream_that_breaks(run, monkeypatch, code, exit_code, text):
    """An arena that is lost in the middle of a match is told from one that sends us away."""

    async def follow(*_arguments):
        yield watch_pb2.WatchResponse(table=table())
        raise grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "why")

    monkeypatch.setattr("arena.cli.watch.follow", follow)
    done = run("watch", "m1")
    assert (done.code, done.err) == (exit_code, text)


@pytest.mark.parametrize(
    ("arguments", "is_terminal", "request_", "waiting", "paces"),
    [
        (("m1",), False, {"match_id": "m1"}, "", [0.0, 0.0]),
        (("m1",), True, {"match_id": "m1"}, "", [0.5, 0.5]),
        (("m1", "--pace", "2"), False, {"match_id": "m1"}, "", [2.0, 2.0]),
        (("--next",), False, {"next": True}, "waiting for the next match\n", [0.0, 0.0]),
        (("--bot", EVIL), True, {"bot": EVIL}, "waiting for a match of evil\\x1b[31m\\n\n", None),
        (
            ("--bot", "a", "--next", "--pace", "0"),
            True,
            {"bot": "a", "next": True},
            "waiting for the next match of a\n",
            [0.0, 0.0],
        ),
    ],
)
def test_which_match_and_how_fast(
    run, monkeypatch, arguments, is_terminal, request_, waiting, paces
):
    """The arena is asked for that match, and there is a pause after each move of it."""
    asked, pauses = [], []

    async def follow(_destination, request):
        asked.append(request)
        yield watch_pb2.WatchResponse(table=table())
        for _ in range(2):
            yield watch_pb2.WatchResponse(events=watch_pb2.WatchedEvents())
        end = watch_pb2.WatchedEnd(scores=[1] * 3, ranks=[1] * 3, forfeits=[NONE] * 3)
        yield watch_pb2.WatchResponse(ended=end)

    async def sleep(pause_s):
        pauses.append(pause_s)

    monkeypatch.setattr("arena.cli.watch.follow", follow)
    monkeypatch.setattr("arena.cli.watch.asyncio.sleep", sleep)
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)
    done = run("watch", *arguments)

    assert (done.code, done.err) == (0, waiting)
    assert asked == [watch_pb2.WatchRequest(**request_)]
    assert pauses == ([0.5, 0.5] if paces is None else paces)


@pytest.mark.parametrize("game", ["byzanz", "schwarzmarkt"])
def test_names_from_outside_are_harmless(capsys, game):
    """Names, match ids and reasons are shown escaped, however they were meant."""
    viewer = _Viewer(table(game), coloured=False)
    fault = play_pb2.SeatFault(seat=1, fault=CRASH, forfeited=True)
    viewer.tell(watch_pb2.WatchedEvents(faults=[fault]))
    viewer.end(
        watch_pb2.WatchedEnd(scores=[1, 2, 3], ranks=[3, 2, 1], forfeits=[NONE, CRASH, NONE])
    )
    viewer.end(watch_pb2.WatchedEnd(void_reason=EVIL))
    out = capsys.readouterr().out

    assert "\x1b" not in out
    assert r"match evil\x1b[31m\n" in out
    assert r"evil\x1b[31m\n[1]: crash and forfeits" in out
    assert r"   2      2  evil\x1b[31m\n[1]  forfeit:crash" in out
    assert r"void: evil\x1b[31m\n" in out


def test_faults_of_a_later_version(capsys):
    """A fault that this version does not know is told by its number."""
    viewer = _Viewer(table(), coloured=False)
    later = play_pb2.SeatFault.FromString(b"\x10\x63")  # fault 99
    viewer.tell(watch_pb2.WatchedEvents(faults=[later]))
    assert "fault 99" in capsys.readouterr().out
