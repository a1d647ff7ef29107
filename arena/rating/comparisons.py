"""Who is better than whom: differences with intervals, and rank sets.

One pair: Student's distribution on the differences by deal. All pairs at once: their largest t is
compared with what it comes to when every deal's signs are drawn by lot (a wild bootstrap), which
knows how the pairs depend on each other. Both were chosen by simulation: docs/statistics.md.

Signs come from the raw output of PCG64, which numpy promises never to change, and depend on the
number of deals alone. Comparisons are made between rounded numbers, so that the last bit of a sum,
which differs between machines, decides nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.rating.estimates import Estimate
from arena.rating.leaderboard import Interval
from arena.rating.statistics import MIN_DEALS, Floats
from arena.rating.student import student_probability, student_quantile

_SEED = 0x6172656E61  # any number will do, as long as it stays
_MAX_SAMPLES = 4_000
_MIN_SAMPLES = 1_000
_DRAWS = 40_000_000  # about so many signs are drawn in all
_CHUNK = 65_536  # numbers in memory at a time: they stay in the processor's cache
_DIGITS = 9  # that count


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one bot is ahead of another: the difference of an estimate."""

    value: float
    error: float  # standard error
    freedom: int  # degrees of freedom of the error
    deals: int  # in which one of the two played

    @property
    def interval(self) -> Interval:
        """The 95 % interval, for this pair alone."""
        half = student_quantile(self.freedom) * self.error
        return self.value - half, self.value + half

    @property
    def t(self) -> float:
        """The difference in standard errors."""
        return round(self.value / self.error, _DIGITS)

    @property
    def probability(self) -> float:
        """How sure it is that the first is the better one, from 0 to 1."""
        return student_probability(self.value / self.error, self.freedom)


