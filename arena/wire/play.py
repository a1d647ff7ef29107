"""The arena's messages of a session as bytes, and the bot's read.

Each function but `decision` returns a whole PlayResponse. Decisions are by far the most frequent
and are put together from ready parts; the others use the generated classes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache, partial

from google.protobuf import duration_pb2
from google.protobuf.message import DecodeError

from arena.errors import FormatError
from arena.games.game import AnyGame
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2
from arena.wire.codec import codec_for
from arena.wire.faults import fault_messages, forfeit_numbers, write_fault
from arena.wire.fields import Parts, bytes_field, message_field, number_field
from arena.wire.layout import Field, Kind, make_layout

NANOS = 1_000_000_000

_MATCH_STARTED = play_pb2.PlayResponse.MATCH_STARTED_FIELD_NUMBER
_MATCH_ENDED = play_pb2.PlayResponse.MATCH_ENDED_FIELD_NUMBER
_DECISIONS = play_pb2.PlayResponse.DECISIONS_FIELD_NUMBER

_write_decision = make_layout(
    [
        Field(
            play_pb2.Decisions.DECISIONS_FIELD_NUMBER,
            Kind.MESSAGE,
            None,
            [
                Field(1, Kind.FIELDS, 0),
                Field(2, Kind.NUMBER, 1),
                Field(3, Kind.FIELDS, 2),
                Field(4, Kind.FIELDS, 3),
                Field(5, Kind.NUMBER, 4),
                Field(6, Kind.FIELDS, 5),
                Field(10, Kind.FIELDS, 6),  # or another of the oneof
            ],
        )
    ]
).write


def welcome(
    *,
    session: str,
    resume_token: bytes,
    resumed: bool,
    arena: str,
    bot: str,
    limits: play_pb2.Limits,
) -> bytes:
    """Return the acceptance of a hello."""
    message = play_pb2.Welcome(
        session=session,
        resume_token=resume_token,
        resumed=resumed,
        arena=arena,
        bot=bot,
        limits=limits,
    )
    return play_pb2.PlayResponse(welcome=message).SerializeToString()


@lru_cache(maxsize=64)  # the same for each seat of many matches
def time_control(
    *, move_time_s: float | None, bank_s: float, max_faults: int
) -> play_pb2.TimeControl:
    """Return how long a bot may think; None: there is no limit, and so no bank."""
    if move_time_s is None:
        return play_pb2.TimeControl(max_faults=max_faults)
    return play_pb2.TimeControl(
        move_time=duration(move_time_s), bank=duration(bank_s), max_faults=max_faults
    )


def match_started(
    *,
    match_id: str,
    game: AnyGame,
    seat: int,
    seats: Sequence[play_pb2.SeatInfo],
    time_control: play_pb2.TimeControl,
    bot_seed: bytes,
) -> bytes:
    """Return that the bot has a seat in a match of `game`, with its options and material."""
    message = play_pb2.MatchStarted(
        match_id=match_id,
        game=game.name,
        options_json=options_json(game),
        seat=seat,
        seats=seats,
        time_control=time_control,
        bot_seed=bot_seed,
    )
    return message_field(_MATCH_STARTED, message.SerializeToString() + _material(game, len(seats)))


@lru_cache(maxsize=64)
def _material(game: AnyGame, seats: int) -> bytes:
    return codec_for(game).material(seats)


@lru_cache(maxsize=64)
def options_json(game: AnyGame) -> str:
    """Return the options that differ from the default as a JSON object."""
    return json.dumps(dict(game.options), ensure_ascii=False, separators=(",", ":"))


def decision(
    match_id: str,
    decision_id: int,
    move_time_s: float | None,
    bank_s: float,
    legal_count: int,
    faults: Sequence[SeatFault],
    game: bytes,
) -> bytes:
    """Return one element of Decisions with tag and length, for `decisions`.

    `game` comes from `Codec.decision`; `decision_id` and `legal_count` are not zero. Without a
    move time there is no bank either.
    """
    return _write_decision(
        (
            _MATCH_ID.get(match_id) or _MATCH_ID[match_id],  # `get` takes a quarter of the time
            decision_id,
            b"" if move_time_s is None else _MOVE_TIME.get(move_time_s) or _MOVE_TIME[move_time_s],
            b"" if move_time_s is None else _BANK.get(bank_s) or _BANK[bank_s],
            legal_count,
            b"".join([_FAULT[fault] for fault in faults]) if faults else b"",
            game,
        )
    )


def decisions(parts: Sequence[bytes]) -> bytes:
    """Return the question for one or more moves, each a part from `decision`."""
    body = b"".join(parts)
    return message_field(_DECISIONS, body)


def match_ended(
    *,
    match_id: str,
    scores: Sequence[int] = (),
    ranks: Sequence[int] = (),
    forfeits: Sequence[Fault | None] = (),
    void_reason: str = "",
    faults: Sequence[SeatFault] = (),
    events: bytes = b"",
) -> bytes:
    """Return how a match ended; `events` comes from `Codec.events`.

    For a void match only the reason is given, and what happened.
    """
    message = play_pb2.MatchEnded(
        match_id=match_id,
        scores=scores,
        ranks=ranks,
        forfeits=forfeit_numbers(forfeits),
        void_reason=void_reason,
        faults=fault_messages(faults),
    )
    return message_field(_MATCH_ENDED, message.SerializeToString() + events)


def rejected(
    *, match_id: str, decision_id: int, reason: play_pb2.Rejected.Reason, message: str
) -> bytes:
    """Return that something the bot sent was not used; `message` says what to do."""
    answer = play_pb2.Rejected(
        match_id=match_id, decision_id=decision_id, reason=reason, message=message
    )
    return play_pb2.PlayResponse(rejected=answer).SerializeToString()


def goodbye(reason: play_pb2.Goodbye.Reason, message: str) -> bytes:
    """Return the last message of a session."""
    last = play_pb2.Goodbye(reason=reason, message=message)
    return play_pb2.PlayResponse(goodbye=last).SerializeToString()


def read_request(data: bytes) -> play_pb2.PlayRequest:
    """Return a bot's message; raises FormatError unless it decodes and says something.

    The complaint repeats nothing of the message: it may hold a token.
    """
    try:
        request = play_pb2.PlayRequest.FromString(data)
    except DecodeError:
        raise FormatError(
            f"a message of {len(data)} bytes is not a PlayRequest: send arena.v1.PlayRequest as "
            "the protocol's files define it"
        ) from None
    if request.WhichOneof("message") is None:
        raise FormatError("a PlayRequest must have one of hello, answers and leave; this has none")
    return request


def duration(seconds: float) -> duration_pb2.Duration:
    """Return seconds as a message; what is less than nothing is nothing."""
    whole, nanos = _split(seconds)
    return duration_pb2.Duration(seconds=whole, nanos=nanos)


def _duration_field(number: int, seconds: float) -> bytes:
    whole, nanos = _split(seconds)
    return message_field(number, number_field(1, whole) + number_field(2, nanos))


def _split(seconds: float) -> tuple[int, int]:
    """Return whole seconds and the nanoseconds beyond; likewise."""
    return divmod(max(0, round(seconds * NANOS)), NANOS)


def _match_id_field(match_id: str) -> bytes:
    return bytes_field(1, match_id.encode())


def _fault_field(fault: SeatFault) -> bytes:
    return message_field(6, write_fault(fault))


_MATCH_ID = Parts(_match_id_field, 1 << 12)
_MOVE_TIME: Parts[float] = Parts(partial(_duration_field, 3), 1 << 10)
_BANK: Parts[float] = Parts(partial(_duration_field, 4), 1 << 12)
_FAULT = Parts(_fault_field, 1 << 10)
