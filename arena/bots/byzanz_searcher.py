"""A bot for Byzanz that plays the round out in sampled worlds before it decides.

The planner proposes a move, this one looks at plausible others as well: each is made in worlds that
fit the observation, the rest of the round is played out by a quick policy, and the hands are valued
where the round ends. What counts is the share of the other seats that will be beaten.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, NamedTuple

from arena.bots.byzanz_planner import ByzanzPlanner
from arena.bots.byzanz_values import (
    best_sale,
    cheapest_card,
    hand_worth,
    rounds_left,
    sensible_sales,
    settled_worth,
)
from arena.bots.search import Budget, Clock, search
from arena.bots.searcher import Searcher
from arena.games.byzanz.cards import CARD_VALUE, KIND_MASK, TRADER, value_of
from arena.games.byzanz.moves import DISCARDS, DONE, GIVES, PASS, TAKES, Bid
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.counts import UNIT, Counts, count, size, types, unpack
from arena.games.game import AnyGame, Move, Seat

MOST_CANDIDATES = 5

_REACH = 2
"""How far above the least bid candidates go."""

_LATER = {
    3: (2.9, 2.1),
    4: (3.1, 2.7, 2.0),
    5: (2.9, 2.4, 1.8, 0.8),
    6: (3.7, 3.1, 2.6, 1.9, 0.9),
}
"""By table size and auction of the round: what the rest of the round brings to a seat that does not
win this auction, beyond what it brings to the one that does."""

_SPREAD = (0.2, 1.25, 1.5, 1.7, 1.9, 2.0, 2.2, 2.3, 2.5)
"""How uncertain the points between two seats are, by rounds left: the scale of a logistic curve,
fitted to played matches."""

_CARD = 0.2
"""What any card in hand is worth beyond `hand_worth`, likewise."""


class ByzanzSearcher(Searcher):
    """Races the planner's move against others in worlds played out to the end of the round."""

    default_budget = Budget(iterations=120)

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        budget: Budget | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(game, rng, budget, clock)
        self.planner = ByzanzPlanner(game, rng)

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return the move that a search finds; final sales need none, they are exact."""
        seen: Observation = observation
        planned = self.planner.decide(seen, legal_moves)
        if seen.phase is ByzanzPhase.FINAL or len(legal_moves) == 1:
            return planned
        assert seen.seat is not None  # somebody is asked
        seat = seen.seat
        others = [move for move in _candidates(seen, legal_moves) if move != planned]
        return search(
            [planned, *others[: MOST_CANDIDATES - 1]],
            lambda: self._sample(seen),
            lambda world, move: _play_out(world, move, seat),
            self.budget,
            clock=self.clock,
        )

    def _sample(self, seen: Observation) -> ByzanzState:
        state = self.game.determinize(seen, self.rng)
        assert isinstance(state, ByzanzState)
        return state


# Candidates: the moves worth a playout, the most promising first


def _candidates(seen: Observation, legal_moves: Sequence[Move]) -> list[Move]:
    rounds = rounds_left(seen)
    hand = seen.hand
    rated: list[tuple[float, Move]]
    match seen.phase:
        case ByzanzPhase.AUCTION:
            return [PASS, *_likely_bids(seen, legal_moves, rounds)]
        case ByzanzPhase.GIVE:
            whole = hand + seen.lot
            rated = [
                (settled_worth(whole - UNIT[card], rounds), GIVES[card]) for card in types(seen.lot)
            ]
        case ByzanzPhase.TAKE:
            rated = [
                (settled_worth(hand + (seen.market & mask), rounds - 1), TAKES[kind])
                for kind, mask in enumerate(KIND_MASK)
                if seen.market & mask
            ]
        case _:
            rated = [
                (points + hand_worth(hand - sale.cards, rounds), sale)
                for sale, points in sensible_sales(hand)
            ]
            card = cheapest_card(hand, rounds)
            rated.append((hand_worth(hand - UNIT[card], rounds), DISCARDS[card]))
    rated.sort(key=lambda pair: -pair[0])
    return [move for _, move in rated]


def _likely_bids(seen: Observation, legal_moves: Sequence[Move], rounds: int) -> list[Move]:
    """Return the bids that leave the best hands once the lot is in them."""
    whole = seen.hand + seen.lot
    whole -= UNIT[max(types(seen.lot), key=lambda card: hand_worth(whole - UNIT[card], rounds))]
    rated: list[tuple[float, Bid]] = []
    least = 0
    for move in legal_moves:
        if isinstance(move, Bid):
            least = least or value_of(move.cards)
            if value_of(move.cards) > least + _REACH:
                break  # bids come by rising value
            rated.append((settled_worth(whole - move.cards, rounds), move))
    rated.sort(key=lambda pair: -pair[0])
    return [move for _, move in rated]


# Playing out


def _play_out(world: ByzanzState, move: Move, seat: Seat) -> float:
    """Return the seat's prospects if it makes the move: 0 last of all, 1 ahead of all."""
    state = world.copy()
    this_round = state.round
    state.apply(move)
    while state.round == this_round and state.phase < ByzanzPhase.FINAL:
        state.apply(quick_move(state))
    return prospects(state, seat)


