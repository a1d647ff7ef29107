"""A bot's answers, which are by far the most frequent message to the arena.

As SDKs write them they are read in C, where there is a compiler. All others, and without a compiler
all of them, are read by the generated classes, which say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arena.compiled import is_encoder_compiled
from arena.v1 import play_pb2

TEXT, WHOLE, MAYBE = range(3)
"""What a compiled reader knows: a text, a number, a number that may be absent."""


class Answer(NamedTuple):
    """One answer, with the fields of the message in their order."""

    match_id: str
    decision_id: int
    move_index: int | None
    note: str


KINDS = (TEXT, WHOLE, MAYBE, TEXT)


def list_answers(message: play_pb2.Answers) -> list[Answer]:
    """Return the answers of a message that has been decoded."""
    return [
        Answer(
            one.match_id,
            one.decision_id,
            one.move_index if one.HasField("move_index") else None,
            one.note,
        )
        for one in message.answers
    ]


def _leave_to_others(_data: bytes) -> list[Answer] | None:
    return None


def _fastest() -> Callable[[bytes], list[Answer] | None]:
    if not is_encoder_compiled():
        return _leave_to_others
    try:
        from arena.wire import _encoder  # noqa: PLC0415 - may not be there
    except ImportError:
        return _leave_to_others
    outer = play_pb2.PlayRequest.ANSWERS_FIELD_NUMBER
    inner = play_pb2.Answers.ANSWERS_FIELD_NUMBER
    return _encoder.Reader(Answer, outer, inner, KINDS).read


read_plain = _fastest()
"""Return the answers of a PlayRequest, None if it has to be decoded by the generated classes.

A list is what `list_answers` would return. Fields out of order, unknown ones, letters beyond ASCII
and numbers of more than 28 bits are among what is left to them.
"""
