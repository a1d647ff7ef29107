"""The cards of Byzanz (B1) and what can be made of a handful of them.

A card is a number: kind * 4 + value - 1 for goods, 24 for a trader. Handfuls are `Counts`.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from arena.games.byzanz.moves import BIDS, Bid, Sell
from arena.games.counts import LANE_BITS, UNIT, Counts, count, size, submultisets, types, unpack

KINDS = ("cloth", "spice", "wine", "wood", "grain", "olives")
TRADER_KIND = len(KINDS)
KIND_NAMES = (*KINDS, "trader")

VALUES = (1, 2, 3, 4)
COPIES_OF_VALUE = (6, 5, 3, 2)
TRADERS = 16
TRADER_PROFIT = 5

TRADER = len(KINDS) * len(VALUES)
CARD_NAMES = (*(f"{kind}-{value}" for kind in KINDS for value in VALUES), "trader")
CARD_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}
CARD_KIND = tuple(card // len(VALUES) for card in range(TRADER + 1))
CARD_VALUE = (*(value for _ in KINDS for value in VALUES), 0)

DECK: Counts = sum(
    copies * UNIT[card] for card, copies in enumerate((*(COPIES_OF_VALUE * len(KINDS)), TRADERS))
)
TRADER_UNIT = UNIT[TRADER]
KIND_MASK = tuple(
    0x7F * sum(UNIT[card] for card in range(TRADER + 1) if CARD_KIND[card] == kind)
    for kind in range(len(KIND_NAMES))
)
"""KIND_MASK[kind] & cards keeps the cards of that kind."""

_GOODS_MASK = sum(KIND_MASK[:TRADER_KIND])
_FIRST_KINDS = sum(KIND_MASK[: len(KINDS) // 2])
_LAST_KINDS = _GOODS_MASK - _FIRST_KINDS
_KIND_BITS = LANE_BITS * len(VALUES)
_TALLY_BITS = 64  # the whole deck has fewer handfuls than that can count


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


def bids_from(hand: Counts, at_least: int) -> list[Bid]:
    """Return the bids that add at least that value: rising in value, each once."""
    goods = hand & _GOODS_MASK
    if value_of(goods) < at_least:
        return []
    values, bids = _bids_by_value(goods)
    return bids[bisect_left(values, at_least) :]


@lru_cache(maxsize=1 << 12)
def _bids_by_value(goods: Counts) -> tuple[list[int], list[Bid]]:
    """Return every handful of the goods as a bid, with its value beside it, rising.

    Put together from the handfuls of the first three kinds and of the last three: either half is
    one of few and comes again and again, while most whole hands are new.
    """
    first, first_values = _handfuls(goods & _FIRST_KINDS)
    last, last_values = _handfuls(goods & _LAST_KINDS)
    parts = [one + other for one in last for other in first]
    values = [one + other for one in last_values for other in first_values]
    rising = sorted(range(1, len(parts)), key=values.__getitem__)  # without the empty handful
    return [values[place] for place in rising], [BIDS[parts[place]] for place in rising]


@lru_cache(maxsize=1 << 13)
def _handfuls(goods: Counts) -> tuple[list[Counts], list[int]]:
    """Return every part of the goods, the empty one first, and the values beside them."""
    parts, values = [0], [0]
    for card in types(goods):
        unit, value = UNIT[card], CARD_VALUE[card]
        more, more_values = parts, values
        for _ in range(count(goods, card)):
            more = [part + unit for part in more]
            more_values = [total + value for total in more_values]
            parts, values = parts + more, values + more_values
    return parts, values


def count_bids(hand: Counts, at_least: int) -> int:
    """Return the number of bids that add at least that value, without making one.

    One multiplication joins the halves of the hand; the remainder adds up what is worth enough.
    """
    first, last = hand & _FIRST_KINDS, hand & _LAST_KINDS
    by_value = _count_by_value(first) * _count_by_value(last)
    return (by_value >> (_TALLY_BITS * max(at_least, 1))) % ((1 << _TALLY_BITS) - 1)


@lru_cache(maxsize=1 << 13)
def _count_by_value(goods: Counts) -> int:
    """Return how many handfuls of the goods have each value: 64 bits a value, from 0."""
    by_value = 1
    for card in types(goods):
        worth = _TALLY_BITS * CARD_VALUE[card]
        by_value *= sum(1 << (worth * number) for number in range(count(goods, card) + 1))
    return by_value


@lru_cache(maxsize=1 << 12)
def sales_from(hand: Counts) -> tuple[Sell, ...]:
    """Return every sale the hand can make (B5.1): by kind, then three traders."""
    if size(hand) < 3:
        return ()
    traders = min(hand >> (LANE_BITS * TRADER), 3)
    sales = _sales(hand & _FIRST_KINDS, traders) + _sales(hand & _LAST_KINDS, traders)
    return (*sales, _sell(3 * TRADER_UNIT)) if traders == 3 else sales


def count_sales(hand: Counts) -> int:
    """Return the number of sales the hand can make."""
    if size(hand) < 3:
        return 0
    traders = min(hand >> (LANE_BITS * TRADER), 3)
    first, last = _sales(hand & _FIRST_KINDS, traders), _sales(hand & _LAST_KINDS, traders)
    return len(first) + len(last) + (traders == 3)


@lru_cache(maxsize=1 << 13)
def _sales(goods: Counts, traders: int) -> tuple[Sell, ...]:
    """Return the sales that have at least one of these goods, with up to so many jokers."""
    sales: list[Sell] = []
    if size(goods) + traders >= 3:
        for mask in KIND_MASK[:TRADER_KIND]:
            if (part := goods & mask) and size(part) + traders >= 3:
                sales += _sales_of_kind(part, traders)
    return tuple(sales)


@lru_cache(maxsize=1 << 12)
def _sales_of_kind(goods: Counts, traders: int) -> tuple[Sell, ...]:
    sales = []
    for part in submultisets(goods):
        jokers = 3 - size(part)
        if part and 0 <= jokers <= traders:
            sales.append(_sell(part + jokers * TRADER_UNIT))
    return tuple(sales)


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
