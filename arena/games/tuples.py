"""Tuples made quickly: records of a game, and values by seat."""

from __future__ import annotations

from typing import Final, TypeVar

ValueT = TypeVar("ValueT")

new_record: Final = tuple.__new__
"""Makes a named tuple of its class and a plain tuple that has all of its fields, in order.

Calling the class runs a function in Python, which takes twice as long. Nothing is checked here: it
is for what is made with every move.
"""


def replaced(values: tuple[ValueT, ...], seat: int, value: ValueT) -> tuple[ValueT, ...]:
    """Return the values by seat with one of them replaced."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)
