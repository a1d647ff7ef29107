"""Reading the numbers of messages strictly, whoever sent them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import methodcaller
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.counts import MAX_SIZE, UNIT, Counts, contains
from arena.games.ledger import Ledger, Tier

ValueT = TypeVar("ValueT")
MessageT = TypeVar("MessageT", bound=Message)


class Readings(dict[bytes, ValueT], Generic[ValueT]):
    """Values by the message they were read from, serialised: `readings[data]` reads a new one.

    Serialising a small message again and looking it up takes a fraction of the time of reading
    its fields one by one. Emptied when full, so that it cannot grow for ever.
    """

    def __init__(
        self, message: type[MessageT], read: Callable[[MessageT], ValueT], most: int = 1 << 13
    ) -> None:
        """Read messages of one type by `read`; keep at most so many values."""
        super().__init__()
        self._read: Callable[[bytes], ValueT] = lambda data: read(message.FromString(data))
        self._most = most

    def __missing__(self, data: bytes) -> ValueT:
        if len(self) >= self._most:
            self.clear()
        value = self[data] = self._read(data)
        return value

    def read_all(self, messages: Iterable[Message]) -> list[ValueT]:
        """Return the values of all the messages."""
        return [self[data] for data in map(_serialize, messages)]


_serialize = methodcaller("SerializeToString")


def read_counts(cards: Iterable[int], types: int, name: str) -> Counts:
    """Return a list of enum values as a multiset, 1 as card 0."""
    return _read_list(cards, types, 1, name)


def read_indices(cards: Iterable[int], types: int, name: str) -> Counts:
    """Return a list of numbers as a multiset, 0 as card 0."""
    return _read_list(cards, types, 0, name)


def read_card(card: int, types: int, name: str) -> int:
    """Return a number that must be one of so many, from 0."""
    if not 0 <= card < types:
        raise FormatError(f"{name} {card} does not exist: there are {types}, from 0")
    return card


def read_optional(message: Any, name: str) -> Any:
    """Return an `optional` field's value, None if it is absent."""
    return getattr(message, name) if message.HasField(name) else None


def read_ledger(tiers: Iterable[Any], list_name: str, types: int) -> Ledger:
    """Return what is known of a hidden place; the cards of a tier are in `list_name`."""
    return tuple(
        Tier(read_counts(getattr(tier, list_name), types, list_name), tier.unseen) for tier in tiers
    )


def _read_list(cards: Iterable[int], types: int, first: int, name: str) -> Counts:
    try:
        return _counts(bytes(cards), types, first)
    except ValueError:
        raise FormatError(f"{name} names a card that does not exist") from None
    except FormatError as error:
        raise FormatError(f"{name} {error}") from None


@lru_cache(maxsize=1 << 14)
def _counts(digits: bytes, types: int, first: int) -> Counts:
    """Return the multiset of cards, the lowest one as `first`; complaints lack the list's name."""
    last = first + types - 1
    if digits and not (first <= min(digits) and max(digits) <= last):
        wrong = next(digit for digit in digits if not first <= digit <= last)
        raise FormatError(f"names card {wrong}: there are {first} to {last}")
    counts = sum(map(_UNITS[first].__getitem__, digits))
    if len(digits) > MAX_SIZE or not contains(counts, counts):
        raise FormatError("lists more cards than there can be")
    return counts


_UNITS = (UNIT, (0, *UNIT))  # by what the lowest card is written as
