"""The Plackett-Luce model, fitted to all matches at once: no order of matches matters.

A match is a sequence of choices: first the winner among all, then the next among the rest, and so
on, each bot with a probability proportional to the exponential of its strength. Tied bots are
chosen from the same rest. Strengths are the most likely ones under a wide normal prior, which only
matters for a bot that won (or lost) everything: no match can say how far it is ahead.

How certain they are is not taken from the model, but from how much deals differ (the sandwich
estimator, clustered by deal), so that neither shared deals nor a wrong model make it too small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.rating.estimates import Estimate, make_estimate, reachable
from arena.rating.statistics import Floats, Ints, OutcomeTable, sum_deals

_PRIOR_SD = 5.0  # e^5: one bot wins 150 times as often as another
_MAX_STEPS = 100
_SETTLED = 1e-10
_UNSEEN = 2.0  # events, as in estimates.py


@dataclass(frozen=True, slots=True)
class PlackettLuce:
    """What the model says."""

    strength: Estimate  # 0 is the mean of the bots that are bounded; higher is better
    expected_rank: Estimate  # the mean rank if all bots met equally often; lower is better
    is_bounded: npt.NDArray[np.bool_]  # by bot: whether matches limit its strength on both sides


def fit(table: OutcomeTable) -> PlackettLuce:
    """Return the strengths of all bots; there must be a match."""
    bots = len(table.names)
    places = np.argsort(table.ranks, axis=1, kind="stable")
    seated = np.take_along_axis(table.bots, places, axis=1)
    starts = _starts(np.take_along_axis(table.ranks, places, axis=1))
    theta = np.zeros(bots)
    gradient, information = _derivatives(theta, seated, starts)
    for _ in range(_MAX_STEPS):
        step = np.linalg.solve(information, _by_bot(gradient, seated, bots) - theta / _PRIOR_SD**2)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))  # far steps overshoot
        theta = theta + step
        gradient, information = _derivatives(theta, seated, starts)
        if float(np.abs(step).max()) < _SETTLED:
            break
    played = sum_deals(table).matches
    cell = (table.deals[:, None] * bots + seated).ravel()
    scores = np.bincount(cell, gradient.ravel(), table.deal_count * bots)
    inverse = np.linalg.inv(information)
    influence = scores.reshape(table.deal_count, bots) @ inverse
    count = np.maximum(played.sum(axis=0), 1)
    bounded = _bounded(table)
    centred = bounded if bounded.any() else played.sum(axis=0) > 0
    centre = np.eye(bots) - centred / centred.sum()  # from each the mean of those
    jacobian, expected = _expected_ranks(theta, table.bots.shape[1], played.sum(axis=0) > 0)
    return PlackettLuce(
        make_estimate(
            table,
            played > 0,
            centre @ theta,
            influence @ centre.T,
            _UNSEEN * np.diag(centre @ inverse @ centre.T) ** 2,
        ),
        make_estimate(table, played > 0, expected, influence @ jacobian.T, _UNSEEN / count**2),
        bounded,
    )


def _starts(ranks: Ints) -> Ints:
    """Return by match and place where the bots tied with it begin."""
    starts = np.zeros_like(ranks)
    for place in range(1, ranks.shape[1]):
        tied = ranks[:, place] == ranks[:, place - 1]
        starts[:, place] = np.where(tied, starts[:, place - 1], place)
    return starts


def _derivatives(theta: Floats, seated: Ints, starts: Ints) -> tuple[Floats, Floats]:
    """Return the gradient by match and place, and the information, with that of the prior."""
    bots, seats = len(theta), seated.shape[1]
    weight = np.exp(theta[seated] - theta[seated].max(axis=1, keepdims=True))
    rest = np.cumsum(weight[:, ::-1], axis=1)[:, ::-1]  # of this place and all below
    places = np.arange(seats)
    gradient = np.ones(seated.shape)
    spread = np.zeros((seats, seats, len(seated)))  # only a <= b; the other half is the same
    for place in range(seats):
        start = starts[:, place]
        among = weight * (places >= start[:, None])
        chance = among / rest[np.arange(len(start)), start][:, None]
        gradient -= chance
        for a in range(seats):
            for b in range(a, seats):
                spread[a, b] += chance[:, a] * ((a == b) - chance[:, b])
    flat = np.zeros(bots * bots)
    for a in range(seats):
        for b in range(a, seats):
            flat += np.bincount(seated[:, a] * bots + seated[:, b], spread[a, b], bots * bots)
            if a != b:
                flat += np.bincount(seated[:, b] * bots + seated[:, a], spread[a, b], bots * bots)
    return gradient, flat.reshape(bots, bots) + np.eye(bots) / _PRIOR_SD**2


def _by_bot(gradient: Floats, seated: Ints, bots: int) -> Floats:
    return np.bincount(seated.ravel(), gradient.ravel(), bots).astype(np.float64)


def _bounded(table: OutcomeTable) -> npt.NDArray[np.bool_]:
    """Return which bots have, directly or through others, both lost to and beaten each other.

    The largest such set; nobody, where there is none. The strengths of others relative to them
    depend on the prior alone.
    """
    bots, seats = len(table.names), table.bots.shape[1]
    above = np.eye(bots, dtype=bool)
    for a in range(seats):
        for b in range(seats):
            rows = table.ranks[:, a] <= table.ranks[:, b]
            above[table.bots[rows, a], table.bots[rows, b]] = True
    over = reachable(above)
    mutual = over & over.T
    size = mutual.sum(axis=1)
    return np.asarray(mutual[int(np.argmax(size))] & (size > 1), bool)


def _expected_ranks(
    theta: Floats, seats: int, has_played: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return by bot the mean rank among all others that have played, and its derivatives."""
    others = has_played[None, :] & ~np.eye(len(theta), dtype=bool)
    share = (seats - 1) / max(int(has_played.sum()) - 1, 1)
    below = np.where(others, 1 / (1 + np.exp(np.clip(theta[:, None] - theta, -700, 700))), 0.0)
    slope = share * below * (1 - below)
    jacobian = slope - np.diag(slope.sum(axis=1))
    return jacobian, np.where(has_played, 1 + share * below.sum(axis=1), 0.0)
