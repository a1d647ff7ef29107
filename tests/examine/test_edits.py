from __future__ import annotations

from google.protobuf.unknown_fields import UnknownFieldSet

from arena.examine.edits import (
    UNKNOWN_MESSAGE,
    with_unknown_fields,
    with_unknown_values,
)
from arena.examine.table import ExamTable
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.v1 import play_pb2
from arena.wire import play


def _decisions() -> bytes:
    table = ExamTable(get_game("byzanz"), "m", deal=4, seats=3)
    while table.question is not None and not table.question.events:
        table.answer(0)
    return play.decisions([table.decision(TimeControl())])


def test_unknown_fields_change_nothing_that_is_known():
    """With unknown fields a message has them at every depth, and says the same."""
    plain = play_pb2.PlayResponse.FromString(_decisions())
    edited = play_pb2.PlayResponse.FromString(with_unknown_fields(_decisions()))
    decision = edited.decisions.decisions[0]

    places = (
        edited,
        decision,
        decision.byzanz.observation.seats[0],
        decision.byzanz.legal_moves[0],
    )
    for message in places:
        assert len(UnknownFieldSet(message)) == 4
    edited.DiscardUnknownFields()
    assert edited == plain


def test_unknown_values_leave_what_a_bot_decides_by():
    """Events and faults of a later arena are added behind the others; all else stays."""
    plain = play_pb2.PlayResponse.FromString(_decisions()).decisions.decisions[0]
    edited = play_pb2.PlayResponse.FromString(with_unknown_values(_decisions()))
    decision = edited.decisions.decisions[0]
    number = len(plain.byzanz.events)

    assert decision.byzanz.observation == plain.byzanz.observation
    assert decision.byzanz.legal_moves == plain.byzanz.legal_moves
    assert decision.byzanz.events[:number] == plain.byzanz.events
    assert len(decision.byzanz.events) == number + 2
    assert decision.byzanz.events[-1].WhichOneof("event") is None
    assert decision.faults[-1].fault == 99


def test_an_unknown_message_decodes_as_nothing():
    """To a bot of today the message of a later arena is one without content."""
    response = play_pb2.PlayResponse.FromString(UNKNOWN_MESSAGE)

    assert response.WhichOneof("message") is None
    assert len(UnknownFieldSet(response)) == 1