def prospects(state: ByzanzState, seat: Seat) -> float:
    """Return the share of the others that the seat will probably beat, between two rounds."""
    rounds = 0 if state.phase >= ByzanzPhase.FINAL else TABLES[state.seats].rounds - state.round + 1
    spread = _SPREAD[rounds]
    card = _CARD if rounds else 0.0
    worths = [
        points + hand_worth(hand, rounds) + card * size(hand)
        for points, hand in zip(state.points, state.hands, strict=True)
    ]
    mine = worths[seat]
    beaten = sum([1.0 / (1.0 + exp((worth - mine) / spread)) for worth in worths])
    return (beaten - 0.5) / (state.seats - 1)  # the seat itself counted as half beaten


def quick_move(state: ByzanzState) -> Move:
    """Return a sensible move for the seat to act, fast, with a look into all hands."""
    seat = state.to_act
    assert seat is not None
    phase = state.phase
    hand = state.hands[seat]
    ahead = TABLES[state.seats].rounds - state.round
    if phase is ByzanzPhase.AUCTION:
        return _quick_bid(state, seat, ahead + 1)
    if phase is ByzanzPhase.GIVE:
        return GIVES[_card_to_give(hand + state.lot, state.lot, ahead + 1)]
    if phase is ByzanzPhase.TAKE:
        return TAKES[_kind_to_take(hand, state.market, ahead)]
    if phase is ByzanzPhase.LIMIT:
        rounds = ahead if state.takes else ahead + 1
        found = best_sale(hand, rounds)
        return DISCARDS[cheapest_card(hand, rounds)] if found is None else found[0]
    return DONE


@lru_cache(maxsize=1 << 14)
def _card_to_give(whole: Counts, lot: Counts, rounds: int) -> int:
    return max(types(lot), key=lambda card: hand_worth(whole - UNIT[card], rounds))


def _kind_to_take(hand: Counts, market: Counts, rounds: int) -> int:
    best, most = 0, -1.0
    for kind, mask in enumerate(KIND_MASK):
        pile = market & mask
        if pile:
            worth = settled_worth(hand + pile, rounds)
            if worth > most:
                best, most = kind, worth
    return best


class BidLimit(NamedTuple):
    """How high a seat will go for a lot, and the goods it lays on the way, easiest first."""

    limit: int
    order: tuple[int, ...]


@lru_cache(maxsize=1 << 15)
def bid_limit(held: Counts, lot: Counts, rounds: int, later: float) -> BidLimit:
    """Return the seat's limit: the most it can pay and still be better off than staying out."""
    whole = held + lot
    whole -= UNIT[_card_to_give(whole, lot, rounds)]
    with_all = hand_worth(whole, rounds)
    losses = [
        ((with_all - hand_worth(whole - UNIT[card], rounds)) / CARD_VALUE[card], card)
        for card in types(held)
        if card != TRADER
    ]
    losses.sort()
    rank = {card: place for place, (_, card) in enumerate(losses)}
    order = tuple(
        sorted([card for card in unpack(held) if card != TRADER], key=lambda card: rank[card])
    )
    stay_out = hand_worth(held, rounds) + later
    paid: Counts = 0
    value = limit = 0
    for card in order:
        paid += UNIT[card]
        value += CARD_VALUE[card]
        if settled_worth(whole - paid, rounds) > stay_out:
            limit = value
    return BidLimit(limit, order)


def _quick_bid(state: ByzanzState, seat: Seat, rounds: int) -> Move:
    """Bid as an auction in small steps would end: the highest limit wins just above the second.

    Whoever is not going to win drives the price to the own limit at once.
    """
    offers = state.offers
    later = _LATER[state.seats][state.seats - offers.count(0)]
    limit, order = bid_limit(state.hands[seat] + state.laid[seat], state.lot, rounds, later)
    high = state.high
    if limit <= high:
        return PASS
    rival = 0
    for other, offer in enumerate(offers):
        if not offer and other != seat and not state.passed[other]:
            held = state.hands[other] + state.laid[other]
            rival = max(rival, bid_limit(held, state.lot, rounds, later).limit)
    wanted = max(high + 1, min(limit, rival + 1))
    return _lay(state.laid[seat], order, wanted, limit)


def _lay(laid: Counts, order: Sequence[int], wanted: int, limit: int) -> Move:
    """Return the bid that brings the laid cards up to what is wanted, or a pass."""
    value = value_of(laid)
    added: Counts = 0
    left = laid
    for card in order:
        unit = UNIT[card]
        if count(left, card):  # this one lies there already
            left -= unit
            continue
        if value + CARD_VALUE[card] <= max(limit, wanted):
            added += unit
            value += CARD_VALUE[card]
            if value >= wanted:
                return Bid(added)
    return PASS
