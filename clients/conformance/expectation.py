"""Compares what was expected with what came, and says where they differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def difference(expected: Any, actual: Any, where: str = "") -> str | None:
    """Return how a JSON value differs from what was expected of it; None if it does not.

    Of an object a part is enough, and what is empty, zero or false may be absent: that is how
    proto3 JSON writes it. Lists are compared whole. Texts may be patterns, see finds().
    """
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping):
            return f"{where or 'it'} is {actual!r} instead of {dict(expected)!r}"
        for key, value in expected.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in actual and not value:
                continue
            if key not in actual:
                return f"{place} is missing, expected {value!r}"
            found = difference(value, actual[key], place)
            if found:
                return found
        return None
    if isinstance(expected, str) and isinstance(actual, str):
        if expected.startswith("~") and finds(expected, actual):
            return None
    elif isinstance(expected, Sequence) and isinstance(actual, Sequence):
        if len(expected) != len(actual):
            return f"{where} has {len(actual)} elements instead of {len(expected)}: {actual!r}"
        found_all = (
            difference(*pair, f"{where}[{i}]")
            for i, pair in enumerate(zip(expected, actual, strict=True))
        )
        return next(filter(None, found_all), None)
    return None if expected == actual else f"{where} is {actual!r} instead of {expected!r}"


def finds(wanted: str, text: str) -> bool:
    """Return whether a text holds another one; one that begins with `~` is a pattern."""
    if wanted.startswith("~"):
        return re.search(wanted[1:], text, re.MULTILINE) is not None
    return wanted in text


def shortened(text: str, most: int = 400) -> str:
    """Return a text that may be long so that it can be read."""
    return text if len(text) <= most else f"{text[:most]}…"
