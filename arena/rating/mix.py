"""The hardest mix of opponents, and how each bot does against it.

It is the mix of bots that nobody finishes above in more than half of their meetings: the Nash
equilibrium of the table of meetings (Nash averaging: D. Balduzzi and others, 2018). A share against
it does not depend on how many copies of a weak bot take part: they weigh nothing, and copies of a
strong one share its weight.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from arena.counted import counted
from arena.rating.comparisons import Comparisons
from arena.rating.estimates import Estimate, make_estimate
from arena.rating.leaderboard import Interval
from arena.rating.statistics import MIN_DEALS, Floats, Ints, OutcomeTable

_UNSEEN = 2.0  # events, as in estimates.py
_STEPS = 60  # of the interior-point method: more than it ever needed
_SHRINK = 0.15
_END = 1e-12
_ALIKE = 9  # digits to which two rows of meetings agree if bots count as copies


@dataclass(frozen=True, slots=True)
class MixShare:
    """One bot and the hardest mix. Numbers are rounded to 4 decimals."""

    name: str
    weight: float  # of the bot in the mix; they add up to 1
    share: float  # of meetings with a bot drawn from the mix in which it ends above it; ties half
    ci95: Interval | None  # of the share against this mix; None for a bot that is all of the mix


@dataclass(frozen=True, slots=True)
class HardestMix:
    """What a table of meetings says about the hardest mix."""

    bots: tuple[MixShare, ...] = ()  # that have played, the highest share first
    reason: str = ""  # why there is no mix; "" if there is one


def hardest_mix(table: OutcomeTable) -> HardestMix:
    """Return the mix and every bot's share against it, or why it cannot be known."""
    played = sorted(set(table.bots.ravel().tolist()))
    if len(played) < 2:
        return HardestMix(reason="it takes two bots that have played")
    above, met, deals = _meetings(table)
    for a, b in itertools.combinations(played, 2):
        if deals[a, b] < MIN_DEALS:
            return HardestMix(reason=_too_few(table.names[a], table.names[b], int(deals[a, b])))
    shares = np.full(met.shape, 0.5)
    np.divide(above, met, out=shares, where=met > 0)
    weights = np.zeros(len(table.names))
    weights[played] = find_mix((shares - shares.T)[np.ix_(played, played)])
    comparisons = Comparisons(_estimate(table, shares, met, weights), is_low_best=False)
    found = []
    for bot in played:
        ends = comparisons.interval(bot)
        limits = ends and (round(max(ends[0], 0.0), 4), round(min(ends[1], 1.0), 4))
        share, weight = round(float(shares[bot] @ weights), 4), round(float(weights[bot]), 4)
        found.append(MixShare(table.names[bot], weight, share, limits))
    return HardestMix(tuple(sorted(found, key=lambda bot: (-bot.share, -bot.weight))))


def _too_few(first: str, second: str, deals: int) -> str:
    if not deals:
        return f"{first} and {second} have never met"
    met = f"{first} and {second} met on {counted(deals, 'deal')}"
    return f"too few deals to tell: {met}, and {MIN_DEALS} are needed"


def find_mix(advantage: Floats) -> Floats:
    """Return the weights of the mix that no row beats, for an antisymmetric table.

    `advantage[a, b]` is how much more often a ends above b than below. Rows that are alike are one
    bot entered several times: they share what one of them would weigh. If several mixes qualify, it
    is the one in the middle, where the interior-point method ends: p (nμ - Ap) = μ for μ towards 0.
    """
    _, first, which, copies = np.unique(
        advantage.round(_ALIKE), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    table = advantage[np.ix_(first, first)]
    size = len(table)
    weights, target = np.full(size, 1 / size), 1.0
    slack = size * target - table @ weights
    for _ in range(_STEPS):
        target = max(target * _SHRINK, _END)
        gains = table @ weights
        slope = np.diag(slack) - weights[:, None] * table  # never singular: table is antisymmetric
        step = np.linalg.solve(slope, target - weights * (size * target - gains))
        change = size * target - gains - slack - table @ step
        furthest = max(float((-step / weights).max()), float((-change / slack).max()), 0.95)
        weights = weights + step * 0.95 / furthest
        slack = slack + change * 0.95 / furthest
        target = float((weights * slack).mean())
    which = which.reshape(-1)
    return np.asarray((weights / weights.sum() / copies)[which])


def _meetings(table: OutcomeTable) -> tuple[Floats, Floats, Ints]:
    """Return by two bots how often the first was above (ties half), and matches and deals."""
    bots = len(table.names)
    above, met = np.zeros(bots * bots), np.zeros(bots * bots)
    cells = []
    for a, b in itertools.permutations(range(table.bots.shape[1]), 2):
        cell = table.bots[:, a] * bots + table.bots[:, b]
        above += np.bincount(cell, _ends_above(table, a, b), bots * bots)
        met += np.bincount(cell, minlength=bots * bots)
        cells.append(np.unique(table.deals * bots * bots + cell))
    once = np.unique(np.concatenate(cells)) if cells else np.zeros(0, np.int64)
    deals = np.bincount(once % (bots * bots), minlength=bots * bots)
    shape = bots, bots
    return above.reshape(shape), met.reshape(shape), deals.astype(np.int64).reshape(shape)


def _ends_above(table: OutcomeTable, a: int, b: int) -> Floats:
    """Return by match 1 if the first seat is above the second, 0.5 for a tie."""
    return np.asarray((np.sign(table.ranks[:, b] - table.ranks[:, a]) + 1) / 2, np.float64)


def _estimate(table: OutcomeTable, shares: Floats, met: Floats, weights: Floats) -> Estimate:
    """Return the shares against a mix that is taken as given, with what each deal contributed."""
    bots, size = len(table.names), table.deal_count * len(table.names)
    influence, played = np.zeros(size), np.zeros(size)
    for a, b in itertools.permutations(range(table.bots.shape[1]), 2):
        first, second = table.bots[:, a], table.bots[:, b]
        apart = _ends_above(table, a, b) - shares[first, second]
        cell = table.deals * bots + first
        influence += np.bincount(cell, weights[second] * apart / met[first, second], size)
        played += np.bincount(cell, weights[second], size)
    shape = table.deal_count, bots
    one_match = np.divide(weights, met, out=np.zeros_like(met), where=met > 0)  # what it can move
    return make_estimate(
        table,
        played.reshape(shape) > _END**0.5,
        shares @ weights,
        influence.reshape(shape),
        _UNSEEN * (one_match**2).sum(axis=1),
    )
