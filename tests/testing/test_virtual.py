from __future__ import annotations

import asyncio

import pytest
from highcard.rules import HighCard

from arena.testing import (
    SilentPlayer,
    StuckError,
    VirtualClock,
    VirtualLoop,
    play_virtually,
    run_virtually,
)
from tests.virtual_table import fixture_of


@pytest.fixture
def loop():
    loop = VirtualLoop()
    yield loop
    loop.close()


class TestVirtualLoop:
    def test_hours_pass_at_once(self):
        """Sleeping takes exactly as long as asked for, and no time."""

        async def sleep() -> float:
            loop = asyncio.get_running_loop()
            assert loop.time() == 0.0
            await asyncio.sleep(100_000)  # more than the loop waits for in one go
            return loop.time()

        assert run_virtually(sleep()) == 100_000

    def test_timers_fire_in_order_at_their_time(self, loop):
        """Each callback finds exactly the time it asked for, whatever the fractions."""
        seen: list[float] = []
        times = [0.3, 0.1, 0.7, 1e-9, 0.1 + 1e-6, 3600.123456789]
        for when in times:
            loop.call_at(when, lambda: seen.append(loop.time()))
        loop.run_until_idle()

        assert seen == sorted(times)

    def test_a_timeout(self):
        """What waits for ever is cut off at its timeout."""

        async def wait() -> float:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(5.5):
                    await asyncio.Event().wait()
            return asyncio.get_running_loop().time()

        assert run_virtually(wait()) == 5.5

    def test_tasks_take_turns(self):
        """Two tasks that sleep see each other's progress in the order of time."""
        order: list[str] = []

        async def tick(name: str, every: float) -> None:
            for _ in range(2):
                await asyncio.sleep(every)
                order.append(name)

        async def both() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(tick("slow", 3.0))
                group.create_task(tick("fast", 2.0))

        run_virtually(both())

        assert order == ["fast", "slow", "fast", "slow"]

    def test_waiting_for_ever(self):
        """Code that nothing can wake is an error, not a hanging test."""

        async def wait() -> None:
            await asyncio.Event().wait()

        with pytest.raises(StuckError, match="no timer"):
            run_virtually(wait())

    def test_the_end_of_time(self):
        """What would wait for longer than floats are exact is an error, too."""
        with pytest.raises(StuckError, match="virtual time ends"):
            run_virtually(asyncio.sleep(1e9))

    def test_a_timer_that_sets_itself_anew_before_its_time(self, loop):
        """Every wait moves time on, so that rounding cannot make a timer fire for ever."""
        deadline = 0.1 + 0.2 + 1e-10  # between two nanoseconds
        fired: list[float] = []

        def fire() -> None:
            fired.append(loop.time())
            if loop.time() < deadline:
                loop.call_at(deadline, fire)

        loop.call_at(deadline, fire)
        loop.run_until_idle()

        assert len(fired) <= 2
        assert fired[-1] == pytest.approx(deadline, abs=2e-9)

    def test_a_blocked_loop(self, loop):
        """What passes while nothing runs makes timers late."""
        seen: list[float] = []
        loop.call_at(1.0, lambda: loop.advance(4.0))
        loop.call_at(2.0, lambda: seen.append(loop.time()))
        loop.run_until_idle()

        assert seen == [5.0]

    def test_an_exception_in_a_callback(self, loop):
        """It leaves run_until_idle, and what was due later does not run."""
        seen: list[int] = []
        loop.call_at(1.0, lambda: 1 // 0)
        loop.call_at(2.0, lambda: seen.append(1))

        with pytest.raises(ZeroDivisionError):
            loop.run_until_idle()
        assert seen == []


class TestVirtualClock:
    def test_time_and_lag(self, loop):
        """It tells the loop's time, and the lag it was given."""
        clock = VirtualClock(loop, lag_s=0.5)
        loop.advance(2.0)

        assert (clock.time(), clock.lag()) == (2.0, 0.5)

    def test_timers_are_counted_until_they_fire_or_are_cancelled(self, loop):
        """`timers` holds those that are still to come."""
        clock = VirtualClock(loop)
        fired: list[str] = []
        clock.call_at(1.0, lambda: fired.append("first"))
        second = clock.call_at(2.0, lambda: fired.append("second"))
        assert len(clock.timers) == 2

        second.cancel()
        assert len(clock.timers) == 1
        loop.run_until_idle()

        assert fired == ["first"]
        assert not clock.timers


def test_a_match_that_waits_for_ever():
    """Without a time limit nobody ends the wait for a silent player: the test fails at once."""
    with pytest.raises(StuckError, match="seat 0"):
        play_virtually(fixture_of(HighCard()), [SilentPlayer() for _ in range(3)])
