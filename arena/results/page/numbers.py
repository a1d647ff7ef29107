"""Numbers as people read them, and where they lie on an axis."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.rating.leaderboard import Interval

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def decimal(value: float, places: int = 2) -> str:
    """Return the number with a true minus sign."""
    return f"{value:z,.{places}f}".replace("-", "−")


def plain(value: float) -> str:
    """Return the number with no more places than it needs, and a true minus sign."""
    return f"{value:zg}".replace("-", "−")


def interval(ends: Interval) -> str:
    """Return both ends of an interval."""
    return f"[{decimal(ends[0])}, {decimal(ends[1])}]"


def percent(share: float) -> str:
    """Return a share as a whole percentage; one that is not nothing or all never looks like it."""
    if 0 < share < 0.005:
        return "<1 %"
    if 0.995 <= share < 1:
        return ">99 %"
    return f"{share:.0%}".replace("%", " %")


def milliseconds(value: float) -> str:
    """Return a duration in the unit that suits it."""
    if value >= 10_000:
        return f"{value / 1000:,.1f} s"
    return f"{value:,.0f} ms" if value >= 100 else f"{value:.3g} ms"


def duration(seconds: int) -> str:
    """Return a length of time in its two largest units."""
    if seconds < 60:
        return f"{seconds} s"
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


@dataclass(frozen=True, slots=True)
class Axis:
    """A straight axis between two numbers, in percent of its length."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return where the value lies, from 0 to 100; beyond the ends it is at the end."""
        low, high = self.low, self.high
        if self.is_logarithmic:
            value, low, high = (math.log10(max(x, self.low)) for x in (value, low, high))
        return round(min(100.0, max(0.0, 100 * (value - low) / (high - low))), 3)


_MOST_POWERS = 5  # with a tick each


def axis(low: float, high: float, ticks: int = 5) -> Axis:
    """Return an axis with round ticks that covers both numbers with a little air."""
    if not low < high:
        low, high = low - 1, high + 1
    air = (high - low) * 0.04
    low, high = low - air, high + air
    rough = (high - low) / ticks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in _STEPS if step * power >= rough * (1 - 1e-9))
    first = math.ceil(low / step)
    last = math.floor(high / step)
    return Axis(low, high, tuple(round(n * step, 10) for n in range(first, last + 1)))


def logarithmic_axis(low: float, high: float) -> Axis:
    """Return an axis in powers of ten that covers both numbers, which are above nothing.

    Long ones have a tick at every second power, so that the numbers keep apart.
    """
    first = math.floor(math.log10(low))
    last = max(first + 1, math.ceil(math.log10(high)))
    powers = tuple(10.0**n for n in range(first, last + 1))
    ticks = powers if len(powers) <= _MOST_POWERS else powers[1::2]
    return Axis(powers[0], powers[-1], ticks, is_logarithmic=True)
