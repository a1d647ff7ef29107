from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.comparisons import Comparisons, draw_signs, sample_count
from arena.rating.estimates import (
    groups_of,
    mean_rank_estimate,
    mean_score_estimate,
    strata_of,
)
from arena.rating.statistics import OutcomeTable, tabulate
from arena.rating.student import student_quantile
from arena.schedule.plan import Deals
from tests.simulated_tournament import plan_of, simulate

STRENGTHS = {"a": 0.0, "b": 0.0, "c": 60.0, "d": 120.0}


def table_of(strengths=STRENGTHS, players=4, rounds=20, seed=1, deals=Deals.SHARED, **options):
    plan = plan_of(strengths, players, rounds, deals=deals)
    return tabulate(simulate(strengths, plan, seed, **options), strengths)


def table_from(rows: list[tuple[int, dict[str, int]]]) -> OutcomeTable:
    """Return matches given as their deal and the ranks by bot; the table is that of the names."""
    names = sorted({name for _, ranks in rows for name in ranks})
    tables = sorted({tuple(sorted(ranks)) for _, ranks in rows})
    return OutcomeTable(
        tuple(names),
        np.array([[names.index(name) for name in ranks] for _, ranks in rows]),
        np.array([list(ranks.values()) for _, ranks in rows]),
        np.array([[-rank for rank in ranks.values()] for _, ranks in rows]),
        np.array([deal for deal, _ in rows]),
        np.arange(len(rows)),
        np.array([tables.index(tuple(sorted(ranks))) for _, ranks in rows]),
    )


def by_rank(table: OutcomeTable) -> Comparisons:
    return Comparisons(mean_rank_estimate(table), is_low_best=True)


def test_signs_are_the_same_everywhere():
    """Which signs are drawn is fixed for good, so that leaderboards can be made again."""
    drawn = np.concatenate(list(draw_signs(70)))

    assert drawn.shape == (4000, 70)
    assert set(np.unique(drawn)) == {-1.0, 1.0}
    assert abs(drawn.mean()) < 0.01
    digest = hashlib.sha256(drawn.astype(np.int8).tobytes()).hexdigest()
    assert digest.startswith("6e81f470cd209898")


def test_many_deals_are_drawn_less_often_and_in_chunks():
    """With many deals there are fewer samples, and never all in memory."""
    assert sample_count(100_000) == 1000
    assert len(next(draw_signs(100_000))) == 16


def test_one_stratum_is_the_textbook():
    """With one match a deal, the interval of a mean is that of Student, a little wider."""
    values = np.array([1, 2, 1, 3, 2, 2, 1, 3, 1, 2, 1, 1])
    rows = [(deal, {"a": int(rank), "b": 4 - int(rank)}) for deal, rank in enumerate(values)]

    found = by_rank(table_from(rows)).interval(0)

    error = math.sqrt((values.var(ddof=1) + 2 / 12 * 12 / 11) / 12)
    half = student_quantile(11) * error
    assert found == pytest.approx((values.mean() - half, values.mean() + half))


def test_differences_are_paired():
    """The luck that two bots share in a deal cancels in their difference."""
    chance = np.random.Generator(np.random.PCG64(1))
    rows = []
    for deal in range(30):
        place = int(chance.integers(1, 3))
        rows.append((deal, {"a": place, "b": place + 1, "c": 4 - 3 * (place == 2)}))
    comparisons = by_rank(table_from(rows))

    difference = comparisons.difference(0, 1)
    alone = comparisons.interval(0)

    assert difference is not None
    assert alone is not None
    assert difference.value == 1
    assert difference.interval[1] - difference.interval[0] < (alone[1] - alone[0]) / 2


def test_bots_that_are_told_apart_have_ranks_of_their_own():
    """Clearly different bots have one rank each; equal ones share a set of ranks."""
    assert by_rank(table_of()).rank_sets == [(3, 4), (3, 4), (2, 2), (1, 1)]


def test_copies_of_one_bot_are_tied():
    """Eight bots of the same strength may all have any rank."""
    strengths = dict.fromkeys("abcdefgh", 0.0)

    assert by_rank(table_of(strengths, 4, 10)).rank_sets == [(1, 8)] * 8


