"""Messages as a later arena might send them: with fields, messages and values nobody knows yet."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from google.protobuf.message import Message

from arena.v1 import play_pb2
from arena.wire.fields import bytes_field, message_field, optional_field, tag

_FUTURE = 1_900  # a field number far from all that are used
_FUTURE_VALUE = 99  # of an enum
_FIXED64, _FIXED32 = 1, 5

UNKNOWN_FIELDS = b"".join(
    (
        optional_field(_FUTURE, 7),
        tag(_FUTURE + 1, _FIXED64) + struct.pack("<d", 0.5),
        bytes_field(_FUTURE + 2, "später".encode()),
        tag(_FUTURE + 3, _FIXED32) + struct.pack("<I", 1),
    )
)
"""One field of each wire type, which no message of the protocol has."""

UNKNOWN_MESSAGE = message_field(_FUTURE + 4, message_field(1, b"\x08\x01"))
"""A PlayResponse that says something this protocol does not know."""

EMPTY_MESSAGE = b""
"""A PlayResponse that says nothing, as one looks whose field was taken away."""


def with_unknown_fields(data: bytes) -> bytes:
    """Return a PlayResponse with unknown fields in it and in every message inside it."""
    response = play_pb2.PlayResponse.FromString(data)
    for message in list(_messages(response)):
        message.MergeFromString(UNKNOWN_FIELDS)
    return response.SerializeToString()


def with_unknown_values(data: bytes) -> bytes:
    """Return a PlayResponse whose news end with events and faults nobody knows.

    To the events of every decision are added: the last of them with an unknown value in every
    enum, and one of an unknown kind. To its faults: an unknown one. Observation and legal moves
    stay as they are.
    """
    response = play_pb2.PlayResponse.FromString(data)
    for decision in response.decisions.decisions:
        decision.faults.add(seat=0, fault=_FUTURE_VALUE)
        which = decision.WhichOneof("game")
        events = getattr(getattr(decision, which), "events", None) if which else None
        if events is None:  # a game of a plug-in
            continue
        if events:
            events.add().CopyFrom(events[-1])
            for message in list(_messages(events[-1])):
                _spoil_enums(message)
        events.add().MergeFromString(message_field(_FUTURE, b""))
    return response.SerializeToString()


def _messages(message: Message) -> Iterator[Message]:
    """Yield a message and all messages inside it that are set."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else (value,):
                yield from _messages(inner)


def _spoil_enums(message: Message) -> None:
    for field, value in message.ListFields():
        if field.enum_type is None:
            continue
        if field.is_repeated:
            value[:] = [_FUTURE_VALUE] * len(value)
        else:
            setattr(message, field.name, _FUTURE_VALUE)
