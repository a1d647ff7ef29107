"""Whether what is said about certainty is true: of many simulated tournaments, how many fit."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from arena.rating.bootstrap import mean_intervals
from arena.rating.settling import settled_at
from arena.rating.standings import make_leaderboard
from arena.rating.statistics import DealSums, sum_deals, tabulate
from arena.rating.stopping_rule import SettledRule
from arena.schedule.plan import Rotation
from arena.schedule.schedule import round_ends
from tests.simulated_tournament import fixtures_of, plan_of, simulate, tournament_of

STRENGTHS = {"a": 0.0, "b": 10.0, "c": 20.0, "d": 40.0}


@functools.cache
def true_means(rotation: Rotation) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean ranks and scores of the bots over very many deals."""
    plan = plan_of(STRENGTHS, 4, 20_000 // (4 if rotation is Rotation.CYCLIC else 1), rotation)
    sums = sum_deals(tabulate(simulate(STRENGTHS, plan, 12345), STRENGTHS))
    count = sums.matches.sum(axis=0)
    scores = 100 + np.array(list(STRENGTHS.values()))  # no need to estimate these
    return sums.ranks.sum(axis=0) / count, scores


def side_by_side(sums: Sequence[DealSums]) -> DealSums:
    """Return the sums of several tournaments as one of all their bots.

    Which deals are resampled depends on their number alone: each bot's intervals stay the same.
    """
    return DealSums(
        np.hstack([each.matches for each in sums]),
        np.hstack([each.ranks for each in sums]),
        np.hstack([each.scores for each in sums]),
    )


def measure_coverage(deals: int, rotation: Rotation, tournaments: int) -> tuple[float, float]:
    """Return how often the intervals of mean rank and of mean score contain the truth."""
    true_ranks, true_scores = true_means(rotation)
    plan = plan_of(STRENGTHS, 4, deals, rotation)
    hits = np.zeros(2)
    for start in range(0, tournaments, 10):
        seeds = range(start, min(start + 10, tournaments))
        sums = [sum_deals(tabulate(simulate(STRENGTHS, plan, seed), STRENGTHS)) for seed in seeds]
        for column, (of_rank, of_score) in enumerate(mean_intervals(side_by_side(sums))):
            bot = column % len(STRENGTHS)
            assert of_rank is not None
            assert of_score is not None
            hits += (
                of_rank[0] <= true_ranks[bot] <= of_rank[1],
                of_score[0] <= true_scores[bot] <= of_score[1],
            )
    of_ranks, of_scores = hits / (tournaments * len(STRENGTHS))
    return float(of_ranks), float(of_scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deals", "rotation", "tournaments"),
    [
        (10, Rotation.CYCLIC, 300),
        (10, Rotation.NONE, 300),
        (20, Rotation.CYCLIC, 100),
        (50, Rotation.CYCLIC, 150),
    ],
)
def test_intervals_contain_the_truth(deals, rotation, tournaments):
    """95 % intervals contain the true means in about 95 % of all tournaments, few deals or many."""
    of_ranks, of_scores = measure_coverage(deals, rotation, tournaments)

    print(f"{deals} deals, {rotation.value}: ranks {of_ranks:.1%}, scores {of_scores:.1%}")
    assert 0.92 <= of_ranks <= 0.98
    assert 0.92 <= of_scores <= 0.98


def stop_rate(strengths: Mapping[str, float], rounds: int, tournaments: int) -> float:
    """Return how often the order is called settled when all bots sit at one table."""
    plan = plan_of(strengths, len(strengths), rounds)
    ends = round_ends(fixtures_of(plan))
    rule = SettledRule(0.95)
    stops = sum(
        settled_at(simulate(strengths, plan, seed), ends, rule) is not None
        for seed in range(tournaments)
    )
    return stops / tournaments


@pytest.mark.slow
@pytest.mark.parametrize(
    "strengths",
    [
        {"a": 0.0, "b": 0.0},
        {"a": 0.0, "b": 0.0, "c": 0.0},
        {"a": 0.0, "b": 0.0, "c": 120.0, "d": 250.0},  # the hardest: only one pair to be wrong in
    ],
)
def test_the_stopping_rule_is_seldom_wrong(strengths):
    """Of tournaments with equal bots at most 5 % are called settled, however clear the rest."""
    rate = stop_rate(strengths, 40, 150)

    print(f"wrongly settled: {rate:.1%} of {strengths}")
    assert rate <= 0.05


@pytest.mark.slow
def test_the_stopping_rule_is_mostly_right():
    """Tournaments that are called settled have the right order, and clear ones are."""
    strengths = {"a": 60.0, "b": 40.0, "c": 20.0, "d": 0.0}
    plan = plan_of(strengths, 3, 60)
    ends = round_ends(fixtures_of(plan))
    right, wrong = 0, 0
    for seed in range(40):
        matches = simulate(strengths, plan, seed)
        rounds = settled_at(matches, ends, SettledRule(0.95))
        if rounds is None:
            continue
        board = make_leaderboard(
            tournament_of(strengths, 3), matches[: ends[rounds - 1]], scheduled=len(matches)
        )
        if [bot.name for bot in board.bots] == list(strengths):
            right += 1
        else:
            wrong += 1

    print(f"settled: {right} right, {wrong} wrong of 40")
    assert right >= 30
    assert wrong <= 2


def test_the_ranking_is_recovered():
    """The leaderboard of bots of known strength, by a real schedule, is in their order."""
    strengths = {"e": 0.0, "a": 25.0, "d": 50.0, "b": 75.0, "c": 100.0, "f": 125.0}
    matches = simulate(strengths, plan_of(strengths, 4, 10), 1)

    board = make_leaderboard(tournament_of(sorted(strengths), 4), matches, scheduled=len(matches))

    assert [bot.name for bot in board.bots] == list("fcbdae")
