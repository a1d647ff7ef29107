import datetime

from arena.v1 import byzanz_pb2 as _byzanz_pb2
from arena.v1 import schwarzmarkt_pb2 as _schwarzmarkt_pb2
from google.protobuf import any_pb2 as _any_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Fault(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_UNSPECIFIED: _ClassVar[Fault]
    FAULT_TIMEOUT: _ClassVar[Fault]
    FAULT_ILLEGAL_MOVE: _ClassVar[Fault]
    FAULT_PROTOCOL_ERROR: _ClassVar[Fault]
    FAULT_FLOOD: _ClassVar[Fault]
    FAULT_CRASH: _ClassVar[Fault]
    FAULT_OUT_OF_MEMORY: _ClassVar[Fault]
    FAULT_DISCONNECT: _ClassVar[Fault]
    FAULT_NO_START: _ClassVar[Fault]
    FAULT_OUT_OF_PROCESSES: _ClassVar[Fault]
    FAULT_OUT_OF_DISK: _ClassVar[Fault]
FAULT_UNSPECIFIED: Fault
FAULT_TIMEOUT: Fault
FAULT_ILLEGAL_MOVE: Fault
FAULT_PROTOCOL_ERROR: Fault
FAULT_FLOOD: Fault
FAULT_CRASH: Fault
FAULT_OUT_OF_MEMORY: Fault
FAULT_DISCONNECT: Fault
FAULT_NO_START: Fault
FAULT_OUT_OF_PROCESSES: Fault
FAULT_OUT_OF_DISK: Fault

class PlayRequest(_message.Message):
    __slots__ = ("hello", "answers", "leave")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answers: Answers
    leave: Leave
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Union[Answers, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "match_started", "decisions", "match_ended", "rejected", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_started: MatchStarted
    decisions: Decisions
    match_ended: MatchEnded
    rejected: Rejected
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_started: _Optional[_Union[MatchStarted, _Mapping]] = ..., decisions: _Optional[_Union[Decisions, _Mapping]] = ..., match_ended: _Optional[_Union[MatchEnded, _Mapping]] = ..., rejected: _Optional[_Union[Rejected, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "token", "bot", "version", "language", "sdk", "games", "max_matches", "resume_token", "batches_matches")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_MATCHES_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    BATCHES_MATCHES_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    token: str
    bot: str
    version: str
    language: str
    sdk: str
    games: _containers.RepeatedScalarFieldContainer[str]
    max_matches: int
    resume_token: bytes
    batches_matches: bool
    def __init__(self, protocol: _Optional[int] = ..., token: _Optional[str] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., language: _Optional[str] = ..., sdk: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., max_matches: _Optional[int] = ..., resume_token: _Optional[bytes] = ..., batches_matches: _Optional[bool] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("session", "resume_token", "resumed", "arena", "bot", "limits")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    ARENA_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    session: str
    resume_token: bytes
    resumed: bool
    arena: str
    bot: str
    limits: Limits
    def __init__(self, session: _Optional[str] = ..., resume_token: _Optional[bytes] = ..., resumed: _Optional[bool] = ..., arena: _Optional[str] = ..., bot: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("max_matches", "max_message_bytes", "max_note_bytes", "max_messages_per_second")
    MAX_MATCHES_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_NOTE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    max_matches: int
    max_message_bytes: int
    max_note_bytes: int
    max_messages_per_second: int
    def __init__(self, max_matches: _Optional[int] = ..., max_message_bytes: _Optional[int] = ..., max_note_bytes: _Optional[int] = ..., max_messages_per_second: _Optional[int] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("match_id", "game", "options_json", "seat", "seats", "time_control", "bot_seed", "byzanz", "schwarzmarkt", "other")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_JSON_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    BYZANZ_FIELD_NUMBER: _ClassVar[int]
    SCHWARZMARKT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    options_json: str
    seat: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatInfo]
    time_control: TimeControl
    bot_seed: bytes
    byzanz: _byzanz_pb2.ByzanzMaterial
    schwarzmarkt: _schwarzmarkt_pb2.SchwarzmarktMaterial
    other: _any_pb2.Any
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., options_json: _Optional[str] = ..., seat: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatInfo, _Mapping]]] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ..., bot_seed: _Optional[bytes] = ..., byzanz: _Optional[_Union[_byzanz_pb2.ByzanzMaterial, _Mapping]] = ..., schwarzmarkt: _Optional[_Union[_schwarzmarkt_pb2.SchwarzmarktMaterial, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class SeatInfo(_message.Message):
    __slots__ = ("bot", "version")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    bot: str
    version: str
    def __init__(self, bot: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("move_time", "bank", "max_faults")
    MOVE_TIME_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    MAX_FAULTS_FIELD_NUMBER: _ClassVar[int]
    move_time: _duration_pb2.Duration
    bank: _duration_pb2.Duration
    max_faults: int
    def __init__(self, move_time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_faults: _Optional[int] = ...) -> None: ...

class Decisions(_message.Message):
    __slots__ = ("decisions", "match_started", "match_ended")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    MATCH_ENDED_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    match_started: _containers.RepeatedCompositeFieldContainer[MatchStarted]
    match_ended: _containers.RepeatedCompositeFieldContainer[MatchEnded]
    def __init__(self, decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ..., match_started: _Optional[_Iterable[_Union[MatchStarted, _Mapping]]] = ..., match_ended: _Optional[_Iterable[_Union[MatchEnded, _Mapping]]] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("match_id", "decision_id", "move_time", "bank", "legal_count", "faults", "byzanz", "schwarzmarkt", "other")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MOVE_TIME_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    LEGAL_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    BYZANZ_FIELD_NUMBER: _ClassVar[int]
    SCHWARZMARKT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    move_time: _duration_pb2.Duration
    bank: _duration_pb2.Duration
    legal_count: int
    faults: _containers.RepeatedCompositeFieldContainer[SeatFault]
    byzanz: _byzanz_pb2.ByzanzDecision
    schwarzmarkt: _schwarzmarkt_pb2.SchwarzmarktDecision
    other: _any_pb2.Any
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., move_time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., legal_count: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[SeatFault, _Mapping]]] = ..., byzanz: _Optional[_Union[_byzanz_pb2.ByzanzDecision, _Mapping]] = ..., schwarzmarkt: _Optional[_Union[_schwarzmarkt_pb2.SchwarzmarktDecision, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class SeatFault(_message.Message):
    __slots__ = ("seat", "fault", "forfeited")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    fault: Fault
    forfeited: bool
    def __init__(self, seat: _Optional[int] = ..., fault: _Optional[_Union[Fault, str]] = ..., forfeited: _Optional[bool] = ...) -> None: ...

class Answers(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("match_id", "decision_id", "move_index", "note")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    MOVE_INDEX_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    move_index: int
    note: str
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., move_index: _Optional[int] = ..., note: _Optional[str] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ("reason", "failed")
    REASON_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    reason: str
    failed: bool
    def __init__(self, reason: _Optional[str] = ..., failed: _Optional[bool] = ...) -> None: ...

class MatchEnded(_message.Message):
    __slots__ = ("match_id", "scores", "ranks", "forfeits", "void_reason", "faults", "byzanz", "schwarzmarkt", "other")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    BYZANZ_FIELD_NUMBER: _ClassVar[int]
    SCHWARZMARKT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    scores: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    forfeits: _containers.RepeatedScalarFieldContainer[Fault]
    void_reason: str
    faults: _containers.RepeatedCompositeFieldContainer[SeatFault]
    byzanz: _byzanz_pb2.ByzanzEvents
    schwarzmarkt: _schwarzmarkt_pb2.SchwarzmarktEvents
    other: _any_pb2.Any
    def __init__(self, match_id: _Optional[str] = ..., scores: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ..., forfeits: _Optional[_Iterable[_Union[Fault, str]]] = ..., void_reason: _Optional[str] = ..., faults: _Optional[_Iterable[_Union[SeatFault, _Mapping]]] = ..., byzanz: _Optional[_Union[_byzanz_pb2.ByzanzEvents, _Mapping]] = ..., schwarzmarkt: _Optional[_Union[_schwarzmarkt_pb2.SchwarzmarktEvents, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class Rejected(_message.Message):
    __slots__ = ("match_id", "decision_id", "reason", "message")
    class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        REASON_UNSPECIFIED: _ClassVar[Rejected.Reason]
        REASON_LATE: _ClassVar[Rejected.Reason]
        REASON_REPEATED: _ClassVar[Rejected.Reason]
        REASON_UNKNOWN_DECISION: _ClassVar[Rejected.Reason]
        REASON_UNKNOWN_MATCH: _ClassVar[Rejected.Reason]
        REASON_MATCH_OVER: _ClassVar[Rejected.Reason]
        REASON_ILLEGAL_MOVE: _ClassVar[Rejected.Reason]
        REASON_INCOMPLETE: _ClassVar[Rejected.Reason]
        REASON_NOTE_TOO_LONG: _ClassVar[Rejected.Reason]
    REASON_UNSPECIFIED: Rejected.Reason
    REASON_LATE: Rejected.Reason
    REASON_REPEATED: Rejected.Reason
    REASON_UNKNOWN_DECISION: Rejected.Reason
    REASON_UNKNOWN_MATCH: Rejected.Reason
    REASON_MATCH_OVER: Rejected.Reason
    REASON_ILLEGAL_MOVE: Rejected.Reason
    REASON_INCOMPLETE: Rejected.Reason
    REASON_NOTE_TOO_LONG: Rejected.Reason
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    decision_id: int
    reason: Rejected.Reason
    message: str
    def __init__(self, match_id: _Optional[str] = ..., decision_id: _Optional[int] = ..., reason: _Optional[_Union[Rejected.Reason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "message")
    class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        REASON_UNSPECIFIED: _ClassVar[Goodbye.Reason]
        REASON_FINISHED: _ClassVar[Goodbye.Reason]
        REASON_STOPPING: _ClassVar[Goodbye.Reason]
        REASON_MISBEHAVED: _ClassVar[Goodbye.Reason]
    REASON_UNSPECIFIED: Goodbye.Reason
    REASON_FINISHED: Goodbye.Reason
    REASON_STOPPING: Goodbye.Reason
    REASON_MISBEHAVED: Goodbye.Reason
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: Goodbye.Reason
    message: str
    def __init__(self, reason: _Optional[_Union[Goodbye.Reason, str]] = ..., message: _Optional[str] = ...) -> None: ...
