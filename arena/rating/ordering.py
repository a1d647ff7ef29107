"""What the leaderboard is ordered by: mean ranks where they are fair, else Plackett-Luce."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.rating.comparisons import Comparisons
from arena.rating.estimates import mean_rank_estimate
from arena.rating.leaderboard import Order
from arena.rating.plackett_luce import PlackettLuce, fit
from arena.rating.statistics import OutcomeTable

_MATCHES_APART = 1.1  # the most matches of a bot over the fewest
_MEETINGS_APART = 1.5  # the most meetings of two bots over the fewest


@dataclass(frozen=True, slots=True)
class Ordering:
    """The order of a tournament's bots."""

    order: Order
    comparisons: Comparisons  # of what they are ordered by; low is best
    model: PlackettLuce


def order_bots(table: OutcomeTable) -> Ordering | None:
    """Return how the bots are ordered after these matches; None without a match."""
    if not len(table.bots):
        return None
    model = fit(table)
    balanced = is_balanced(table)
    estimate = mean_rank_estimate(table) if balanced else model.expected_rank
    order = Order.MEAN_RANK if balanced else Order.EXPECTED_RANK
    return Ordering(order, Comparisons(estimate, is_low_best=True), model)


def shown_numbers(table: OutcomeTable) -> list[float]:
    """Return by bot what the leaderboard orders them by, as it shows it; low is best.

    The same numbers as those of `order_bots`, without what takes longer.
    """
    estimate = mean_rank_estimate(table) if is_balanced(table) else fit(table).expected_rank
    return [round(float(value), 4) for value in estimate.values]


def is_balanced(table: OutcomeTable) -> bool:
    """Return whether mean ranks are fair: all bots had as many matches, and the same company.

    The most matches of a bot are at most 1.1 times the fewest, and the most meetings of two bots
    at most 1.5 times the fewest. Bots that have not played do not count.
    """
    bots = len(table.names)
    matches = np.bincount(table.bots.ravel(), minlength=bots)
    has_played = matches > 0
    matches = matches[has_played]
    if len(matches) < 2:
        return True
    met = np.zeros((bots, bots), np.int64)
    for a in range(table.bots.shape[1]):
        for b in range(table.bots.shape[1]):
            np.add.at(met, (table.bots[:, a], table.bots[:, b]), 1)
    met = met[np.ix_(has_played, has_played)]
    meetings = met[np.triu_indices(len(met), 1)]
    return bool(
        matches.max() <= _MATCHES_APART * matches.min()
        and meetings.max() <= _MEETINGS_APART * meetings.min()
    )
