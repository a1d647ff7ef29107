"""What spectators are sent, as bytes of WatchResponse."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.game import AnyGame
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2, watch_pb2
from arena.wire.faults import fault_messages, forfeit_numbers
from arena.wire.fields import message_field
from arena.wire.play import duration, options_json

_TABLE = watch_pb2.WatchResponse.TABLE_FIELD_NUMBER
_EVENTS = watch_pb2.WatchResponse.EVENTS_FIELD_NUMBER
_TABLE_AFTER = watch_pb2.WatchedEvents.TABLE_FIELD_NUMBER


def table(
    *, match_id: str, game: AnyGame, seats: Sequence[play_pb2.SeatInfo], observation: bytes
) -> bytes:
    """Return how a match stands; `observation`, the public's, comes from `Codec.observation`."""
    message = watch_pb2.WatchedTable(
        match_id=match_id, game=game.name, options_json=options_json(game), seats=seats
    )
    return message_field(_TABLE, message.SerializeToString() + observation)


def watched_events(
    *, faults: Sequence[SeatFault] = (), events: bytes = b"", observation: bytes = b""
) -> bytes:
    """Return what has happened; `events`, as the public sees them, come from `Codec.events`.

    `observation`, the public's afterwards, is for those who asked for tables.
    """
    message = watch_pb2.WatchedEvents(faults=fault_messages(faults)).SerializeToString()
    table = message_field(_TABLE_AFTER, observation) if observation else b""
    return message_field(_EVENTS, message + table + events)


def watched_record(lines: Sequence[str], control: TimeControl | None = None) -> bytes:
    """Return lines of a replay; `control`, the match's clock, goes with the first of them."""
    message = watch_pb2.WatchedRecord(lines=lines)
    if control is not None:
        message.bank.CopyFrom(duration(control.bank_s))
        if control.move_time_s is not None:
            message.move_time.CopyFrom(duration(control.move_time_s))
    return watch_pb2.WatchResponse(record=message).SerializeToString()


def watched_end(
    *,
    scores: Sequence[int] = (),
    ranks: Sequence[int] = (),
    forfeits: Sequence[Fault | None] = (),
    void_reason: str = "",
    replay: str = "",
) -> bytes:
    """Return how a match ended; `replay` stays empty while it is not released."""
    message = watch_pb2.WatchedEnd(
        scores=scores,
        ranks=ranks,
        forfeits=forfeit_numbers(forfeits),
        void_reason=void_reason,
        replay=replay,
    )
    return watch_pb2.WatchResponse(ended=message).SerializeToString()
