"""Every bid that can be made of a hand (B3.5), by rising value, then in a fixed order.

A hand of seven goods makes up to 127. They are counted, and found by their place, without being
listed: from the handfuls of the first three kinds and of the last three. Either half is one of few
and comes again and again, while most whole hands are new.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, overload

from mypy_extensions import mypyc_attr

from arena.games.byzanz.cards import CARD_VALUE, FIRST_KINDS, LAST_KINDS
from arena.games.byzanz.moves import BIDS, PASS, Bid
from arena.games.counts import UNIT, Counts, count, size, types
from arena.games.game import Move
from arena.games.packed import PackedMoves, Sums

_NARROW: Final = 16
_WIDE: Final = 64
"""Bits for the number of handfuls of one value: enough for 15 cards, and for the whole deck."""

_PASS: Final[Sequence[Move]] = (PASS,)


@mypyc_attr(allow_interpreted_subclasses=True)
class AuctionMoves(PackedMoves):
    """What a seat may do in an auction: pass, a bid that adds at least so much, or a sale."""

    __slots__ = (
        "_at_least",
        "_first_kinds",
        "_last_kinds",
        "_tally",
        "first",
        "last",
        "number",
    )

    first: Sequence[Move]
    number: int
    last: Sequence[Move]

    def __init__(self, hand: Counts, at_least: int, sales: Sequence[Move]) -> None:
        bits = _bits_for(hand)
        self._at_least = max(at_least, 1)  # without the empty handful
        self._first_kinds = _half_of(hand & FIRST_KINDS, bits)
        self._last_kinds = _half_of(hand & LAST_KINDS, bits)
        self._tally = _join(self._first_kinds, self._last_kinds, self._at_least)
        self.first = _PASS
        self.number = _sum_up(self._tally, bits)
        self.last = sales

    def __len__(self) -> int:
        return 1 + self.number + len(self.last)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, int):
            if index == 0:
                return PASS
            if 0 < index <= self.number:
                return BIDS[self.packed_at(index - 1)]
        return super().__getitem__(index)

    def sums(self) -> Sums:
        parts, rising = self._last_kinds.parts(), self._first_kinds.rising()
        return parts.parts, parts.values, rising.parts, rising.values, self._at_least

    def packed_at(self, place: int) -> Counts:
        """Return the handful at a place, without making the others.

        First its value is found, by how many there are of each; then its half of the last kinds, by
        how many of the first kinds make that value with it.
        """
        value, tally, bits = self._at_least, self._tally, self._first_kinds.bits
        while place >= (number := tally & ((1 << bits) - 1)):
            place -= number
            value += 1
            tally >>= bits
        rising = self._first_kinds.rising()
        starts = rising.starts
        parts = self._last_kinds.parts()
        for i, worth in enumerate(parts.values):
            missing = value - worth
            if 0 <= missing < len(starts) - 1:
                start, number = starts[missing], starts[missing + 1] - starts[missing]
                if place < number:
                    return parts.parts[i] + rising.parts[start + place]
                place -= number
        raise IndexError("there are fewer bids")

    def unpacked(self, counts: Counts) -> Bid:
        return BIDS[counts]


def count_bids(hand: Counts, at_least: int) -> int:
    """Return the number of bids that add at least that value, without making one."""
    bits = _bits_for(hand)
    first, last = _half_of(hand & FIRST_KINDS, bits), _half_of(hand & LAST_KINDS, bits)
    return _sum_up(_join(first, last, max(at_least, 1)), bits)


class _Parts:
    """Every part of some goods, the empty one first, and their values beside them."""

    __slots__ = ("parts", "values")

    def __init__(self, goods: Counts) -> None:
        parts, values = [0], [0]
        for card in types(goods):
            unit, value = UNIT[card], CARD_VALUE[card]
            more, more_values = parts, values
            for _ in range(count(goods, card)):
                more = [part + unit for part in more]
                more_values = [total + value for total in more_values]
                parts, values = parts + more, values + more_values
        self.parts = parts
        self.values = values


class _Rising:
    """Parts by rising value, with the place where each value starts."""

    __slots__ = ("parts", "starts", "values")

    def __init__(self, unsorted: _Parts) -> None:
        parts, values = unsorted.parts, unsorted.values
        places = sorted(range(len(parts)), key=values.__getitem__)
        self.parts = [parts[place] for place in places]
        self.values = [values[place] for place in places]
        most = self.values[-1]
        self.starts = [bisect_left(self.values, value) for value in range(most + 2)]


class _Half:
    """The goods of half a hand, with how many handfuls of them have each value, from 0.

    There are `bits` for each such number, the lowest first.
    """

    __slots__ = ("_parts", "_rising", "bits", "goods", "tally")

    def __init__(self, goods: Counts, bits: int) -> None:
        self.goods = goods
        self.bits = bits
        self.tally = 1
        self._parts: _Parts | None = None
        self._rising: _Rising | None = None
        for card in types(goods):
            worth = bits * CARD_VALUE[card]
            more = [1 << (worth * number) for number in range(count(goods, card) + 1)]
            self.tally *= sum(more)

    def parts(self) -> _Parts:
        """Return every part of the goods."""
        if self._parts is None:
            self._parts = _Parts(self.goods)
        return self._parts

    def rising(self) -> _Rising:
        """Return them by their value, equal ones in the same order."""
        if self._rising is None:
            self._rising = _Rising(self.parts())
        return self._rising


_HALVES: Final[dict[Counts, _Half]] = {}
"""Those that have come before, emptied when it is full."""
_MOST_HALVES: Final = 1 << 12


def _half_of(goods: Counts, bits: int) -> _Half:
    if bits != _NARROW:  # of a hand that is larger than any in play
        return _Half(goods, bits)
    half = _HALVES.get(goods)
    if half is None:
        if len(_HALVES) >= _MOST_HALVES:
            _HALVES.clear()
        half = _HALVES[goods] = _Half(goods, bits)
    return half


def _join(first: _Half, last: _Half, at_least: int) -> int:
    """Return how many handfuls of both have each value from that on: one multiplication."""
    return first.tally * last.tally >> (first.bits * at_least)


def _sum_up(tally: int, bits: int) -> int:
    """Return how many handfuls a tally has: the remainder adds them up."""
    return tally % ((1 << bits) - 1)


def _bits_for(hand: Counts) -> int:
    return _NARROW if size(hand) < _NARROW else _WIDE
