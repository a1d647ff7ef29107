"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting.

For code without I/O: hours of thinking, waiting and being late pass in no time, and exactly.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arena.referee.clock import Timer
from arena.referee.fixture import Fixture
from arena.referee.match import Conditions, Match, PlayedMatch
from arena.referee.player import Player

ResultT = TypeVar("ResultT")

_NS = 1_000_000_000

LATEST_S = 1 << 24
"""Half a year, the end of virtual time: beyond it a float no longer tells nanoseconds apart."""


class StuckError(AssertionError):
    """Nothing is due, now or later: the code under test would wait for ever."""


class _JumpingSelector(selectors.SelectSelector):
    """Looks what is ready and never waits: whatever it was to wait for has passed at once.

    Time is kept in whole nanoseconds, so that it adds up exactly and every wait moves it on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now_ns = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise StuckError("everything waits and no timer is set")
        if timeout > 0:
            later_ns = self.now_ns + max(1, round(timeout * _NS))
            if later_ns >= LATEST_S * _NS:
                raise StuckError(f"virtual time ends after {LATEST_S} seconds")
            self.now_ns = later_ns
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that starts at time 0 and never waits; raises StuckError instead of hanging.

    Use it as `asyncio.Runner(loop_factory=VirtualLoop)`, with `run_virtually`, or, for code driven
    by callbacks, with `run_until_idle`. Not for sockets, threads or processes.
    """

    def __init__(self) -> None:
        """Start at time 0."""
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual seconds since the loop was made."""
        return self._jumping.now_ns / _NS

    def advance(self, seconds: float) -> None:
        """Let time pass while nothing runs, as when something blocks the loop."""
        self._jumping.now_ns += round(seconds * _NS)

    def run_until_idle(self) -> None:
        """Run until nothing is due any more; raise the first exception that a callback raised."""
        errors: list[BaseException] = []

        def stop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            errors.append(context.get("exception") or StuckError(context["message"]))
            self.stop()

        self.set_exception_handler(stop)
        try:
            self.run_forever()
        except StuckError:
            pass
        finally:
            self.set_exception_handler(None)
        if errors:
            raise errors[0]


def run_virtually(main: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run a coroutine to its end in virtual time and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


class _CountedTimer:
    """A timer that its clock knows of until it has fired or been cancelled."""

    def __init__(self, clock: VirtualClock, when: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._handle = clock.loop.call_at(when, self._fire)
        clock.timers.add(self)

    def cancel(self) -> None:
        self._handle.cancel()
        self._clock.timers.discard(self)

    def _fire(self) -> None:
        self._clock.timers.discard(self)
        self._callback()


class VirtualClock:
    """A referee's clock over a virtual loop, which lags as much as it is told to.

    `timers` holds those that have neither fired nor been cancelled.
    """

    def __init__(self, loop: VirtualLoop, lag_s: float = 0.0) -> None:
        """Tell the loop's time."""
        self.loop = loop
        self.lag_s = lag_s
        self.timers: set[Timer] = set()

    def time(self) -> float:
        """Return the loop's virtual time."""
        return self.loop.time()

    def lag(self) -> float:
        """Return what was set."""
        return self.lag_s

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back at that time."""
        return _CountedTimer(self, when, callback)


def play_virtually(
    fixture: Fixture,
    players: Sequence[Player],
    conditions: Conditions | None = None,
    *,
    lag_s: float = 0.0,
) -> PlayedMatch:
    """Play a match to its end, and on until the last late answer has come, in virtual time.

    The clock of the conditions is replaced. Raises StuckError if the match waits for ever.
    """
    loop = VirtualLoop()
    try:
        clock = VirtualClock(loop, lag_s)
        match = Match(fixture, players, replace(conditions or Conditions(), clock=clock))
        loop.call_soon(match.begin)
        loop.run_until_idle()
    finally:
        loop.close()
    if match.played is None:
        raise StuckError(f"the match waits for an answer of seat {match.state.to_act}")
    return match.played
