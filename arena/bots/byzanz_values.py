"""What cards are worth in Byzanz: the valuation that the built-in bots share.

A hand is worth the points of the sales in it plus what the rest promises. The goods of one kind are
split into complete sales, the highest cards on top and the lowest as fillers (B5.2), and a
remainder of one or two cards that a later lot or market may complete. Traders go where they add
most (B5.1); those left over are worth something by themselves, three of them exactly 5.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.games.byzanz.cards import (
    CARD_VALUE,
    KIND_MASK,
    KINDS,
    TRADER,
    TRADER_PROFIT,
    TRADER_UNIT,
    TRADERS,
)
from arena.games.byzanz.moves import Sell
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.rules import HAND_LIMIT, TABLES
from arena.games.counts import LANE_BITS, UNIT, Counts, size, types, unpack

MAX_ROUNDS = max(table.rounds for table in TABLES.values())
_KIND_BITS = 4 * LANE_BITS
_GOODS_MASK = KIND_MASK[0]
_TRADER_SHIFT = LANE_BITS * TRADER
_NEVER = -1e9

# The numbers for goods lie between two regressions of later points on the hand at the start of a
# round: over matches of the planner with itself, and with greedy, which spends more cards. Those
# for traders were chosen by play. A card that ends up as payment for a lot counts, too.

_ONE_CARD = (0.0, 0.58, 0.65, 0.85, 1.40)
_TWO_CARDS = (0.0, 1.25, 1.40, 1.85, 2.55)
"""What one or two goods of a kind promise while many rounds are left, by their highest value."""

_UPGRADE = (0.0, 0.80, 0.30, 0.10, 0.0)
"""What a complete sale may still gain by waiting for a higher top, by its top now."""

_SPARE_TRADERS = (0.0, 1.5, 3.2)
"""What one or two traders without a sale promise while many rounds are left."""

_HOPE = (0.0, 0.80, 0.95, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""How much of a promise still comes true, by rounds left."""


class Split(NamedTuple):
    """How a hand is best sold: the points, and the sales that make them."""

    points: int
    sales: tuple[Sell, ...]


def rounds_left(observation: Observation) -> int:
    """Return how many markets the observing seat may still take from, this round's included."""
    ahead = TABLES[len(observation.offers)].rounds - observation.round
    if observation.phase is ByzanzPhase.FINAL:
        return 0
    has_taken = observation.phase is ByzanzPhase.LIMIT and observation.takes > 0  # B6.1: own take
    return ahead if has_taken else ahead + 1


# Exact: what can be sold now


@lru_cache(maxsize=1 << 14)
def best_sales(hand: Counts) -> Split:
    """Return the sales that make the most points of the hand as it is.

    Among equal splits the one that leaves more cards, which breaks ties at the end (B7.2).
    """
    best = Split(0, ())
    for sale, points in sensible_sales(hand):
        rest = best_sales(hand - sale.cards)
        split = Split(points + rest.points, (sale, *rest.sales))
        if (split.points, -len(split.sales)) > (best.points, -len(best.sales)):
            best = split
    return best


@lru_cache(maxsize=1 << 14)
def sensible_sales(hand: Counts) -> tuple[tuple[Sell, int], ...]:
    """Return the sales worth a look, with their points.

    These are a kind's highest card with its lowest, once for each number of traders, and three
    traders: no other sale of the kind can be part of a better split (B5.2).
    """
    traders = hand >> _TRADER_SHIFT
    found = []
    for kind in range(len(KINDS)):
        held = hand & KIND_MASK[kind]
        if held and size(held) + traders >= 3:
            goods = unpack(held)
            top = goods[-1]
            for jokers in range(max(0, 3 - len(goods)), min(traders, 2) + 1):
                fillers = sum([UNIT[card] for card in goods[: 2 - jokers]])
                found.append((Sell(UNIT[top] + fillers + jokers * TRADER_UNIT), CARD_VALUE[top]))
    if traders >= 3:
        found.append((Sell(3 * TRADER_UNIT), TRADER_PROFIT))
    return tuple(found)


# Estimated: what the hand promises