def test_a_bot_that_wins_everything_has_an_interval():
    """No interval has a width of 0: what was not seen in 40 matches may still happen."""
    rows = [(n // 4, {"a": 1, "b": 2, "c": 3}) for n in range(40)]
    comparisons = by_rank(table_from(rows))

    interval = comparisons.interval(0)
    difference = comparisons.difference(0, 1)

    assert interval is not None
    assert interval[0] < 1
    assert 1.07 < interval[1] < 1.12
    assert difference is not None
    assert difference.probability > 0.999
    assert comparisons.rank_sets == [(1, 1), (2, 2), (3, 3)]


def test_all_ties_are_even():
    """Bots that always end equal are each above the other with probability one half."""
    rows = [(deal, {"a": 1, "b": 1}) for deal in range(12)]
    comparisons = by_rank(table_from(rows))

    difference = comparisons.difference(0, 1)

    assert difference is not None
    assert difference.probability == 0.5
    assert comparisons.rank_sets == [(1, 2), (1, 2)]


def test_too_few_deals_say_nothing():
    """With nine deals nothing is compared, with ten it is."""
    nine = by_rank(table_of(rounds=9))
    assert nine.difference(0, 3) is None
    assert nine.interval(0) is None
    assert nine.rank_sets == [None] * 4

    assert by_rank(table_of(rounds=10)).difference(0, 3) is not None


def test_one_deal_is_no_error():
    """A single deal gives neither intervals nor an error."""
    one = by_rank(table_from([(0, {"a": 1, "b": 2})]))

    assert one.interval(0) is None
    assert one.rank_sets == [None, None]


def test_bots_that_never_met_are_not_compared():
    """Two groups that have no opponent in common have no difference, and may have any rank."""
    rows = [(deal, ranks) for deal in range(20) for ranks in ({"a": 1, "b": 2}, {"c": 1, "d": 2})]
    table = table_from(rows)
    comparisons = by_rank(table)

    assert groups_of(table).tolist() == [0, 0, 2, 2]
    assert comparisons.difference(0, 2) is None
    assert comparisons.rank_sets == [(1, 3), (2, 4), (1, 3), (2, 4)]


def test_a_bot_with_few_deals_of_its_own_has_no_rank_set():
    """A latecomer is not compared, and the others may be behind it."""
    rows = [(deal, {"a": 1, "b": 2}) for deal in range(20)]
    rows += [(deal, {"a": 2, "c": 1}) for deal in range(5)]

    assert by_rank(table_from(rows)).rank_sets == [(1, 2), (2, 3), None]


def test_tables_with_their_own_deals_are_strata():
    """A difference between tables is no matter of chance, and does not widen intervals."""
    strengths = {"a": 0.0, "b": 0.0, "c": 200.0, "d": -200.0}
    table = table_of(strengths, 3, 20, deals=Deals.PER_TABLE)
    comparisons = by_rank(table)

    assert sorted(np.bincount(strata_of(table))) == [20] * 4
    interval = comparisons.interval(0)
    assert interval is not None
    pooled = Comparisons(
        type(comparisons.estimate)(
            **{
                name: getattr(comparisons.estimate, name)
                for name in comparisons.estimate.__slots__
                if name not in {"strata", "influence"}
            },
            strata=np.zeros(80, np.int64),
            influence=_raw_influence(table),
        ),
        is_low_best=True,
    ).interval(0)
    assert pooled is not None
    assert interval[1] - interval[0] < pooled[1] - pooled[0]


def _raw_influence(table: OutcomeTable) -> np.ndarray:
    estimate = mean_rank_estimate(
        OutcomeTable(
            table.names,
            table.bots,
            table.ranks,
            table.scores,
            table.deals,
            table.blocks,
            np.zeros_like(table.tables),
        )
    )
    return estimate.influence


@settings(max_examples=10, deadline=None)
@given(order=st.permutations(range(15)))
def test_what_the_deals_are_called_does_not_matter(order):
    """In another order of deals, differences are the same."""
    table = table_of(rounds=15, seed=3)
    other = OutcomeTable(
        table.names,
        table.bots,
        table.ranks,
        table.scores,
        np.array(order)[table.deals],
        table.blocks,
        table.tables,
    )

    mine, others = (
        Comparisons(mean_score_estimate(each), is_low_best=False).difference(2, 3)
        for each in (table, other)
    )
    assert mine is not None
    assert others is not None
    assert others.interval == pytest.approx(mine.interval)
