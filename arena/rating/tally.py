"""How the bots of a running tournament stand: plain means, kept as matches end."""

from __future__ import annotations

from dataclasses import dataclass

from arena.server.tournaments import Standings, StandingSoFar
from arena.storage.records import StoredMatch


@dataclass(slots=True)
class _Sums:
    matches: int = 0
    wins: int = 0
    ranks: int = 0
    scores: int = 0


class Tally:
    """Counts matches."""

    def __init__(self) -> None:
        """Start without any."""
        self.matches = 0
        self._sums: dict[str, _Sums] = {}

    def add(self, match: StoredMatch) -> None:
        """Count a match."""
        self.matches += 1
        report = match.report
        for bot, rank, score in zip(match.fixture.bots, report.ranks, report.scores, strict=True):
            sums = self._sums.setdefault(bot, _Sums())
            sums.matches += 1
            sums.wins += rank == 1
            sums.ranks += rank
            sums.scores += score

    def standings(self) -> Standings:
        """Return how the bots stand, the best mean rank first."""
        standings = [
            StandingSoFar(
                name,
                sums.matches,
                sums.wins,
                round(sums.ranks / sums.matches, 4),
                round(sums.scores / sums.matches, 4),
            )
            for name, sums in self._sums.items()
        ]
        return tuple(sorted(standings, key=lambda bot: (bot.mean_rank, -bot.mean_score, bot.name)))
