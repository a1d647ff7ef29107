"""What can be counted in the outcomes of a tournament."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.storage.records import FixtureRecord, StoredMatch

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MIN_DEALS = 10
"""With fewer deals nothing is said about how certain a number is."""


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """Outcomes as arrays: a row a match, a column a seat. Bots, deals and so on count from 0."""

    names: tuple[str, ...]  # of the bots, sorted: who entered first must not matter
    bots: Ints  # matches x seats
    ranks: Ints
    scores: Ints
    deals: Ints  # by match
    blocks: Ints
    tables: Ints

    @property
    def deal_count(self) -> int:
        """How many deals were played."""
        return int(self.deals.max(initial=-1)) + 1

    @property
    def block_count(self) -> int:
        """How many blocks were played, complete or not."""
        return int(self.blocks.max(initial=-1)) + 1


def counting_matches(
    matches: Sequence[StoredMatch], parked: Collection[FixtureRecord]
) -> Sequence[StoredMatch]:
    """Return the matches that count: those of no block in which a match was parked.

    Part of a block would favour whoever had the better seats in what was played of it.
    """
    if not parked:
        return matches
    blocks = {fixture.block for fixture in parked}
    return [match for match in matches if match.fixture.block not in blocks]


def tabulate(matches: Sequence[StoredMatch], names: Collection[str]) -> OutcomeTable:
    """Return the matches as arrays; `names` are all bots of the tournament, in any order."""
    ordered = tuple(sorted(names))
    number = {name: place for place, name in enumerate(ordered)}
    seats = len(matches[0].fixture.bots) if matches else 0

    def by_seat(values: list[list[int]]) -> Ints:
        return np.array(values, np.int64).reshape(len(matches), seats)

    return OutcomeTable(
        ordered,
        by_seat([[number[bot] for bot in match.fixture.bots] for match in matches]),
        by_seat([list(match.report.ranks) for match in matches]),
        by_seat([list(match.report.scores) for match in matches]),
        _renumber([match.fixture.deal for match in matches]),
        _renumber([match.fixture.block for match in matches]),
        _renumber([match.fixture.table for match in matches]),
    )


@dataclass(frozen=True, slots=True)
class DealSums:
    """What the bots did in each deal: deals x bots. All integers, though kept as floats.

    Sums and matrix products of them are exact, whatever their order: the same on every machine.
    """

    matches: Floats
    ranks: Floats
    scores: Floats


def sum_deals(table: OutcomeTable) -> DealSums:
    """Return the sums over each deal, with all its blocks at all tables."""
    deals, bots = table.deal_count, len(table.names)
    cell = (table.deals[:, None] * bots + table.bots).ravel()

    def total(values: Ints | None) -> Floats:
        weights = None if values is None else values.ravel().astype(np.float64)
        counts = np.bincount(cell, weights, deals * bots)
        return counts.astype(np.float64).reshape(deals, bots)

    return DealSums(total(None), total(table.ranks), total(table.scores))


@dataclass(frozen=True, slots=True)
class PairSums:
    """What happened between two bots, first and second in the order of names, by pair."""

    pairs: tuple[tuple[int, int], ...]  # those that met
    above: Ints  # matches in which the first ended above the second
    equal: Ints
    below: Ints
    met: Floats  # deals x pairs: in how many matches
    lead: Floats  # deals x pairs: sum of the second's rank minus the first's


def sum_pairs(table: OutcomeTable) -> PairSums:
    """Return what happened between every two bots that met."""
    bots, seats = len(table.names), table.bots.shape[1]
    cells, leads = [], []
    for a in range(seats):
        for b in range(a + 1, seats):
            first, second = table.bots[:, a], table.bots[:, b]
            swap = first > second
            cells.append(np.where(swap, second * bots + first, first * bots + second))
            lead = table.ranks[:, b] - table.ranks[:, a]
            leads.append(np.where(swap, -lead, lead))
    cell = np.concatenate(cells) if cells else np.zeros(0, np.int64)
    lead = np.concatenate(leads) if leads else np.zeros(0, np.int64)
    found, pair = np.unique(cell, return_inverse=True)
    width, deals = len(found), table.deal_count
    place = np.tile(table.deals, len(cells)) * width + pair

    def count(condition: npt.NDArray[np.bool_]) -> Ints:
        return np.bincount(pair[condition], minlength=width).astype(np.int64)

    def spread(weights: Floats | None) -> Floats:
        return np.bincount(place, weights, deals * width).astype(np.float64).reshape(deals, width)

    pairs = tuple((int(value) // bots, int(value) % bots) for value in found)
    return PairSums(
        pairs,
        count(lead > 0),
        count(lead == 0),
        count(lead < 0),
        spread(None),
        spread(lead.astype(np.float64)),
    )


def _renumber(values: list[int]) -> Ints:
    """Return the values as numbers from 0 without gaps, in their order."""
    return np.unique(np.array(values, np.int64), return_inverse=True)[1].astype(np.int64)
