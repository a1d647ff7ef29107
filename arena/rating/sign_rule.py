"""The first stopping rule: what neighbours gained on each other where they met, by signs.

Kept for the tournaments that recorded it, which must come out as they did.

Under the hypothesis that two bots are equally good, what one gained on the other in a deal might as
well have been its loss. How many of all ways to choose these signs lead at least as far apart as
what was seen is counted exactly, which is right as long as gains are as large as losses. The n-th
look may use the share 4 / ((n + 3) (n + 4)) of the error that is allowed, as if each look were a
new attempt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from arena.rating.statistics import Floats, OutcomeTable, sum_deals, sum_pairs

_FIRST = (10, 15)  # rounds; and their doubles

_EXACT = 400  # deals; with more of them a sum of signs is normal as far as anybody can see
_MAX_STEPS = 100_000  # the finest distances that are told apart


def look_rounds(look: int) -> int:
    """Return after how many rounds a look is, by its number from 1: 10, 15, 20, 30 and so on."""
    doubled, first = divmod(look - 1, len(_FIRST))
    return _FIRST[first] << doubled


def look_share(look: int) -> float:
    """Return which share of the allowed error the look of that number may use."""
    return 4 / ((look + 3) * (look + 4))


def are_clear(table: OutcomeTable, order: Sequence[int], level: float, look: int) -> bool:
    """Return whether every two neighbours in the order are told apart."""
    leads = _Leads(table)
    chance = (1 - level) * look_share(look)
    return all(leads.chance(*pair) <= chance for pair in itertools.pairwise(order))


class _Leads:
    """How far bots are ahead of each other, deal by deal."""

    def __init__(self, table: OutcomeTable) -> None:
        self._deals = sum_deals(table)
        self._sums = sum_pairs(table)
        self._columns = {pair: column for column, pair in enumerate(self._sums.pairs)}

    def chance(self, better: int, worse: int) -> float:
        """Return how likely it is that equally good bots come that far apart; 1: the wrong way.

        In the matches in which they met. Bots that never do, those of one group, are compared by
        their mean ranks in the deals that both have played.
        """
        leads = self._between(better, worse)
        return sign_chance(leads) if leads.sum() > 0 else 1.0

    def _between(self, better: int, worse: int) -> Floats:
        if (better, worse) in self._columns:
            return self._sums.lead[:, self._columns[better, worse]]
        if (worse, better) in self._columns:
            return -self._sums.lead[:, self._columns[worse, better]]
        ranks, matches = self._deals.ranks, self._deals.matches
        return ranks[:, worse] * matches[:, better] - ranks[:, better] * matches[:, worse]


def sign_chance(leads: Floats) -> float:
    """Return the share of all choices of signs with which these sum up at least as far from 0.

    Leads are whole numbers. Exact up to 400 of them, normal above.
    """
    sizes = np.abs(leads[leads != 0])
    reached = abs(float(leads.sum()))
    if not reached:
        return 1.0
    if len(sizes) > _EXACT:
        return math.erfc(reached / math.sqrt(2 * float((sizes**2).sum())))
    unit = max(float(np.gcd.reduce(sizes.astype(np.int64))), float(sizes.sum()) / _MAX_STEPS)
    steps = [round(float(size) / unit) for size in sizes]
    reach = sum(steps)
    # Place p stands for the sum p - reach; each lead moves it up or down.
    shares = np.zeros(2 * reach + 1)
    shares[reach] = 1.0
    for step in steps:
        if step:
            moved = np.zeros_like(shares)
            moved[step:] += shares[:-step] / 2
            moved[:-step] += shares[step:] / 2
            shares = moved
    beyond = reach - round(reached / unit)
    return min(1.0, 2 * float(shares[: beyond + 1].sum()))
