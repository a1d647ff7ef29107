"""Multisets of cards, packed into one int: eight bits a card type.

Adding two multisets is `+`, taking one away is `-` (check with `contains` first), equality and
hashing come for free, and copying costs nothing. A card type is a small number from 0; every count
stays below 128, so that the top bit of each lane is free to catch a borrow, and a whole multiset
holds fewer than 255 cards, so that `size` is one modulo operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Counts: TypeAlias = int

# What is final, compiled code finds without looking into the module's names.
LANE_BITS: Final = 8
MAX_COUNT: Final = 127
MAX_SIZE: Final = 254
MAX_TYPES: Final = 64
_GUARD: Final = int.from_bytes(b"\x80" * MAX_TYPES, "little")
_SMALL: Final = 1 << 56  # short ints are faster, where they suffice
_SMALL_GUARD: Final = int.from_bytes(b"\x80" * 7, "little")

UNIT: Final[tuple[Counts, ...]] = tuple(1 << (LANE_BITS * card) for card in range(MAX_TYPES))
"""UNIT[card] is the multiset of that one card."""


def pack(cards: Iterable[int]) -> Counts:
    """Return the multiset of `cards`."""
    return sum([UNIT[card] for card in cards])


def pack_between(cards: list[int], start: int, end: int) -> Counts:
    """Return the multiset of `cards[start:end]`, without making that list."""
    packed: Counts = 0
    for place in range(start, end):
        packed += UNIT[cards[place]]
    return packed


@lru_cache(maxsize=1 << 12)
def unpack(counts: Counts) -> tuple[int, ...]:
    """Return the cards in rising order, equal ones repeated."""
    return tuple(list_cards(counts))


def list_cards(counts: Counts) -> list[int]:
    """Return the same as a new list. For multisets that hardly come again."""
    cards: list[int] = []
    for card, number in enumerate(_lanes(counts)):
        if number:
            cards += [card] * number
    return cards


@lru_cache(maxsize=1 << 12)
def types(counts: Counts) -> tuple[int, ...]:
    """Return the different cards in rising order."""
    return tuple([card for card, number in enumerate(_lanes(counts)) if number])


def _lanes(counts: Counts) -> bytes:
    return counts.to_bytes((counts.bit_length() + 7) >> 3, "little")


def size(counts: Counts) -> int:
    """Return the number of cards: the digit sum in base 256, which is the remainder by 255."""
    return counts % 255


def count(counts: Counts, card: int) -> int:
    """Return how many of `card` there are."""
    return counts >> (LANE_BITS * card) & MAX_COUNT


def holds(counts: Counts, card: int) -> bool:
    """Return whether there is one of `card`; safe for any int."""
    return 0 <= card < MAX_TYPES and counts >> (LANE_BITS * card) & MAX_COUNT > 0


def contains(whole: Counts, part: Counts) -> bool:
    """Return whether `part` is a multiset and lies within `whole`; safe for any int."""
    if not 0 <= part <= whole:
        return False
    guard = _SMALL_GUARD if whole < _SMALL else _GUARD
    return not (part | (whole - part)) & guard  # a borrow sets the guard bit of its lane


def intersect(a: Counts, b: Counts) -> Counts:
    """Return the cards in both, each as often as in the one that has fewer.

    All lanes at once: the guard bit of a lane survives the subtraction where a has no fewer than
    b; from there it is spread over its lane to keep what a has more, which is then taken away.
    """
    guard = _SMALL_GUARD if a < _SMALL and b < _SMALL else _GUARD
    difference = (a | guard) - b
    enough = difference & guard
    more = difference & (enough - (enough >> (LANE_BITS - 1)))
    return a - more


def submultisets(counts: Counts) -> list[Counts]:
    """Return every multiset within `counts`, the empty one first, each once."""
    found = [0]
    for card in types(counts):
        unit = UNIT[card]
        found = [part + k * unit for k in range(count(counts, card) + 1) for part in found]
    return found


def list_names(names: Sequence[str], counts: Counts) -> str:
    """Return the cards as a short list, equal ones counted: `2×cloth-1 trader`."""
    each = [(count(counts, card), names[card]) for card in types(counts)]
    return " ".join(f"{n}×{name}" if n > 1 else name for n, name in each) or "nothing"
