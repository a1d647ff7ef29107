"""The file `timing.json`: everything about a tournament that is not reproducible.

    {"format":"arena-timing/1","arena":"…","tournament":"…","created":"…","complete":true,
     "commitment":"…","seed":"…","salt":"…",
     "bots":{"NAME":[decisions,mean ms,slowest ms,the arena's delay in ms]},
     "void":[["MATCH",attempt,"reason"]],
     "digests":{"matches.jsonl":"SHA-256"},
     "replays":["MATCH"],
     "isolation":{"LEVEL":matches},
     "matches":{"MATCH":[attempts,started,ended,[[decisions,ms,slowest ms,delay ms],…]]}}

`started` and `ended` count seconds from `created`; the last list goes by seat. Seed (hexadecimal)
and salt are null until the tournament is complete. `replays` are those that the page links to; how
many are written may differ each time. `isolation` counts matches by the weakest level at which a
bot of theirs was started.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena import __version__
from arena.errors import FormatError, ReplayError, ResultsError
from arena.games.fields import read_int, read_list, read_object, read_text
from arena.rating.leaderboard import BotTiming
from arena.referee.replay import read_line
from arena.schedule.deals import commitment
from arena.storage.records import (
    AttemptRecord,
    SeatTimes,
    StoredMatch,
    TournamentRecord,
    read_moment,
)

TIMING_FILE = "timing.json"
FORMAT = "arena-timing/1"

_FIELDS = (
    "format",
    "arena",
    "tournament",
    "created",
    "complete",
    "commitment",
    "seed",
    "salt",
    "bots",
    "void",
    "digests",
    "matches",
)
_LATER = ("replays", "isolation")  # files written before it was there are read as well

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class MatchTiming:
    """When a match was played, and how long the seats thought."""

    attempts: int
    started_s: float | None  # since the tournament was created; None: not known
    ended_s: float | None
    seats: tuple[SeatTimes, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """A timing file, read."""

    arena: str
    tournament: str
    created: str
    is_complete: bool
    commitment: str
    seed: str | None
    salt: str | None
    bots: tuple[BotTiming, ...]
    void: tuple[tuple[str, int, str], ...]
    digests: Mapping[str, str]
    matches: Mapping[str, MatchTiming]
    replays: tuple[str, ...] = ()
    isolation: Mapping[str, int] = field(default_factory=dict)

    @property
    def ended_s(self) -> float | None:
        """When the last match ended, in seconds since the tournament was created."""
        ends = (match.ended_s for match in self.matches.values())
        return max((end for end in ends if end is not None), default=None)


def digest(content: bytes) -> str:
    """Return what stands for a file's content in `digests`."""
    return hashlib.sha256(content).hexdigest()


def write_timing(
    tournament: TournamentRecord,
    matches: Sequence[StoredMatch],
    attempts: Iterable[AttemptRecord],
    bots: Sequence[BotTiming],
    digests: Mapping[str, str],
    replays: Sequence[str],
    *,
    is_complete: bool,
) -> str:
    """Return the text of the file; while the tournament is not complete without its secrets."""
    created = _seconds(tournament.created) or 0.0
    tries: dict[str, AttemptRecord] = {}
    void = []
    for attempt in attempts:
        tries[attempt.match] = attempt
        if attempt.void_reason is not None:
            void.append([attempt.match, attempt.number, attempt.void_reason])
    head = {
        "format": FORMAT,
        "arena": __version__,
        "tournament": tournament.name,
        "created": tournament.created,
        "complete": is_complete,
        "commitment": commitment(tournament.seed, tournament.salt),
        "seed": tournament.seed.hex() if is_complete else None,
        "salt": tournament.salt.hex() if is_complete else None,
    }
    lines = [f"{_encode(name)}:{_encode(value)}" for name, value in head.items()]
    lines.append('"bots":{' + ",\n".join(_bot_text(bot) for bot in bots) + "}")
    lines.append('"void":[' + ",\n".join(map(_encode, void)) + "]")
    lines.append(f'"digests":{_encode(dict(digests))}')
    lines.append(f'"replays":{_encode(replays)}')
    lines.append(f'"isolation":{_encode(isolation_of(tries.values()))}')
    told = (_match_text(match, tries.get(match.fixture.match), created) for match in matches)
    lines.append('"matches":{' + ",\n".join(told) + "}")
    return "{" + ",\n".join(lines) + "}\n"


def isolation_of(attempts: Iterable[AttemptRecord]) -> dict[str, int]:
    """Return how many matches were played at each level; each match's attempts in their order."""
    last = {attempt.match: attempt.isolation for attempt in attempts}
    return dict(sorted(Counter(level for level in last.values() if level).items()))


