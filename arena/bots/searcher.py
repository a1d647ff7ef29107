"""What the searchers of all games have in common: a budget, and a clock to spend it by."""

from __future__ import annotations

import time
from random import Random
from typing import ClassVar

from arena.bots.bot import Bot
from arena.bots.search import Budget, Clock
from arena.games.game import AnyGame


class Searcher(Bot):
    """A bot that searches within a budget for each decision."""

    name = "searcher"
    default_budget: ClassVar[Budget]

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        budget: Budget | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Sit down with a budget, the game's usual one if none is given."""
        super().__init__(game, rng)
        self.budget = budget or self.default_budget
        self.clock = clock
