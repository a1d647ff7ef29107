"""Who is told how a tournament goes on."""

from __future__ import annotations

from typing import Protocol

from arena.referee.faults import SeatFault
from arena.storage.records import FixtureRecord, MatchReport


class Watcher(Protocol):
    """Is told, on the loop, what happens; must not block or raise."""

    def begun(self, done: int, total: int) -> None:
        """Play begins; so many matches have been played already."""
        ...

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has ended and its result is stored."""
        ...

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        """A seat has misbehaved."""
        ...

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished and will be played again, or is parked."""
        ...

    def waiting(self, matches: int) -> None:
        """So many matches are still being played by other arenas."""
        ...


class Unwatched:
    """Nobody is told."""

    def begun(self, done: int, total: int) -> None:
        """Ignore it."""

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """Ignore it."""

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        """Ignore it."""

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """Ignore it."""

    def waiting(self, matches: int) -> None:
        """Ignore it."""
