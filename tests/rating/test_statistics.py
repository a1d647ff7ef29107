from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating.blocks import measure_reduction
from arena.rating.statistics import (
    counting_matches,
    sum_deals,
    sum_pairs,
    tabulate,
)
from arena.schedule.plan import Deals, Rotation
from arena.storage.records import FixtureRecord, StoredMatch
from tests.simulated_tournament import plan_of, simulate, stored

EQUAL = dict.fromkeys("abcd", 0.0)


def match_of(index: int, bots: str, scores: list[int], deal: int, table: int = 1) -> StoredMatch:
    block = deal
    fixture = FixtureRecord(
        index, f"{block}-{index + 1}", block, deal, table, deal, index, tuple(bots)
    )
    return stored(fixture, scores)


def test_deals_and_pairs_are_summed():
    """Sums per deal and per pair are those of a calculation by hand."""
    matches = [
        match_of(0, "cba", [5, 3, 3], deal=4),
        match_of(1, "abc", [9, 0, 9], deal=4),
        match_of(2, "abd", [1, 2, 3], deal=9),
    ]

    table = tabulate(matches, ["d", "c", "b", "a", "e"])
    sums, pairs = sum_deals(table), sum_pairs(table)

    assert table.names == ("a", "b", "c", "d", "e")
    assert (table.deal_count, table.block_count) == (2, 2)
    assert sums.matches.tolist() == [[2, 2, 2, 0, 0], [1, 1, 0, 1, 0]]
    assert sums.ranks.tolist() == [[3, 5, 2, 0, 0], [3, 2, 0, 1, 0]]
    assert sums.scores.tolist() == [[12, 3, 14, 0, 0], [1, 2, 0, 3, 0]]
    assert pairs.pairs == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3))
    assert pairs.above.tolist() == [1, 0, 0, 0, 0]
    assert pairs.equal.tolist() == [1, 1, 0, 0, 0]
    assert pairs.below.tolist() == [1, 1, 1, 2, 1]
    assert pairs.lead.tolist() == [[2, -1, 0, -3, 0], [-1, 0, -2, 0, -1]]
    assert pairs.met.tolist() == [[2, 2, 0, 2, 0], [1, 0, 1, 0, 1]]


def test_nothing_is_summed_from_nothing():
    """A tournament without a match has empty sums."""
    table = tabulate([], ["a", "b"])

    assert (table.deal_count, table.block_count) == (0, 0)
    assert sum_deals(table).matches.shape == (0, 2)
    assert sum_pairs(table).pairs == ()
    assert measure_reduction(table) is None


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), rounds=st.integers(1, 4), players=st.integers(2, 4))
def test_counts_add_up(seed, rounds, players):
    """Every seat of every match is counted once, and every two seats once as a pair."""
    matches = simulate(EQUAL, plan_of(EQUAL, players, rounds), seed)

    table = tabulate(matches, EQUAL)
    sums, pairs = sum_deals(table), sum_pairs(table)

    assert sums.matches.sum() == len(matches) * players
    assert sums.ranks.sum() == sum(sum(match.report.ranks) for match in matches)
    assert sums.scores.sum() == sum(sum(match.report.scores) for match in matches)
    met = pairs.above + pairs.equal + pairs.below
    assert met.sum() == len(matches) * players * (players - 1) // 2
    assert pairs.met.sum(axis=0).tolist() == met.tolist()


@settings(max_examples=20, deadline=None)
@given(names=st.permutations(list(EQUAL)))
def test_the_order_of_entry_does_not_matter(names):
    """Whoever entered first, the table is the same."""
    matches = simulate(EQUAL, plan_of(EQUAL, 3, 2), 1)

    table, other = tabulate(matches, EQUAL), tabulate(matches, names)

    assert table.names == other.names
    assert np.array_equal(table.bots, other.bots)


def test_a_parked_match_takes_its_block_along():
    """No match of a block counts in which one could not be played."""
    matches = simulate(EQUAL, plan_of(EQUAL, 4, 12), 1)

    (parked,) = [match for match in matches if match.fixture.match == "11-2"]

    counting = counting_matches([match for match in matches if match != parked], [parked.fixture])

    assert counting == [match for match in matches if match.fixture.block != 11]
    assert counting_matches(matches, []) == matches


def reduction(luck: float, noise: float, rounds: int = 150) -> float:
    matches = simulate(EQUAL, plan_of(EQUAL, 4, rounds), 1, luck, noise)
    found = measure_reduction(tabulate(matches, EQUAL))
    assert found is not None
    assert found.matches_saved == pytest.approx(found.factor - 1, abs=1e-4)
    return found.factor


def test_blocks_are_worth_what_they_cancel():
    """Without luck of the deal blocks are worth nothing; the more of it, the more."""
    assert reduction(luck=0, noise=10) == pytest.approx(1, abs=0.1)
    assert 1.2 < reduction(luck=10, noise=10) < reduction(luck=30, noise=10)


