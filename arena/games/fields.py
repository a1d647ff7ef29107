"""Reading JSON strictly: exactly the fields expected, nothing guessed, clear complaints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from arena.errors import FormatError

ValueT = TypeVar("ValueT")


def read_object(
    value: object, what: str, required: Collection[str], optional: Collection[str] = ()
) -> Mapping[str, object]:
    """Return `value` as an object with exactly these fields."""
    if not isinstance(value, Mapping):
        raise FormatError(f"{what} must be an object, not {_kind(value)}")
    for field in required:
        if field not in value:
            raise FormatError(f"{what} lacks {field!r}")
    for field in value:
        if field not in required and field not in optional:
            raise FormatError(f"{what} has an unknown field {field!r}")
    return value


def read_text(value: object, what: str) -> str:
    """Return `value` as a string."""
    if not isinstance(value, str):
        raise FormatError(f"{what} must be a string, not {_kind(value)}")
    return value


def read_int(value: object, what: str) -> int:
    """Return `value` as a whole number; true and 1.0 are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise FormatError(f"{what} must be a whole number, not {_kind(value)}")
    return value


def read_bool(value: object, what: str) -> bool:
    """Return `value` as true or false."""
    if not isinstance(value, bool):
        raise FormatError(f"{what} must be true or false, not {_kind(value)}")
    return value


def read_list(value: object, what: str) -> Sequence[object]:
    """Return `value` as a list."""
    if not isinstance(value, list | tuple):
        raise FormatError(f"{what} must be a list, not {_kind(value)}")
    return value


def read_name(value: object, what: str, named: Mapping[str, ValueT]) -> ValueT:
    """Return the named thing, or its number."""
    name = read_text(value, what)
    if name not in named:
        raise FormatError(f"{what} {name!r} does not exist")
    return named[name]


def read_names(value: object, what: str, numbers: Mapping[str, int]) -> list[int]:
    """Return the numbers of a list of named things."""
    entries = read_list(value, what)
    try:
        return [read_name(entry, what, numbers) for entry in entries]
    except FormatError:  # once more, to name the place
        return [read_name(entry, f"{what}[{at}]", numbers) for at, entry in enumerate(entries)]


def check_hands(
    hands: Sequence[Sequence[int]], what: str, seats: int, size: int, rule: str
) -> None:
    """Raise FormatError unless there are so many hands of so many cards."""
    if len(hands) != seats:
        raise FormatError(f"{what} must have {seats} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != size:
            raise FormatError(f"{what}[{seat}] must have {size} cards, not {len(hand)} ({rule})")


def check_cards(
    places: Iterable[Sequence[int]], cards: Iterable[int], names: Sequence[str], rule: str
) -> None:
    """Raise FormatError unless these cards lie in these places of a set-up, and no others."""
    found = Counter(card for place in places for card in place)
    expected = Counter(cards)
    for card in sorted(found | expected):
        if found[card] != expected[card]:
            number = f"{found[card]} × {names[card]} instead of {expected[card]}"
            raise FormatError(f"setup has {number} ({rule})")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a string", int: "a whole number", float: "a number", list: "a list"}
    return names.get(type(value), "an object")
