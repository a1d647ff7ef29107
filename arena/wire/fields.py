"""Serialised protobuf fields as bytes, and a bounded cache for them.

A serialised message is its fields one after another, so parts made once can be joined into many
messages. Fields are written as the generated classes do: in rising order of their numbers, zeros
and empty lists left out. The same message is then the same bytes, whoever made it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import mul
from typing import Generic, TypeVar

from arena.games.counts import LANE_BITS, MAX_TYPES, Counts

VARINT = 0
LENGTH_DELIMITED = 2

KeyT = TypeVar("KeyT")


class Parts(dict[KeyT, bytes], Generic[KeyT]):
    """Serialised parts by what they say: `parts[key]` makes a missing one.

    A hit costs no call in Python. Emptied when full, so that it cannot grow for ever.
    """

    def __init__(self, write: Callable[[KeyT], bytes], most: int = 1 << 13) -> None:
        """Make parts by `write`; keep at most so many."""
        super().__init__()
        self.write = write
        self.most = most

    def __missing__(self, key: KeyT) -> bytes:
        if len(self) >= self.most:
            self.clear()
        part = self[key] = self.write(key)
        return part


def _varint(value: int) -> bytes:
    if not 0 <= value < 1 << 64:
        raise ValueError(f"{value} cannot be written: it is negative or too large")
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


_READY = 1 << 12
_VARINTS = (  # by hand: each program makes them when it starts
    *(bytes((value,)) for value in range(1 << 7)),
    *(bytes((value & 0x7F | 0x80, value >> 7)) for value in range(1 << 7, _READY)),
)


def varint(value: int) -> bytes:
    """Return a number of zero or more; raises ValueError for a negative one."""
    return _VARINTS[value] if 0 <= value < _READY else _varint(value)


def tag(number: int, wire_type: int) -> bytes:
    """Return what stands before the value of field `number`."""
    return varint(number << 3 | wire_type)


def number_field(number: int, value: int) -> bytes:
    """Return a plain uint32, enum or bool field: nothing if it is zero."""
    return tag(number, VARINT) + varint(value) if value else b""


def optional_field(number: int, value: int | None) -> bytes:
    """Return an `optional` number field: nothing if it is None, but zero is written."""
    return b"" if value is None else tag(number, VARINT) + varint(value)


def message_field(number: int, body: bytes) -> bytes:
    """Return a message field, also if the message is empty."""
    return _HEADS[number, len(body)] + body


def bytes_field(number: int, content: bytes) -> bytes:
    """Return a plain string or bytes field or a packed list: nothing if it is empty."""
    return _HEADS[number, len(content)] + content if content else b""


def _write_head(key: tuple[int, int]) -> bytes:
    number, length = key
    return tag(number, LENGTH_DELIMITED) + varint(length)


_HEADS = Parts(_write_head)


def counts_field(number: int, counts: Counts) -> bytes:
    """Return a list of enum values: the cards in rising order, card 0 as 1."""
    if not counts:
        return b""
    body = _LOW_ENUMS[counts & _LOW_MASK] + _HIGH_ENUMS[counts >> _LOW_BITS]
    return _HEADS[number, len(body)] + body


def indices_field(number: int, counts: Counts) -> bytes:
    """Return a list of numbers: the cards in rising order, card 0 as 0."""
    if not counts:
        return b""
    body = _LOW_INDICES[counts & _LOW_MASK] + _HIGH_INDICES[counts >> _LOW_BITS]
    return _HEADS[number, len(body)] + body


# Most multisets are new, but either half of one has mostly been there before.
_LOW_TYPES = 12
_LOW_BITS = _LOW_TYPES * LANE_BITS
_LOW_MASK = (1 << _LOW_BITS) - 1


def _repeat(first: int, types: int, counts: Counts) -> bytes:
    """Return each of so many cards as often as it is there, the lowest as `first`, a byte each."""
    if not 0 <= counts < 1 << LANE_BITS * types:
        raise ValueError(f"{counts} cannot be written: it is no multiset")
    lanes = counts.to_bytes((counts.bit_length() + 7) >> 3, "little")
    return b"".join(map(mul, _BYTES[first:], lanes))


_BYTES = tuple(bytes((value,)) for value in range(MAX_TYPES + 1))
_HIGH_TYPES = MAX_TYPES - _LOW_TYPES
_LOW_INDICES: Parts[Counts] = Parts(partial(_repeat, 0, _LOW_TYPES))
_HIGH_INDICES: Parts[Counts] = Parts(partial(_repeat, _LOW_TYPES, _HIGH_TYPES))
_LOW_ENUMS: Parts[Counts] = Parts(partial(_repeat, 1, _LOW_TYPES))
_HIGH_ENUMS: Parts[Counts] = Parts(partial(_repeat, _LOW_TYPES + 1, _HIGH_TYPES))
