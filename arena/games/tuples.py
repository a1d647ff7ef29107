"""Tuples made quickly: records of a game, and values by seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

RecordT = TypeVar("RecordT", bound=tuple[Any, ...])
ValueT = TypeVar("ValueT")


def maker_of(kind: type[RecordT]) -> Callable[[tuple[Any, ...]], RecordT]:
    """Return what makes a named tuple of a plain one that has all of its fields, in order.

    Calling the class runs a function in Python, which takes twice as long. Nothing is checked here:
    it is for what is made with every move.
    """
    return cast("Callable[[tuple[Any, ...]], RecordT]", partial(tuple.__new__, kind))


def replaced(values: tuple[ValueT, ...], seat: int, value: ValueT) -> tuple[ValueT, ...]:
    """Return the values by seat with one of them replaced."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)
