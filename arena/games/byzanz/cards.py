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

_VALUE_MASK = tuple(
    0x7F * sum(UNIT[card] for card in range(TRADER) if CARD_VALUE[card] == value)
    for value in VALUES
)
_GOODS_MASK = sum(_VALUE_MASK)
_KIND_BITS = LANE_BITS * len(VALUES)
_EACH_KIND = sum(1 << (_KIND_BITS * kind) for kind in range(len(KINDS)))
_FIRST_LANES = 0x7F * _EACH_KIND


def value_of(cards: Counts) -> int:
    """Return the sum of the values; a trader is worth 0 (B1.2)."""
    ones, twos, threes, fours = _VALUE_MASK
    return (
        (cards & ones) % 255  # size(), inlined
        + 2 * ((cards & twos) % 255)
        + 3 * ((cards & threes) % 255)
        + 4 * ((cards & fours) % 255)
    )


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
    """Return every handful of the goods as a bid, with its value beside it, rising."""
    held = sorted([(CARD_VALUE[card], count(goods, card), UNIT[card]) for card in types(goods)])
    parts = [0]
    for _, number, unit in held:
        more = parts
        for _ in range(number):
            more = [part + unit for part in more]
            parts = parts + more
    values, places = _rising(tuple([(value, number) for value, number, _ in held]))
    return values, [BIDS[parts[place]] for place in places]


@lru_cache(maxsize=1 << 12)
def _rising(shape: tuple[tuple[int, int], ...]) -> tuple[list[int], list[int]]:
    """Return the values of all handfuls but the empty one, rising, and the place of each.

    `shape` has value and number of each different card; places count the handfuls as
    `_bids_by_value` makes them. Few shapes occur, many hands: so each shape is sorted only once.
    """
    values = [0]
    for value, number in shape:
        more = values
        for _ in range(number):
            more = [total + value for total in more]
            values = values + more
    places = sorted(range(1, len(values)), key=values.__getitem__)
    return [values[place] for place in places], places


@lru_cache(maxsize=1 << 12)
def sales_from(hand: Counts) -> tuple[Sell, ...]:
    """Return every sale the hand can make (B5.1): by kind, then three traders."""
    traders = min(hand >> (LANE_BITS * TRADER), 3)
    # The number of each kind, added up in the lowest lane of its four; then the top bit of that
    # lane tells whether it is enough for a sale. Most hands end here.
    pairs = hand + (hand >> LANE_BITS)
    kinds = (pairs + (pairs >> 2 * LANE_BITS)) & _FIRST_LANES
    enough = (kinds + (128 - max(1, 3 - traders)) * _EACH_KIND) & (128 * _EACH_KIND)
    if not enough and traders < 3:
        return ()
    sales: list[Sell] = []
    for kind in range(len(KINDS)):
        if enough >> (_KIND_BITS * kind) & 128:
            goods = hand >> (_KIND_BITS * kind) & ((1 << _KIND_BITS) - 1)
            sales += _sales_of_kind(kind, goods, traders)
    if traders == 3:
        sales.append(_sell(3 * TRADER_UNIT))
    return tuple(sales)


@lru_cache(maxsize=1 << 12)
def _sales_of_kind(kind: int, goods: Counts, traders: int) -> tuple[Sell, ...]:
    """Return the sales of one kind; `goods` counts its values in the lowest lanes."""
    sales = []
    for part in submultisets(goods):
        jokers = 3 - size(part)
        if part and 0 <= jokers <= traders:
            sales.append(_sell((part << (_KIND_BITS * kind)) + jokers * TRADER_UNIT))
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
