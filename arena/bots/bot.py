"""What a built-in bot is: one object per seat and match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
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

    def choose(self, count: int, read: Callable[[], tuple[Any, Sequence[Move]]]) -> int:
        """Return the place of what `decide` would return, of so many legal moves.

        `read` gives observation and legal moves, where they have yet to be read from a message.
        """
        observation, legal_moves = read()
        return legal_moves.index(self.decide(observation, legal_moves))


class RandomBot(Bot):
    """Any legal move, all equally likely."""

    name = "random"

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return a random legal move."""
        return legal_moves[self._draw(len(legal_moves))]

    def choose(self, count: int, read: Callable[[], tuple[Any, Sequence[Move]]]) -> int:
        """Return a random place; nothing is read."""
        return self._draw(count)

    def _draw(self, count: int) -> int:
        return int(self.rng.random() * count)
