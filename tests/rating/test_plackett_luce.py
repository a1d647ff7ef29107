from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.comparisons import Comparisons
from arena.rating.leaderboard import Order
from arena.rating.ordering import is_balanced, order_bots
from arena.rating.plackett_luce import fit
from arena.rating.statistics import OutcomeTable
from tests.rating.test_comparisons import table_from, table_of


def test_two_bots_have_the_odds_of_their_wins():
    """Of two bots the stronger one is ahead by the logarithm of how much oftener it wins."""
    rows = [(n, {"a": 1, "b": 2} if n % 4 else {"a": 2, "b": 1}) for n in range(400)]

    model = fit(table_from(rows))

    first, second = model.strength.values
    assert first - second == pytest.approx(np.log(3), abs=0.01)
    assert model.expected_rank.values == pytest.approx([1.25, 1.75], abs=0.002)
    assert model.is_bounded.all()


def test_strengths_are_recovered():
    """From matches that the model itself has made come the strengths that made them."""
    true = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    chance = np.random.Generator(np.random.PCG64(5))
    rows = []
    for n in range(4000):
        seated = chance.permutation(5)[:4]
        order = np.argsort(-(true[seated] + chance.gumbel(size=4)))
        rows.append((n // 4, {"abcde"[seated[bot]]: place for place, bot in enumerate(order, 1)}))

    model = fit(table_from(rows))

    assert model.strength.values == pytest.approx(true, abs=0.1)
    difference = Comparisons(model.strength, is_low_best=False).difference(0, 4)
    assert difference is not None
    assert abs(difference.value - 2) < 3 * difference.error < 0.4


def test_the_gradient_is_that_of_the_likelihood():
    """The strengths found are the most likely ones: no small change is better."""
    table = table_of({"a": 0.0, "b": 10.0, "c": 20.0, "d": 40.0}, 3, 12, noise=3, luck=5)
    found = fit(table).strength.values

    def likelihood(theta: np.ndarray) -> float:
        total = -((theta - theta.mean()) ** 2).sum() / 50
        for bots, ranks in zip(table.bots, table.ranks, strict=True):
            for rank in ranks:
                rest = np.log(np.exp(theta[bots[ranks >= rank]]).sum())
                total -= rest
            total += theta[bots].sum()
        return float(total)

    best = likelihood(found)
    for bot in range(4):
        for step in (-0.02, 0.02):
            assert likelihood(found + step * np.eye(4)[bot]) < best


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_order_of_matches_does_not_matter(seed):
    """The same matches in another order give the same strengths."""
    table = table_of(rounds=10)
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(table.bots))
    other = OutcomeTable(
        table.names,
        *(
            values[order]
            for values in (
                table.bots,
                table.ranks,
                table.scores,
                table.deals,
                table.blocks,
                table.tables,
            )
        ),
    )

    assert fit(other).strength.values == pytest.approx(fit(table).strength.values, abs=1e-9)


def test_a_bot_that_wins_everything_is_not_bounded():
    """How strong a bot is that never lost cannot be known; that it is the best can."""
    rows = [(n, {"a": 1, "b": 2 + n % 2, "c": 3 - n % 2}) for n in range(40)]

    model = fit(table_from(rows))

    assert model.is_bounded.tolist() == [False, True, True]
    assert np.isfinite(model.strength.values).all()
    expected = Comparisons(model.expected_rank, is_low_best=True)
    assert expected.rank_sets == [(1, 1), (2, 3), (2, 3)]


def test_all_ties_are_equal_strengths():
    """Bots that always end equal have the same strength."""
    model = fit(table_from([(n, {"a": 1, "b": 1, "c": 1}) for n in range(12)]))

    assert model.strength.values == pytest.approx([0, 0, 0])
    assert model.expected_rank.values == pytest.approx([2, 2, 2])


def gauntlet() -> OutcomeTable:
    """`hero` is the best; `easy` met only the weak `prey`, `hard` only `hero`."""
    rows = []
    for n in range(60):
        rows.append((n, {"hero": 1, "hard": 2} if n % 3 else {"hero": 2, "hard": 1}))
        rows.append((n, {"easy": 1, "prey": 2} if n % 3 else {"easy": 2, "prey": 1}))
        rows.append((n, {"hero": 1, "prey": 2} if n % 10 else {"hero": 2, "prey": 1}))
    return table_from(rows)


def test_unbalanced_schedules_are_ordered_by_the_company():
    """A bot with weak opponents is not placed above one that lost to strong ones."""
    table = gauntlet()
    ordering = order_bots(table)

    assert not is_balanced(table)
    assert ordering is not None
    assert ordering.order is Order.EXPECTED_RANK
    expected = dict(zip(table.names, ordering.comparisons.estimate.values, strict=True))
    assert expected["hero"] < expected["hard"] < expected["easy"] < expected["prey"]


def test_balanced_schedules_are_ordered_by_mean_rank():
    """Where all bots had the same company, the mean rank is what counts."""
    table = table_of()
    ordering = order_bots(table)

    assert is_balanced(table)
    assert ordering is not None
    assert ordering.order is Order.MEAN_RANK
    assert ordering.comparisons.rank_sets[3] == (1, 1)


def test_without_a_match_there_is_no_order():
    """Nothing is said before the first match."""
    empty = OutcomeTable(
        ("a", "b"), *(np.zeros((0, 2), np.int64),) * 3, *(np.zeros(0, np.int64),) * 3
    )

    assert order_bots(empty) is None
