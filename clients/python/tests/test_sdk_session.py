from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar

import grpc
import pytest

import arena_client
from arena_client import Bot, BotFailed, ByzanzBot, IllegalChoice, Refused, Settings, Unreachable
from arena_client.players import FLUSH_S
from arena_client.session import Session, State
from arena_client.v1 import play_pb2
from tests.fake_arena import FakeArena, Link, play


class First(Bot):
    """Always chooses the first legal move."""

    name = "first"
    version = "3"
    games = ("byzanz", "schwarzmarkt")
    max_matches = 64

    def decide(self, decision):
        return 0


def recording(pause_s: float = 0.0) -> Any:
    """Return a new class that notes what it is asked and told."""

    class Recording(Bot):
        asked: ClassVar[list[tuple[str, int]]] = []
        outcomes: ClassVar[list[arena_client.Outcome]] = []
        objects: ClassVar[list[Any]] = []

        def __init__(self, match):
            self.objects.append(self)

        def decide(self, decision):
            time.sleep(pause_s)
            self.asked.append((decision.match.id, decision.id))
            return 1

        def ended(self, outcome):
            self.outcomes.append(outcome)

    return Recording


def test_hello_introduces_the_bot(tmp_path):
    """The hello carries protocol, token, the fields of the class, language and library."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.goodbye()

    played = play(First, tmp_path, script, token="secret")

    hello = played.received[0][0].hello
    assert hello == play_pb2.Hello(
        protocol=1,
        token="secret",
        bot="first",
        version="3",
        language="python",
        sdk=f"arena-python {arena_client.__version__}",
        games=["byzanz", "schwarzmarkt"],
        max_matches=64,
    )
    assert played.error is None
    assert not any("secret" in line for line in played.lines)


def test_a_batch_is_answered_in_one_message(tmp_path):
    """All decisions of one message come back in one message, in their order."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b", "c")
        await link.ask(("a", 1), ("b", 1), ("c", 1))
        assert await link.answers() == [("a", 1, 0), ("b", 1, 0), ("c", 1, 0)]
        await link.ask(("b", 2))
        assert await link.answers() == [("b", 2, 0)]
        await link.goodbye()

    assert play(First, tmp_path, script).error is None


def test_one_object_plays_one_match(tmp_path):
    """Each match has its own object, which is told the outcome once and dropped."""
    bot = recording()

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b", "a")
        await link.ask(("a", 1), ("b", 1))
        await link.answers()
        await link.end("b")
        await link.end("b")
        await link.end("never-heard-of")
        await link.goodbye()

    play(bot, tmp_path, script)

    assert [made.match.id for made in bot.objects] == ["a", "b"]
    (outcome,) = bot.outcomes
    assert (outcome.match.id, outcome.score, outcome.rank) == ("b", 9, 1)
    assert outcome.forfeits == (None, arena_client.Fault.TIMEOUT)


def test_a_slow_bot_sends_what_it_has(tmp_path):
    """Answers found before FLUSH_S is over do not wait for slow ones of their batch."""

    class Slow(Bot):
        def decide(self, decision):
            if decision.match.id == "b":
                time.sleep(FLUSH_S * 1.5)
            return 2

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b", "c")
        await link.ask(("a", 1), ("b", 1), ("c", 1))
        assert await link.answers() == [("a", 1, 2), ("b", 1, 2)]
        assert await link.answers() == [("c", 1, 2)]
        await link.goodbye()

    assert play(Slow, tmp_path, script).error is None


def test_a_slow_bot_notices_the_end_of_a_match(tmp_path):
    """A waiting decision is dropped when its match ends while another one is decided."""
    bot = recording(pause_s=FLUSH_S * 1.1)

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start(*"abcdefgh")
        await link.ask(*((match_id, 1) for match_id in "abcdefgh"))
        await link.end("h")
        seen: list[tuple[str, int, int]] = []
        while len(seen) < 7:
            seen += await link.answers()
        await link.goodbye()

    assert play(bot, tmp_path, script).error is None
    assert [match_id for match_id, _ in bot.asked] == list("abcdefg")


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


def test_resuming_outlives_a_restart_of_the_listener(tmp_path):
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

    async def both() -> None:
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
            assert session.state is State.RESUMING
            await arena.listen()
            await playing

    asyncio.run(both())
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


def test_no_arena_is_reported(tmp_path):
    """Without anybody listening the session gives up after its time."""

    async def alone() -> None:
        settings = Settings(address=f"unix:{tmp_path}/nobody", connect_timeout_s=0.2)
        await Session(First, settings, lambda _: None).play()

    with pytest.raises(Unreachable, match="no arena answers at unix:"):
        asyncio.run(alone())


