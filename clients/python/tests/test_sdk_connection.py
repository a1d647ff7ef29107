from __future__ import annotations

import asyncio

import grpc
import pytest
from fake_arena import FakeArena, Link, play
from sdk_bots import First, recording
from tests.waiting import until

from arena_client import Refused, Settings, Unreachable
from arena_client.lasting_session import SessionState
from arena_client.session import Session


def test_resuming_answers_from_the_cache(tmp_path):
    """After a cut the open decision comes again and is answered, but not decided, again."""
    bot = recording()

    async def before(link: Link) -> None:
        await link.welcome(token=b"first")
        await link.start("a", "b")
        await link.ask(("a", 1), ("b", 4))
        assert len(await link.answers()) == 2
        await link.abort(grpc.StatusCode.UNAVAILABLE)

    async def after(link: Link) -> None:
        hello = await link.welcome(resumed=True, token=b"second")
        assert hello.resume_token == b"first"
        await link.start("a", "b")
        await link.ask(("a", 1), ("b", 5))
        assert await link.answers() == [("a", 1, 1), ("b", 5, 1)]
        await link.abort(grpc.StatusCode.UNAVAILABLE)

    async def again(link: Link) -> None:
        hello = await link.welcome(resumed=True)
        assert hello.resume_token == b"second"
        await link.goodbye()

    assert play(bot, tmp_path, before, after, again).error is None
    assert bot.asked == [("a", 1), ("b", 4), ("b", 5)]
    assert len(bot.objects) == 2


async def test_resuming_outlives_a_restart_of_the_listener(tmp_path):
    """A bot keeps trying while nobody listens, and goes on where it was."""
    bot = recording()
    address = f"unix:{tmp_path}/arena"
    asked = asyncio.Event()

    async def before(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        await link.answers()
        asked.set()
        await asyncio.Event().wait()

    async def after(link: Link) -> None:
        await link.welcome(resumed=True)
        await link.ask(("a", 1))
        assert await link.answers() == [("a", 1, 1)]
        await link.goodbye()

    async with FakeArena(address, before, after) as arena:
        lost = asyncio.Event()

        def report(line: str) -> None:
            if "trying to resume" in line:
                lost.set()

        session = Session(bot, Settings(address=address), report)
        playing = asyncio.create_task(session.play())
        await asked.wait()
        await arena.cut()
        await lost.wait()
        assert session.state is SessionState.RESUMING
        await arena.listen()
        await playing
    assert bot.asked == [("a", 1)]


def test_an_expired_session_begins_anew(tmp_path):
    """When the arena does not know the resume token, a new session without matches begins."""
    bot = recording()

    async def before(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.abort(grpc.StatusCode.UNAVAILABLE)

    async def expired(link: Link) -> None:
        await link.read()
        await link.abort(grpc.StatusCode.NOT_FOUND, "the session has expired")

    async def anew(link: Link) -> None:
        hello = await link.welcome()
        assert not hello.resume_token
        await link.ask(("a", 1))
        await link.start("b")
        await link.ask(("b", 1))
        assert await link.answers() == [("b", 1, 1)]
        await link.goodbye()

    played = play(bot, tmp_path, before, expired, anew)
    assert played.error is None
    assert any("expired" in line for line in played.lines)


def test_a_lost_arena_is_given_up(tmp_path):
    """When the arena does not come back in time, the session is unreachable."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    async def closed(link: Link) -> None:
        await link.abort(grpc.StatusCode.UNAVAILABLE, "still gone")

    played = play(First, tmp_path, script, *[closed] * 20, resume_timeout_s=0.3)
    assert isinstance(played.error, Unreachable)
    assert "did not come back within 0.3 s (still gone)" in str(played.error)


async def test_no_arena_is_reported(tmp_path):
    """Without anybody listening the session gives up after its time."""
    settings = Settings(address=f"unix:{tmp_path}/nobody", connect_timeout_s=0.2)
    with pytest.raises(Unreachable, match="no arena answers at unix:"):
        await Session(First, settings, lambda _: None).play()


async def test_a_bot_may_start_before_the_arena(tmp_path):
    """A bot that finds nobody at first tries again until the arena listens."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.goodbye()

    dials = []

    class Noting(Session):
        def _dial(self):
            dials.append(self)
            return super()._dial()

    arena = FakeArena(f"unix:{tmp_path}/arena", script)
    session = Noting(First, Settings(address=arena.address), lambda _: None)
    playing = asyncio.create_task(session.play())
    await until(lambda: len(dials) == 2)  # it has found nobody
    async with arena:
        await playing
    assert session.state is SessionState.ENDED


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "rejected the token: because (set ARENA_TOKEN"),
        (grpc.StatusCode.ALREADY_EXISTS, "the token is in use: because"),
        (grpc.StatusCode.FAILED_PRECONDITION, "because (this SDK speaks protocol 1:"),
        (grpc.StatusCode.UNIMPLEMENTED, "is not an arena"),
        (grpc.StatusCode.INVALID_ARGUMENT, "the arena ended the session: because"),
    ],
)
def test_a_refusal_is_final(tmp_path, code, expected):
    """A refused hello is reported with what to do, and not tried again."""

    async def script(link: Link) -> None:
        await link.read()
        await link.abort(code)

    played = play(First, tmp_path, script)
    assert isinstance(played.error, Refused)
    assert expected in str(played.error)
    assert len(played.received) == 1


async def test_stop_leaves_while_connecting(tmp_path):
    """stop() ends a session that has not been welcomed yet."""
    reached = asyncio.Event()

    async def silent(link: Link) -> None:
        await link.read()
        reached.set()
        await asyncio.Event().wait()

    async with FakeArena(f"unix:{tmp_path}/arena", silent) as arena:
        session = Session(First, Settings(address=arena.address), lambda _: None)
        playing = asyncio.create_task(session.play())
        await reached.wait()
        session.leave("enough")
        await asyncio.wait_for(playing, 5)
        assert session.state is SessionState.ENDED


@pytest.mark.parametrize("turns", range(6))
async def test_stop_in_the_first_moments(tmp_path, turns):
    """stop() ends a session however little of the dialling has been done."""

    async def silent(link: Link) -> None:
        await asyncio.Event().wait()

    async with FakeArena(f"unix:{tmp_path}/arena", silent) as arena:
        session = Session(First, Settings(address=arena.address), lambda _: None)
        playing = asyncio.create_task(session.play())
        for _ in range(turns):
            await asyncio.sleep(0)
        session.leave("enough")
        await asyncio.wait_for(playing, 5)
        assert session.state is SessionState.ENDED
