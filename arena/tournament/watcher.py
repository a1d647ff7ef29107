"""Who is told how a tournament goes on."""

from __future__ import annotations

from arena.referee.faults import SeatFault
from arena.storage.records import FixtureRecord, MatchReport


class Watcher:
    """Is told, on the loop, what happens; must not block or raise. This one ignores it."""

    def begun(self, done: int, total: int) -> None:
        """Play begins; so many matches have been played already."""

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has ended and its result is stored."""

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        """A seat has misbehaved."""

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished and will be played again, unless it is parked."""

    def parked(self, fixture: FixtureRecord) -> None:
        """A match was given up after its last attempt."""

    def waiting(self, matches: int) -> None:
        """So many matches are still being played by other arenas."""