class Comparisons:
    """All bots of an estimate compared with each other.

    `is_low_best` says which way is ahead. Bots with fewer than 10 deals, and those that never met,
    directly or through others, are not compared.
    """

    def __init__(self, estimate: Estimate, *, is_low_best: bool) -> None:
        self.estimate = estimate
        self._sign = -1.0 if is_low_best else 1.0
        self._size = np.bincount(estimate.strata, minlength=1)
        factor = self._size / np.maximum(self._size - 1, 1)
        weighted = estimate.influence * factor[estimate.strata][:, None]
        self._covariance: Floats = weighted.T @ estimate.influence
        played = estimate.played.astype(np.float64)
        self._both: Floats = played.T @ played  # bots x bots: deals in which both played
        self._deals = np.diag(self._both)
        present = np.zeros((len(self._size), len(estimate.values)), bool)
        deal, bot = np.nonzero(estimate.played)
        present[estimate.strata[deal], bot] = True
        self._present = present  # strata x bots

    def can_compare(self, first: int, second: int) -> bool:
        """Return whether anything can be said about these two."""
        groups = self.estimate.groups
        enough = min(self._deals[first], self._deals[second]) >= MIN_DEALS
        return bool(enough and groups[first] == groups[second])

    def difference(self, first: int, second: int) -> Difference | None:
        """Return how far the first is ahead of the second; None where nothing can be said."""
        if first == second or not self.can_compare(first, second):
            return None
        estimate, covariance = self.estimate, self._covariance
        variance = covariance[first, first] + covariance[second, second]
        variance -= 2 * covariance[first, second]
        value = self._sign * (estimate.values[first] - estimate.values[second])
        return self._made(value, variance, first, second)

    def interval(self, bot: int) -> Interval | None:
        """Return the 95 % interval of one bot's number; None with fewer than 10 deals."""
        if self._deals[bot] < MIN_DEALS:
            return None
        value, variance = self.estimate.values[bot], self._covariance[bot, bot]
        return self._made(value, variance, bot, bot).interval

    def _made(self, value: float, variance: float, first: int, second: int) -> Difference:
        deals = int(self._deals[first] + self._deals[second] - self._both[first, second])
        strata = int((self._present[:, first] | self._present[:, second]).sum())
        floor = max(self.estimate.floor[first], self.estimate.floor[second])
        error = math.sqrt(max(variance, 0.0) + floor * deals / (deals - 1))
        return Difference(float(value), error, max(deals - strata, MIN_DEALS - 1), deals)

    @functools.cached_property
    def rank_sets(self) -> list[tuple[int, int] | None]:
        """By bot the best and the worst rank that it may have; None for one not compared.

        All sets are right at once in 95 % of tournaments.
        """
        bots = len(self.estimate.values)
        rated = [bot for bot in range(bots) if self._deals[bot] >= MIN_DEALS]
        if len(rated) < 2:
            return [None] * bots
        ahead = {
            (a, b): found.t
            for a in rated
            for b in rated
            if (found := self.difference(a, b)) is not None
        }
        limit = self.max_t(rated)
        sets: list[tuple[int, int] | None] = [None] * bots
        # Those with too few deals may have any rank, and push the others down by none.
        unknown = int((self._deals > 0).sum()) - len(rated)
        for bot in rated:
            better = sum(ahead.get((other, bot), 0.0) > limit for other in rated)
            worse = sum(ahead.get((bot, other), 0.0) > limit for other in rated)
            sets[bot] = better + 1, len(rated) + unknown - worse
        return sets

    def max_t(self, bots: list[int]) -> float:
        """Return what the largest t of all pairs of these bots stays below in 95 % of cases."""
        estimate = self.estimate
        count = len(estimate.strata)
        first, second = np.triu_indices(len(bots), 1)
        chosen = np.array(bots)
        groups, enough = estimate.groups[chosen], self._deals[chosen] >= MIN_DEALS
        allowed = (groups[first] == groups[second]) & enough[first] & enough[second]
        first, second = first[allowed], second[allowed]
        if not len(first):
            return math.inf
        size = self._size[estimate.strata]
        # What is left of an influence after its stratum's mean was taken from it is too small.
        influence = estimate.influence[:, chosen] * np.sqrt(size / np.maximum(size - 1, 1))[:, None]
        floor = np.maximum(estimate.floor[chosen[first]], estimate.floor[chosen[second]])
        floor *= count / (count - 1)
        covariance = self._covariance[np.ix_(chosen, chosen)]
        spread = np.diag(covariance)
        variance = spread[first] + spread[second] - 2 * covariance[first, second] + floor
        strata = [np.flatnonzero(estimate.strata == number) for number in range(len(self._size))]
        largest: list[Floats] = []  # squares
        # Pairs x samples: numbers that are used together lie together.
        variance, floor = variance[:, None], floor[:, None]
        for signs in draw_signs(count, len(first)):
            apart = np.zeros((len(first), len(signs)))
            known = np.zeros_like(apart)  # of the variance, what the means of strata took away
            for deals in strata:
                chosen_signs = signs if len(strata) == 1 else signs[:, deals]
                sums = influence[deals].T @ chosen_signs.T
                moved = sums[first] - sums[second]
                apart += moved
                known += moved * moved / len(deals)
            # As in deals drawn anew, the error is estimated from what was drawn.
            error = np.maximum(variance - known, floor)
            largest.append(np.max(apart * apart / error, axis=0))
        every = np.concatenate(largest)
        place = math.ceil(0.95 * len(every)) - 1
        return round(math.sqrt(np.partition(every, place)[place]), _DIGITS)


def sample_count(deals: int) -> int:
    """Return how often signs are drawn for so many deals: less often where each is more work."""
    return max(_MIN_SAMPLES, min(_MAX_SAMPLES, _DRAWS // deals))


def draw_signs(deals: int, width: int = 1) -> Iterator[Floats]:
    """Yield signs, samples x deals, a few samples at a time; the same for so many deals.

    So few that `width` numbers for each sample do not take much memory either.
    """
    source = np.random.PCG64(_SEED)
    words = -(-deals // 64)
    step = max(16, _CHUNK // max(deals, width, 64))
    samples = sample_count(deals)
    for start in range(0, samples, step):
        size = min(step, samples - start)
        raw = source.random_raw(size * words).astype("<u8").view(np.uint8).reshape(size, words * 8)
        bits = np.unpackbits(raw, axis=1, count=deals, bitorder="little")
        signs = bits.astype(np.float64)
        signs *= 2
        signs -= 1
        yield signs
