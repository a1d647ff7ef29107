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
    rounds_left,
    settled_worth,
)
from arena.games.byzanz.cards import KIND_MASK, value_of
from arena.games.byzanz.moves import DISCARDS, DONE, GIVES, PASS, TAKES, Bid, Take
from arena.games.byzanz.observation import Observation, Phase
from arena.games.counts import UNIT, Counts, types
from arena.games.game import Move


class ByzanzGreedy(Bot):
    """Every decision makes the own hand worth as much as possible at once."""

    name = "greedy"

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return the move that looks best one step ahead."""
        seen: Observation = observation
        phase = seen.phase
        if phase is Phase.AUCTION:
            return _bid_or_pass(seen, legal_moves)
        rounds = rounds_left(seen)
        if phase is Phase.GIVE:
            held = seen.hand + seen.lot
            return GIVES[
                max(types(seen.lot), key=lambda card: hand_worth(held - UNIT[card], rounds))
            ]
        if phase is Phase.TAKE:
            return _take(seen, legal_moves, rounds - 1)
        if phase is Phase.LIMIT:
            found = best_sale(seen.hand, rounds)
            return DISCARDS[cheapest_card(seen.hand, rounds)] if found is None else found[0]
        sales = best_sales(seen.hand).sales
        return sales[0] if sales else DONE


def _bid_or_pass(seen: Observation, legal_moves: Sequence[Move]) -> Move:
    """Bid the cheapest cards that outbid the table, as long as the lot is worth more to me."""
    if len(legal_moves) == 1 or not isinstance(legal_moves[1], Bid):
        return PASS
    assert seen.seat is not None  # somebody is asked
    rounds = rounds_left(seen)
    laid = seen.laid[seen.seat]
    held = seen.hand + laid
    prize = _lot_kept(held, seen.lot, rounds)
    with_lot = seen.hand + prize
    least = value_of(legal_moves[1].cards)
    best, best_worth = PASS, hand_worth(held, rounds)
    for move in legal_moves[1:]:
        if not isinstance(move, Bid) or value_of(move.cards) > least:
            break  # bids come by rising value
        worth = settled_worth(with_lot - move.cards, rounds)
        if worth > best_worth:
            best, best_worth = move, worth
    return best


def _lot_kept(held: Counts, lot: Counts, rounds: int) -> Counts:
    """Return the lot without the card I would give to the market (B3.8)."""
    whole = held + lot
    return lot - UNIT[max(types(lot), key=lambda card: hand_worth(whole - UNIT[card], rounds))]


def _take(seen: Observation, legal_moves: Sequence[Move], rounds: int) -> Move:
    best, best_worth = legal_moves[0], -1.0
    for move in legal_moves:
        if not isinstance(move, Take):
            break  # sales come last
        worth = settled_worth(seen.hand + (seen.market & KIND_MASK[move.kind]), rounds)
        if worth > best_worth:
            best, best_worth = TAKES[move.kind], worth
    return best
