"""Rating models: from the outcomes of matches, one after the other, to a rating of each bot."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from arena.errors import InputError

State: TypeAlias = tuple[float, ...]
"""All that a model knows of one bot; what it means is the model's business."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How good a bot is believed to be."""

    mu: float
    sigma: float
    rating: float  # what the leaderboard is ordered by


class RatingModel(Protocol):
    """Learns from one match at a time. Without memory: all it knows is in the states."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def draw_probability(self) -> float | None:
        """The probability of ties it was made for; None if it needs none."""
        ...

    def start(self) -> State:
        """Return what is known of a bot without a match."""
        ...

    def rate(
        self, states: Sequence[State], ranks: Sequence[int], scores: Sequence[int]
    ) -> list[State]:
        """Return the states after a match, all three by seat; 1 is the best rank, ties share."""
        ...

    def rating(self, state: State) -> Rating:
        """Return the rating of a bot in that state."""
        ...


class OpenSkillModel:
    """A model of the `openskill` package. A state is mu and sigma."""

    draw_probability = None

    def __init__(self, name: str, kind: str) -> None:
        try:
            package = importlib.import_module("openskill.models")
        except ImportError:
            raise InputError(
                f"the rating model {name} needs the package openskill;"
                " install it with: pip install 'arena-server[openskill]'"
            ) from None
        self.name = name
        self._model: Any = getattr(package, kind)(tau=0.0)

    def start(self) -> State:
        return self._model.mu, self._model.sigma

    def rate(
        self, states: Sequence[State], ranks: Sequence[int], scores: Sequence[int]
    ) -> list[State]:
        teams = [[self._model.rating(mu=mu, sigma=sigma)] for mu, sigma in states]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in ranks])
        return [(bot.mu, bot.sigma) for (bot,) in rated]

    def rating(self, state: State) -> Rating:
        mu, sigma = state
        return Rating(mu, sigma, mu - 3 * sigma)


class ScoreModel:
    """The mean score. A state is the number of matches, the sum of scores and that of squares."""

    name = "score"
    draw_probability = None

    def start(self) -> State:
        return 0, 0, 0

    def rate(
        self, states: Sequence[State], ranks: Sequence[int], scores: Sequence[int]
    ) -> list[State]:
        return [
            (count + 1, total + score, squares + score * score)
            for (count, total, squares), score in zip(states, scores, strict=True)
        ]

    def rating(self, state: State) -> Rating:
        count, total, squares = state
        if not count:
            return Rating(0.0, 0.0, 0.0)
        mean = total / count
        if count == 1:
            return Rating(mean, 0.0, mean)
        # Integers until here, so that nothing is lost in the difference of large numbers.
        variance = (squares * count - total * total) / (count * (count - 1))
        return Rating(mean, math.sqrt(variance / count), mean)
