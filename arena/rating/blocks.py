"""What it was worth to play each deal several times."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from arena.rating.leaderboard import VarianceReduction
from arena.rating.statistics import MIN_DEALS, Floats, Ints, OutcomeTable

_NORMAL = 1.96  # standard errors to each side


def measure_reduction(table: OutcomeTable) -> VarianceReduction | None:
    """Return how much less differences of mean ranks vary than on as many independent deals.

    Bots are compared with each other, so what is measured is the variance of their differences,
    summed over all pairs, for the deals as they were played: in all seatings and at all tables that
    shared them. Were each match on a deal of its own, the variances of the matches would simply add
    up. What a table of bots has in common over all deals is no chance, and taken out first.

    None where no deal was played twice, with fewer than 10 deals, where no table came again, and
    where nothing varies. The interval is that of a ratio of sums over deals. Incomplete blocks are
    left out.
    """
    table = _complete(table)
    deals = table.deal_count
    if deals < MIN_DEALS or deals == len(table.deals):
        return None
    tables, group = np.unique(table.tables, return_inverse=True)
    blocks = np.unique(group * deals + table.deals)
    times = np.bincount(blocks // deals, minlength=len(tables))  # deals at each table
    rows = times[group] > 1
    if not rows.any():
        return None
    apart = residuals(table, group)[rows]
    by_deal = sum_by(table.deals[rows], apart, deals)
    by_block, block = np.unique(group[rows] * deals + table.deals[rows], return_inverse=True)
    at_table = by_block // deals
    seatings = np.bincount(block)
    # A table's mean is estimated, too: what that hides in matches and in deals is added again.
    hidden = pair_squares(sum_by(block, apart, len(by_block))) / (times[at_table] - 1)
    alone = np.bincount(table.deals[rows], pair_squares(apart), deals)
    alone += np.bincount(by_block % deals, hidden / seatings, deals)
    together = pair_squares(by_deal) * deals / (deals - 1)
    if not together.sum() > 1e-9 or not alone.sum() > 1e-9:
        return None
    factor = float(alone.sum() / together.sum())
    error = np.sqrt(((alone / alone.mean() - together / together.mean()) ** 2).mean() / deals)
    reach = math.exp(_NORMAL * float(error))
    return VarianceReduction(
        round(factor, 4), round(factor - 1, 4), (round(factor / reach, 4), round(factor * reach, 4))
    )


def _complete(table: OutcomeTable) -> OutcomeTable:
    """Return the table without blocks that lack a match."""
    size = np.bincount(table.blocks)
    rows = size[table.blocks] == size.max(initial=0)
    return replace(
        table,
        bots=table.bots[rows],
        ranks=table.ranks[rows],
        scores=table.scores[rows],
        deals=np.unique(table.deals[rows], return_inverse=True)[1],
        blocks=table.blocks[rows],
        tables=table.tables[rows],
    )


def residuals(table: OutcomeTable, group: Ints) -> Floats:
    """Return matches x bots: a rank less the bot's mean at that table, 0 for who did not play."""
    bots, matches = len(table.names), len(table.bots)
    cell = (group[:, None] * bots + table.bots).ravel()
    ranks = table.ranks.ravel().astype(np.float64)
    means = np.bincount(cell, ranks) / np.maximum(np.bincount(cell), 1)
    apart = np.zeros((matches, bots))
    apart[np.arange(matches)[:, None], table.bots] = (ranks - means[cell]).reshape(matches, -1)
    return apart


def sum_by(place: Ints, values: Floats, count: int) -> Floats:
    """Return the sums of the rows with the same place, of so many."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, place, values)
    return sums


def pair_squares(values: Floats) -> Floats:
    """Return by row the sum over all pairs of their squared differences."""
    return np.asarray(values.shape[1] * (values**2).sum(axis=1) - values.sum(axis=1) ** 2)
