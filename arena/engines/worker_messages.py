"""What a worker and the arena that started it say to each other: JSON, each behind its length.

The arena says Open first, and goes on when it is answered Opened or Failed. It says goodbye by
closing the pipe. Whoever sends an answer repeats the number of the call it belongs to.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.referee.faults import FAULTS, Fault, SeatFault
from arena.storage.records import FixtureRecord, MatchReport, SeatTimes

LENGTH_BYTES = 4
READ_BYTES = 1 << 20  # how far a reader runs ahead; a replay is some ten thousand bytes
CLOSE_S = {"arena": 10.0, "inline": 0.2}
"""How long an engine may take to close. Bots have their grace; a match inline cannot be stopped."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open an engine for a tournament."""

    config: str  # the text of a tournament.toml
    base: str  # what the directories of bots are relative to
    engine: str  # arena or inline
    logs: str | None  # the directory for what bots print
    hidden: tuple[str, ...] = ()  # what no bot may see
    gallery: str | None = None  # the directory where its matches are watched
    organiser: str = ""  # the hash of the token that shows everything there
    number: int = 1  # of the worker


@dataclass(frozen=True, slots=True)
class Opened:
    """The engine is open."""

    version: str  # of the arena that the worker runs


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine cannot be opened; the worker ends."""

    reason: str
    is_input: bool  # whether a person must change what they wrote


@dataclass(frozen=True, slots=True)
class Preflight:
    """Start every bot once."""

    call: int


@dataclass(frozen=True, slots=True)
class Preflown:
    """Which bots can play, with their versions, and which cannot, with the reasons."""

    call: int
    entered: Mapping[str, str]
    refused: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlayMatch:
    """Play a match; `versions` are those of its bots, by name."""

    call: int
    fixture: FixtureRecord
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Faulted:
    """A fault in a running match, as it happens."""

    call: int
    fault: SeatFault


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match has been played to its end."""

    call: int
    report: MatchReport


@dataclass(frozen=True, slots=True)
class Voided:
    """A match could not be finished."""

    call: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReleaseMatches:
    """Let these matches be seen in full."""

    matches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abort:
    """Make all running matches void."""


Order: TypeAlias = Open | Preflight | PlayMatch | ReleaseMatches | Abort
Answer: TypeAlias = Opened | Failed | Preflown | Faulted | MatchPlayed | Voided


def encode(message: Order | Answer) -> bytes:
    """Return the message as it is sent, without its length."""
    return json.dumps([type(message).__name__, message], default=_fields).encode()


def decode(text: bytes) -> Order | Answer:
    """Return the message; both ends are of one version, so that it is never malformed."""
    name, fields = json.loads(text)
    return _READERS[name](fields)


def frame(text: bytes) -> bytes:
    """Return the text behind its length."""
    return len(text).to_bytes(LENGTH_BYTES, "big") + text


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """Return the next text, None when there will be no more."""
    try:
        length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
        return await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


def _fields(value: object) -> dict[str, Any] | str:
    if isinstance(value, Fault):
        return value.value
    names = [field.name for field in dataclasses.fields(value)]  # type: ignore[arg-type]
    return {name: getattr(value, name) for name in names}


def _read_play(fields: dict[str, Any]) -> PlayMatch:
    return PlayMatch(
        fields["call"], FixtureRecord(**_tuples(fields["fixture"])), fields["versions"]
    )


def _read_faulted(fields: dict[str, Any]) -> Faulted:
    return Faulted(fields["call"], _read_fault(fields["fault"]))


def _read_played(fields: dict[str, Any]) -> MatchPlayed:
    report = _tuples(fields["report"])
    report["forfeits"] = tuple(map(FAULTS.get, report["forfeits"]))
    report["faults"] = tuple(map(_read_fault, report["faults"]))
    report["times"] = tuple(SeatTimes(**times) for times in report["times"])
    return MatchPlayed(fields["call"], MatchReport(**report))


def _read_fault(fields: dict[str, Any]) -> SeatFault:
    return SeatFault(**fields | {"fault": Fault(fields["fault"])})


def _tuples(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
    }


_PLAIN: tuple[type[Order | Answer], ...] = (
    *(Open, Opened, Failed, Preflight, Preflown, Voided, ReleaseMatches, Abort),
)


def _plain_reader(kind: type[Order | Answer]) -> Callable[[dict[str, Any]], Order | Answer]:
    return lambda fields: kind(**_tuples(fields))


_READERS: dict[str, Callable[[dict[str, Any]], Order | Answer]] = {
    **{kind.__name__: _plain_reader(kind) for kind in _PLAIN},
    PlayMatch.__name__: _read_play,
    Faulted.__name__: _read_faulted,
    MatchPlayed.__name__: _read_played,
}
