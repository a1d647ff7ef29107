"""A codec that follows from the types of a game: each of its records is a message of its own.

A record's fields are numbered 1, 2, … in their order: new ones go to the end. Named things are
texts, so that a bot needs no table of cards; what is hidden is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.errors import FormatError
from arena.games.game import AnyGame, Event, Move
from arena.games.notation import type_name
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import Codec, WithEvents, other_field, read_other

_SCALARS = {int: "int32", bool: "bool", str: "string"}
_NUMBERS = {
    name: FieldDescriptorProto.Type.Value(f"TYPE_{name.upper()}") for name in _SCALARS.values()
}
_OWN = ("Material", "Decision", "Events", "Move", "Event")  # messages that are no records
_ONE, _OPTIONAL, _REPEATED, _ONE_OF = "", "optional ", "repeated ", "one of "


class DerivedCodec(Codec):
    """The codec of a game that declares the types of its moves and events."""

    def __init__(self, game: AnyGame) -> None:
        """Make the messages; raises TypeError if a record cannot be one."""
        self._game = game
        self._fields = game.notations.fields
        self._moves = {type_name(kind): kind for kind in game.move_types}
        self._events = {type_name(kind): kind for kind in game.event_types}
        self._observation: type[Any] = game.observation_type
        self._messages: dict[str, list[tuple[str, str, str]]] = {}  # fields: label, type, name
        for kind in (self._observation, *game.move_types, *game.event_types):
            self._add_record(kind)
        events = (_REPEATED, "Event", "events")
        seen = (_ONE, self._observation.__name__, "observation")
        self._messages |= {
            "Move": [(_ONE_OF, kind.__name__, name) for name, kind in self._moves.items()],
            "Event": [(_ONE_OF, kind.__name__, name) for name, kind in self._events.items()],
            "Material": [(_ONE, "int32", "seats")],
            "Decision": [seen, (_REPEATED, "Move", "legal_moves"), events],
            "Events": [events],
        }
        pool = Default()  # where those look who show a message that they do not know
        pool.AddSerializedFile(self._describe_file().SerializeToString())
        self._classes: dict[str, Any] = {
            name: GetMessageClass(pool.FindMessageTypeByName(f"{game.name}.{name}"))
            for name in self._messages
        }

    def material(self, seats: int) -> bytes:
        self._game.check_table(seats)
        return other_field(self._classes["Material"](seats=seats))

    def decision(
        self, observation: Any, legal_moves: Sequence[Move], events: Sequence[Event]
    ) -> bytes:
        message = self._classes["Decision"]()
        self._write(message.observation, observation)
        self._write_all(message.legal_moves, legal_moves, self._moves)
        self._write_all(message.events, events, self._events)
        return other_field(message)

    def events(self, events: Sequence[Event]) -> bytes:
        message = self._classes["Events"]()
        self._write_all(message.events, events, self._events)
        return other_field(message)

    def observation(self, observation: Any) -> bytes:
        message = self._classes[self._observation.__name__]()
        self._write(message, observation)
        return other_field(message)

    def read_decision(self, message: play_pb2.Decision) -> tuple[Any, list[Move]]:
        decision = read_other(message.other, self._classes["Decision"]())
        seen = self._read(decision.observation, self._observation)
        return seen, self._read_all(decision.legal_moves, "move", self._moves)

    def read_events(self, message: WithEvents) -> list[Event]:
        name = "Decision" if isinstance(message, play_pb2.Decision) else "Events"
        told = read_other(message.other, self._classes[name]()).events
        return self._read_all(told, "event", self._events)

    def read_observation(self, message: watch_pb2.WatchedTable) -> Any:
        name = self._observation.__name__
        return self._read(read_other(message.other, self._classes[name]()), self._observation)

    def proto_file(self) -> str:
        """Return the messages as a proto file, for bots in other languages."""
        lines = ['syntax = "proto3";', "", f"package {self._game.name};"]
        for message, fields in self._messages.items():
            lines += ["", f"message {message} {{"]
            is_one_of = any(label == _ONE_OF for label, _, _ in fields)
            lines += [f"  oneof {message.lower()} {{"] if is_one_of else []
            for number, (label, kind, name) in enumerate(fields, start=1):
                shown = f"  {kind}" if is_one_of else f"{label}{kind}"
                lines.append(f"  {shown} {name} = {number};")
            lines += ["  }", "}"] if is_one_of else ["}"]
        return "\n".join((*lines, ""))

    def _add_record(self, kind: type[Any]) -> str:
        """Describe a record and those within it; return its name."""
        if kind.__name__ in _OWN:
            raise TypeError(f"{kind!r} cannot be sent: another message has its name")
        fields = self._messages.setdefault(kind.__name__, [])
        if not fields:
            for name, one in self._fields(kind).items():
                if one.depth > 1:
                    raise TypeError(f"{kind!r} cannot be sent: {name} is a list of lists")
                label = _REPEATED if one.depth else _OPTIONAL if one.is_optional else _ONE
                fields.append((label, _SCALARS.get(one.plain) or self._add_record(one.plain), name))
        return kind.__name__

    def _describe_file(self) -> FileDescriptorProto:
        package = self._game.name
        file = FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
        for message, fields in self._messages.items():
            described = file.message_type.add(name=message)
            if any(label == _ONE_OF for label, _, _ in fields):
                described.oneof_decl.add(name=message.lower())
            for number, (label, kind, name) in enumerate(fields, start=1):
                field = described.field.add(name=name, number=number)
                field.label = field.LABEL_REPEATED if label == _REPEATED else field.LABEL_OPTIONAL
                field.type = _NUMBERS.get(kind, field.TYPE_MESSAGE)
                if kind not in _NUMBERS:
                    field.type_name = f".{package}.{kind}"
                if label == _ONE_OF:
                    field.oneof_index = 0
                elif label == _OPTIONAL:
                    field.proto3_optional = True
                    field.oneof_index = len(described.oneof_decl)
                    described.oneof_decl.add(name=f"_{name}")
        return file

    def _write(self, message: Any, record: Any) -> None:
        message.SetInParent()
        for name, one in self._fields(type(record)).items():
            value = getattr(record, name)
            if value is None:
                if not one.is_optional:
                    raise TypeError(f"{record!r}: {name} is hidden, and its type is not `| None`")
            elif one.plain not in _SCALARS:
                for entry in value if one.depth else (value,):
                    part = getattr(message, name)
                    self._write(part.add() if one.depth else part, entry)
            elif one.depth:
                getattr(message, name).extend(one.write(value))
            else:
                setattr(message, name, one.write(value))

    def _write_all(
        self, messages: Any, records: Iterable[Any], kinds: Mapping[str, type[Any]]
    ) -> None:
        for record in records:
            name = type_name(type(record))
            if kinds.get(name) is not type(record):
                listed = ", ".join(kinds)
                raise TypeError(f"{record!r} cannot be sent: its type is not one of {listed}")
            self._write(getattr(messages.add(), name), record)

    def _read(self, message: Any, kind: type[Any]) -> Any:
        values: dict[str, Any] = {}
        for name, one in self._fields(kind).items():
            found = getattr(message, name)
            if one.is_optional and not (found if one.depth else message.HasField(name)):
                values[name] = None
            elif one.plain in _SCALARS:
                values[name] = one.read(list(found) if one.depth else found, name)
            elif one.depth:
                values[name] = tuple(self._read(entry, one.plain) for entry in found)
            else:
                values[name] = self._read(found, one.plain)
        return kind(**values)

    def _read_all(
        self, messages: Iterable[Message], oneof: str, kinds: Mapping[str, type[Any]]
    ) -> list[Any]:
        records = []
        for message in messages:
            name = message.WhichOneof(oneof)
            if name is not None:
                records.append(self._read(getattr(message, name), kinds[name]))
            elif oneof == "move":  # of an event that is not known here nothing is missed
                raise FormatError("a legal move is of a type that does not exist")
        return records