def test_a_bot_may_start_before_the_arena(tmp_path):
    """A bot that finds nobody at first tries again until the arena listens."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.goodbye()

    async def early() -> None:
        arena = FakeArena(f"unix:{tmp_path}/arena", script)
        session = Session(First, Settings(address=arena.address), lambda _: None)
        playing = asyncio.create_task(session.play())
        await asyncio.sleep(0.1)
        async with arena:
            await playing

    asyncio.run(early())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "refuses the token: because (set ARENA_TOKEN"),
        (grpc.StatusCode.ALREADY_EXISTS, "the token is in use: because"),
        (grpc.StatusCode.FAILED_PRECONDITION, "because (this library speaks protocol 1;"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "a limit of the arena was exceeded: because"),
        (grpc.StatusCode.UNIMPLEMENTED, "is no arena"),
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


def test_what_is_unknown_is_ignored(tmp_path):
    """Unknown messages, fields and enum values change nothing, before and after the welcome."""
    unknown = b"\x9a\x06\x03abc"  # field 99, of type bytes

    async def script(link: Link) -> None:
        await link.read()
        await link.send_bytes(unknown)
        welcome = play_pb2.Welcome(bot="mine").SerializeToString() + unknown
        await link.send_bytes(b"\x0a" + bytes([len(welcome)]) + welcome)
        await link.send_bytes(unknown)
        await link.send_bytes(b"")
        await link.start("a", game="chess")
        await link.send(rejected={"match_id": "a", "decision_id": 1, "reason": 77})
        await link.ask(("a", 1))
        assert await link.answers() == [("a", 1, 0)]
        await link.goodbye(reason=55)

    assert play(First, tmp_path, script).error is None


def test_a_rejection_is_a_warning(tmp_path):
    """What the arena rejects is reported with what to do, and the session goes on."""

    async def script(link: Link) -> None:
        await link.welcome()
        rejected = play_pb2.Rejected(match_id="a\x1b[2J", decision_id=7, reason="REASON_LATE")
        await link.send(rejected=rejected)
        await link.goodbye()

    played = play(First, tmp_path, script)
    (line,) = [line for line in played.lines if "rejected" in line]
    assert "warning: the arena rejected the answer to decision 7 of match a" in line
    assert "(late): decide faster" in line
    assert "\x1b" not in line


def test_misbehaviour_is_a_refusal(tmp_path):
    """A goodbye for misbehaviour is an error."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.goodbye(play_pb2.Goodbye.REASON_MISBEHAVED)

    played = play(First, tmp_path, script)
    assert isinstance(played.error, Refused)


def test_stopping_is_a_normal_end(tmp_path):
    """A goodbye of an arena that stops ends the session, whatever the status of the stream."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.goodbye(play_pb2.Goodbye.REASON_STOPPING)
        await link.abort(grpc.StatusCode.UNAVAILABLE, "stopping")

    assert play(First, tmp_path, script).error is None


@pytest.mark.parametrize(
    "choice", [3, -1, True, None, "pass", 1.0, arena_client.Move(7), [0]], ids=repr
)
def test_an_illegal_choice_is_never_sent(tmp_path, choice):
    """What is no legal move is refused with the legal ones, and the arena is told of a failure."""

    class Wrong(ByzanzBot):
        def decide(self, decision):
            return choice

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        assert (await link.request()).leave.failed
        assert await link.read() is None

    played = play(Wrong, tmp_path, script)
    assert isinstance(played.error, IllegalChoice)
    assert "2: bid spice-2 wine-1" in str(played.error)
    assert "in decide" in str(played.error)
    assert "not one of the 3 legal moves" in played.leave.reason


@pytest.mark.parametrize("where", ["__init__", "decide", "ended"])
def test_a_failure_leaves_the_session(tmp_path, where):
    """An exception of the author's code, wherever, is told to the arena and raised."""

    def fail(*_arguments):
        raise ZeroDivisionError("so \ud800 it is")

    bot = type("Failing", (First,), {where: fail})

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        if where == "ended":
            await link.answers()
            await link.end("a")
        assert (await link.request()).leave.failed
        assert await link.read() is None

    played = play(bot, tmp_path, script)
    assert isinstance(played.error, BotFailed)
    assert isinstance(played.error.__cause__, ZeroDivisionError)
    assert f"Failing.{where}() failed" in str(played.error)
    assert played.leave.reason.startswith("ZeroDivisionError: so ")


def test_notes_are_sent_and_cut(tmp_path):
    """A note goes with its answer, cut to what the arena takes, never in the middle of a sign."""

    class Noting(Bot):
        def decide(self, decision):
            decision.note = "ab€"
            return 0

    async def script(link: Link) -> None:
        await link.welcome(max_note_bytes=4)
        await link.start("a")
        await link.ask(("a", 1))
        (answer,) = (await link.request()).answers.answers
        assert answer.note == "ab"
        await link.goodbye()

    assert play(Noting, tmp_path, script).error is None


