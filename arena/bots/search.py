"""Search under hidden information, for any game: race the candidate moves over sampled worlds.

A world is a complete state that looks the same to the searching seat. Every candidate still in the
race is tried in the same worlds, so that the luck of a world is common to all and cancels out of
the differences between them: a few dozen worlds then tell moves apart that hundreds of independent
samples would not. A candidate that is clearly behind drops out, and the race ends early once one is
left. The first candidate is the move a plain bot would make; another must be ahead of it by more
than chance explains, so that a search too short to tell changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeVar

from arena.errors import InputError

MoveT = TypeVar("MoveT")
WorldT = TypeVar("WorldT")

Clock = Callable[[], float]

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
class Race:
    """How sure the race must be before it acts, in standard errors of the paired difference."""

    warm_up: int = 6  # worlds before anything is concluded
    drop: float = 2.0  # a candidate this far behind the best drops out
    switch: float = 1.0  # another candidate must be this far ahead of the first


@dataclass(slots=True)
class _Runner:
    """A candidate and its values so far, one for each world."""

    place: int
    values: list[float] = field(default_factory=list)
    total: float = 0.0

    def add(self, value: float) -> None:
        self.values.append(value)
        self.total += value

    def lead_over(self, other: _Runner) -> tuple[float, float]:
        """Return the mean of the paired differences and its standard error."""
        number = len(self.values)
        mean = (self.total - other.total) / number
        square = sum(
            [(a - b - mean) ** 2 for a, b in zip(self.values, other.values, strict=True)]
        )
        return mean, sqrt(square / max(1, number - 1) / number)


def search(
    candidates: Sequence[MoveT],
    sample: Callable[[], WorldT],
    play_out: Callable[[WorldT, MoveT], float],
    budget: Budget,
    *,
    race: Race = Race(),  # noqa: B008 - frozen
    clock: Clock = time.monotonic,
) -> MoveT:
    """Return the candidate that does best on average over sampled worlds.

    `candidates[0]` is the move to fall back on. `sample` makes a world; `play_out` returns what the
    searching seat gets if it makes the move there, higher is better, and must leave the world as it
    was. One call of it is one iteration.
    """
    running = [_Runner(place) for place in range(len(candidates))]
    if len(running) == 1:
        return candidates[0]
    started = clock()
    spent = worlds = 0
    longest = 0.0  # the most a world has cost: another is begun only if there is time for it
    while True:
        if budget.iterations is not None:
            if spent and spent + len(running) > budget.iterations:
                break
        elif budget.seconds is not None:
            before = clock()
            if worlds and before - started + longest > budget.seconds:
                break
        world = sample()
        for runner in running:
            runner.add(play_out(world, candidates[runner.place]))
        spent += len(running)
        worlds += 1
        if budget.seconds is not None:
            longest = max(longest, clock() - before)
        if worlds >= race.warm_up and worlds % 2 == 0:
            running = _drop_losers(running, race.drop)
            if len(running) == 1:
                break
    return candidates[_winner(running, race.switch).place]


def _drop_losers(running: list[_Runner], drop: float) -> list[_Runner]:
    best = max(running, key=lambda runner: runner.total)
    staying = []
    for runner in running:
        lead, error = best.lead_over(runner)
        if runner is best or lead <= drop * error:
            staying.append(runner)
    return staying


def _winner(running: Sequence[_Runner], switch: float) -> _Runner:
    """Return the best runner, or the first candidate if it is still in and not clearly behind."""
    best = max(running, key=lambda runner: runner.total)
    first = running[0]
    if first.place != 0 or best is first:
        return best
    lead, error = best.lead_over(first)
    return best if lead > switch * error and lead > 0.0 else first
