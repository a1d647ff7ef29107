"""Search under hidden information, for any game: try the candidate moves in sampled worlds.

A world is a complete state that looks the same to the searching seat. Every candidate that is left
is tried in the same worlds, so that the luck of a world is common to all and cancels out of the
differences between them: a few dozen worlds then tell moves apart that hundreds of independent
samples would not. A candidate that is clearly behind drops out, and the search ends early once one
is left. The first candidate is the move a plain bot would make; another must be ahead of it by more
than chance explains, so that a search too short to tell changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import TypeVar

from arena.errors import InputError

MoveT = TypeVar("MoveT")
WorldT = TypeVar("WorldT")

Clock = Callable[[], float]

CHECK_EVERY = 2  # worlds between two looks at who has fallen behind

MOST_ITERATIONS = 1_000_000
MOST_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one decision may cost: playouts, or seconds on the clock. Exactly one is set.

    Only a budget of iterations makes the same moves on every machine.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raise InputError unless exactly one limit is set and it makes sense."""
        if (self.iterations is None) == (self.seconds is None):
            raise InputError("a search takes either iterations or seconds")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise InputError(f"iterations must be 1 to {MOST_ITERATIONS}, not {self.iterations}")
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise InputError(f"seconds must be above 0 and at most {MOST_SECONDS:g}")


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure a search must be before it acts, in standard errors of the paired difference."""

    warm_up: int = 6  # worlds before anything is concluded
    drop: float = 2.0  # a candidate this far behind the best drops out
    switch: float = 1.0  # another candidate must be this far ahead of the first


USUAL_CONFIDENCE = Confidence()


@dataclass(slots=True)
class _Candidate:
    """A candidate and its values so far, one for each world."""

    place: int
    values: list[float] = field(default_factory=list)
    total: float = 0.0

    def add(self, value: float) -> None:
        self.values.append(value)
        self.total += value

    def lead_over(self, other: _Candidate) -> tuple[float, float]:
        """Return the mean of the paired differences and its standard error."""
        number = len(self.values)
        mean = (self.total - other.total) / number
        if number == 1:
            return mean, inf  # one world proves nothing
        square = sum([(a - b - mean) ** 2 for a, b in zip(self.values, other.values, strict=True)])
        return mean, sqrt(square / (number - 1) / number)


def search(
    candidates: Sequence[MoveT],
    sample: Callable[[], WorldT],
    play_out: Callable[[WorldT, MoveT], float],
    budget: Budget,
    *,
    confidence: Confidence = USUAL_CONFIDENCE,
    clock: Clock = time.monotonic,
) -> MoveT:
    """Return the candidate that does best on average over sampled worlds.

    `candidates[0]` is the move to fall back on. `sample` makes a world; `play_out` returns what the
    searching seat gets if it makes the move there, higher is better, and must leave the world as it
    was. One call of it is one iteration.
    """
    running = [_Candidate(place) for place in range(len(candidates))]
    left = _BudgetLeft(budget, clock)
    worlds = 0
    while len(running) > 1 and left.affords(len(running)):
        world = sample()
        for candidate in running:
            candidate.add(play_out(world, candidates[candidate.place]))
        worlds += 1
        if worlds >= confidence.warm_up and worlds % CHECK_EVERY == 0:
            running = _drop_losers(running, confidence.drop)
    return candidates[_winner(running, confidence.switch).place]


class _BudgetLeft:
    """What is left of a budget. The first world is always affordable."""

    def __init__(self, budget: Budget, clock: Clock) -> None:
        self._budget = budget
        self._clock = clock
        self._spent = 0
        self._started = self._last = clock() if budget.seconds is not None else 0.0
        self._longest_s = 0.0

    def affords(self, playouts: int) -> bool:
        """Return whether another world with that many playouts may begin, and count it as begun.

        With a clock, only if the time left is enough for the slowest world so far.
        """
        if self._budget.iterations is not None:
            self._spent += playouts
            return self._spent <= max(self._budget.iterations, playouts)
        assert self._budget.seconds is not None  # one of the two is set
        now = self._clock()
        self._longest_s = max(self._longest_s, now - self._last)
        self._last = now
        return now - self._started + self._longest_s < self._budget.seconds


def _drop_losers(running: Sequence[_Candidate], drop: float) -> list[_Candidate]:
    """Return who stays in; of candidates that did the same in every world only the first."""
    best = max(running, key=lambda candidate: candidate.total)
    staying = []
    for candidate in running:
        lead, error = best.lead_over(candidate)
        if candidate is best or lead < drop * error:
            staying.append(candidate)
    return staying


def _winner(running: Sequence[_Candidate], switch: float) -> _Candidate:
    """Return the best candidate, or the first one if it is left and not clearly behind."""
    if not running[0].values:
        return running[0]  # there was nothing to compare, or no time at all
    best = max(running, key=lambda candidate: candidate.total)
    first = running[0]
    if first.place != 0 or best is first:
        return best
    lead, error = best.lead_over(first)
    return best if lead > switch * error and lead > 0.0 else first
