"""The cards of Byzanz (B1) and what can be made of a handful of them.

A card is a number: kind * 4 + value - 1 for goods, 24 for a trader. Handfuls are `Counts`.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from arena.games.byzanz.moves import BIDS, Bid, Sell
from arena.games.counts import UNIT, Counts, count, size, submultisets, types, unpack

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

BIDS_KEPT = 1 << 16
"""How many different bid moves are kept ready before the store is emptied."""

_VALUE_SHIFT = 8 * (TRADER + 1)
_CARDS_MASK = (1 << _VALUE_SHIFT) - 1


@lru_cache(maxsize=1 << 14)
def value_of(cards: Counts) -> int:
    """Return the sum of the values; a trader is worth 0 (B1.2)."""
    return sum(CARD_VALUE[card] for card in unpack(cards))


@lru_cache(maxsize=1 << 12)
def profit_of(kept: Counts) -> int:
    """Return the points of profit cards; a kept trader counts 5 (B5.2)."""
    return value_of(kept) + TRADER_PROFIT * count(kept, TRADER)


@lru_cache(maxsize=1 << 12)
def _bids_by_value(hand: Counts) -> tuple[list[int], list[Bid]]:
    """Return the values of all bids the hand's goods can make, rising, and the bids beside them.

    Values are carried above the cards in the same int, so that one plain sort orders them.
    """
    parts = [0]
    for card in types(hand):
        if card != TRADER:
            step = UNIT[card] + (CARD_VALUE[card] << _VALUE_SHIFT)
            parts = [part + k * step for k in range(count(hand, card) + 1) for part in parts]
    parts.sort()
    del parts[0]
    if len(BIDS) > BIDS_KEPT:
        BIDS.clear()
    return (
        [part >> _VALUE_SHIFT for part in parts],
        [BIDS[part & _CARDS_MASK] for part in parts],
    )


def bids_from(hand: Counts, at_least: int) -> list[Bid]:
    """Return the bids that add at least that value: rising in value, each once."""
    values, bids = _bids_by_value(hand)
    return bids[bisect_left(values, at_least) :]


@lru_cache(maxsize=1 << 12)
def sales_from(hand: Counts) -> tuple[Sell, ...]:
    """Return every sale the hand can make (B5.1): by kind, then three traders."""
    traders = min(count(hand, TRADER), 3)
    sales: list[Sell] = []
    for kind in range(len(KINDS)):
        goods = hand & KIND_MASK[kind]
        if goods and size(goods) + traders >= 3:
            sales.extend(_sales_of_kind(goods, traders))
    if traders == 3:
        sales.append(_sell(3 * TRADER_UNIT))
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
