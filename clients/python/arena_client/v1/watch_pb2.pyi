import datetime

from arena_client.v1 import byzanz_pb2 as _byzanz_pb2
from arena_client.v1 import play_pb2 as _play_pb2
from arena_client.v1 import schwarzmarkt_pb2 as _schwarzmarkt_pb2
from google.protobuf import any_pb2 as _any_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListMatchesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "organiser")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchSummary]
    organiser: bool
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchSummary, _Mapping]]] = ..., organiser: _Optional[bool] = ...) -> None: ...

class MatchSummary(_message.Message):
    __slots__ = ("match_id", "game", "seats", "ended", "moves")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    seats: _containers.RepeatedCompositeFieldContainer[_play_pb2.SeatInfo]
    ended: bool
    moves: int
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[_play_pb2.SeatInfo, _Mapping]]] = ..., ended: _Optional[bool] = ..., moves: _Optional[int] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("match_id", "bot", "next", "with_tables", "everything")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    NEXT_FIELD_NUMBER: _ClassVar[int]
    WITH_TABLES_FIELD_NUMBER: _ClassVar[int]
    EVERYTHING_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    bot: str
    next: bool
    with_tables: bool
    everything: bool
    def __init__(self, match_id: _Optional[str] = ..., bot: _Optional[str] = ..., next: _Optional[bool] = ..., with_tables: _Optional[bool] = ..., everything: _Optional[bool] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("table", "events", "ended", "record")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    table: WatchedTable
    events: WatchedEvents
    ended: WatchedEnd
    record: WatchedRecord
    def __init__(self, table: _Optional[_Union[WatchedTable, _Mapping]] = ..., events: _Optional[_Union[WatchedEvents, _Mapping]] = ..., ended: _Optional[_Union[WatchedEnd, _Mapping]] = ..., record: _Optional[_Union[WatchedRecord, _Mapping]] = ...) -> None: ...

class WatchedTable(_message.Message):
    __slots__ = ("match_id", "game", "options_json", "seats", "byzanz", "schwarzmarkt", "other")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_JSON_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BYZANZ_FIELD_NUMBER: _ClassVar[int]
    SCHWARZMARKT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    game: str
    options_json: str
    seats: _containers.RepeatedCompositeFieldContainer[_play_pb2.SeatInfo]
    byzanz: _byzanz_pb2.ByzanzObservation
    schwarzmarkt: _schwarzmarkt_pb2.SchwarzmarktObservation
    other: _any_pb2.Any
    def __init__(self, match_id: _Optional[str] = ..., game: _Optional[str] = ..., options_json: _Optional[str] = ..., seats: _Optional[_Iterable[_Union[_play_pb2.SeatInfo, _Mapping]]] = ..., byzanz: _Optional[_Union[_byzanz_pb2.ByzanzObservation, _Mapping]] = ..., schwarzmarkt: _Optional[_Union[_schwarzmarkt_pb2.SchwarzmarktObservation, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class WatchedEvents(_message.Message):
    __slots__ = ("faults", "table", "byzanz", "schwarzmarkt", "other")
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    BYZANZ_FIELD_NUMBER: _ClassVar[int]
    SCHWARZMARKT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    faults: _containers.RepeatedCompositeFieldContainer[_play_pb2.SeatFault]
    table: WatchedTable
    byzanz: _byzanz_pb2.ByzanzEvents
    schwarzmarkt: _schwarzmarkt_pb2.SchwarzmarktEvents
    other: _any_pb2.Any
    def __init__(self, faults: _Optional[_Iterable[_Union[_play_pb2.SeatFault, _Mapping]]] = ..., table: _Optional[_Union[WatchedTable, _Mapping]] = ..., byzanz: _Optional[_Union[_byzanz_pb2.ByzanzEvents, _Mapping]] = ..., schwarzmarkt: _Optional[_Union[_schwarzmarkt_pb2.SchwarzmarktEvents, _Mapping]] = ..., other: _Optional[_Union[_any_pb2.Any, _Mapping]] = ...) -> None: ...

class WatchedRecord(_message.Message):
    __slots__ = ("lines", "move_time", "bank")
    LINES_FIELD_NUMBER: _ClassVar[int]
    MOVE_TIME_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    move_time: _duration_pb2.Duration
    bank: _duration_pb2.Duration
    def __init__(self, lines: _Optional[_Iterable[str]] = ..., move_time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WatchedEnd(_message.Message):
    __slots__ = ("scores", "ranks", "forfeits", "void_reason", "replay")
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    VOID_REASON_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    forfeits: _containers.RepeatedScalarFieldContainer[_play_pb2.Fault]
    void_reason: str
    replay: str
    def __init__(self, scores: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ..., forfeits: _Optional[_Iterable[_Union[_play_pb2.Fault, str]]] = ..., void_reason: _Optional[str] = ..., replay: _Optional[str] = ...) -> None: ...