def test_large_batches_are_split(tmp_path):
    """A message larger than the arena takes becomes several."""

    async def script(link: Link) -> None:
        await link.welcome(max_message_bytes=40)
        await link.start(*"abcdefgh")
        await link.ask(*((match_id, 1) for match_id in "abcdefgh"))
        messages = 0
        seen: list[tuple[str, int, int]] = []
        while len(seen) < 8:
            seen += await link.answers()
            messages += 1
            assert link.received[-1].ByteSize() <= 40
        assert [match_id for match_id, _, _ in seen] == list("abcdefgh")
        assert messages > 1
        await link.goodbye()

    assert play(First, tmp_path, script).error is None


def test_stop_leaves_while_connecting(tmp_path):
    """stop() ends a session that has not been welcomed yet."""
    reached = asyncio.Event()

    async def silent(link: Link) -> None:
        await link.read()
        reached.set()
        await asyncio.Event().wait()

    async def stopped() -> None:
        async with FakeArena(f"unix:{tmp_path}/arena", silent) as arena:
            session = Session(First, Settings(address=arena.address), lambda _: None)
            playing = asyncio.create_task(session.play())
            await reached.wait()
            session.stop("enough")
            await asyncio.wait_for(playing, 5)
            assert session.state is State.ENDED

    asyncio.run(stopped())


class TestAsync:
    def test_a_batch_is_answered_in_one_message(self, tmp_path):
        """Async bots think at once, and answers found together go together."""
        both = asyncio.Event()

        class Meeting(Bot):
            thinking: ClassVar[list[str]] = []

            async def decide(self, decision):
                self.thinking.append(decision.match.id)
                if len(self.thinking) == 2:
                    both.set()
                await both.wait()
                return decision.legal_moves[1]

        async def script(link: Link) -> None:
            await link.welcome()
            await link.start("a", "b")
            await link.ask(("a", 1), ("b", 1))
            assert sorted(await link.answers()) == [("a", 1, 1), ("b", 1, 1)]
            await link.goodbye()

        assert play(Meeting, tmp_path, script).error is None

    def test_a_slow_one_holds_nobody_back(self, tmp_path):
        """An answer goes out although another decision of its batch is still thought about."""

        class Stuck(Bot):
            async def decide(self, decision):
                if decision.match.id == "a":
                    await asyncio.Event().wait()
                return 0

        async def script(link: Link) -> None:
            await link.welcome()
            await link.start("a", "b")
            await link.ask(("a", 1), ("b", 1))
            assert await link.answers() == [("b", 1, 0)]
            await link.goodbye()

        assert play(Stuck, tmp_path, script).error is None

    def test_the_end_of_a_match_stops_thinking(self, tmp_path):
        """Thinking is cancelled when the match ends, and no answer is sent."""
        told: list[str] = []

        class Stuck(Bot):
            async def decide(self, decision):
                if decision.match.id == "a":
                    try:
                        await asyncio.Event().wait()
                    finally:
                        told.append("cancelled")
                return 0

            async def ended(self, outcome):
                await asyncio.sleep(0)
                told.append("ended")

        async def script(link: Link) -> None:
            await link.welcome()
            await link.start("a", "b")
            await link.ask(("a", 1))
            await link.ask(("b", 1))
            assert await link.answers() == [("b", 1, 0)]
            await link.end("a")
            await link.ask(("b", 2))
            assert await link.answers() == [("b", 2, 0)]
            await link.goodbye()

        assert play(Stuck, tmp_path, script).error is None
        assert sorted(told) == ["cancelled", "ended"]

    def test_thinking_outlives_a_cut(self, tmp_path):
        """What was thought about during a cut is answered after it, decided once, sent once."""
        resumed = asyncio.Event()
        asked = []

        class Patient(Bot):
            async def decide(self, decision):
                asked.append(decision.id)
                await resumed.wait()
                return 2

        async def before(link: Link) -> None:
            await link.welcome()
            await link.start("a")
            await link.ask(("a", 1))
            await link.abort(grpc.StatusCode.UNAVAILABLE)

        async def after(link: Link) -> None:
            await link.welcome(resumed=True)
            resumed.set()
            await asyncio.sleep(0.05)
            await link.ask(("a", 1))
            assert await link.answers() == [("a", 1, 2)]
            await link.goodbye()

        assert play(Patient, tmp_path, before, after).error is None
        assert asked == [1]

    @pytest.mark.parametrize("wrong", [5, ZeroDivisionError("oh")], ids=repr)
    def test_a_failure_leaves_the_session(self, tmp_path, wrong):
        """An exception or an illegal choice of an async bot is told and raised as well."""

        class Failing(Bot):
            async def decide(self, decision):
                await asyncio.sleep(0)
                if isinstance(wrong, Exception):
                    raise wrong
                return wrong

        async def script(link: Link) -> None:
            await link.welcome()
            await link.start("a")
            await link.ask(("a", 1))
            assert (await link.request()).leave.failed
            assert await link.read() is None

        assert isinstance(play(Failing, tmp_path, script).error, BotFailed)
