"""Reading JSON values strictly: exactly the fields expected, nothing guessed, clear complaints."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from arena.errors import FormatError

NamedT = TypeVar("NamedT")


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


def read_list(value: object, what: str) -> Sequence[object]:
    """Return `value` as a list."""
    if not isinstance(value, list | tuple):
        raise FormatError(f"{what} must be a list, not {_kind(value)}")
    return value


def read_name(value: object, what: str, known: Mapping[str, NamedT]) -> NamedT:
    """Return what goes by that name."""
    name = read_text(value, what)
    if name not in known:
        raise FormatError(f"{what} {name!r} does not exist")
    return known[name]


def read_names(value: object, what: str, numbers: Mapping[str, int]) -> list[int]:
    """Return the numbers of a list of named things."""
    return [
        read_name(entry, f"{what}[{index}]", numbers)
        for index, entry in enumerate(read_list(value, what))
    ]


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a string", int: "a whole number", float: "a number", list: "a list"}
    return names.get(type(value), "an object")
