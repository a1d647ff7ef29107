"""What travels, described as tables rather than written out twice.

A `FieldKind` says how one value is written and how it is read back. In every event message the
fields are numbered 1, 2, … in the order of the event's attributes and have their names; a `Shape`
only adds what kind each is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.game import Event
from arena.wire.layout import Field, Kind, Table
from arena.wire.reading import read_counts, read_optional


@dataclass(frozen=True, slots=True)
class FieldKind:
    """How one attribute of an event travels."""

    kind: Kind
    read: Callable[[Any, str], Any]  # from message and name of the field
    inner: Any = None


def one_up(types: int) -> FieldKind:
    """Return the kind of a card or the like as an enum, 0 as 1; what is hidden (None) is 0."""

    def read(message: Any, name: str) -> int | None:
        value: int = getattr(message, name)
        if not 0 <= value <= types:
            raise FormatError(f"{name} {value} does not exist")
        return value - 1 if value else None

    return FieldKind(Kind.ENUM, read)


def listed(types: int) -> FieldKind:
    """Return the kind of a multiset: a list of enum values."""
    return FieldKind(
        Kind.COUNTS, lambda message, name: read_counts(getattr(message, name), types, name)
    )


def hidden_list(types: int) -> FieldKind:
    """Return the kind of a multiset that may be hidden (None): then the list is empty.

    Where `number` says that there was nothing to hide, an empty list is read as an empty multiset.
    """

    def read(message: Any, name: str) -> int | None:
        nothing = 0 if getattr(message, "number", 1) == 0 else None
        return read_counts(getattr(message, name), types, name) or nothing

    return FieldKind(Kind.COUNTS, read)


NUMBER = FieldKind(Kind.NUMBER, getattr)
OPTIONAL = FieldKind(Kind.OPTIONAL, read_optional)


class Shape:
    """How one type of event travels: its place in the oneof and the kinds of its fields."""

    def __init__(
        self, event: type[Event], number: int, name: str, fields: Mapping[str, FieldKind]
    ) -> None:
        """Describe an event that is field `number`, called `name`, of the oneof."""
        self.event = event
        self.name = name
        self.fields = fields
        own = [
            Field(place, one.kind, attribute, one.inner)
            for place, (attribute, one) in enumerate(fields.items(), start=1)
        ]
        self.table: Table = [Field(number, Kind.MESSAGE, None, own)]
        self._attributes = [field.name for field in dataclasses.fields(cast("Any", event))]

    def read(self, message: Any) -> Event:
        """Return the event a message of this shape tells of; what never travels is None."""
        values: dict[str, Any] = dict.fromkeys(self._attributes)
        values.update({name: kind.read(message, name) for name, kind in self.fields.items()})
        return self.event(**values)


class Shapes:
    """All events of one game."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        """Take the shapes of a game's events, each type once."""
        listed = tuple(shapes)
        self.tables: dict[type, Table] = {shape.event: shape.table for shape in listed}
        self._by_name = {shape.name: shape for shape in listed}

    def read(self, messages: Iterable[Message]) -> list[Event]:
        """Return the events; one of a type not known here is passed over."""
        events = []
        for message in messages:
            name = message.WhichOneof("event")
            if name is not None:
                events.append(self._by_name[name].read(getattr(message, name)))
        return events
