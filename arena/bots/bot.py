"""What a built-in bot is: one object per seat and match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from arena.games.game import AnyGame, Move


class Bot(ABC):
    """Answers for one seat in one match.

    All its randomness comes from `rng`, so that the same seed plays the same moves; it keeps no
    memory between decisions that an observation would not give it.
    """

    name: ClassVar[str]
    version: ClassVar[str] = "1"

    def __init__(self, game: AnyGame, rng: Random) -> None:
        """Sit down to a match of `game`, its options settled."""
        self.game = game
        self.rng = rng

    @abstractmethod
    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return one of `legal_moves`."""


class RandomBot(Bot):
    """Any legal move, all equally likely."""

    name = "random"

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return a random legal move."""
        return legal_moves[int(self.rng.random() * len(legal_moves))]
