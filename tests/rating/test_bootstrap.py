from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.bootstrap import (
    _student,
    lead_probabilities,
    mean_intervals,
    resamples,
    sample_count,
    tail,
)
from arena.rating.statistics import DealSums, Floats, sum_deals, sum_pairs, tabulate
from tests.simulated_tournament import plan_of, simulate

STRENGTHS = {"a": 0.0, "b": 2.0, "c": 60.0}


def sums_of(scores: Sequence[float]) -> DealSums:
    """The sums of one bot that plays one match a deal."""
    column = np.array(scores)[:, None]
    return DealSums(np.ones_like(column), column, column)


def test_resamples_are_the_same_everywhere():
    """Which deals are drawn is fixed for good, so that leaderboards can be made again."""
    drawn = np.concatenate(list(resamples(12)))

    assert drawn.shape == (10_000, 12)
    assert (drawn.sum(axis=1) == 12).all()
    digest = hashlib.sha256(drawn.astype(np.uint8).tobytes()).hexdigest()
    assert digest.startswith("e36322b425f02491")


def test_resamples_are_fair():
    """Every deal is drawn once a resample on average, with the variance of drawing with return."""
    drawn = np.concatenate(list(resamples(40)))

    assert drawn.mean(axis=0) == pytest.approx(np.ones(40), abs=0.05)
    assert drawn.var() == pytest.approx(1 - 1 / 40, abs=0.01)


def test_many_deals_are_resampled_less_often_and_in_chunks():
    """With many deals resamples are fewer, and never all in memory."""
    sizes = [len(chunk) for chunk in resamples(3001)]

    assert sample_count(3001) == sum(sizes) == 2000
    assert sizes == [333] * 6 + [2]


@pytest.mark.parametrize(("freedom", "expected"), [(9, 2.2622), (19, 2.0930), (100, 1.9840)])
def test_students_quantiles_are_those_of_the_tables(freedom, expected):
    """The quantiles agree with printed tables."""
    assert _student(freedom) == pytest.approx(expected, abs=4e-4)


def test_tails_are_narrower_with_few_deals():
    """With 10 deals the interval reaches further out; with many it is the plain percentile."""
    assert tail(10) == pytest.approx(0.0086, abs=1e-4)
    assert tail(10) < tail(20) < tail(1000) < 0.025
    assert tail(100_000) == pytest.approx(0.025, abs=1e-4)


def test_intervals_need_ten_deals():
    """With nine deals there is no interval, with ten there is."""
    assert mean_intervals(sums_of([1, 2, 3] * 3)) == [(None, None)]
    [(of_rank, of_score)] = mean_intervals(sums_of([1, 2, 3] * 3 + [2]))
    assert of_rank == of_score
    assert of_rank is not None
    assert of_rank[0] < 2 < of_rank[1]


def test_a_bot_with_few_deals_of_its_own_has_no_interval():
    """What counts is in how many deals the bot itself has played."""
    matches = np.ones((20, 2))
    matches[9:, 1] = 0

    intervals = mean_intervals(DealSums(matches, 2 * matches, 5 * matches))

    assert intervals == [((2.0, 2.0), (5.0, 5.0)), (None, None)]


def test_a_bot_of_some_deals_only_is_judged_by_them():
    """Deals in which a bot did not play do not count for it, in resamples either."""
    matches = np.zeros((200, 1))
    matches[:10] = 4

    assert mean_intervals(DealSums(matches, 3 * matches, matches)) == [((3.0, 3.0), (1.0, 1.0))]


def test_the_interval_has_the_width_of_students():
    """For well-behaved numbers the bootstrap agrees with the textbook."""
    values = np.round(np.random.Generator(np.random.PCG64(1)).normal(1000, 100, 50))
    [(_, found)] = mean_intervals(sums_of(values.tolist()))

    half = _student(49) * values.std(ddof=1) / math.sqrt(50)
    assert found == pytest.approx((values.mean() - half, values.mean() + half), abs=0.08 * half)


def test_probabilities_tell_equal_bots_from_better_ones():
    """A clearly better bot is above with certainty, an equal one with neither."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, 20), 2)
    sums = sum_pairs(tabulate(matches, STRENGTHS))

    between = dict(zip(sums.pairs, lead_probabilities(sums), strict=True))

    assert between[0, 2] == between[1, 2] == 0
    assert between[0, 1] is not None
    assert 0.02 < between[0, 1] < 0.98


def test_ties_are_half():
    """Bots that always end equal are above each other with probability one half."""
    matches = simulate(dict.fromkeys("ab", 0.0), plan_of("ab", 2, 10), 1, luck=0, noise=0)

    assert lead_probabilities(sum_pairs(tabulate(matches, "ab"))) == [0.5]


def test_probabilities_need_ten_deals():
    """With nine deals nothing is said about who is better."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 2, 9), 1)

    assert lead_probabilities(sum_pairs(tabulate(matches, STRENGTHS))) == [None] * 3


def shuffled(sums: DealSums, order: list[int]) -> DealSums:
    def rows(values: Floats) -> Floats:
        return values[order]

    return DealSums(rows(sums.matches), rows(sums.ranks), rows(sums.scores))


@settings(max_examples=10, deadline=None)
@given(order=st.permutations(range(15)))
def test_what_the_deals_are_called_hardly_matters(order):
    """In another order of deals the intervals differ by no more than resampling does."""
    sums = sum_deals(tabulate(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 15), 3), STRENGTHS))

    for (rank, _), (other, _) in zip(
        mean_intervals(sums), mean_intervals(shuffled(sums, order)), strict=True
    ):
        assert rank is not None
        assert other == pytest.approx(rank, abs=0.1)
