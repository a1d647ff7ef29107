"""The cards of Byzanz (B1) and what can be made of a handful of them.

A card is a number: kind * 4 + value - 1 for goods, 24 for a trader. Handfuls are `Counts`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final

from arena.games.byzanz.moves import Sell
from arena.games.counts import LANE_BITS, UNIT, Counts, count, size, submultisets, types, unpack

KINDS: Final = ("cloth", "spice", "wine", "wood", "grain", "olives")
TRADER_KIND: Final = len(KINDS)
KIND_NAMES: Final = (*KINDS, "trader")

VALUES: Final = (1, 2, 3, 4)
COPIES_OF_VALUE: Final = (6, 5, 3, 2)
TRADERS: Final = 16
TRADER_PROFIT: Final = 5

TRADER: Final = len(KINDS) * len(VALUES)
CARD_NAMES: Final = (*(f"{kind}-{value}" for kind in KINDS for value in VALUES), "trader")
CARD_BY_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}
CARD_KIND: Final = tuple(card // len(VALUES) for card in range(TRADER + 1))
CARD_VALUE: Final = (*(value for _ in KINDS for value in VALUES), 0)

DECK: Final[Counts] = sum(
    copies * UNIT[card] for card, copies in enumerate((*(COPIES_OF_VALUE * len(KINDS)), TRADERS))
)
TRADER_UNIT: Final = UNIT[TRADER]
KIND_MASK: Final = tuple(
    0x7F * sum(UNIT[card] for card in range(TRADER + 1) if CARD_KIND[card] == kind)
    for kind in range(len(KIND_NAMES))
)
"""KIND_MASK[kind] & cards keeps the cards of that kind."""

_GOODS_MASK: Final = sum(KIND_MASK[:TRADER_KIND])
FIRST_KINDS: Final = sum(KIND_MASK[: len(KINDS) // 2])
LAST_KINDS: Final = _GOODS_MASK - FIRST_KINDS
"""Masks for either half of the goods: hands are many, their halves few."""

_KIND_BITS: Final = LANE_BITS * len(VALUES)


def value_of(cards: Counts) -> int:
    """Return the sum of the values; a trader is worth 0 (B1.2).

    The remainder adds up the six kinds: what is left counts the ones, twos, threes and fours.
    """
    by_value = (cards & _GOODS_MASK) % ((1 << _KIND_BITS) - 1)
    ones, twos = by_value & 0xFF, by_value >> 8 & 0xFF
    return ones + 2 * twos + 3 * (by_value >> 16 & 0xFF) + 4 * (by_value >> 24)


def profit_of(kept: Counts) -> int:
    """Return the points of profit cards; a kept trader counts 5 (B5.2)."""
    return value_of(kept) + TRADER_PROFIT * count(kept, TRADER)


def sales_from(hand: Counts) -> tuple[Sell, ...]:
    """Return every sale the hand can make (B5.1): by kind, then three traders."""
    sales: tuple[Sell, ...] = ()
    if size(hand) < 3:
        return sales
    traders = min(hand >> (LANE_BITS * TRADER), 3)
    for mask in _kinds_to_sell(hand, traders):
        sales += _sales_of_kind(hand & mask, traders)
    return (*sales, _sell(3 * TRADER_UNIT)) if traders == 3 else sales


def count_sales(hand: Counts) -> int:
    """Return the number of sales the hand can make."""
    return len(sales_from(hand))


def _kinds_to_sell(hand: Counts, traders: int) -> tuple[Counts, ...]:
    """Return masks of the kinds of which there are three cards, so many traders counted in.

    All kinds at once: the four lanes of a kind are added up in its first, where three set the top
    bit.
    """
    pairs = hand + (hand >> LANE_BITS)
    sums = pairs + (pairs >> (2 * LANE_BITS))
    return _MASKS_BY_TOPS[(sums + _TOP_FROM_THREE[traders]) & _TOPS]


_FIRSTS: Final = sum([UNIT[kind * len(VALUES)] for kind in range(len(KINDS))])
_TOPS: Final = 0x80 * _FIRSTS
_TOP_FROM_THREE: Final = tuple([(0x80 - 3 + traders) * _FIRSTS for traders in range(4)])
_MASKS_BY_TOPS: Final = {
    sum([0x80 * UNIT[kind * len(VALUES)] for kind in kinds]): tuple([KIND_MASK[k] for k in kinds])
    for number in range(len(KINDS) + 1)
    for kinds in combinations(range(len(KINDS)), number)
}


_SALES: Final[tuple[dict[Counts, tuple[Sell, ...]], ...]] = ({}, {}, {}, {})
"""By the number of traders: the sales of one kind that have come before. A kind has few hands."""


def _sales_of_kind(goods: Counts, traders: int) -> tuple[Sell, ...]:
    """Return the sales that have at least one of these goods, with up to so many jokers."""
    sales = _SALES[traders].get(goods)
    if sales is None:
        made = []
        for part in submultisets(goods):
            jokers = 3 - size(part)
            if part and 0 <= jokers <= traders:
                made.append(_sell(part + jokers * TRADER_UNIT))
        sales = _SALES[traders][goods] = tuple(made)
    return sales


@lru_cache(maxsize=1 << 12)
def _sell(cards: Counts) -> Sell:
    return Sell(cards)


@lru_cache(maxsize=1 << 12)
def is_sale(cards: Counts) -> bool:
    """Return whether three cards form a sale: the goods among them are of one kind (B5.1)."""
    kinds = {CARD_KIND[card] for card in types(cards)} - {TRADER_KIND}
    return size(cards) == 3 and len(kinds) <= 1


@lru_cache(maxsize=1 << 12)
def kept_of(sale: Counts) -> int:
    """Return the card a sale keeps as profit: its highest, of three traders a trader (B5.2)."""
    return max(unpack(sale), key=lambda card: CARD_VALUE[card])


def names_of(cards: Counts) -> list[str]:
    """Return the names of the cards in canonical order."""
    return [CARD_NAMES[card] for card in unpack(cards)]
