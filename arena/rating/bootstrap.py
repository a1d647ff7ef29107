"""How certain means are: the bootstrap over deals.

The unit is the deal, with all its blocks at all tables: matches of one deal share their luck, so
resampling matches would find far too much certainty. Which deals a resample takes depends on
their number alone, so the same outcomes give the same numbers. They come from the raw output of
PCG64, which numpy promises never to change (it does not for what is derived from it), and all
sums are of integers, hence exact: the same on every machine.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Iterator

import numpy as np

from arena.rating.leaderboard import Interval
from arena.rating.statistics import MIN_DEALS, DealSums, Floats, PairSums

_SEED = 0x6172656E61  # any number will do, as long as it stays
_MAX_SAMPLES = 10_000
_MIN_SAMPLES = 2_000
_DRAWS = 5_000_000  # about so many deals are drawn in all
_CHUNK = 1_000_000  # numbers in memory at a time


def resamples(deals: int) -> Iterator[Floats]:
    """Yield how often each resample takes each deal, samples x deals, a few samples at a time."""
    samples = sample_count(deals)
    source = np.random.PCG64(_SEED)
    step = max(1, _CHUNK // deals)
    for start in range(0, samples, step):
        size = min(step, samples - start)
        raw = source.random_raw(size * deals)
        drawn = ((raw >> np.uint64(32)) * np.uint64(deals)) >> np.uint64(32)
        cells = drawn.astype(np.int64).reshape(size, deals)
        cells += np.arange(0, size * deals, deals)[:, None]
        counts = np.bincount(cells.ravel(), minlength=size * deals)
        yield counts.reshape(size, deals).astype(np.float64)


def sample_count(deals: int) -> int:
    """Return how many resamples are made of so many deals: fewer where each is more work."""
    return max(_MIN_SAMPLES, min(_MAX_SAMPLES, _DRAWS // deals))


def mean_intervals(sums: DealSums) -> list[tuple[Interval | None, Interval | None]]:
    """Return for each bot the 95 % intervals of its mean rank and its mean score.

    None for a bot with fewer than 10 deals. The percentiles are those of `tail`.
    """
    deals, bots = sums.matches.shape
    played = (sums.matches > 0).sum(axis=0)
    if deals < MIN_DEALS:
        return [(None, None)] * bots
    everything = np.concatenate([sums.matches, sums.ranks, sums.scores], axis=1)
    drawn = np.concatenate([everything.T @ chunk.T for chunk in resamples(deals)], axis=1)
    matches, ranks, scores = np.split(drawn, 3)
    intervals: list[tuple[Interval | None, Interval | None]] = []
    for bot in range(bots):
        if played[bot] < MIN_DEALS:
            intervals.append((None, None))
            continue
        counts = matches[bot]
        # A resample without any of its deals says nothing of it.
        some = slice(None) if counts.all() else counts > 0
        lower = tail(int(played[bot]))
        of_rank = _percentiles(ranks[bot, some] / counts[some], lower)
        of_score = _percentiles(scores[bot, some] / counts[some], lower)
        intervals.append((of_rank, of_score))
    return intervals


def lead_probabilities(sums: PairSums) -> list[float | None]:
    """Return for each pair the share of resamples in which the first has the better mean rank.

    In the matches in which they met; half for ties. None for a pair with fewer than 10 deals.
    """
    deals, pairs = sums.lead.shape
    if deals < MIN_DEALS:
        return [None] * pairs
    twice = np.zeros(pairs, np.int64)
    for chunk in resamples(deals):
        leads = chunk @ sums.lead
        twice += 2 * (leads > 0).sum(axis=0) + (leads == 0).sum(axis=0)
    met = (sums.met > 0).sum(axis=0)
    double = 2 * sample_count(deals)
    return [
        round(int(count) / double, 4) if shared >= MIN_DEALS else None
        for count, shared in zip(twice, met, strict=True)
    ]


@functools.cache
def tail(deals: int) -> float:
    """Return the percentile at which a 95 % interval over so many deals begins.

    Plain percentiles are too narrow with few deals: resamples vary by (n - 1) / n of the true
    variance, and take no account of its not being known. So the interval reaches to where the
    normal distribution has what Student's distribution, widened by the square root of
    n / (n - 1), has beyond 2.5 %: 0.86 % for 10 deals, 2.1 % for 50 (the "expanded percentile
    interval" of T. Hesterberg, What Teachers Should Know about the Bootstrap, 2014).
    """
    reach = math.sqrt(deals / (deals - 1)) * _student(deals - 1)
    return math.erfc(reach / math.sqrt(2)) / 2


def _student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's distribution, right to 0.0003 from 9 on.

    The expansion of Cornish and Fisher.
    """
    z = statistics.NormalDist().inv_cdf(0.975)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def _percentiles(values: Floats, lower: float) -> Interval:
    skipped = round(lower * len(values))
    last = len(values) - 1 - skipped
    ordered = np.partition(values, (skipped, last))
    return round(float(ordered[skipped]), 4), round(float(ordered[last]), 4)
