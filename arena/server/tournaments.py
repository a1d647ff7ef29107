"""The seam between services and whoever runs the tournaments of an arena."""

from __future__ import annotations

import asyncio
import enum
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from arena.rating.leaderboard import Leaderboard
from arena.rating.tally import Standings
from arena.referee.faults import SeatFault
from arena.server.session import Session
from arena.storage.records import BotRecord, FixtureRecord, StoredMatch

_REMEMBERED = 2_000  # events of a tournament


class TournamentPhase(enum.Enum):
    """Where a tournament stands."""

    PREPARING = "preparing"
    RUNNING = "running"
    STOPPING = "stopping"
    COMPLETE = "complete"
    SETTLED = "settled"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_final(self) -> bool:
        """Whether nothing happens any more unless it is started again."""
        return self not in (
            TournamentPhase.PREPARING,
            TournamentPhase.RUNNING,
            TournamentPhase.STOPPING,
        )

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to play."""
        return self in (TournamentPhase.COMPLETE, TournamentPhase.SETTLED)


@dataclass(frozen=True, slots=True)
class TournamentState:
    """How far a tournament is."""

    name: str
    game: str
    players: int
    bots: tuple[BotRecord, ...]
    phase: TournamentPhase
    reason: str = ""
    played: int = 0
    parked: int = 0
    scheduled: int = 0
    commitment: str = ""
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """What is known when a tournament has been started."""

    state: TournamentState
    config: str  # without seed and salt
    is_resumed: bool
    refused: Mapping[str, str]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class MatchFault:
    """A seat has misbehaved."""

    fixture: FixtureRecord
    fault: SeatFault


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """A match could not be finished."""

    fixture: FixtureRecord
    reason: str


Event: TypeAlias = TournamentState | StoredMatch | MatchFault | VoidMatch | Standings
"""A stored match: it has just ended."""


class Journal:
    """What has happened in a tournament, numbered; so much of it as is remembered.

    Followers read it at their own pace: nobody waits for one, and one that was too slow, or has
    just come, is told how things stand and goes on from there.
    """

    def __init__(self, state: Callable[[], TournamentState]) -> None:
        """Start empty; `state` tells how things stand."""
        self._state = state
        self._events: deque[Event] = deque(maxlen=_REMEMBERED)
        # Larger than any number of an earlier process: a follower may come back with one of those.
        self._last = time.time_ns() // 1000
        self._changed = asyncio.Event()
        self.is_over = False

    def add(self, event: Event) -> None:
        """Note an event."""
        self._events.append(event)
        self._last += 1
        self._wake()

    def close(self) -> None:
        """Say that nothing more will happen."""
        self.is_over = True
        self._wake()

    def read(self, after: int, limit: int) -> list[tuple[int, Event]]:
        """Return the events behind a number, up to so many; if they are forgotten, the state."""
        first = self._last - len(self._events) + 1
        if not first - 1 <= after <= self._last:
            return [(self._last, self._state())]
        stop = min(self._last, after + limit)
        return [(number, self._events[number - first]) for number in range(after + 1, stop + 1)]

    def change(self) -> Coroutine[Any, Any, object]:
        """Return what waits, from this call on, until there is something new."""
        return self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Some matches in canonical order, each with whether it may be shown in full."""

    matches: Sequence[tuple[StoredMatch, bool]]
    shows_names: bool  # to the bots that play
    next_start: int | None


class Files(Protocol):
    """The files of a results directory, being read. Blocking; to be closed."""

    def read(self) -> Sequence[tuple[str, bytes, bool]]:
        """Return the next pieces: name, content, whether it is the last. Empty: that was all."""
        ...

    def close(self) -> None:
        """Let them go."""
        ...


class Organiser(Protocol):
    """Runs tournaments."""

    def sessions(self) -> Sequence[Session]:
        """Return the bots in the lobby."""
        ...

    async def start(self, config: str, unfit: str) -> Started:
        """Begin or go on with a tournament; returns before the first match. Raises ArenaError."""
        ...

    async def stop(self, name: str, *, at_once: bool) -> TournamentState:
        """End a run; raises UnknownTournamentError."""
        ...

    async def follow(self, name: str) -> Journal:
        """Return what happens in a tournament; raises UnknownTournamentError."""
        ...

    @property
    def is_stopping(self) -> bool:
        """Whether the arena is about to end."""
        ...


class ResultsReader(Protocol):
    """Keeps the results of tournaments. All but `states` raise UnknownTournamentError."""

    async def states(self) -> Sequence[TournamentState]:
        """Return all tournaments: those that run, then the others, each newest first."""
        ...

    async def state(self, name: str) -> TournamentState:
        """Return how far a tournament is."""
        ...

    async def leaderboard(self, name: str) -> tuple[str, Leaderboard]:
        """Return the file leaderboard.json and what it says; raises UnreleasedError."""
        ...

    async def results(self, name: str, start: int, limit: int) -> ResultsPage:
        """Return the matches with a result at these places of the canonical order."""
        ...

    async def replay(self, name: str, match: str) -> str:
        """Return a replay; raises UnreleasedError while its deal is a secret."""
        ...

    async def files(self, name: str, max_replays: int | None, *, is_admin: bool) -> Files:
        """Return the files to send; raises ForbiddenError for others while it is not complete."""
        ...
