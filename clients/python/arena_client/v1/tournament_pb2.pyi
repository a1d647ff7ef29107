import datetime

from arena_client.v1 import results_pb2 as _results_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UnfitPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UNFIT_POLICY_UNSPECIFIED: _ClassVar[UnfitPolicy]
    UNFIT_POLICY_STOP: _ClassVar[UnfitPolicy]
    UNFIT_POLICY_LEAVE_OUT: _ClassVar[UnfitPolicy]
    UNFIT_POLICY_ENTER: _ClassVar[UnfitPolicy]
UNFIT_POLICY_UNSPECIFIED: UnfitPolicy
UNFIT_POLICY_STOP: UnfitPolicy
UNFIT_POLICY_LEAVE_OUT: UnfitPolicy
UNFIT_POLICY_ENTER: UnfitPolicy

class ListBotsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[LobbyBot]
    def __init__(self, bots: _Optional[_Iterable[_Union[LobbyBot, _Mapping]]] = ...) -> None: ...

class LobbyBot(_message.Message):
    __slots__ = ("name", "version", "language", "games", "present", "free", "playing", "connected_at")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    FREE_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_AT_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    language: str
    games: _containers.RepeatedScalarFieldContainer[str]
    present: bool
    free: int
    playing: int
    connected_at: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., language: _Optional[str] = ..., games: _Optional[_Iterable[str]] = ..., present: _Optional[bool] = ..., free: _Optional[int] = ..., playing: _Optional[int] = ..., connected_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class KickBotRequest(_message.Message):
    __slots__ = ("bot", "reason")
    BOT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    bot: str
    reason: str
    def __init__(self, bot: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class KickBotResponse(_message.Message):
    __slots__ = ("kicked",)
    KICKED_FIELD_NUMBER: _ClassVar[int]
    kicked: bool
    def __init__(self, kicked: _Optional[bool] = ...) -> None: ...

class StartTournamentRequest(_message.Message):
    __slots__ = ("config_toml", "unfit")
    CONFIG_TOML_FIELD_NUMBER: _ClassVar[int]
    UNFIT_FIELD_NUMBER: _ClassVar[int]
    config_toml: str
    unfit: UnfitPolicy
    def __init__(self, config_toml: _Optional[str] = ..., unfit: _Optional[_Union[UnfitPolicy, str]] = ...) -> None: ...

class StartTournamentResponse(_message.Message):
    __slots__ = ("state", "resumed", "refused", "notes", "config_toml")
    STATE_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    CONFIG_TOML_FIELD_NUMBER: _ClassVar[int]
    state: _results_pb2.TournamentState
    resumed: bool
    refused: _containers.RepeatedCompositeFieldContainer[RefusedBot]
    notes: _containers.RepeatedScalarFieldContainer[str]
    config_toml: str
    def __init__(self, state: _Optional[_Union[_results_pb2.TournamentState, _Mapping]] = ..., resumed: _Optional[bool] = ..., refused: _Optional[_Iterable[_Union[RefusedBot, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ..., config_toml: _Optional[str] = ...) -> None: ...

class RefusedBot(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class FollowTournamentRequest(_message.Message):
    __slots__ = ("tournament", "after")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    after: int
    def __init__(self, tournament: _Optional[str] = ..., after: _Optional[int] = ...) -> None: ...

class FollowTournamentResponse(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[TournamentEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[TournamentEvent, _Mapping]]] = ...) -> None: ...

class TournamentEvent(_message.Message):
    __slots__ = ("number", "state", "ended", "fault", "voided", "standings")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    number: int
    state: _results_pb2.TournamentState
    ended: _results_pb2.MatchResult
    fault: MatchFault
    voided: VoidMatch
    standings: StandingsSoFar
    def __init__(self, number: _Optional[int] = ..., state: _Optional[_Union[_results_pb2.TournamentState, _Mapping]] = ..., ended: _Optional[_Union[_results_pb2.MatchResult, _Mapping]] = ..., fault: _Optional[_Union[MatchFault, _Mapping]] = ..., voided: _Optional[_Union[VoidMatch, _Mapping]] = ..., standings: _Optional[_Union[StandingsSoFar, _Mapping]] = ...) -> None: ...

class MatchFault(_message.Message):
    __slots__ = ("fixture", "fault")
    FIXTURE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    fixture: _results_pb2.Fixture
    fault: _results_pb2.RecordedFault
    def __init__(self, fixture: _Optional[_Union[_results_pb2.Fixture, _Mapping]] = ..., fault: _Optional[_Union[_results_pb2.RecordedFault, _Mapping]] = ...) -> None: ...

class VoidMatch(_message.Message):
    __slots__ = ("fixture", "reason")
    FIXTURE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    fixture: _results_pb2.Fixture
    reason: str
    def __init__(self, fixture: _Optional[_Union[_results_pb2.Fixture, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class StandingsSoFar(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[StandingSoFar]
    def __init__(self, bots: _Optional[_Iterable[_Union[StandingSoFar, _Mapping]]] = ...) -> None: ...

class StandingSoFar(_message.Message):
    __slots__ = ("name", "matches", "wins", "mean_rank", "mean_score")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    MEAN_RANK_FIELD_NUMBER: _ClassVar[int]
    MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    name: str
    matches: int
    wins: int
    mean_rank: float
    mean_score: float
    def __init__(self, name: _Optional[str] = ..., matches: _Optional[int] = ..., wins: _Optional[int] = ..., mean_rank: _Optional[float] = ..., mean_score: _Optional[float] = ...) -> None: ...

class StopTournamentRequest(_message.Message):
    __slots__ = ("tournament", "at_once")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    at_once: bool
    def __init__(self, tournament: _Optional[str] = ..., at_once: _Optional[bool] = ...) -> None: ...

class StopTournamentResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _results_pb2.TournamentState
    def __init__(self, state: _Optional[_Union[_results_pb2.TournamentState, _Mapping]] = ...) -> None: ...
