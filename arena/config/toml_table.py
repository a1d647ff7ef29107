"""Reading a table of a TOML file key by key, with errors that name the key."""

from __future__ import annotations

import enum
from typing import Any, TypeVar

from arena.errors import InputError

ChoiceT = TypeVar("ChoiceT", bound=enum.Enum)


class TomlTable:
    """One table of the file, read key by key; what is left over is unknown."""

    def __init__(self, value: object, name: str) -> None:
        """Hold the table, which goes by this name in errors."""
        if not isinstance(value, dict):
            raise InputError(f"[{name}] must be a table")
        self._left = dict(value)
        self._name = name

    def take(self, key: str, kind: type, default: Any, words: str) -> Any:
        """Take a value of a kind out; raises InputError that says what it must be."""
        value = self._left.pop(key, default)
        is_right = isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)
        if value is not default and kind is float and type(value) is int:
            return float(value)
        if value is not default and not is_right:
            raise InputError(f"{self._place(key)} must be {words}, not {value!r}")
        return value

    def number(self, key: str, default: int | None) -> Any:
        """Take a whole number out."""
        return self.take(key, int, default, "a whole number")

    def seconds(self, key: str, default: float) -> float:
        """Take a duration out."""
        return float(self.take(key, float, default, "a number of seconds"))

    def text(self, key: str, default: str | None) -> Any:
        """Take a text out."""
        return self.take(key, str, default, "a text in quotation marks")

    def flag(self, key: str, default: bool) -> bool:
        """Take true or false out."""
        return bool(self.take(key, bool, default, "true or false"))

    def choice(self, key: str, kind: type[ChoiceT], default: ChoiceT) -> ChoiceT:
        """Take one of several words out."""
        text = self.text(key, default.value)
        try:
            return kind(text)
        except ValueError:
            known = ", ".join(repr(choice.value) for choice in kind)
            raise InputError(f"{self._place(key)} must be one of {known}, not {text!r}") from None

    def table(self, key: str) -> TomlTable:
        """Take a table out; an empty one if it is not there."""
        return TomlTable(self._left.pop(key, {}), key)

    def skip(self, key: str, value: object) -> bool:
        """Take the key out if it has just this value; return whether it had."""
        if self._left.get(key) != value:
            return False
        del self._left[key]
        return True

    def rest(self) -> dict[str, Any]:
        """Take everything out that is left."""
        left, self._left = self._left, {}
        return left

    def end(self) -> None:
        """Raise InputError if anything is left."""
        for key in self._left:
            raise InputError(f"unknown key {self._place(key)}")

    def _place(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key
