"""What was estimated of each bot, and what each deal contributed to it.

One shape for every estimate that is compared: mean ranks, mean scores and Plackett-Luce strengths
alike. The deal is the unit: matches of one deal share their luck. What a deal contributed is its
influence, the difference that it made to the estimate; the sum over deals of the squares is the
variance, as in the sandwich estimator clustered by deal.

Deals with different tables are not compared with each other: influences are taken from the mean of
the deals with the same tables (a stratum), as which tables were played is no matter of chance.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.rating.statistics import Floats, Ints, OutcomeTable, sum_deals

MIN_STRATUM = 5
"""Deals with tables that so few others share are one stratum with all such deals."""

_UNSEEN = 2.0  # events: the variance of a count is never taken for smaller (see `Estimate.floor`)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number for each bot, with what each deal contributed."""

    names: tuple[str, ...]
    values: Floats  # by bot; 0 for a bot that has not played
    influence: Floats  # deals x bots, the sum of a stratum is 0
    played: npt.NDArray[np.bool_]  # deals x bots: whether the bot played in the deal
    strata: Ints  # by deal, from 0
    floor: Floats  # by bot: its variance is at least this. Two rare events that happened not to be
    # seen: no interval has a width of 0 because a bot has won everything so far
    groups: Ints  # by bot: which bots met, directly or by others; only these are compared


def mean_rank_estimate(table: OutcomeTable) -> Estimate:
    """Return the mean ranks, over all matches of each bot."""
    return _mean_estimate(table, table.ranks)


def mean_score_estimate(table: OutcomeTable) -> Estimate:
    """Return the mean scores, likewise."""
    return _mean_estimate(table, table.scores)


def _mean_estimate(table: OutcomeTable, values: Ints) -> Estimate:
    sums = sum_deals(table)
    totals = sums.ranks if values is table.ranks else sums.scores
    count = sums.matches.sum(axis=0)
    divisor = np.maximum(count, 1)
    means = totals.sum(axis=0) / divisor
    influence = (totals - means * sums.matches) / divisor
    return make_estimate(table, sums.matches > 0, means, influence, _UNSEEN / divisor**2)


def make_estimate(
    table: OutcomeTable,
    played: npt.NDArray[np.bool_],
    values: Floats,
    influence: Floats,
    floor: Floats,
) -> Estimate:
    """Return an estimate with influences taken from the mean of their stratum."""
    strata = strata_of(table)
    return Estimate(
        table.names, values, centred(influence, strata), played, strata, floor, groups_of(table)
    )


def centred(influence: Floats, strata: Ints) -> Floats:
    """Return the influences, deals x anything, taken from the mean of their stratum."""
    size = np.bincount(strata, minlength=1)
    means = np.zeros((len(size), influence.shape[1]))
    np.add.at(means, strata, influence)
    means /= np.maximum(size, 1)[:, None]
    return np.asarray(influence - means[strata])


def strata_of(table: OutcomeTable) -> Ints:
    """Return by deal which others have the same tables, from 0."""
    tables: list[list[int]] = [[] for _ in range(table.deal_count)]
    for deal, played in sorted(set(zip(table.deals.tolist(), table.tables.tolist(), strict=True))):
        tables[deal].append(played)
    keys = [tuple(numbers) for numbers in tables]
    count = Counter(keys)
    number: dict[tuple[int, ...], int] = {}
    places = [
        number.setdefault(key if count[key] >= MIN_STRATUM else (), len(number)) for key in keys
    ]
    return np.array(places, np.int64)


def groups_of(table: OutcomeTable) -> Ints:
    """Return by bot which bots it has met, directly or through others, as a number of them all."""
    bots = len(table.names)
    met = np.eye(bots, dtype=bool)
    for a in range(table.bots.shape[1]):
        for b in range(table.bots.shape[1]):
            met[table.bots[:, a], table.bots[:, b]] = True
    return np.asarray(np.argmax(reachable(met), axis=1), np.int64)


def reachable(steps: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return from where one comes to where by any number of steps."""
    while True:
        further = (steps.astype(np.float64) @ steps) > 0
        if (further == steps).all():
            return steps
        steps = further
