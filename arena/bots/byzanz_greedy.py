"""A fast bot for Byzanz that takes what looks best now and thinks of nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.bots.bot import Bot
from arena.bots.byzanz_values import (
    best_sale,
    best_sales,
    cheapest_card,
    hand_worth,
    least_missed,
    rounds_left,
    settled_worth,
)
from arena.games.byzanz.cards import KIND_MASK, value_of
from arena.games.byzanz.moves import DISCARDS, DONE, GIVES, PASS, TAKES, Bid, Take
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.counts import UNIT
from arena.games.game import Move


class ByzanzGreedy(Bot):
    """Every decision makes the own hand worth as much as possible at once."""

    name = "greedy"

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return the move that looks best one step ahead."""
        seen: Observation = observation
        phase = seen.phase
        if phase is ByzanzPhase.AUCTION:
            return _bid_or_pass(seen, legal_moves)
        rounds = rounds_left(seen)
        if phase is ByzanzPhase.GIVE:
            return GIVES[least_missed(seen.lot, seen.hand + seen.lot, rounds)]
        if phase is ByzanzPhase.TAKE:
            return _take(seen, legal_moves, rounds - 1)
        if phase is ByzanzPhase.LIMIT:  # the only time before the end that calls for a sale (B5.3)
            found = best_sale(seen.hand, rounds)
            return found[0] if found else DISCARDS[cheapest_card(seen.hand, rounds)]
        sales = best_sales(seen.hand).sales
        return sales[0] if sales else DONE


def _bid_or_pass(seen: Observation, legal_moves: Sequence[Move]) -> Move:
    """Bid the cheapest cards that outbid the table, as long as the lot is worth more."""
    if len(legal_moves) == 1 or not isinstance(legal_moves[1], Bid):
        return PASS
    assert seen.seat is not None  # somebody is asked
    rounds = rounds_left(seen)
    held = seen.hand + seen.laid[seen.seat]
    won = seen.hand + seen.lot
    won -= UNIT[least_missed(seen.lot, held + seen.lot, rounds)]  # B3.8
    least = value_of(legal_moves[1].cards)
    best: Move = PASS
    best_worth = hand_worth(held, rounds)
    for move in legal_moves[1:]:
        if not isinstance(move, Bid) or value_of(move.cards) > least:
            break  # bids come by rising value, then sales
        worth = settled_worth(won - move.cards, rounds)
        if worth > best_worth:
            best, best_worth = move, worth
    return best


def _take(seen: Observation, legal_moves: Sequence[Move], rounds: int) -> Move:
    best, best_worth = legal_moves[0], -1.0
    for move in legal_moves:
        if not isinstance(move, Take):
            break  # sales come last
        worth = settled_worth(seen.hand + (seen.market & KIND_MASK[move.kind]), rounds)
        if worth > best_worth:
            best, best_worth = TAKES[move.kind], worth
    return best
