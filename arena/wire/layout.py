"""Records as protobuf fields, described by tables and written by a `Layout`.

There are two writers of the same bytes: `PureLayout` here, and the one compiled from `_encoder.c`
where there is a compiler. Neither knows a game.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, Protocol, TypeAlias

from arena.compiled import is_encoder_compiled
from arena.games.packed import list_sums
from arena.wire.fields import (
    LENGTH_DELIMITED,
    Parts,
    bytes_field,
    counts_field,
    indices_field,
    message_field,
    number_field,
    optional_field,
    tag,
    varint,
)


class Kind(enum.IntEnum):
    """How a value becomes a field. `_encoder.c` has the same numbers."""

    NUMBER = 0  # a number; nothing if it is zero
    OPTIONAL = 1  # a number; nothing if it is None
    ENUM = 2  # a number one higher, since enums begin with 1; nothing if it is None
    COUNTS = 3  # a multiset as a list of enum values, card 0 as 1; nothing if empty or None
    INDICES = 4  # a multiset as a list of numbers, card 0 as 0; likewise
    ENUMS = 5  # a list of numbers, each one higher; nothing if it is empty
    ONE_ENUM = 6  # a number one higher, as a list of one
    NAME = 7  # the number that the mapping `inner` has for a text
    CONSTANT = 8  # the bytes `inner`, whatever the record says
    MESSAGE = 9  # a record as a message, by the table `inner`
    MESSAGES = 10  # several records as repeated messages, by the table `inner`
    ROWS = 11  # repeated messages by the table `inner`, whose sources are columns of this record
    CHOICE = 12  # several records as repeated messages, by the tables `inner` has for their types
    FIELDS = 13  # fields that are bytes already, whatever their numbers
    SUMS = 14  # `Sums` as repeated messages, by the table `inner`: a constant, and itself as counts


class Field(NamedTuple):
    """One field of a message, and where in the record its value is."""

    number: int
    kind: Kind
    source: int | str | None = None  # place in a tuple, name of an attribute, the record itself
    inner: Any = None


Table: TypeAlias = Sequence[Field]
"""A message: its fields in rising order of their numbers."""


def tuple_table(record: type[Any], fields: Table) -> Table:
    """Return a table for named tuples, from one that has the names of their fields as sources."""
    return [
        field._replace(inner=tuple_table(record, field.inner))
        if field.kind is Kind.ROWS
        else field._replace(source=record._fields.index(field.source))
        for field in fields
    ]


class Layout(Protocol):
    """What writes records by a table."""

    def write(self, record: Any) -> bytes:
        """Return the record as fields, without tag and length.

        Raises ValueError or TypeError for a value that its field cannot have.
        """
        ...


class PureLayout:
    """A layout in Python: what comes again is looked up, because putting it together is slow."""

    def __init__(self, table: Table) -> None:
        self._steps = list(_steps(table))

    def write(self, record: Any) -> bytes:
        return b"".join([step(record) for step in self._steps])


_Step: TypeAlias = Callable[[Any], bytes]


def _one_up(number: int, value: int | None) -> bytes:
    return b"" if value is None else number_field(number, value + 1)


def _all_one_up(number: int, values: Sequence[int]) -> bytes:
    return bytes_field(number, b"".join([varint(value + 1) for value in values]))


def _alone_one_up(number: int, value: int) -> bytes:
    return bytes_field(number, varint(value + 1))


_SMALL: dict[Kind, Callable[[int, Any], bytes]] = {
    Kind.NUMBER: number_field,
    Kind.OPTIONAL: optional_field,
    Kind.ENUM: _one_up,
}
_LISTS: dict[Kind, Callable[[int, Any], bytes]] = {
    Kind.COUNTS: counts_field,
    Kind.INDICES: indices_field,
    Kind.ENUMS: _all_one_up,
    Kind.ONE_ENUM: _alone_one_up,
}


def _steps(table: Table) -> Iterator[_Step]:
    """Yield what writes the fields: small ones in a row together, the others one by one."""
    for are_small, run in groupby(table, lambda field: field.kind in _SMALL):
        if are_small:
            yield _small_step(tuple(run))
        else:
            yield from map(_step, run)


def _small_step(fields: Sequence[Field]) -> _Step:
    writers = [partial(_SMALL[field.kind], field.number) for field in fields]
    get = _getter([field.source for field in fields])
    if len(writers) == 1:
        ready: Parts[Any] = Parts(writers[0])
    else:
        ready = Parts(lambda key: b"".join([w(v) for w, v in zip(writers, key, strict=True)]))
    return lambda record: ready[get(record)]


def _step(field: Field) -> _Step:
    number, kind, source, inner = field
    get = _getter([source])
    match kind:
        case Kind.NAME:
            return lambda record: number_field(number, inner[get(record)])
        case Kind.CONSTANT:
            constant: bytes = inner
            return lambda _record: constant
        case Kind.FIELDS:
            return get
        case Kind.MESSAGE:
            whole = PureLayout(inner)
            return lambda record: message_field(number, whole.write(get(record)))
        case Kind.MESSAGES:
            find = _messages(number, inner).__getitem__
            return lambda record: b"".join(map(find, get(record)))
        case Kind.SUMS:
            find = _messages(number, inner).__getitem__
            return lambda record: b"".join(map(find, list_sums(get(record))))
        case Kind.ROWS:
            columns = [_getter([one.source]) for one in inner]
            row = [one._replace(source=place) for place, one in enumerate(inner)]
            find = _messages(number, row).__getitem__
            return lambda record: b"".join(
                map(find, zip(*[column(record) for column in columns], strict=True))
            )
        case Kind.CHOICE:
            return _choice_step(number, get, inner)
        case _:
            write = _LISTS[kind]
            return lambda record: write(number, get(record))


def _messages(number: int, table: Table) -> Parts[Any]:
    """Return the messages of records that are keys of a dictionary."""
    layout = PureLayout(table)
    return Parts(lambda record: message_field(number, layout.write(record)))


def _choice_step(number: int, get: Callable[[Any], Any], tables: Mapping[type, Table]) -> _Step:
    begin = tag(number, LENGTH_DELIMITED)
    choices = {kind: _Choice(table) for kind, table in tables.items()}

    def write(record: Any) -> bytes:
        parts = []
        for one in get(record):
            choice = choices.get(type(one))
            if choice is None:
                raise TypeError(f"{one!r} cannot be written here")
            part = choice.ready.get(key := choice.key(one))
            parts.append(choice.make(key, one) if part is None else part)
        # Each part begins with its length: putting the tag between them completes the fields.
        return begin + begin.join(parts) if parts else b""

    return write


class _Choice:
    """The records of one type, with what has been written of them."""

    MOST = 1 << 12

    def __init__(self, table: Table) -> None:
        sources = list(_attributes(table))
        self.key: Callable[[Any], Any] = attrgetter(*sources) if sources else type
        self.ready: dict[Any, bytes] = {}
        self._layout = PureLayout(table)

    def make(self, key: Any, record: Any) -> bytes:
        """Return the record's message with its length, and keep it."""
        if len(self.ready) >= self.MOST:
            self.ready.clear()
        body = self._layout.write(record)
        part = self.ready[key] = varint(len(body)) + body
        return part


def _attributes(table: Table) -> Iterator[str]:
    """Yield the attributes that a table looks at."""
    for field in table:
        if isinstance(field.source, str):
            yield field.source
        elif field.kind is Kind.MESSAGE:
            yield from _attributes(field.inner)


def _getter(sources: Sequence[int | str | None]) -> Callable[[Any], Any]:
    """Return what takes these values out of a record; one alone is no tuple."""
    if sources == [None]:
        return lambda record: record
    if isinstance(sources[0], str):
        return attrgetter(*map(str, sources))
    places = [place for place in sources if isinstance(place, int)]
    if len(places) > 1 and places == list(range(places[0], places[-1] + 1)):
        return itemgetter(slice(places[0], places[-1] + 1))  # quicker than one by one
    return itemgetter(*places)


def _fastest() -> Callable[[Table], Layout]:
    if not is_encoder_compiled():
        return PureLayout
    try:
        from arena.wire import _encoder  # noqa: PLC0415 - may not be there
    except ImportError:
        return PureLayout
    return _encoder.Layout


make_layout = _fastest()
"""Make a layout of a table by the fastest writer there is; ARENA_PURE=1 takes the one in Python."""
