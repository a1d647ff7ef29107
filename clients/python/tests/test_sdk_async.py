from __future__ import annotations

import asyncio
from typing import ClassVar

import grpc
import pytest
from fake_arena import Link, play

from arena_client import Bot, BotFailed


def test_a_batch_is_answered_in_one_message(tmp_path):
    """Async bots think at once, and answers found together go together."""
    both = asyncio.Event()

    class Meeting(Bot):
        thinking: ClassVar[list[str]] = []

        async def decide(self, decision):
            self.thinking.append(decision.match.id)
            if len(self.thinking) == 2:
                both.set()
            await both.wait()
            if decision.match.id == "b":
                for _ in range(20):  # a little later than the other
                    await asyncio.sleep(0)
            return decision.legal_moves[1]

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b")
        await link.ask(("a", 1), ("b", 1))
        assert sorted(await link.answers()) == [("a", 1, 1), ("b", 1, 1)]
        await link.goodbye()

    assert play(Meeting, tmp_path, script).error is None


def test_a_slow_one_holds_nobody_back(tmp_path):
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


def test_the_end_of_a_match_stops_thinking(tmp_path):
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
        assert "cancelled" in told  # at once, not only when the session ends
        await link.goodbye()

    assert play(Stuck, tmp_path, script).error is None
    assert sorted(told) == ["cancelled", "ended"]


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(tmp_path):
    """What was thought about one decision is no answer to the next, which waits for it."""
    ready = {"b": asyncio.Event(), "c": asyncio.Event()}
    thoughts = []

    class Late(Bot):
        def __init__(self, match):
            if match.id in ready:
                ready[match.id].set()  # what was asked before has been read by now

        async def decide(self, decision):
            thoughts.append(f"begins {decision.id}")
            await ready["b" if decision.id == 1 else "c"].wait()
            thoughts.append(f"ends {decision.id}")
            return decision.id

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        await link.ask(("a", 2))
        await link.start("b")
        assert await link.answers() == [("a", 1, 1)]
        await link.ask(("a", 2))  # again, while it is still thought about
        await link.start("c")
        assert await link.answers() == [("a", 2, 2)]
        await link.goodbye()

    assert play(Late, tmp_path, script).error is None
    assert thoughts == ["begins 1", "ends 1", "begins 2", "ends 2"]


def test_the_end_of_a_match_stops_what_waits(tmp_path):
    """A thought that waits for the one before it never begins if the match ends."""
    thoughts = []

    class Stuck(Bot):
        async def decide(self, decision):
            thoughts.append((decision.match.id, decision.id))
            if decision.match.id == "a":
                await asyncio.Event().wait()
            return 0

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b")
        await link.ask(("a", 1))
        await link.ask(("a", 2))
        await link.ask(("b", 1))
        assert await link.answers() == [("b", 1, 0)]
        await link.end("a")
        await link.ask(("b", 2))
        assert await link.answers() == [("b", 2, 0)]
        await link.goodbye()

    assert play(Stuck, tmp_path, script).error is None
    assert thoughts == [("a", 1), ("b", 1), ("b", 2)]


def test_thinking_outlives_a_cut(tmp_path):
    """What was thought about during a cut is answered after it, decided once, sent once."""
    resumed = asyncio.Event()
    asked = []

    class Patient(Bot):
        def __init__(self, match):
            if match.id == "b":
                resumed.set()  # only now has the bot itself read the second welcome

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
        await link.start("b")
        await resumed.wait()
        await link.ask(("a", 1))
        assert await link.answers() == [("a", 1, 2)]
        await link.goodbye()

    assert play(Patient, tmp_path, before, after).error is None
    assert asked == [1]


@pytest.mark.parametrize("wrong", [5, ZeroDivisionError("oh")], ids=repr)
def test_a_failure_leaves_the_session(tmp_path, wrong):
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
