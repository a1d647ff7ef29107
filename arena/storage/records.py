"""What is stored of a tournament, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.games.game import Json
from arena.referee.faults import Forfeits, SeatFault


def read_moment(stamp: str | None) -> datetime | None:
    """Return the wall time that a record names, None if it names none."""
    try:
        return None if stamp is None else datetime.fromisoformat(stamp)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class BotRecord:
    """An entrant as the tournament knows it."""

    name: str
    version: str = ""
    group: str = ""  # bots of one group do not meet unless asked; "": none


@dataclass(frozen=True, slots=True)
class TournamentRecord:
    """A tournament as it was settled before its first match. Never changes afterwards."""

    name: str
    config: str  # the resolved tournament.toml
    game: str
    options: Mapping[str, Json]  # those that differ from the default, with their content
    players: int  # seats at a table
    seed: bytes  # the master seed
    seed_text: str  # what makes it again: `--seed` as given, or hex:…
    salt: bytes  # of the commitment SHA-256(salt ‖ seed)
    bots: tuple[BotRecord, ...]  # in the order they were entered
    created: str  # wall time, ISO 8601 with its zone


@dataclass(frozen=True, slots=True)
class FixtureRecord:
    """One planned match of the schedule."""

    index: int  # its place in the canonical order, from 0
    match: str  # its id, "BLOCK-SEATING": 17-3
    block: int  # from 1: one deal at one table in all its seatings
    round: int  # from 1: every table plays one block in a round
    table: int  # from 1: which set of bots
    deal: int  # from 1; the seed of the deal is made from the master seed and this
    seating: int  # from 0: which of the block's seatings
    bots: tuple[str, ...]  # names by seat


@dataclass(frozen=True, slots=True)
class SeatTimes:
    """How long a seat thought."""

    decisions: int
    used_s: float
    slowest_s: float
    delay_s: float  # the arena's own


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How a match ended.

    Everything but `times`, `isolation` and the `ms` of the replay is reproducible.
    """

    match: str
    scores: tuple[int, ...]  # by seat
    ranks: tuple[int, ...]  # by seat, 1 is best, ties share one
    forfeits: Forfeits
    faults: tuple[SeatFault, ...]
    times: tuple[SeatTimes, ...]  # by seat
    moves: int
    replay: str  # the text of the replay file; "" where it was left out
    isolation: str = ""  # the weakest level among its bots that were started; "": none was


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A fixture with its result."""

    fixture: FixtureRecord
    report: MatchReport  # its replay is left out: ask the store for it


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One try at a match. A void one has a reason; a running one has not ended."""

    match: str
    number: int  # from 1
    owner: str  # the arena that played it
    started: str  # wall time, ISO 8601 with its zone
    ended: str | None = None
    void_reason: str | None = None
    isolation: str = ""  # as the report has it


@dataclass(frozen=True, slots=True)
class Claim:
    """A match that an arena has taken upon itself to play."""

    fixture: FixtureRecord
    attempt: int  # from 1


@dataclass(frozen=True, slots=True)
class StoreProgress:
    """How far a tournament is."""

    fixtures: int
    results: int
    parked: int  # given up after too many void attempts
    claimed: int  # under a live lease, anybody's

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.results + self.parked >= self.fixtures
