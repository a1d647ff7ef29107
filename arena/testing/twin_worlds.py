"""Two worlds that look the same to one watcher: a match planned in both, move by move.

The first world is a match of random moves. The second starts with everything dealt anew that the
watcher (a seat, or None for the public) cannot see, now and then the piles too, and goes on with
moves that look the same; a move whose content is secret has another content there. Where no such
move exists, or where a pile or chance rightly shows the watcher something else, the second world is
dealt anew from the first one.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.game import AnyGame, AnyState, Event, Move, Seat
from arena.testing.trial import MOST_DECISIONS, Trial, seen_events

MAX_FAULTS = 3
"""By this fault a seat forfeits in a planned match."""

FIRST, SECOND = range(2)
"""The worlds, by place."""

_REDEALS = 4  # tries, before a step is made without a difference
_ONE_FAULT_IN = 16  # decisions


class Conduct(enum.Enum):
    """What the bot in a seat does when it is asked. All but the first are faults."""

    MOVE = "move"
    ILLEGAL = "illegal"
    INCOMPLETE = "incomplete"
    TIMEOUT = "timeout"
    LEAVE = "leave"


_FAULTS: tuple[Conduct, ...] = (Conduct.ILLEGAL, Conduct.INCOMPLETE, Conduct.TIMEOUT)


@dataclass(frozen=True, slots=True)
class TwinStep:
    """One move of the match, in both worlds."""

    conduct: Conduct
    moves: tuple[Move, Move]  # by world
    redealt: AnyState | None  # what the second world becomes before the move; None: it stays
    differs: bool  # whether a hidden hand is another one in the second world


@dataclass(frozen=True, slots=True)
class TwinMatch:
    """A whole match for one watcher."""

    trial: Trial
    watcher: Seat | None
    start: AnyState  # of the first world
    steps: Sequence[TwinStep]

    @property
    def differing(self) -> int:
        """How many moves were made while hidden hands differed."""
        return sum(step.differs for step in self.steps)

    def game_in(self, world: int) -> WorldGame:
        """Return the game with the match of one world dealt; for a single match."""
        swaps = {} if world == FIRST else _swaps(self.steps)
        return WorldGame(self.trial.game, WorldState(self.start.copy(), swaps))


def plan_twins(trial: Trial, watcher: Seat | None, redeal_every: int | None = None) -> TwinMatch:
    """Plan a match; the second world is dealt anew at the start and before every so many moves."""
    return _Planner(trial, watcher, redeal_every or MOST_DECISIONS).plan()


class WorldState:
    """A state that is exchanged for another one before certain moves; else the state itself."""

    def __init__(self, state: AnyState, swaps: Mapping[int, AnyState]) -> None:
        """Take the state to begin with, and the others by how many moves are made before."""
        self._swaps = swaps
        self._made = 0
        self.inner = state
        self._swap()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def apply(self, move: Move) -> Sequence[Event]:
        """Make the move, then become another state if that is planned."""
        events = self.inner.apply(move)
        self._made += 1
        self._swap()
        return events

    def _swap(self) -> None:
        if self._made in self._swaps:
            self.inner = self._swaps[self._made].copy()


class WorldGame:
    """A game whose next match starts as planned, whatever its seed; equal to the game itself."""

    def __init__(self, game: AnyGame, state: WorldState) -> None:
        """Have the match dealt."""
        self._game = game
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def __eq__(self, other: object) -> bool:
        return other is self or other is self._game

    def __hash__(self) -> int:
        return hash(self._game)  # so that it has the game's codec

    def start(self, _setup: object, _chance: object) -> WorldState:
        """Return the planned match."""
        return self._state

    def opening(self, state: WorldState) -> Sequence[Event]:
        """Return what happened before the first decision."""
        return self._game.opening(state.inner)


def _swaps(steps: Sequence[TwinStep]) -> dict[int, AnyState]:
    return {place: step.redealt for place, step in enumerate(steps) if step.redealt is not None}


class _Planner:
    def __init__(self, trial: Trial, watcher: Seat | None, redeal_every: int) -> None:
        self._trial = trial
        self._watcher = watcher
        self._every = redeal_every
        self._second: AnyState | None = None
        self._faults = [0] * trial.seats
        self._forfeited: set[Seat] = set()
        # In every second match one seat misbehaves until it forfeits.
        self._doomed = trial.rng.randrange(trial.seats) if trial.number % 2 else None
        self._steps: list[TwinStep] = []

    def plan(self) -> TwinMatch:
        trial = self._trial
        start = trial.state.copy()
        while (mover := trial.state.to_act) is not None:
            trial.decision += 1
            trial.require(trial.decision <= MOST_DECISIONS, "random play does not end")
            self._step(mover, *self._choose(mover))
        return TwinMatch(trial, self._watcher, start, tuple(self._steps))

    def _choose(self, mover: Seat) -> tuple[Conduct, Move]:
        """Return what the first world's bot does, and the move that is made in the end."""
        trial = self._trial
        legal = trial.state.legal_moves()
        if len(legal) == 1:
            return Conduct.MOVE, legal[0]
        if mover in self._forfeited:
            return Conduct.MOVE, trial.state.default_move()
        is_doomed = mover == self._doomed
        may_leave = is_doomed and mover != self._watcher
        most = MAX_FAULTS if is_doomed else MAX_FAULTS - 1
        if self._faults[mover] < most and trial.rng.randrange(_ONE_FAULT_IN) == 0:
            kinds = (*_FAULTS, *[Conduct.LEAVE] * 2) if may_leave else _FAULTS
            return trial.rng.choice(kinds), trial.state.default_move()
        return Conduct.MOVE, trial.choose(legal)

    def _step(self, mover: Seat, conduct: Conduct, move: Move) -> None:
        trial, watcher = self._trial, self._watcher
        after = trial.state.copy()
        seen = seen_events(after.apply(move), watcher)
        # What chance shows whoever moves may come from a hidden hand.
        may_differ = mover == watcher and any(event.by_chance for event in seen)
        for other, has_same_piles in self._others():
            counterpart = self._counterpart(mover, conduct, move, other)
            if counterpart is None:
                continue
            ahead = other.copy()
            seen_there = seen_events(ahead.apply(counterpart), watcher)
            if (seen == seen_there and _look_alike(after, ahead, watcher)) or (
                has_same_piles and not may_differ
            ):
                break
        else:
            trial.complain("a copy of the state does not go on like the state itself")
        differs = self._differ(trial.state, other)
        redealt = None if other is self._second else other
        self._steps.append(TwinStep(conduct, (move, counterpart), redealt, differs))
        self._count(mover, conduct)
        trial.state = after
        self._second = ahead if differs else None

    def _others(self) -> Iterator[tuple[AnyState, bool]]:
        """Yield what the second world may be now, and whether its piles are the first one's.

        First itself; then, every second time, one with other piles too, good until they show.
        """
        trial = self._trial
        if self._second is not None and len(self._steps) % self._every:
            yield self._second, False
        if trial.rng.randrange(2):
            yield trial.game.determinize(trial.state.observe(self._watcher), trial.rng), False
        for _ in range(_REDEALS):
            yield trial.game.redeal(trial.state, self._watcher, trial.rng), True
        yield trial.state.copy(), False

    def _counterpart(
        self, mover: Seat, conduct: Conduct, move: Move, other: AnyState
    ) -> Move | None:
        """Return a move in the other world that must look the same; None if there is none."""
        trial = self._trial
        legal = other.legal_moves()
        is_default = conduct is not Conduct.MOVE or mover in self._forfeited
        if mover == self._watcher:
            same = list(legal) == list(trial.state.legal_moves())
            trial.require(same, "legal moves depend on what the seat cannot see")
            if is_default and len(legal) > 1:
                same = other.default_move() == move
                trial.require(same, "the default move depends on what the seat cannot see")
            return move
        if conduct is not Conduct.MOVE and len(legal) == 1:
            return None  # nobody would be asked there
        if is_default and len(legal) > 1:
            legal = [other.default_move()]
        public = trial.game.public_move(move)
        if public == trial.game.move_to_json(move):
            return move if move in legal else None
        alike = [one for one in legal if trial.game.public_move(one) == public]
        return trial.rng.choice(alike) if alike else None

    def _count(self, mover: Seat, conduct: Conduct) -> None:
        if conduct is not Conduct.MOVE:
            self._faults[mover] += 1
            if conduct is Conduct.LEAVE or self._faults[mover] >= MAX_FAULTS:
                self._forfeited.add(mover)

    def _differ(self, one: AnyState, other: AnyState) -> bool:
        """Return whether any seat has another hand."""
        seats = map(Seat, range(self._trial.seats))
        return any(dict(one.holdings(seat)) != dict(other.holdings(seat)) for seat in seats)


def _look_alike(one: AnyState, other: AnyState, watcher: Seat | None) -> bool:
    if one.observe(watcher) != other.observe(watcher):
        return False
    return one.to_act is not None or one.outcome() == other.outcome()