@lru_cache(maxsize=1 << 16)
def hand_worth(hand: Counts, rounds: int) -> float:
    """Return the points the hand is expected to bring, sales in it included.

    `rounds` is what `rounds_left` says; with 0 the worth is exact: the best sales.
    The hand limit is not looked at: see `settle`.
    """
    kinds = _KIND_WORTHS[rounds]
    traders = hand >> _TRADER_SHIFT
    if not traders:
        worth = 0.0
        while hand:
            worth += kinds[hand & _GOODS_MASK].alone
            hand >>= _KIND_BITS
        return worth
    hand -= traders * TRADER_UNIT
    worth = 0.0
    # best[n]: the most that n traders add to the kinds so far or keep as spare ones
    best = list(_SPARE_WORTHS[rounds][: traders + 1])
    while hand:
        alone, gains = kinds[hand & _GOODS_MASK]
        hand >>= _KIND_BITS
        worth += alone
        if gains:
            for number in range(traders, 0, -1):
                for used, gain in gains:
                    if used <= number and best[number - used] + gain > best[number]:
                        best[number] = best[number - used] + gain
    return worth + best[traders]


class KindWorth(NamedTuple):
    """What the goods of one kind are worth, and what traders would add to them."""

    alone: float
    gains: tuple[tuple[int, float], ...]  # (traders added, worth gained), where there is a gain


class _KindWorths(dict[Counts, KindWorth]):
    """Worths by goods (as if of the first kind), worked out when first asked for."""

    def __init__(self, rounds: int) -> None:
        self.hope = _HOPE[rounds]
        self[0] = KindWorth(0.0, ())

    def __missing__(self, goods: Counts) -> KindWorth:
        values = [CARD_VALUE[card] for card in reversed(unpack(goods))]  # highest first
        alone = self._worth(values, 0)
        gains = [(traders, self._worth(values, traders) - alone) for traders in (1, 2, 3, 4)]
        found = self[goods] = KindWorth(alone, tuple([pair for pair in gains if pair[1] > 0.0]))
        return found

    def _worth(self, values: list[int], traders: int) -> float:
        sales = min(len(values), (len(values) + traders) // 3)
        rest = len(values) + traders - 3 * sales
        worth = sum([top + self.hope * _UPGRADE[top] for top in values[:sales]])
        if rest and sales == len(values):
            return _NEVER  # traders alone are no remainder of this kind: better spare
        if rest:
            worth += self.hope * (_ONE_CARD if rest == 1 else _TWO_CARDS)[values[sales]]
        return worth


_KIND_WORTHS = tuple(_KindWorths(rounds) for rounds in range(MAX_ROUNDS + 1))
_SPARE_WORTHS = tuple(
    tuple(
        TRADER_PROFIT * (traders // 3) + _HOPE[rounds] * _SPARE_TRADERS[traders % 3]
        for traders in range(TRADERS + 1)
    )
    for rounds in range(MAX_ROUNDS + 1)
)


# Down to the hand limit


class Settled(NamedTuple):
    """A hand brought down to the limit."""

    points: int  # made by the sales on the way
    hand: Counts


@lru_cache(maxsize=1 << 15)
def best_sale(hand: Counts, rounds: int) -> tuple[Sell, int] | None:
    """Return the sale that leaves the most worth, and its points; None if there is none."""
    best, most = None, _NEVER
    for sale, points in sensible_sales(hand):
        worth = points + hand_worth(hand - sale.cards, rounds)
        if worth > most:
            best, most = (sale, points), worth
    return best


def least_missed(choice: Counts, hand: Counts, rounds: int) -> int:
    """Return the card of `choice` whose loss costs the hand least, the lowest among equals."""
    best, most = 0, _NEVER
    for card in types(choice):
        worth = hand_worth(hand - UNIT[card], rounds)
        if worth > most:
            best, most = card, worth
    return best


def cheapest_card(hand: Counts, rounds: int) -> int:
    """Return the card to discard: the one the hand misses least."""
    return least_missed(hand, hand, rounds)


@lru_cache(maxsize=1 << 15)
def settle(hand: Counts, rounds: int) -> Settled:
    """Return the hand after selling, or failing that discarding, down to seven (B6.1)."""
    points = 0
    while size(hand) > HAND_LIMIT:
        found = best_sale(hand, rounds)
        if found is None:
            hand -= UNIT[cheapest_card(hand, rounds)]
        else:
            sale, profit = found
            points += profit
            hand -= sale.cards
    return Settled(points, hand)


def settled_worth(hand: Counts, rounds: int) -> float:
    """Return the worth of a hand that has yet to come down to the limit."""
    if size(hand) <= HAND_LIMIT:
        return hand_worth(hand, rounds)
    points, kept = settle(hand, rounds)
    return points + hand_worth(kept, rounds)
