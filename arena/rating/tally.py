"""How bots stand while matches are still played: plain sums, kept as matches end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class StandingSoFar:
    """How a bot stands."""

    name: str
    matches: int = 0
    wins: int = 0
    ranks: int = 0  # their sum
    scores: int = 0  # likewise

    @property
    def mean_rank(self) -> float:
        """The mean rank; there must be a match."""
        return self.ranks / self.matches

    @property
    def mean_score(self) -> float:
        """The mean score; likewise."""
        return self.scores / self.matches


Standings: TypeAlias = tuple[StandingSoFar, ...]


class Tally:
    """Counts matches."""

    def __init__(self) -> None:
        """Start without any."""
        self.matches = 0
        self.bots: dict[str, StandingSoFar] = {}

    def add(self, bots: Sequence[str], ranks: Sequence[int], scores: Sequence[int]) -> None:
        """Count a match; all three by seat."""
        self.matches += 1
        for bot, rank, score in zip(bots, ranks, scores, strict=True):
            sums = self.bots.get(bot, StandingSoFar(bot))
            self.bots[bot] = StandingSoFar(
                bot,
                sums.matches + 1,
                sums.wins + (rank == 1),
                sums.ranks + rank,
                sums.scores + score,
            )

    def standings(self) -> Standings:
        """Return how the bots stand, the best mean rank first."""
        order = sorted(
            self.bots.values(), key=lambda bot: (bot.mean_rank, -bot.mean_score, bot.name)
        )
        return tuple(order)
