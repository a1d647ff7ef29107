"""The stopping rule: a tournament may end early when the order of its bots is settled.

`settled@95` ends it at the first look at which every two neighbours on the leaderboard are told
apart so clearly that the whole order is wrong with at most 5 % probability. All neighbours must
pass at once, so their number needs no correction; that there are many looks is what
`boundaries` is about.

All matches count, not only those in which two bots met: where everybody meets everybody equally
often, a bot's mean rank is measured against the same others. Where that is not so (a gauntlet, bots
of one group), neighbours are compared in the matches in which they met.

The unit is the round. Rounds share no deal, and all that is common to the matches of one is in the
variance from round to round. A lead divided by its standard error has Student's distribution if
leads are normal. Two things are done for those that are not. Rare heavy losses that were seen make
a lead smaller (N. J. Johnson, 1978). Those that were not seen are made up for by a least variance:
that of five rounds of pure chance, which matters in short tournaments only.

What a tournament recorded decides which version of the rule it is judged by.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.rating import boundaries, sign_rule
from arena.rating.ordering import shown_numbers
from arena.rating.ratings import Rater
from arena.rating.statistics import (
    MIN_DEALS,
    Floats,
    Ints,
    OutcomeTable,
    counting_matches,
    sum_deals,
    sum_pairs,
    tabulate,
)
from arena.rating.stopping_rule import FIRST, SettledRule
from arena.storage.records import FixtureRecord, StoredMatch

_UNSEEN = 5  # rounds of pure chance that bound the variance from below
_CLEAR = 3.0  # standard errors that settle a lead, roughly
_EVEN = 1.1  # so much more may a bot play than another where mean ranks are to be compared


def checkpoints(rule: SettledRule, round_ends: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return when the rule is asked: after how many rounds, and the index after their last match.

    `round_ends` is that index for each round. In steps that grow as the standings change more
    slowly: after 10, 12, 14, 17, 20, 24, … rounds.
    """
    planned = itertools.takewhile(lambda rounds: rounds <= len(round_ends), _looks(rule))
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
    for rounds, stop in checkpoints(rule, round_ends):
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
) -> bool:
    """Return whether the order is settled after so many rounds, one of the checkpoints.

    `matches` are all up to there, in canonical order; the blocks of `parked` ones do not count.
    What is settled is the order that the leaderboard shows. The first rule is about mean ranks,
    and TrueSkill has to agree, as the leaderboard was once ordered by it.
    """
    counting = counting_matches(matches, parked)
    table = tabulate(counting, {bot for match in counting for bot in match.fixture.bots})
    if table.deal_count < MIN_DEALS:
        return False
    look = next(number for number, planned in enumerate(_looks(rule), 1) if planned >= rounds)
    if rule.version == FIRST:
        order = _order(_mean_ranks(table))
        is_clear = sign_rule.are_clear(table, order, rule.level, look)
        return is_clear and _agrees(counting, [table.names[bot] for bot in order])
    shown = shown_numbers(table)
    order = _order(shown)
    if any(shown[above] == shown[below] for above, below in itertools.pairwise(order)):
        return False  # they share a rank
    numbers = np.unique([match.fixture.round for match in counting], return_inverse=True)[1]
    scores = lead_scores(neighbour_leads(table, numbers, order))
    return bool((scores > boundaries.look_boundary(rule.level, look)).all())


def _looks(rule: SettledRule) -> Iterator[int]:
    """Yield the numbers of rounds after which the rule is asked, without end."""
    version = sign_rule if rule.version == FIRST else boundaries
    return map(version.look_rounds, itertools.count(1))


def _order(numbers: Sequence[float] | Floats) -> list[int]:
    """Return the bots by these numbers, the lowest first."""
    return [int(bot) for bot in np.argsort(numbers, kind="stable")]


def _mean_ranks(table: OutcomeTable) -> Floats:
    sums = sum_deals(table)
    return np.asarray(sums.ranks.sum(axis=0) / sums.matches.sum(axis=0))


def _agrees(matches: Sequence[StoredMatch], order: Sequence[str]) -> bool:
    """Return whether TrueSkill in canonical order has the bots in the same order.

    Takes a while (0.1 ms a match), so it is asked last.
    """
    rater = Rater()
    rater.replace(matches)
    ratings = rater.ratings()
    listed = [ratings[bot].rating for bot in order]
    return all(above > below for above, below in itertools.pairwise(listed))


@dataclass(frozen=True, slots=True)
class Leads:
    """How far some bots are ahead of others, round by round."""

    by_round: Floats  # rounds x pairs; their means are the leads
    least: Floats  # by pair: a variance that rounds of pure chance would have


def neighbour_leads(table: OutcomeTable, rounds: Ints, order: Sequence[int]) -> Leads:
    """Return how far each bot is ahead of the next in the order, in ranks.

    `rounds` are numbers from 0, by match. In all their matches; in those in which they met if the
    schedule is not even, unless they never did.
    """
    bots, seats = len(table.names), table.bots.shape[1]
    by_round = replace(table, deals=rounds)
    sums, met = sum_deals(by_round), sum_pairs(by_round)
    columns = {pair: column for column, pair in enumerate(met.pairs)}
    counts, deals = sums.matches.sum(axis=0), (sum_deals(table).matches > 0).sum(axis=0)
    is_even = counts.max() <= _EVEN * counts.min() and len(columns) == bots * (bots - 1) // 2
    leads, least = [], []
    for better, worse in itertools.pairwise(order):
        column = columns.get((min(better, worse), max(better, worse)))
        if is_even or column is None:
            lead = _ratios(sums.ranks[:, worse], sums.matches[:, worse])
            lead = lead - _ratios(sums.ranks[:, better], sums.matches[:, better])
            evidence = min(counts[better] * deals[better], counts[worse] * deals[worse])
        else:
            lead = _ratios(met.lead[:, column], met.met[:, column])
            lead = lead if better < worse else -lead
            evidence = met.met[:, column].sum() * (met.met[:, column] > 0).sum()
        leads.append(lead)
        # Between matches that are all alike on a deal and such that have nothing in common.
        least.append(seats * (seats + 1) / 6 * len(lead) / np.sqrt(evidence))
    return Leads(np.array(leads).T.reshape(-1, len(order) - 1), np.array(least))


def _ratios(sums: Floats, counts: Floats) -> Floats:
    """Return by round what the ratio of the totals is made of: its mean, and its error's variance.

    With equal counts these are the rounds' own ratios.
    """
    total = counts.sum()
    ratio = sums.sum() / total
    return np.asarray(ratio + len(sums) * (sums - ratio * counts) / total)


def lead_scores(leads: Leads) -> Floats:
    """Return how clear each lead is: in standard deviations, had it a normal distribution.

    0 and less for whoever is not ahead.
    """
    count = len(leads.by_round)
    mean = leads.by_round.mean(axis=0)
    apart = leads.by_round - mean
    variance = np.maximum((apart**2).sum(axis=0), _UNSEEN * leads.least) / (count - 1)
    ratio = mean / np.sqrt(variance / count)
    # The correction is right near the boundary; beyond it nothing is left to correct.
    losses = np.minimum((apart**3).mean(axis=0), 0.0) / variance**1.5 / np.sqrt(count)
    ratio = ratio + losses * (1 / 6 + np.minimum(ratio**2, _CLEAR**2) / 3)
    scores = boundaries.normal_score(ratio, count - 1)
    is_ahead = leads.by_round.sum(axis=0) > 0
    return np.asarray(np.where(is_ahead, scores, 0.0).round(6), np.float64)
