"""Time in a match: what a seat may use, what it has used, and the arena's own delay kept apart."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from arena.errors import InputError


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long bots may think. `move_time_s` None means without limit."""

    move_time_s: float | None = 1.0
    bank_s: float = 10.0
    start_timeout_s: float = 30.0

    def __post_init__(self) -> None:
        """Raise InputError for times that make no sense."""
        for name, value in (
            ("move time", self.move_time_s),
            ("bank", self.bank_s),
            ("start timeout", self.start_timeout_s),
        ):
            if value is not None and not 0 <= value <= _LONGEST_S:
                raise InputError(f"the {name} must be 0 to {_LONGEST_S} seconds, not {value}")


_LONGEST_S = 1_000_000

UNLIMITED = TimeControl(None, 0.0)


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Forget it."""
        ...


class Clock(Protocol):
    """Where the referee gets the time from."""

    def time(self) -> float:
        """Return seconds that never go back."""
        ...

    def lag(self) -> float:
        """Return by how much this process lately ran behind its own timers, in seconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back at that time."""
        ...


class InlineClock:
    """For matches in process without limits: tells the time, has no timers."""

    def time(self) -> float:
        """Return seconds that never go back."""
        return time.perf_counter()

    def lag(self) -> float:
        """Return 0: nothing runs beside the match."""
        return 0.0

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Refuse: an inline match cannot wait."""
        raise InputError("a match in process has no time limits")


class LoopClock:
    """The event loop's time, with a meter of how late the loop runs.

    The meter is a timer that is due every `TICK_S`; how late it is called is how long anything else
    that arrived had to wait for the loop too.
    """

    TICK_S = 0.01
    WINDOW = 20  # ticks that lag() looks back

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop | None = None,
        now: Callable[[], float] | None = None,
    ) -> None:
        """Tell the loop's time; call `start` to measure lag.

        `now` tells the same time more finely: uvloop's own is in whole milliseconds and stands
        still while callbacks run.
        """
        self._loop = loop or asyncio.get_running_loop()
        self.time = now or self._loop.time
        self._due = 0.0
        self._late: deque[float] = deque([0.0], maxlen=self.WINDOW)
        self._worst = 0.0
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure, anew if it was measuring."""
        self.stop()
        self._due = self.time() + self.TICK_S
        self._handle = self._loop.call_at(self._due, self._tick)

    def stop(self) -> None:
        """End measuring."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def lag(self) -> float:
        """Return the worst delay of late, the one now building up included."""
        if self._handle is None:
            return 0.0
        return max(self._worst, self.time() - self._due)

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back at that time."""
        return self._loop.call_at(when, callback)

    def _tick(self) -> None:
        now = self.time()
        self._late.append(now - self._due)
        self._worst = max(self._late)
        self._due = now + self.TICK_S
        self._handle = self._loop.call_at(self._due, self._tick)


class SeatClock:
    """What one seat has used of its time in one match."""

    __slots__ = ("bank_s", "decisions", "delay_s", "move_time_s", "slowest_s", "used_s")

    def __init__(self, control: TimeControl) -> None:
        """Start with a full bank."""
        self.move_time_s = control.move_time_s
        self.bank_s = control.bank_s
        self.decisions = 0
        self.used_s = 0.0
        self.slowest_s = 0.0
        self.delay_s = 0.0  # of the arena, not charged

    @property
    def allowance_s(self) -> float | None:
        """What the next decision may take at most; None for no limit."""
        return None if self.move_time_s is None else self.move_time_s + self.bank_s

    def charge(self, used_s: float, delay_s: float = 0.0) -> bool:
        """Charge a decision; return whether it was within the allowance."""
        self.decisions += 1
        self.used_s += used_s
        self.delay_s += delay_s
        self.slowest_s = max(self.slowest_s, used_s)
        if self.move_time_s is None or used_s <= self.move_time_s:
            return True
        overrun = used_s - self.move_time_s
        is_within = overrun <= self.bank_s
        self.bank_s = max(0.0, self.bank_s - overrun)
        return is_within
