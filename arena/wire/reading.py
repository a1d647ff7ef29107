"""Reading the numbers of messages strictly, whoever sent them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import methodcaller
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.counts import MAX_COUNT, MAX_SIZE, Counts, pack
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
    return _counts(_digits(cards, name), types, 1, name)


def read_indices(cards: Iterable[int], types: int, name: str) -> Counts:
    """Return a list of numbers as a multiset, 0 as card 0."""
    return _counts(_digits(cards, name), types, 0, name)


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


def _digits(cards: Iterable[int], name: str) -> bytes:
    try:
        return bytes(cards)
    except ValueError:
        raise FormatError(f"{name} names a card that does not exist") from None


@lru_cache(maxsize=1 << 14)
def _counts(digits: bytes, types: int, first: int, name: str) -> Counts:
    for digit in digits:
        if not first <= digit < first + types:
            raise FormatError(
                f"{name} names card {digit}: there are {first} to {first + types - 1}"
            )
    if len(digits) > MAX_SIZE or any(digits.count(digit) > MAX_COUNT for digit in set(digits)):
        raise FormatError(f"{name} lists more cards than there can be")
    return pack([digit - first for digit in digits])
