"""Two bots of a tournament compared with each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.rating.leaderboard import Interval, Order
from arena.rating.ordering import order_bots
from arena.rating.statistics import MIN_DEALS, sum_pairs, tabulate
from arena.storage.records import StoredMatch


@dataclass(frozen=True, slots=True)
class Versus:
    """How two bots compare, in what the leaderboard is ordered by."""

    first: str
    second: str
    met: int = 0  # matches in which both played
    above: int = 0  # of them, those in which the first ended above the second
    equal: int = 0
    below: int = 0
    order: Order | None = None
    values: tuple[float, float] | None = None  # low is best; None: one of them has not played
    ahead: float | None = None  # by how much the first is ahead, from all matches of both
    ci95: Interval | None = None
    probability: float | None = None  # how sure it is that the first is the better one
    deals: int = 0  # in which one of the two played
    reason: str = ""  # why something is left out


def compare(
    matches: Sequence[StoredMatch], names: Collection[str], first: str, second: str
) -> Versus:
    """Return how two bots compare after these matches; `names` are all bots."""
    table = tabulate(matches, names)
    a, b = table.names.index(first), table.names.index(second)
    sums = sum_pairs(table)
    counts = (0, 0, 0)
    for place, pair in enumerate(sums.pairs):
        if set(pair) == {a, b}:
            above, equal, below = (int(x[place]) for x in (sums.above, sums.equal, sums.below))
            counts = (above, equal, below) if pair == (a, b) else (below, equal, above)
    ordering = order_bots(table)
    played = set(table.bots.ravel().tolist())
    if ordering is None or not {a, b} <= played:
        missing = first if a not in played else second
        return Versus(first, second, reason=f"{missing} has not finished a match that counts")
    comparisons = ordering.comparisons
    values = comparisons.estimate.values
    difference = comparisons.difference(a, b)
    reason, interval, probability = "", None, None
    if difference is not None:
        low, high = difference.interval
        interval, probability = (round(low, 4), round(high, 4)), round(difference.probability, 4)
    elif comparisons.estimate.groups[a] != comparisons.estimate.groups[b]:
        reason = "they cannot be compared: they never met, nor others who met both"
    else:
        reason = f"too few deals to tell: each of the two needs at least {MIN_DEALS}"
    return Versus(
        first,
        second,
        sum(counts),
        *counts,
        ordering.order,
        (round(float(values[a]), 4), round(float(values[b]), 4)),
        round(float(values[b] - values[a]), 4),
        interval,
        probability,
        0 if difference is None else difference.deals,
        reason,
    )
