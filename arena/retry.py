"""How long to wait between attempts. Whoever tries again does the waiting."""

from __future__ import annotations

from collections.abc import Iterator


def pauses(first_s: float, longest_s: float, *, is_first_free: bool = False) -> Iterator[float]:
    """Yield pauses without end, each twice as long as the one before, up to the longest.

    If the first attempt is free, no pause comes before them.
    """
    pause_s = first_s
    if is_first_free:
        yield 0.0
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, longest_s)
