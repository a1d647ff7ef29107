"""The seam between a tournament and whoever plays its matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

from arena.referee.faults import SeatFault
from arena.storage.records import FixtureRecord, MatchReport


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot that passed the check before play."""

    version: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A bot that cannot play, and why, in words for its author."""

    reason: str


@dataclass(frozen=True, slots=True)
class Void:
    """A match that the arena could not finish; it counts for nobody and is played again."""

    reason: str


Verdict: TypeAlias = Entered | Refused
OnFault: TypeAlias = Callable[[FixtureRecord, SeatFault], None]


class Engine(Protocol):
    """Plays matches. An async context manager: what it has started is gone when it is left.

    Matches may be played side by side, in any number; the caller keeps to `-j`.
    """

    addresses: Sequence[str]
    """Where bots may dial in once it is open; none if it does not listen."""

    async def __aenter__(self) -> Self:
        """Open; raises InputError for what a person must change."""
        ...

    async def __aexit__(self, *_error: object) -> None:
        """End every process and close every socket."""
        ...

    async def preflight(self) -> Mapping[str, Verdict]:
        """Start every bot once and return by name whether it can play."""
        ...

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        """Play one match to its end. `versions` are those of the bots, by name.

        Never raises for what bots do; what fails on the arena's own side is a void match.
        """
        ...

    def release(self, matches: Sequence[str]) -> None:
        """Let these matches be seen in full: every match on their deal has been played."""
        ...

    def abort(self) -> None:
        """Make all running matches void, now."""
        ...
