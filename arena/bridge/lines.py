"""The messages of a session as lines: proto3 JSON, one message a line.

What the program reads is written for tools that look for patterns in lines: without spaces, in
ASCII, the fields in the order of the protocol's files, and every field is there, also where its
value is 0, false or empty. Only what can be absent by its meaning is left out: the other members
of a oneof, messages, and fields declared `optional`. `json_format` of the protobuf library would
put fields with default values last, and takes several times as long.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf import any_pb2, json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.errors import ProgramError, UnknownGameError
from arena.games.registry import get_game
from arena.v1 import play_pb2
from arena.wire.codec import codec_for
from arena.wire.reading import Readings

EXAMPLE = '{"answers":{"answers":[{"matchId":"m1","decisionId":3,"moveIndex":2}]}}'

_SHOWN = 60  # characters of a line that is refused
_NO_TEXT = re.compile(r"expected string or bytes-like object(, got '\w+')?")  # Python's own words

Writer = Callable[[Any], str]


def write_line(message: Message) -> str:
    """Return a message as one line, without the end of line."""
    return _message_writer(message.DESCRIPTOR)(message)


def read_line(line: bytes, number: int) -> play_pb2.PlayRequest:
    """Return the message of a line that the program wrote; raises ProgramError.

    Field names are taken in lowerCamelCase and in snake_case. A field that does not exist is
    refused: it is a slip of the pen, and what was meant by it would be lost.
    """
    where = f"line {number} of the program's output"
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise ProgramError(f"{where} is not UTF-8: {error.reason} at byte {error.start}") from None
    shown = text.strip() if len(text.strip()) <= _SHOWN else f"{text.strip()[:_SHOWN]}…"
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProgramError(
            f"{where} is not JSON ({_fault(error)}): {shown}",
            "\nWrite messages to stdout, each on one line, and everything else to stderr.",
        ) from None
    what = f"{where} is not a PlayRequest"
    example = f"\nAn answer looks like this: {EXAMPLE}"
    if not isinstance(content, dict) or not all(isinstance(v, dict) for v in content.values()):
        raise ProgramError(f"{what} (an object with hello, answers or leave): {shown}", example)
    try:
        request = json_format.Parse(text, play_pb2.PlayRequest())
    except json_format.ParseError as error:
        reason = _NO_TEXT.sub("must be a text in quotation marks", " ".join(str(error).split()))
        raise ProgramError(f"{what} ({reason.rstrip('.')}): {shown}", example) from None
    if request.WhichOneof("message") is None:
        raise ProgramError(f"{what} (none of hello, answers and leave): {shown}", example)
    return request


def _fault(error: ValueError | RecursionError) -> str:
    """Return what is wrong with a line's JSON, without the place: the line may be cut here."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"


@cache
def _message_writer(descriptor: Descriptor) -> Writer:
    special = _SPECIAL.get(descriptor.full_name)
    if special is not None:
        return special
    fields = sorted(descriptor.fields, key=lambda field: field.number)
    writers = [_field_writer(field) for field in fields]

    def write(message: Any) -> str:
        return "{" + ",".join([text for writer in writers if (text := writer(message))]) + "}"

    return write


def _field_writer(field: FieldDescriptor) -> Writer:
    """Return what writes one field with its name, or nothing where it is absent."""
    name, key = field.name, f'"{field.json_name}":'
    if field.is_repeated:
        write_all = _list_writer(field)
        return lambda message: key + write_all(getattr(message, name))
    # The writer of a message is looked up when it is first needed: types may be recursive.
    value: Writer = _message if field.message_type is not None else _scalar_writer(field)
    if field.has_presence:
        return lambda message: key + value(getattr(message, name)) if message.HasField(name) else ""
    return lambda message: key + value(getattr(message, name))


def _list_writer(field: FieldDescriptor) -> Writer:
    kind = field.message_type
    if kind is None:
        value = _scalar_writer(field)
        return lambda values: f"[{','.join(map(value, values))}]"
    if all(inner.message_type is None for inner in kind.fields):
        # Small messages such as moves come again and again: most are known already.
        known = Readings(GetMessageClass(kind), _message_writer(kind))
        return lambda messages: f"[{','.join(known.read_all(messages))}]"
    return lambda messages: f"[{','.join(map(_message, messages))}]"


def _message(message: Any) -> str:
    return _message_writer(message.DESCRIPTOR)(message)


def _scalar_writer(field: FieldDescriptor) -> Writer:
    if field.enum_type is not None:
        return _EnumTexts(field.enum_type).__getitem__
    return _SCALARS[field.type]


class _EnumTexts(dict[int, str]):
    """The names of an enum's values by number; one that is not known is written as its number."""

    def __init__(self, enum: EnumDescriptor) -> None:
        super().__init__({value.number: f'"{value.name}"' for value in enum.values})

    def __missing__(self, number: int) -> str:
        return str(number)


def _any(message: any_pb2.Any) -> str:
    """Return a plug-in's message: its fields where its package is installed, else its bytes."""
    _load_types(message.TypeName().partition(".")[0])
    try:
        content = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    except TypeError:
        content = {"@type": message.type_url, "value": base64.b64encode(message.value).decode()}
    return json.dumps(content, separators=(",", ":"))


@cache
def _load_types(game: str) -> None:
    """Load the codec of an installed game, so that its messages are known by their types."""
    with contextlib.suppress(UnknownGameError):
        codec_for(get_game(game))


def _duration(duration: Duration) -> str:
    return f'"{duration.ToJsonString()}"'


_SPECIAL: dict[str, Writer] = {
    "google.protobuf.Any": _any,
    "google.protobuf.Duration": _duration,
}
_SCALARS: dict[int, Writer] = {
    FieldDescriptor.TYPE_BOOL: lambda value: "true" if value else "false",
    FieldDescriptor.TYPE_BYTES: lambda value: f'"{base64.b64encode(value).decode()}"',
    FieldDescriptor.TYPE_INT32: str,
    FieldDescriptor.TYPE_SINT32: str,
    FieldDescriptor.TYPE_STRING: json.dumps,
    FieldDescriptor.TYPE_UINT32: str,
}
