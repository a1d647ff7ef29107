"""The stopping rule: a tournament may end early when the order of its bots is settled.

`settled@95` ends it at the first checkpoint at which every two neighbours of the leaderboard are
told apart so clearly that the whole order is wrong with at most 5 % probability.

What is looked at are the deals: under the hypothesis that two bots are equally good, what one
gained on the other in a deal might as well have been its loss. How many of all ways to choose
these signs lead at least as far apart as what was seen is counted exactly; so there is nothing to
assume about how ranks are distributed, which with 10 deals would be bold. Both directions count,
because which bot is the better one was not known before. All neighbours must pass at once, so
their number needs no correction.

Looking again and again does: at the n-th look only the share 4 / ((n + 3) (n + 4)) of the 5 % is
spent: a fifth at the first, 0.13 at the second, and so on. These shares add up to one however many
looks there are, so that a longer tournament, or one that is made longer later, has the same
checkpoints and the same answers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from arena.rating.ratings import Rater
from arena.rating.statistics import (
    MIN_DEALS,
    Floats,
    OutcomeTable,
    counting_matches,
    sum_deals,
    sum_pairs,
    tabulate,
)
from arena.rating.stopping_rule import SettledRule
from arena.storage.records import FixtureRecord, StoredMatch

_FIRST = (10, 15)  # rounds; and their doubles

_EXACT = 400  # deals; with more of them a sum of signs is normal as far as anybody can see
_MAX_STEPS = 100_000  # the finest distances that are told apart


def checkpoints(round_ends: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return when the rule is asked: after how many rounds, and the index after their last match.

    `round_ends` is that index for each round. After 10, 15, 20, 30, 40, 60, 80, … rounds: in steps
    that grow as the standings change more slowly.
    """
    planned = itertools.takewhile(lambda rounds: rounds <= len(round_ends), _looks())
    return tuple((rounds, round_ends[rounds - 1]) for rounds in planned)


def settled_at(
    matches: Sequence[StoredMatch],
    round_ends: Sequence[int],
    rule: SettledRule,
    parked: Sequence[FixtureRecord] = (),
) -> int | None:
    """Return after how many rounds the order is settled, None if it is not, or not yet.

    Only checkpoints before which every match has been played or parked are looked at.
    """
    done = sorted([match.fixture.index for match in matches] + [match.index for match in parked])
    prefix = next((place for place, index in enumerate(done) if place != index), len(done))
    for rounds, stop in checkpoints(round_ends):
        if stop > prefix:
            return None
        before = [match for match in matches if match.fixture.index < stop]
        if is_settled(rule, before, parked, rounds):
            return rounds
    return None


def is_settled(
    rule: SettledRule,
    matches: Sequence[StoredMatch],
    parked: Collection[FixtureRecord],
    rounds: int,
    rater: Rater | None = None,
) -> bool:
    """Return whether the order is settled after so many rounds, one of the checkpoints.

    `matches` are all up to there, in canonical order; the blocks of `parked` ones do not count.
    Most answers take no time; but before a yes everything is rated with TrueSkill, which takes a
    while (0.1 ms a match) unless a `rater` has done so already.
    """
    counting = counting_matches(matches, parked)
    table = tabulate(counting, {bot for match in counting for bot in match.fixture.bots})
    if table.deal_count < MIN_DEALS:
        return False
    look = next(number for number, planned in enumerate(_looks(), 1) if planned >= rounds)
    chance = (1 - rule.level) * look_share(look)
    order = _order(table)
    leads = _Leads(table)
    if any(leads.chance(*pair) > chance for pair in itertools.pairwise(order)):
        return False
    # Last, as it takes longest: the leaderboard has to say the same.
    rater = rater or Rater()
    rater.replace(counting)
    ratings = rater.ratings()
    listed = [ratings[table.names[bot]].rating for bot in order]
    return all(above > below for above, below in itertools.pairwise(listed))


def look_share(look: int) -> float:
    """Return which share of the probability of being wrong the look of that number may use."""
    return 4 / ((look + 3) * (look + 4))


def _looks() -> Iterator[int]:
    """Yield the numbers of rounds after which the rule is asked, without end."""
    return (first << doubled for doubled in itertools.count() for first in _FIRST)


def _order(table: OutcomeTable) -> list[int]:
    """Return the bots by mean rank."""
    sums = sum_deals(table)
    means = sums.ranks.sum(axis=0) / sums.matches.sum(axis=0)
    return [int(bot) for bot in np.argsort(means, kind="stable")]


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
