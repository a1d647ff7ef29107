"""A bot for Byzanz with a plan: it weighs the round to come and what the others will do.

Everything is counted in points. A move is worth what it makes of the own hand (`hand_worth`), plus
what the market will bring in the order of the offer cards (B4.1), minus a share of what it hands to
the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from arena.games.byzanz.moves import DISCARDS, DONE, GIVES, PASS, TAKES, Bid
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.counts import UNIT, Counts, types
from arena.games.game import Move, Seat
from arena.games.ledger import mentioned

_LATER = {
    3: (2.8, 1.5),
    4: (2.9, 2.2, 1.5),
    5: (2.7, 2.3, 1.9, 1.5),
    6: (3.0, 2.7, 2.3, 1.9, 1.5),
}
"""What staying out of an auction brings more than winning it does, the lot and the market as it
lies left aside: a later lot, cheaper to win, and a better place at a market that still grows.
By players and auctions over in this round."""

_FIRST_PICK = 1.2
"""How much of the best kind on the market a seat that stays out may hope for, shared among the
seats that will take before this auction's winner."""

_LATE_PICK = 0.25
"""How much of what the others seem to leave on the market its winner may hope for."""

_ENVY = 0.15
"""How much a point for one other seat hurts."""

_PRICE = 0.3
"""What a bid costs its owner for each point of its value, roughly."""

_LEAD = 0.10
"""What a bid higher by one is worth by itself: fewer can answer it."""

_REACH = 2
"""How far above the least bid to look for cards that are easier to spare."""


class ByzanzPlanner(Bot):
    """Bids up to what a lot is worth by the end of the round, and minds who gets the rest."""

    name = "planner"

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return the move with the best worth by the valuation above."""
        seen: Observation = observation
        table = _look(seen)
        match seen.phase:
            case ByzanzPhase.AUCTION:
                return _bid_or_pass(table, legal_moves)
            case ByzanzPhase.GIVE:
                return GIVES[_best_gift(table, seen.hand, seen.market)[0]]
            case ByzanzPhase.TAKE:
                return _take(table)
            case ByzanzPhase.LIMIT:
                found = best_sale(seen.hand, table.rounds)
                if found:
                    return found[0]
                return DISCARDS[cheapest_card(seen.hand, table.rounds)]
            case _:
                sales = best_sales(seen.hand).sales
                return sales[0] if sales else DONE


class _Table(NamedTuple):
    """What every part of a decision looks at."""

    seen: Observation
    seat: Seat
    rounds: int  # markets ahead, this round's included
    hands: tuple[Counts, ...]  # what each other seat is believed to hold

    def gain(self, seat: int, cards: Counts) -> float:
        """Return what cards from the market would add to another seat's hand, as far as known."""
        held = self.hands[seat]
        rounds = self.rounds - 1
        return hand_worth(held + cards, rounds) - hand_worth(held, rounds)


def _look(seen: Observation) -> _Table:
    assert seen.seat is not None  # somebody is asked
    hands = [mentioned(ledger) for ledger in seen.known]
    if seen.leader is not None:
        hands[seen.leader] += seen.laid[seen.leader]
    return _Table(seen, seen.seat, rounds_left(seen), tuple(hands))


# Auctions


def _bid_or_pass(table: _Table, legal_moves: Sequence[Move]) -> Move:
    if len(legal_moves) == 1 or not isinstance(legal_moves[1], Bid):
        return PASS
    seen = table.seen
    laid = seen.laid[table.seat]
    bid = _easiest_bid(table, legal_moves)
    _, worth = _best_gift(table, seen.hand - bid.cards, seen.market + laid + bid.cards)
    return bid if worth > _worth_outside(table, seen.hand + laid) else PASS


def _worth_outside(table: _Table, held: Counts) -> float:
    """Return the worth of leaving the auction with all my cards (B3.6)."""
    seen = table.seen
    rounds = table.rounds
    rivals = seen.offers.count(0)
    worth = hand_worth(held, rounds) + _LATER[len(seen.offers)][len(seen.offers) - rivals]
    market = seen.market
    if seen.leader not in (None, table.seat):
        # The leader gets the lot, and what lies before them goes to the market (B3.8).
        market += seen.laid[seen.leader]
        worth -= _ENVY * max(0.0, table.gain(seen.leader, seen.lot) - seen.high * _PRICE)
    return worth + _FIRST_PICK / rivals * _best_pick(held, _piles(market), rounds - 1)


def _easiest_bid(table: _Table, legal_moves: Sequence[Move]) -> Bid:
    """Return the bid that leaves the best hand once the lot is in it."""
    seen = table.seen
    rounds = table.rounds
    whole = seen.hand + seen.lot
    whole -= UNIT[least_missed(seen.lot, whole, rounds)]
    first = legal_moves[1]
    assert isinstance(first, Bid)
    least = value_of(first.cards)
    best, most = first, -1.0
    for move in legal_moves[1:]:
        if not isinstance(move, Bid):
            break
        extra = value_of(move.cards) - least
        if extra > _REACH:
            break  # bids come by rising value
        worth = settled_worth(whole - move.cards, rounds) + _LEAD * extra
        if worth > most:
            best, most = move, worth
    return best


def _best_gift(table: _Table, hand: Counts, market: Counts) -> tuple[int, float]:
    """Return the card of the lot to give to the market, and the worth of the lot so won.

    `hand` is what is left after paying, `market` has the payment on it (B3.8).
    """
    seen = table.seen
    rounds = table.rounds
    whole = hand + seen.lot
    best, most = 0, -1e9
    for card in types(seen.lot):
        kept = whole - UNIT[card]
        worth = settled_worth(kept, rounds)
        worth += _market_prospect(table, kept, market + UNIT[card])
        if worth > most:
            best, most = card, worth
    return best, most


# The market


def _market_prospect(table: _Table, hand: Counts, market: Counts) -> float:
    """Return what the market as it lies will bring after winning this auction.

    Seats still without an offer card will hold lower ones and take first (B4.1).
    """
    seen = table.seen
    rounds = table.rounds
    piles = _piles(market)
    lost = 0.0
    for seat, offer in enumerate(seen.offers):
        if not offer and seat != table.seat and piles:
            gains = [table.gain(seat, pile) for pile in piles]
            most = max(gains)
            del piles[gains.index(most)]
            lost += most
    return _LATE_PICK * _best_pick(hand, piles, rounds - 1) - _ENVY * lost


def _best_pick(hand: Counts, piles: Sequence[Counts], rounds: int) -> float:
    """Return what the best of the piles would add to the hand."""
    if not piles:
        return 0.0
    return max([hand_worth(hand + pile, rounds) for pile in piles]) - hand_worth(hand, rounds)


def _piles(market: Counts) -> list[Counts]:
    return [pile for mask in KIND_MASK if (pile := market & mask)]


def _take(table: _Table) -> Move:
    """Take the kind that helps most, or that the next seat must not get."""
    seen = table.seen
    rounds = table.rounds - 1
    offer = seen.offers[table.seat]
    later = [seat for seat, other in enumerate(seen.offers) if other > offer]
    best, most = 0, -1e9
    for kind, mask in enumerate(KIND_MASK):
        pile = seen.market & mask
        if pile:
            worth = settled_worth(seen.hand + pile, rounds)
            if later:
                worth += _ENVY * max([table.gain(seat, pile) for seat in later])
            if worth > most:
                best, most = kind, worth
    return TAKES[best]
