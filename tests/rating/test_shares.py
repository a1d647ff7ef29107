from __future__ import annotations

import numpy as np
import pytest

from arena.rating import shares


def share_interval(counts, totals):
    """Return the interval, whose absence only one test expects."""
    return shares.share_interval(counts, totals)


def test_independent_decisions():
    """Where the matches do not differ it is Wilson's interval, with t = 2.0096 for 50 matches."""
    low, high = share_interval([1] * 50, [10] * 50)

    assert (low, high) == pytest.approx((0.0762, 0.1302), abs=2e-4)


def test_decisions_that_hang_together():
    """Where all that changed is in one match in ten the interval is wider."""
    low, high = share_interval([10, *[0] * 9] * 5, [10] * 50)
    even_low, even_high = share_interval([1] * 50, [10] * 50)

    assert low < 0.1 < high
    assert high - low > 3 * (even_high - even_low)


@pytest.mark.parametrize(("count", "ends"), [(0, (0.0, 0.0747)), (10, (0.9253, 1.0))])
def test_none_or_all(count, ends):
    """Each match counts once where nothing shows how far its decisions hang together."""
    assert share_interval([count] * 50, [10] * 50) == pytest.approx(ends, abs=2e-4)


@pytest.mark.parametrize("matches", [20, 50])
def test_coverage(matches):
    """It covers the share in about 95 % of cases, where only half of the matches have any."""
    random = np.random.default_rng(1)
    share, times, covered = 0.05, 2000, 0
    for _ in range(times):
        totals = random.integers(15, 40, matches)
        by_match = np.minimum(1.0, 2 * random.beta(share * 8, (1 - share) * 8, matches))
        counts = random.binomial(totals, np.where(random.random(matches) < 0.5, by_match, 0.0))
        low, high = share_interval(counts.tolist(), totals.tolist())
        covered += low <= share <= high

    assert 0.93 <= covered / times <= 0.98


def test_too_little():
    """Nothing is said from one match, and matches without a decision do not count."""
    assert share_interval([], []) is None
    assert share_interval([3, 0], [10, 0]) is None
