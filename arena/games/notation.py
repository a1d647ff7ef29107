"""Records as JSON and as words, by the types of their fields.

A record is a dataclass or a named tuple. Its fields are whole numbers, texts, true or false,
members of enums, one of the game's named things (`Named`), a multiset of them (`Counted`), records,
tuples of any length of these, or None besides.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import EnumType
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin, get_type_hints

from arena.errors import FormatError
from arena.games.counts import MAX_COUNT, Counts, pack, unpack
from arena.games.fields import read_bool, read_int, read_list, read_name, read_object, read_text
from arena.games.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Named:
    """Marks the number of one of the game's named things: `Annotated[int, Named("card")]`."""

    names: str  # the key in `Game.names`


@dataclass(frozen=True, slots=True)
class Counted(Named):
    """Marks a multiset (`Counts`) of the game's named things, of at least so many."""

    at_least: int = 0


@dataclass(frozen=True, slots=True)
class Notation:
    """How values of one type are written in JSON and read again; reading raises FormatError."""

    hint: Any  # the type as annotated, None and lists taken off
    plain: type  # what it, or each in a list of it, is in JSON: int, bool, str; or a record's class
    write: Callable[[Any], Any]
    read: Callable[[object, str], Any]  # from the JSON value and what to call it
    depth: int = 0  # 1 for a list, 2 for a list of lists
    is_optional: bool = False

    def from_words(self, words: list[str]) -> object:
        """Take what belongs to the value off the front of the words, as JSON."""
        taken = words[:] if self.depth else words[:1]
        del words[: len(taken)]
        values = [self._from_word(word) for word in taken]
        return values if self.depth else values[0]

    def _from_word(self, word: str) -> object:
        if self.is_optional and word == NOTHING:
            return None
        if self.plain is int and re.fullmatch(r"[0-9]{1,9}", word):
            return int(word)
        return {"true": True, "false": False}.get(word, word) if self.plain is bool else word


NOTHING = "-"
"""What None is as a word."""

_PLAIN: dict[Any, Callable[[object, str], Any]] = {int: read_int, str: read_text, bool: read_bool}


class Notations:
    """The notations of one game's types, each made once."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        """Take the names of things that are numbers in the rules, by what they are."""
        self._names = names
        self._fields: dict[type, dict[str, Notation]] = {}

    def write(self, record: Any) -> dict[str, Any]:
        """Return the record as a JSON object."""
        fields = self.fields(type(record))
        return {name: one.write(getattr(record, name)) for name, one in fields.items()}

    def read(self, kind: type, value: Mapping[str, object], prefix: str = "") -> Any:
        """Return the record of that kind whose fields an object has; raises FormatError."""
        fields = self.fields(kind).items()
        return kind(**{name: one.read(value[name], prefix + name) for name, one in fields})

    def fields(self, kind: type) -> Mapping[str, Notation]:
        """Return the notations of a record's fields, in their order."""
        if kind not in self._fields:
            hints = get_type_hints(kind, include_extras=True)
            names = getattr(kind, "_fields", None) or [f.name for f in dataclasses.fields(kind)]
            self._fields[kind] = {name: self._of(hints[name]) for name in names}
        return self._fields[kind]

    def _of(self, hint: Any) -> Notation:
        if isinstance(hint, NewType):
            return dataclasses.replace(self._of(hint.__supertype__), hint=hint)
        if hint in _PLAIN:
            return Notation(hint, hint, lambda value: value, _PLAIN[hint])
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Annotated:
            marks = [mark for mark in inner[1:] if isinstance(mark, Named)]
            return self._of_names(marks[0]) if marks else self._of(inner[0])
        if origin in (Union, UnionType) and len(inner) == 2 and NoneType in inner:
            return _optional(self._of(inner[inner[0] is NoneType]))
        if origin is tuple and inner[1:] == (...,):
            return _listed(self._of(inner[0]))
        if isinstance(hint, EnumType):
            members: dict[str, Any] = {name.lower(): hint[name] for name in hint.__members__}
            return Notation(
                hint,
                str,
                lambda member: member.name.lower(),
                lambda value, what: read_name(value, what, members),
            )
        if hasattr(hint, "_fields") or dataclasses.is_dataclass(hint):
            return Notation(
                hint, hint, self.write, lambda value, what: self._nested(hint, value, what)
            )
        raise TypeError(f"{hint} has no notation: see arena.games.notation for what has one")

    def _of_names(self, mark: Named) -> Notation:
        names = self._names[mark.names]
        numbers = {name: number for number, name in enumerate(names)}
        one = Notation(
            mark, str, names.__getitem__, lambda value, what: read_name(value, what, numbers)
        )
        if not isinstance(mark, Counted):
            return one
        several = _listed(one)

        def read(value: object, what: str) -> Counts:
            cards = several.read(value, what)
            if not mark.at_least <= len(cards) <= MAX_COUNT:
                named = f"{mark.at_least} to {MAX_COUNT} {mark.names}s"
                raise FormatError(f"{what} must name {named}")
            return pack(cards)

        return dataclasses.replace(
            several, write=lambda counts: several.write(unpack(counts)), read=read
        )

    def _nested(self, kind: type, value: object, what: str) -> Any:
        return self.read(kind, read_object(value, what, self.fields(kind)), f"{what}.")


def _optional(one: Notation) -> Notation:
    return dataclasses.replace(
        one,
        write=lambda value: None if value is None else one.write(value),
        read=lambda value, what: None if value is None else one.read(value, what),
        is_optional=True,
    )


def _listed(one: Notation) -> Notation:
    def read(value: object, what: str) -> tuple[Any, ...]:
        entries = read_list(value, what)
        try:
            return tuple([one.read(entry, what) for entry in entries])
        except FormatError:  # once more, to name the place
            return tuple(one.read(entry, f"{what}[{at}]") for at, entry in enumerate(entries))

    return dataclasses.replace(
        one,
        write=lambda values: [one.write(value) for value in values],
        read=read,
        depth=one.depth + 1,
    )


def write_ledger(names: Sequence[str], ledger: Ledger) -> list[dict[str, Any]]:
    """Return a ledger as JSON: what was seen to arrive, and how many left unseen since."""
    return [
        {"cards": [names[card] for card in unpack(cards)], "unseen": unseen}
        for cards, unseen in ledger
    ]


def type_name(kind: type) -> str:
    """Return what a kind of move or event is called: `trick_won` for `TrickWon`."""
    return _type_name(kind.__name__)


@cache
def _type_name(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def to_words(value: Any) -> list[str]:
    """Return a JSON value as words, without its structure."""
    if isinstance(value, list | dict):
        entries = value.values() if isinstance(value, dict) else value
        return [word for entry in entries for word in to_words(entry)]
    if value is None:
        return [NOTHING]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def map_leaves(change: Callable[[Any], Any], value: Any) -> Any:
    """Return a JSON value with all in it changed that is no list and no object."""
    if isinstance(value, dict):
        return {name: map_leaves(change, entry) for name, entry in value.items()}
    return [map_leaves(change, one) for one in value] if isinstance(value, list) else change(value)
