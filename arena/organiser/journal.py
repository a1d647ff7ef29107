"""How a tournament of a server stands, and what has happened in it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from arena.rating.tally import Standings
from arena.referee.faults import SeatFault
from arena.results.messages import TournamentPhase
from arena.storage.records import BotRecord, FixtureRecord, StoredMatch

_REMEMBERED = 2_000  # events of a tournament


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
    hides_names: bool = False  # bots are not told who plays


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
