import datetime

from arena_client.v1 import play_pb2 as _play_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TournamentPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOURNAMENT_PHASE_UNSPECIFIED: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_PREPARING: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_RUNNING: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_STOPPING: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_COMPLETE: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_SETTLED: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_STOPPED: _ClassVar[TournamentPhase]
    TOURNAMENT_PHASE_FAILED: _ClassVar[TournamentPhase]
TOURNAMENT_PHASE_UNSPECIFIED: TournamentPhase
TOURNAMENT_PHASE_PREPARING: TournamentPhase
TOURNAMENT_PHASE_RUNNING: TournamentPhase
TOURNAMENT_PHASE_STOPPING: TournamentPhase
TOURNAMENT_PHASE_COMPLETE: TournamentPhase
TOURNAMENT_PHASE_SETTLED: TournamentPhase
TOURNAMENT_PHASE_STOPPED: TournamentPhase
TOURNAMENT_PHASE_FAILED: TournamentPhase

class ListTournamentsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListTournamentsResponse(_message.Message):
    __slots__ = ("tournaments",)
    TOURNAMENTS_FIELD_NUMBER: _ClassVar[int]
    tournaments: _containers.RepeatedCompositeFieldContainer[TournamentState]
    def __init__(self, tournaments: _Optional[_Iterable[_Union[TournamentState, _Mapping]]] = ...) -> None: ...

class GetTournamentRequest(_message.Message):
    __slots__ = ("tournament",)
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    def __init__(self, tournament: _Optional[str] = ...) -> None: ...

class GetTournamentResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: TournamentState
    def __init__(self, state: _Optional[_Union[TournamentState, _Mapping]] = ...) -> None: ...

class TournamentState(_message.Message):
    __slots__ = ("name", "game", "players", "bots", "phase", "reason", "played", "parked", "scheduled", "commitment", "created", "hides_names")
    NAME_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PARKED_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    HIDES_NAMES_FIELD_NUMBER: _ClassVar[int]
    name: str
    game: str
    players: int
    bots: _containers.RepeatedCompositeFieldContainer[TournamentBot]
    phase: TournamentPhase
    reason: str
    played: int
    parked: int
    scheduled: int
    commitment: str
    created: _timestamp_pb2.Timestamp
    hides_names: bool
    def __init__(self, name: _Optional[str] = ..., game: _Optional[str] = ..., players: _Optional[int] = ..., bots: _Optional[_Iterable[_Union[TournamentBot, _Mapping]]] = ..., phase: _Optional[_Union[TournamentPhase, str]] = ..., reason: _Optional[str] = ..., played: _Optional[int] = ..., parked: _Optional[int] = ..., scheduled: _Optional[int] = ..., commitment: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., hides_names: _Optional[bool] = ...) -> None: ...

class TournamentBot(_message.Message):
    __slots__ = ("name", "version", "group")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    group: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., group: _Optional[str] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("tournament", "with_page")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    WITH_PAGE_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    with_page: bool
    def __init__(self, tournament: _Optional[str] = ..., with_page: _Optional[bool] = ...) -> None: ...

class GetLeaderboardResponse(_message.Message):
    __slots__ = ("leaderboard_json", "complete", "bots", "page_html")
    LEADERBOARD_JSON_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    PAGE_HTML_FIELD_NUMBER: _ClassVar[int]
    leaderboard_json: str
    complete: bool
    bots: _containers.RepeatedCompositeFieldContainer[LeaderboardLine]
    page_html: str
    def __init__(self, leaderboard_json: _Optional[str] = ..., complete: _Optional[bool] = ..., bots: _Optional[_Iterable[_Union[LeaderboardLine, _Mapping]]] = ..., page_html: _Optional[str] = ...) -> None: ...

class LeaderboardLine(_message.Message):
    __slots__ = ("rank", "name", "version", "rating", "mu", "sigma", "matches", "wins", "mean_rank", "mean_score", "forfeits")
    RANK_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    MEAN_RANK_FIELD_NUMBER: _ClassVar[int]
    MEAN_SCORE_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    rank: int
    name: str
    version: str
    rating: float
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_rank: float
    mean_score: float
    forfeits: int
    def __init__(self, rank: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., rating: _Optional[float] = ..., mu: _Optional[float] = ..., sigma: _Optional[float] = ..., matches: _Optional[int] = ..., wins: _Optional[int] = ..., mean_rank: _Optional[float] = ..., mean_score: _Optional[float] = ..., forfeits: _Optional[int] = ...) -> None: ...

class ListResultsRequest(_message.Message):
    __slots__ = ("tournament", "start", "limit")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    start: int
    limit: int
    def __init__(self, tournament: _Optional[str] = ..., start: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ListResultsResponse(_message.Message):
    __slots__ = ("matches", "next_start")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_START_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchResult]
    next_start: int
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchResult, _Mapping]]] = ..., next_start: _Optional[int] = ...) -> None: ...

