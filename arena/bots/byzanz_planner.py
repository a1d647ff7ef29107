"""A bot for Byzanz with a plan: it weighs the round to come and what the others will do.

Everything is counted in points. A move is worth what it makes of the own hand (`hand_worth`), plus
what the market will bring in the order of the offer cards (B4.1), minus a share of what it hands to
the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

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
from arena.games.game import Move, Seat
from arena.games.ledger import mentioned

_LATER = {
    3: (2.0, 2.0),
    4: (2.0, 2.0, 2.0),
    5: (2.0, 2.0, 2.0, 2.0),
    6: (2.0, 2.0, 2.0, 2.0, 2.0),
}
"""What the rest of a round brings to a seat that does not win this auction, beyond what it brings
to the one that does: later lots cost less, and their winners are first at the market."""

_ENVY = 0.15
"""How much a point for one other seat hurts."""

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
        assert seen.seat is not None  # somebody is asked
        table = _Table(seen, seen.seat, rounds_left(seen))
        match seen.phase:
            case Phase.AUCTION:
                return _bid_or_pass(table, legal_moves)
            case Phase.GIVE:
                return GIVES[_best_gift(table, seen.hand, seen.market)[0]]
            case Phase.TAKE:
                return _take(table)
            case Phase.LIMIT:
                found = best_sale(seen.hand, table.rounds)
                return (
                    DISCARDS[cheapest_card(seen.hand, table.rounds)] if found is None else found[0]
                )
            case _:
                sales = best_sales(seen.hand).sales
                return sales[0] if sales else DONE


class _Table(NamedTuple):
    """What every part of a decision looks at."""

    seen: Observation
    seat: Seat
    rounds: int  # markets ahead, this round's included

    def known_hand(self, seat: int) -> Counts:
        """Return the cards the seat is believed to hold."""
        return mentioned(self.seen.known[seat]) + self.seen.laid[seat]

    def gain(self, seat: int, cards: Counts, rounds: int) -> float:
        """Return what the cards would add to another seat's hand, as far as it is known."""
        held = self.known_hand(seat)
        return hand_worth(held + cards, rounds) - hand_worth(held, rounds)


# Auctions


def _bid_or_pass(table: _Table, legal_moves: Sequence[Move]) -> Move:
    if len(legal_moves) == 1 or not isinstance(legal_moves[1], Bid):
        return PASS
    seen = table.seen
    rounds = table.rounds
    laid = seen.laid[table.seat]
    held = seen.hand + laid
    bid = _easiest_bid(table, legal_moves)
    _, worth = _best_gift(table, seen.hand - bid.cards, seen.market + laid + bid.cards)
    others = len(seen.offers)
    stay_out = hand_worth(held, rounds) + _LATER[others][others - seen.offers.count(0)]
    if seen.leader is not None:  # who would get the lot, for what lies before them
        price = seen.laid[seen.leader]
        loot = table.gain(seen.leader, seen.lot, rounds) - hand_worth(price, rounds) / 2
        stay_out -= _ENVY * max(0.0, loot)
    return bid if worth > stay_out else PASS


def _easiest_bid(table: _Table, legal_moves: Sequence[Move]) -> Bid:
    """Return the bid that leaves the best hand once the lot is in it."""
    seen = table.seen
    rounds = table.rounds
    whole = seen.hand + seen.lot
    whole -= UNIT[cheapest_card_of(seen.lot, whole, rounds)]
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


def cheapest_card_of(lot: Counts, whole: Counts, rounds: int) -> int:
    """Return the card of the lot whose loss costs the whole hand least."""
    return max(types(lot), key=lambda card: hand_worth(whole - UNIT[card], rounds))


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
    bonus = 0.0
    for seat, offer in enumerate(seen.offers):
        if not offer and seat != table.seat and piles:
            gains = [table.gain(seat, pile, rounds - 1) for pile in piles]
            most = max(gains)
            del piles[gains.index(most)]
            bonus -= _ENVY * most
    if not piles:
        return bonus
    base = hand_worth(hand, rounds - 1)
    return bonus + max([hand_worth(hand + pile, rounds - 1) for pile in piles]) - base


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
                worth += _ENVY * max([table.gain(seat, pile, rounds) for seat in later])
            if worth > most:
                best, most = kind, worth
    return TAKES[best]