def test_the_reduction_is_the_ratio_of_real_variances():
    """The factor predicts how differences vary between tournaments with blocks and without."""
    chance = random.Random(1)

    def variance(rotation: Rotation, rounds: int) -> float:
        means = []
        for _ in range(150):
            matches = simulate(EQUAL, plan_of(EQUAL, 4, rounds, rotation), chance.getrandbits(32))
            sums = sum_deals(tabulate(matches, EQUAL))
            ranks = sums.ranks.sum(axis=0) / sums.matches.sum(axis=0)
            means.append(ranks[:, None] - ranks)
        return float(np.var(means, axis=0).mean())

    # As many matches in both: 6 deals in 4 seatings, 24 deals in 1.
    real = variance(Rotation.NONE, 24) / variance(Rotation.CYCLIC, 6)

    assert reduction(luck=30, noise=25) == pytest.approx(real, rel=0.2)


def test_tables_that_share_a_deal_share_its_luck():
    """A bot that is good at some deals meets them at every table, unless tables have their own."""
    names = dict.fromkeys("abcde", 0.0)

    def factor(deals: Deals) -> float:
        matches = simulate(names, plan_of(names, 4, 60, deals=deals), 1)
        fond = [
            stored(
                match.fixture,
                [
                    score + 40 * ((match.fixture.deal // 5 + "abcde".index(bot)) % 5)
                    for bot, score in zip(match.fixture.bots, match.report.scores, strict=True)
                ],
            )
            for match in matches
        ]
        found = measure_reduction(tabulate(fond, names))
        assert found is not None
        assert found.ci95 is not None
        assert found.ci95[0] < found.factor < found.ci95[1]
        return found.factor

    assert factor(Deals.SHARED) < 0.9 * factor(Deals.PER_TABLE)


@pytest.mark.slow
def test_the_interval_of_the_reduction_contains_it():
    """The interval holds what very many deals say, in about 95 of 100 tournaments."""
    truth = reduction(luck=30, noise=25, rounds=3000)
    found = [
        measure_reduction(tabulate(simulate(EQUAL, plan_of(EQUAL, 4, 30), seed), EQUAL))
        for seed in range(100)
    ]

    intervals = [each.ci95 for each in found if each is not None and each.ci95 is not None]
    hits = sum(low <= truth <= high for low, high in intervals)
    print(f"covered: {hits} of 100")
    assert hits >= 88


def test_the_reduction_does_not_mistake_tables_for_luck():
    """That a bot does better at weaker tables is no variance that blocks could cancel."""
    strengths = {"a": 0.0, "b": 30.0, "c": 60.0, "d": 90.0, "e": 120.0}
    plan = plan_of(strengths, 3, 40)
    found = measure_reduction(tabulate(simulate(strengths, plan, 1, luck=0), strengths))

    assert found is not None
    assert found.factor == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("rounds", "rotation", "deals"),
    [
        (9, Rotation.CYCLIC, Deals.SHARED),  # too few deals
        (30, Rotation.NONE, Deals.SHARED),  # no blocks
    ],
)
def test_the_reduction_is_left_out_where_it_cannot_be_measured(rounds, rotation, deals):
    """With few deals or single seatings nothing is said about what blocks were worth."""
    matches = simulate(EQUAL, plan_of(EQUAL, 4, rounds, rotation, deals), 1)

    assert measure_reduction(tabulate(matches, EQUAL)) is None


def test_the_reduction_needs_two_blocks_at_a_table():
    """With one block a table there is nothing to compare."""
    names = dict.fromkeys("abcdefg", 0.0)
    matches = simulate(names, plan_of(names, 3, 1, deals=Deals.PER_TABLE), 1)
    table = tabulate(matches, names)

    assert table.deal_count == 35
    assert measure_reduction(table) is None


def test_an_incomplete_block_does_not_disturb_the_reduction():
    """While a tournament runs, only complete blocks are compared."""
    matches = simulate(EQUAL, plan_of(EQUAL, 4, 21), 1)

    assert measure_reduction(tabulate(matches[:-3], EQUAL)) == measure_reduction(
        tabulate(matches[:-4], EQUAL)
    )
    assert measure_reduction(tabulate(matches, EQUAL)) != measure_reduction(
        tabulate(matches[:-4], EQUAL)
    )


def test_the_reduction_is_unknown_without_any_variance():
    """Where every block ends alike there is no ratio."""
    matches = simulate(EQUAL, plan_of(EQUAL, 4, 12), 1)
    same = [
        dataclasses.replace(
            match,
            report=dataclasses.replace(
                match.report, ranks=tuple("abcd".index(bot) + 1 for bot in match.fixture.bots)
            ),
        )
        for match in matches
    ]

    assert measure_reduction(tabulate(same, EQUAL)) is None
