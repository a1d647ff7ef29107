"""Every bid that can be made of a hand (B3.5), by rising value, then in a fixed order.

A hand of seven goods makes up to 127. They are counted, and found by their place, without being
listed: from the handfuls of the first three kinds and of the last three. Either half is one of few
and comes again and again, while most whole hands are new.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mypy_extensions import mypyc_attr

from arena.games.byzanz.cards import CARD_VALUE, FIRST_KINDS, LAST_KINDS
from arena.games.byzanz.moves import BIDS, PASS, Bid
from arena.games.counts import UNIT, Counts, count, size, types
from arena.games.game import Move
from arena.games.packed import PackedMoves

_GOODS: Final = FIRST_KINDS | LAST_KINDS
_NARROW: Final = 16
_WIDE: Final = 64
"""Bits for the number of handfuls of one value: enough for 15 cards, and for the whole deck."""

_PASS: Final[Sequence[Move]] = (PASS,)


@mypyc_attr(allow_interpreted_subclasses=True)
class AuctionMoves(PackedMoves):
    """What a seat may do in an auction: pass, a bid that adds at least so much, or a sale."""

    __slots__ = ("_at_least", "_goods", "_listed", "_tally", "first", "last", "number")

    first: Sequence[Move]
    number: int
    last: Sequence[Move]

    def __init__(self, hand: Counts, at_least: int, sales: Sequence[Move]) -> None:
        goods = hand & _GOODS
        self._goods = goods
        self._at_least = max(at_least, 1)  # without the empty handful
        self._tally = _tally_from(goods, self._at_least)
        self._listed: list[Counts] | None = None  # once somebody has asked for all
        self.first = _PASS
        self.number = _sum_up(goods, self._tally)
        self.last = sales

    def __len__(self) -> int:
        return 1 + self.number + len(self.last)

    def packed(self) -> list[Counts]:
        listed = self._listed
        if listed is None:
            listed = handfuls_from(self._goods, self._at_least) if self.number else []
            self._listed = listed
        return listed

    def packed_at(self, place: int) -> Counts:
        """Return the handful at a place, without making the others.

        First its value is found, by how many there are of each; then its half of the last kinds, by
        how many of the first kinds make that value with it.
        """
        if self._listed is not None:
            return self._listed[place]
        goods, value, tally = self._goods, self._at_least, self._tally
        bits = _bits_for(goods)
        while place >= (number := tally & ((1 << bits) - 1)):
            place -= number
            value += 1
            tally >>= bits
        groups = _groups(goods & FIRST_KINDS)
        parts, values = _handfuls(goods & LAST_KINDS)
        for i, worth in enumerate(values):
            missing = value - worth
            if 0 <= missing < len(groups):
                group = groups[missing]
                if place < len(group):
                    return parts[i] + group[place]
                place -= len(group)
        raise IndexError("there are fewer bids")

    def unpacked(self, counts: Counts) -> Bid:
        return BIDS[counts]


def count_bids(hand: Counts, at_least: int) -> int:
    """Return the number of bids that add at least that value, without making one."""
    goods = hand & _GOODS
    return _sum_up(goods, _tally_from(goods, max(at_least, 1)))


def _tally_from(goods: Counts, at_least: int) -> int:
    """Return how many handfuls have each value from that on: some bits for each, the lowest first.

    One multiplication joins those of the halves.
    """
    bits = _bits_for(goods)
    tally = _tally(goods & FIRST_KINDS, bits) * _tally(goods & LAST_KINDS, bits)
    return tally >> (bits * at_least)


@lru_cache(maxsize=1 << 13)
def _tally(goods: Counts, bits: int) -> int:
    """Return how many handfuls of half a hand have each value, from 0."""
    tally = 1
    for card in types(goods):
        worth = bits * CARD_VALUE[card]
        tally *= sum(1 << (worth * number) for number in range(count(goods, card) + 1))
    return tally


def _sum_up(goods: Counts, tally: int) -> int:
    """Return how many handfuls a tally of these goods has: the remainder adds them up."""
    return tally % ((1 << _bits_for(goods)) - 1)


def _bits_for(goods: Counts) -> int:
    return _NARROW if size(goods) < _NARROW else _WIDE


def handfuls_from(goods: Counts, at_least: int) -> list[Counts]:
    """Return the handfuls worth at least that, the empty one never: rising, each once."""
    values, handfuls = _handfuls_by_value(goods)
    return handfuls[bisect_left(values, at_least) :]


@lru_cache(maxsize=1 << 12)
def _handfuls_by_value(goods: Counts) -> tuple[list[int], list[Counts]]:
    """Return every handful but the empty one, with its value beside it, rising."""
    first, first_values = _handfuls(goods & FIRST_KINDS)
    last, last_values = _handfuls(goods & LAST_KINDS)
    parts = [one + other for one in last for other in first]
    values = [one + other for one in last_values for other in first_values]
    rising = sorted(range(1, len(parts)), key=values.__getitem__)
    return [values[place] for place in rising], [parts[place] for place in rising]


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


@lru_cache(maxsize=1 << 13)
def _groups(goods: Counts) -> list[list[Counts]]:
    """Return the parts of the goods by their value, each group in the order of `_handfuls`."""
    parts, values = _handfuls(goods)
    groups: list[list[Counts]] = [[] for _ in range(max(values) + 1)]
    for part, value in zip(parts, values, strict=True):
        groups[value].append(part)
    return groups
