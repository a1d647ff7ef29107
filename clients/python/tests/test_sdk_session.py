from __future__ import annotations

import grpc
import pytest
from fake_arena import Link, play
from sdk_bots import First, recording

import arena_client
from arena_client import Bot, BotFailed, ByzanzBot, IllegalChoice, Refused, players, session
from arena_client.players import FLUSH_S
from arena_client.v1 import play_pb2


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
        batches_matches=True,
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


@pytest.mark.parametrize("given", [(), ("m1",)])
def test_an_author_may_call_the_constructor_above(given):
    """With the match, as is the custom, or without; the match is there already."""

    class Dutiful(First):
        def __init__(self, match):
            assert self.match is match
            super().__init__(*given)
            self.moves = 0

    assert Dutiful("m1").moves == 0


def test_a_slow_bot_sends_what_it_has(tmp_path, monkeypatch):
    """Answers found before FLUSH_S is over do not wait for slow ones of their batch."""
    late_s = 0.0
    for module in (players, session):
        monkeypatch.setattr(module, "monotonic", lambda: late_s)

    class Slow(Bot):
        def decide(self, decision):
            nonlocal late_s
            if decision.match.id == "b":
                late_s += FLUSH_S * 1.5
            return 2

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b", "c")
        await link.ask(("a", 1), ("b", 1), ("c", 1))
        first = await link.answers()
        assert ("a", 1, 2) in first
        assert ("c", 1, 2) not in first
        while ("c", 1, 2) not in await link.answers():
            pass
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