def _bot_text(bot: BotTiming) -> str:
    values = [bot.decisions, bot.mean_ms, bot.slowest_ms, bot.delay_ms]
    return f"{_encode(bot.name)}:{_encode(values)}"


def _match_text(match: StoredMatch, attempt: AttemptRecord | None, created: float) -> str:
    # By hand, rounded: there may be 100,000 of them.
    seats = ",".join(
        f"[{times.decisions},{times.used_s * 1000:.3f},"
        f"{times.slowest_s * 1000:.3f},{times.delay_s * 1000:.3f}]"
        for times in match.report.times
    )
    number, when = 1, "null,null"
    if attempt is not None:
        number = attempt.number
        moments = (_seconds(attempt.started), _seconds(attempt.ended))
        when = ",".join("null" if at is None else f"{at - created:.3f}" for at in moments)
    return f"{_encode(match.fixture.match)}:[{number},{when},[{seats}]]"


def last_end_s(
    tournament: TournamentRecord, matches: Sequence[StoredMatch], attempts: Iterable[AttemptRecord]
) -> float | None:
    """Return what `Timing.ended_s` will be when the file is read."""
    created = _seconds(tournament.created) or 0.0
    ended = {attempt.match: attempt.ended for attempt in attempts}
    ends = (_seconds(ended.get(match.fixture.match)) for match in matches)
    return max((round(end - created, 3) for end in ends if end is not None), default=None)


def _seconds(stamp: str | None) -> float | None:
    moment = read_moment(stamp)
    return None if moment is None else moment.timestamp()


def read_timing(data: bytes, path: Path) -> Timing:
    """Return what a file says; raises ResultsError that names it."""
    try:
        # One object over several lines; what is strict about replays is strict here.
        return _read(read_line(1, data))
    except ReplayError as error:
        raise ResultsError(path, error.reason) from None
    except FormatError as error:
        raise ResultsError(path, str(error)) from None


def _read(value: dict[str, object]) -> Timing:
    fields = read_object(value, "the file", _FIELDS, _LATER)
    if fields["format"] != FORMAT:
        raise FormatError(f"format must be {FORMAT!r}, not {fields['format']!r}")
    if not isinstance(fields["complete"], bool):
        raise FormatError("complete must be true or false")
    seed, salt = (
        None if fields[name] is None else read_text(fields[name], name) for name in ("seed", "salt")
    )
    return Timing(
        arena=read_text(fields["arena"], "arena"),
        tournament=read_text(fields["tournament"], "tournament"),
        created=read_text(fields["created"], "created"),
        is_complete=fields["complete"],
        commitment=read_text(fields["commitment"], "commitment"),
        seed=seed,
        salt=salt,
        bots=tuple(
            BotTiming(bot, *_read_times(times, f"bots.{bot}"))
            for bot, times in _read_map(fields, "bots").items()
        ),
        void=tuple(map(_read_void, read_list(fields["void"], "void"))),
        digests={
            file: read_text(made, f"digests.{file}")
            for file, made in _read_map(fields, "digests").items()
        },
        matches={
            match: _read_match(timing, f"matches.{match}")
            for match, timing in _read_map(fields, "matches").items()
        },
        replays=tuple(
            read_text(match, "replays") for match in read_list(fields.get("replays", []), "replays")
        ),
        isolation={
            level: read_int(count, f"isolation.{level}")
            for level, count in _read_map({"isolation": {}, **fields}, "isolation").items()
        },
    )


def _read_map(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = fields[name]
    if not isinstance(value, dict):
        raise FormatError(f"{name} must be an object")
    return value


def _read_void(value: object) -> tuple[str, int, str]:
    entry = read_list(value, "void")
    if len(entry) != 3:
        raise FormatError("void must list match, attempt and reason")
    return read_text(entry[0], "void"), read_int(entry[1], "void"), read_text(entry[2], "void")


def _read_match(value: object, what: str) -> MatchTiming:
    entry = read_list(value, what)
    if len(entry) != 4:
        raise FormatError(f"{what} must list attempts, start, end and seats")
    started, ended = (
        None if moment is None else _read_number(moment, what) for moment in entry[1:3]
    )
    seats = []
    for seat in read_list(entry[3], what):
        decisions, used, slowest, delay = _read_times(seat, what)
        seats.append(SeatTimes(decisions, used / 1000, slowest / 1000, delay / 1000))
    return MatchTiming(read_int(entry[0], what), started, ended, tuple(seats))


def _read_times(value: object, what: str) -> tuple[int, float, float, float]:
    entry = read_list(value, what)
    if len(entry) != 4:
        raise FormatError(f"{what} must list decisions and three times")
    used, slowest, delay = (_read_number(time, what) for time in entry[1:])
    return read_int(entry[0], what), used, slowest, delay


def _read_number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{what} must list numbers")
    return float(value)