class Fixture(_message.Message):
    __slots__ = ("index", "match_id", "block", "round", "table", "deal", "seating", "bots")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    SEATING_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    index: int
    match_id: str
    block: int
    round: int
    table: int
    deal: int
    seating: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, index: _Optional[int] = ..., match_id: _Optional[str] = ..., block: _Optional[int] = ..., round: _Optional[int] = ..., table: _Optional[int] = ..., deal: _Optional[int] = ..., seating: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("fixture", "scores", "ranks", "forfeits", "released", "moves", "faults", "times")
    FIXTURE_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    RELEASED_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    fixture: Fixture
    scores: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    forfeits: _containers.RepeatedScalarFieldContainer[_play_pb2.Fault]
    released: bool
    moves: int
    faults: _containers.RepeatedCompositeFieldContainer[RecordedFault]
    times: _containers.RepeatedCompositeFieldContainer[SeatTimes]
    def __init__(self, fixture: _Optional[_Union[Fixture, _Mapping]] = ..., scores: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ..., forfeits: _Optional[_Iterable[_Union[_play_pb2.Fault, str]]] = ..., released: _Optional[bool] = ..., moves: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[RecordedFault, _Mapping]]] = ..., times: _Optional[_Iterable[_Union[SeatTimes, _Mapping]]] = ...) -> None: ...

class RecordedFault(_message.Message):
    __slots__ = ("seat", "move", "fault", "detail", "forfeited")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    move: int
    fault: _play_pb2.Fault
    detail: str
    forfeited: bool
    def __init__(self, seat: _Optional[int] = ..., move: _Optional[int] = ..., fault: _Optional[_Union[_play_pb2.Fault, str]] = ..., detail: _Optional[str] = ..., forfeited: _Optional[bool] = ...) -> None: ...

class SeatTimes(_message.Message):
    __slots__ = ("decisions", "used", "slowest", "delay")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    SLOWEST_FIELD_NUMBER: _ClassVar[int]
    DELAY_FIELD_NUMBER: _ClassVar[int]
    decisions: int
    used: _duration_pb2.Duration
    slowest: _duration_pb2.Duration
    delay: _duration_pb2.Duration
    def __init__(self, decisions: _Optional[int] = ..., used: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., slowest: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., delay: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class GetReplayRequest(_message.Message):
    __slots__ = ("tournament", "match_id")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    match_id: str
    def __init__(self, tournament: _Optional[str] = ..., match_id: _Optional[str] = ...) -> None: ...

class GetReplayResponse(_message.Message):
    __slots__ = ("replay",)
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    replay: str
    def __init__(self, replay: _Optional[str] = ...) -> None: ...

class GetLogRequest(_message.Message):
    __slots__ = ("tournament", "bot")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    bot: str
    def __init__(self, tournament: _Optional[str] = ..., bot: _Optional[str] = ...) -> None: ...

class GetLogResponse(_message.Message):
    __slots__ = ("log",)
    LOG_FIELD_NUMBER: _ClassVar[int]
    log: str
    def __init__(self, log: _Optional[str] = ...) -> None: ...

class ListChainRequest(_message.Message):
    __slots__ = ("tournament", "after", "limit")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    after: int
    limit: int
    def __init__(self, tournament: _Optional[str] = ..., after: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ListChainResponse(_message.Message):
    __slots__ = ("first_link", "links")
    FIRST_LINK_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    first_link: str
    links: _containers.RepeatedCompositeFieldContainer[ChainLink]
    def __init__(self, first_link: _Optional[str] = ..., links: _Optional[_Iterable[_Union[ChainLink, _Mapping]]] = ...) -> None: ...

class ChainLink(_message.Message):
    __slots__ = ("place", "match_id", "result", "replay", "link")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    REPLAY_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    place: int
    match_id: str
    result: str
    replay: str
    link: str
    def __init__(self, place: _Optional[int] = ..., match_id: _Optional[str] = ..., result: _Optional[str] = ..., replay: _Optional[str] = ..., link: _Optional[str] = ...) -> None: ...

class FetchResultsRequest(_message.Message):
    __slots__ = ("tournament", "max_replays")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MAX_REPLAYS_FIELD_NUMBER: _ClassVar[int]
    tournament: str
    max_replays: int
    def __init__(self, tournament: _Optional[str] = ..., max_replays: _Optional[int] = ...) -> None: ...

class FetchResultsResponse(_message.Message):
    __slots__ = ("chunks",)
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    chunks: _containers.RepeatedCompositeFieldContainer[FileChunk]
    def __init__(self, chunks: _Optional[_Iterable[_Union[FileChunk, _Mapping]]] = ...) -> None: ...

class FileChunk(_message.Message):
    __slots__ = ("name", "data", "last")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    name: str
    data: bytes
    last: bool
    def __init__(self, name: _Optional[str] = ..., data: _Optional[bytes] = ..., last: _Optional[bool] = ...) -> None: ...
