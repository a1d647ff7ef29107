"""How much the standings depend on who else sits at the table.

Mean ranks with and without each bot at the table, and the leads that certainly differ between the
two. What a third bot does to all others alike is no matter: leads are compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.rating.comparisons import Comparisons
from arena.rating.estimates import Estimate, centred, strata_of
from arena.rating.leaderboard import Interval
from arena.rating.statistics import MIN_DEALS, Floats, OutcomeTable

_UNSEEN = 2.0  # events, as in estimates.py
_CLUSTERS = 1000  # more deals are taken together: there are bots x bots columns


@dataclass(frozen=True, slots=True)
class Company:
    """Mean ranks with one bot at the table, and without it."""

    bot: str
    present: Mapping[str, float]  # by the others that have such matches
    absent: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Shift:
    """A lead that depends on whether a third bot plays."""

    first: str
    second: str
    bot: str  # the third
    present: float  # by how many ranks the first is ahead of the second with it at the table
    absent: float
    ci95: Interval  # of their difference; all intervals are right at once in 95 % of tournaments


@dataclass(frozen=True, slots=True)
class Companies:
    """The standings with and without each bot. Numbers are rounded to 4 decimals."""

    means: Mapping[str, float]  # over all matches, of the bots that have played, the best first
    splits: tuple[Company, ...]  # in the same order
    shifts: tuple[Shift, ...]  # those that are certain, the clearest first
    tested: int  # leads with enough deals with and without a third bot


def compare_companies(table: OutcomeTable) -> Companies:
    """Return how the standings depend on who plays."""
    overall = _mean_ranks(table, np.ones(len(table.bots), bool))
    played = sorted(set(table.bots.ravel().tolist()))
    played.sort(key=lambda bot: round(float(overall.means[bot]), 4))
    sides = [_split(table, bot) for bot in played]
    shifts, tested = _shifts(table, played, sides)
    splits = []
    for bot, (present, absent) in zip(played, sides, strict=True):
        others = [other for other in played if other != bot]
        means = _by_name(table, present, others), _by_name(table, absent, others)
        splits.append(Company(table.names[bot], *means))
    return Companies(_by_name(table, overall, played), tuple(splits), shifts, tested)


@dataclass(frozen=True, slots=True)
class _Side:
    """Mean ranks in some of the matches."""

    matches: Floats  # deals x bots
    means: Floats  # by bot; 0 for one without such a match
    influence: Floats  # deals x bots


def _mean_ranks(table: OutcomeTable, rows: npt.NDArray[np.bool_]) -> _Side:
    """Return the mean ranks in the matches of these rows."""
    bots, deals = len(table.names), table.deal_count
    cell = (table.deals[rows, None] * bots + table.bots[rows]).ravel()
    ranks = table.ranks[rows].ravel().astype(np.float64)
    counts = np.bincount(cell, minlength=deals * bots).reshape(deals, bots).astype(np.float64)
    sums = np.bincount(cell, ranks, deals * bots).reshape(deals, bots)
    divisor = np.maximum(counts.sum(axis=0), 1)
    means = sums.sum(axis=0) / divisor
    return _Side(counts, means, (sums - means * counts) / divisor)


def _split(table: OutcomeTable, bot: int) -> tuple[_Side, _Side]:
    """Return the matches with a bot at the table, and those without it."""
    rows = (table.bots == bot).any(axis=1)
    return _mean_ranks(table, rows), _mean_ranks(table, ~rows)


def _by_name(table: OutcomeTable, side: _Side, bots: list[int]) -> dict[str, float]:
    return {
        table.names[bot]: round(float(side.means[bot]), 4)
        for bot in bots
        if side.matches[:, bot].any()
    }


def _shifts(
    table: OutcomeTable, played: list[int], company: Sequence[tuple[_Side, _Side]]
) -> tuple[tuple[Shift, ...], int]:
    """Return the leads that certainly differ with a third bot, and how many were looked at.

    What is compared is by how much a mean rank changes when the third bot comes, one column for
    each bot and third bot: the difference of two such changes is that of two leads.
    """
    columns = [
        (third, bot) for third in range(len(played)) for bot in played if bot != played[third]
    ]
    if not columns:
        return (), 0
    comparisons = Comparisons(_changes(table, columns, company), is_low_best=True)
    limit = comparisons.max_t(list(range(len(columns))))
    found: list[tuple[float, Shift]] = []
    tested = 0
    for place, (third, _) in enumerate(columns):
        for other in range(place + 1, len(columns)):
            if columns[other][0] != third:
                break
            difference = comparisons.difference(place, other)
            if difference is None:
                continue
            tested += 1
            if abs(difference.t) <= limit:
                continue
            first, second = columns[place][1], columns[other][1]
            present, absent = (
                round(float(side.means[second] - side.means[first]), 4) for side in company[third]
            )
            reach = limit * difference.error
            ends = round(difference.value - reach, 4), round(difference.value + reach, 4)
            names = table.names[first], table.names[second], table.names[played[third]]
            found.append((abs(difference.t), Shift(*names, present, absent, ends)))
    found.sort(key=lambda item: -item[0])
    return tuple(shift for _, shift in found), tested


def _changes(
    table: OutcomeTable,
    columns: Sequence[tuple[int, int]],
    company: Sequence[tuple[_Side, _Side]],
) -> Estimate:
    """Return by column how much a bot's mean rank changes with a third bot at the table."""
    deals, strata = table.deal_count, strata_of(table)
    few = deals <= _CLUSTERS
    cluster = np.arange(deals) if few else np.arange(deals) % _CLUSTERS
    rows = min(deals, _CLUSTERS)
    influence, played = np.zeros((rows, len(columns))), np.zeros((rows, len(columns)), bool)
    values, floor = np.zeros(len(columns)), np.zeros(len(columns))
    for third, group in itertools.groupby(range(len(columns)), lambda place: columns[place][0]):
        places = list(group)
        bots = [columns[place][1] for place in places]
        present, absent = company[third]
        values[places] = (present.means - absent.means)[bots]
        change = centred((present.influence - absent.influence)[:, bots], strata)
        counts = [side.matches[:, bots] for side in (present, absent)]
        enough = np.all([(count > 0).sum(axis=0) >= MIN_DEALS for count in counts], axis=0)
        folded = np.zeros((rows, len(places)))
        np.add.at(folded, cluster, change)
        influence[:, places] = folded
        seen = np.zeros((rows, len(places)), bool)
        np.logical_or.at(seen, cluster, (counts[0] + counts[1] > 0) & enough)
        played[:, places] = seen
        floor[places] = sum(_UNSEEN / np.maximum(count.sum(axis=0), 1) ** 2 for count in counts)
    thirds = np.array([third for third, _ in columns], np.int64)
    names = tuple(table.names[bot] for _, bot in columns)
    return Estimate(
        names, values, influence, played, strata if few else np.zeros(rows, np.int64), floor, thirds
    )
