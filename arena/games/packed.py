"""Legal moves of which most are packed counts, until somebody looks at one."""

from __future__ import annotations

import sys
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, overload

from arena.games.counts import Counts
from arena.games.game import Move, check_apart

Sums: TypeAlias = tuple[Sequence[Counts], Sequence[int], Sequence[Counts], Sequence[int], int]
"""Multisets by what they are made of: parts and their values, more parts by rising value and their
values, and the least value.

They are the sums of one part of each that have that value or more: by rising value, then in the
order of the first parts, then of the others.
"""


def list_sums(sums: Sums) -> list[Counts]:
    """Return the multisets, which may be many times as many as there are parts."""
    parts, values, others, other_values, least = sums
    by_value: dict[int, list[Counts]] = {}
    for part, value in zip(parts, values, strict=True):
        for place in range(bisect_left(other_values, least - value), len(others)):
            total = value + other_values[place]
            by_value.setdefault(total, []).append(part + others[place])
    return [made for value in sorted(by_value) for made in by_value[value]]


class PackedMoves(Sequence[Move]):
    """Moves in a row: `first`, then `number` that can be made of packed counts, then `last`.

    The referee asks for their number and for the one that was chosen: no other is made. What it
    holds is its own, so that it stays as it is when the match goes on.
    """

    __slots__ = ()

    first: Sequence[Move]
    number: int
    last: Sequence[Move]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_apart(cls)

    @abstractmethod
    def sums(self) -> Sums:
        """Return what those between `first` and `last` are made of, in order."""

    @abstractmethod
    def packed_at(self, place: int) -> Counts:
        """Return `list_sums(self.sums())[place]`, sooner."""

    @abstractmethod
    def unpacked(self, counts: Counts) -> Move:
        """Return the move that is made of these."""

    def listed(self) -> list[Move]:
        """Return all of them."""
        return [*self.first, *map(self.unpacked, list_sums(self.sums())), *self.last]

    def __len__(self) -> int:
        return len(self.first) + self.number + len(self.last)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return self.listed()[index]
        place = index + len(self) if index < 0 else index
        before = len(self.first)
        if 0 <= place < before:
            return self.first[place]
        place -= before
        if 0 <= place < self.number:
            return self.unpacked(self.packed_at(place))
        place -= self.number
        if 0 <= place < len(self.last):
            return self.last[place]
        raise IndexError(f"there is no move {index} among {len(self)}")

    def __iter__(self) -> Iterator[Move]:
        return iter(self.listed())

    def __contains__(self, move: object) -> bool:
        return move in self.listed()

    def index(self, value: Any, start: int = 0, stop: int = sys.maxsize) -> int:
        return self.listed().index(value, start, stop)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedMoves | list | tuple):
            return len(self) == len(other) and self.listed() == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment] # as lists: it compares by what it holds

    def __repr__(self) -> str:
        return repr(self.listed())
