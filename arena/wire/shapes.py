"""Events to the wire and back, described as tables rather than written out twice.

In every event message the fields are numbered 1, 2, … in the order of the event's attributes and
have their names; a `Shape` only adds what kind each is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, cast

from google.protobuf.message import Message

from arena.errors import FormatError
from arena.games.game import Event
from arena.wire.fields import (
    LENGTH_DELIMITED,
    Parts,
    counts_field,
    number_field,
    optional_field,
    tag,
    varint,
)
from arena.wire.reading import read_counts, read_optional


@dataclass(frozen=True, slots=True)
class FieldKind:
    """How one attribute of an event travels."""

    write: Callable[[int, Any], bytes]  # from field number and value
    read: Callable[[Any, str], Any]  # from message and name of the field


def one_up(types: int) -> FieldKind:
    """Return the kind of a card or the like as an enum, 0 as 1; what is hidden (None) is 0."""

    def read(message: Any, name: str) -> int | None:
        value: int = getattr(message, name)
        if not 0 <= value <= types:
            raise FormatError(f"{name} {value} does not exist")
        return value - 1 if value else None

    return FieldKind(
        lambda number, card: number_field(number, 0 if card is None else card + 1), read
    )


def listed(types: int) -> FieldKind:
    """Return the kind of a multiset: a list of enum values."""
    return FieldKind(
        counts_field, lambda message, name: read_counts(getattr(message, name), types, name)
    )


def hidden_list(types: int) -> FieldKind:
    """Return the kind of a multiset that may be hidden (None): then the list is empty.

    Where `number` says that there was nothing to hide, an empty list is read as an empty multiset.
    """

    def read(message: Any, name: str) -> int | None:
        nothing = 0 if getattr(message, "number", 1) == 0 else None
        return read_counts(getattr(message, name), types, name) or nothing

    return FieldKind(lambda number, counts: counts_field(number, counts or 0), read)


NUMBER = FieldKind(number_field, getattr)
OPTIONAL = FieldKind(optional_field, read_optional)


class Shape:
    """How one type of event travels: its place in the oneof and the kinds of its fields."""

    def __init__(
        self, event: type[Event], number: int, name: str, fields: Mapping[str, FieldKind]
    ) -> None:
        """Describe an event that is field `number`, called `name`, of the oneof."""
        self.event = event
        self.name = name
        self.fields = fields
        self.key: Callable[[Any], Any] = attrgetter(*fields)
        self.parts: Parts[Any] = Parts(self._write)
        self._attributes = [field.name for field in dataclasses.fields(cast("Any", event))]
        self._tag = tag(number, LENGTH_DELIMITED)
        self._writers = tuple(
            Parts(partial(kind.write, place)).__getitem__
            for place, kind in enumerate(fields.values(), start=1)
        )

    def _write(self, key: Any) -> bytes:
        """Return the event with its length, without a tag: it differs from place to place."""
        writers = self._writers
        if len(writers) == 1:
            body = writers[0](key)
        else:
            body = b"".join([write(value) for write, value in zip(writers, key, strict=True)])
        event = self._tag + varint(len(body)) + body
        return varint(len(event)) + event

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
        self._caches = {shape.event: (shape.key, shape.parts) for shape in listed}
        self._by_name = {shape.name: shape for shape in listed}

    def write(self, tag: bytes, events: Sequence[Event]) -> bytes:
        """Return the events as elements of a repeated field with that tag."""
        if not events:
            return b""
        caches = self._caches
        found = [parts[key(event)] for event in events for key, parts in [caches[type(event)]]]
        # Each part begins with its length: putting the tag between them completes the fields.
        return tag + tag.join(found)

    def read(self, messages: Iterable[Message]) -> list[Event]:
        """Return the events; one of a type not known here is passed over."""
        events = []
        for message in messages:
            name = message.WhichOneof("event")
            if name is not None:
                events.append(self._by_name[name].read(getattr(message, name)))
        return events
