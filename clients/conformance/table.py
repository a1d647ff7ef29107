"""One table of a scenario file, read field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")

_KINDS: Mapping[type, str] = {
    bool: "true or false",
    dict: "a table",
    float: "a number",
    int: "a whole number",
    list: "a list",
    str: "a text",
}


class Wrong(Exception):
    """What is wrong in a file, and where."""


class Table:
    """What is left to be read of a table. Every method raises Wrong for what makes no sense."""

    def __init__(self, content: Mapping[str, Any], where: str) -> None:
        self._where = where
        self._left = dict(content)

    def has(self, key: str) -> bool:
        """Return whether something is still to be read under this key."""
        return key in self._left

    def take(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return what stands under a key; without a default it must be there."""
        value = self._left.pop(key, default)
        if value is None:
            raise self.wrong(f"{key} is missing")
        if kind is float and type(value) is int:
            value = float(value)
        if not isinstance(value, kind):
            raise self.wrong(f"{key} must be {_KINDS[kind]}, not {value!r}")
        return value

    def take_false(self, key: str) -> bool:
        """Return whether `false` stands under a key that holds something else otherwise."""
        if self._left.get(key) is not False:
            return False
        del self._left[key]
        return True

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; none if it is missing."""
        found = self.take(key, list, [])
        if not all(isinstance(text, str) for text in found):
            raise self.wrong(f"{key} must be a list of texts")
        return tuple(found)

    def texts_by_name(self, key: str) -> dict[str, str]:
        """Return a table of texts; none if it is missing."""
        found = self.take(key, dict, {})
        if not all(isinstance(text, str) for text in found.values()):
            raise self.wrong(f"{key} must be a table of texts")
        return found

    def named(self, key: str, values: Mapping[str, T], default: str | None = None) -> T:
        """Return one of some values by its name."""
        name = self.take(key, str, default)
        if name not in values:
            raise self.wrong(f"{key} must be one of {', '.join(values)}, not {name!r}")
        return values[name]

    def tables(self, key: str) -> list[Table]:
        """Return a list of tables; none if it is missing."""
        found = self.take(key, list, [])
        if not all(isinstance(content, dict) for content in found):
            raise self.wrong(f"{key} must be a list of tables")
        return [
            Table(content, f"{self._where}{key} {number}: ")
            for number, content in enumerate(found, 1)
        ]

    def finish(self) -> None:
        """Make sure that everything has been read: the rest would be silently ignored."""
        if self._left:
            raise self.wrong(f"nothing is known of {', '.join(map(repr, self._left))}")

    def wrong(self, text: str) -> Wrong:
        """Return an error that names the place."""
        return Wrong(f"{self._where}{text}")
