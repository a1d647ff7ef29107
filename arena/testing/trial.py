"""A random match under test, and the place to name when something in it is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NoReturn

from arena.games.game import AnyGame, AnyState, Event, Move, Seat, seen_by

MOST_DECISIONS = 20_000
"""A random match longer than this is taken never to end."""


class ContractError(AssertionError):
    """A game does not keep the contract."""


class Trial:
    """One random match: the same for the same game, table size and number."""

    def __init__(self, game: AnyGame, seats: int, number: int) -> None:
        """Deal the match."""
        self.game = game
        self.seats = seats
        self.number = number
        self.decision = 0
        self.rng = Random(f"{game.name}/{seats}/{number}")
        self.seed = hashlib.sha256(f"check {seats} {number}".encode()).digest()
        self.state: AnyState = game.deal(self.seed, seats)
        self.names = [f"bot{seat}" for seat in range(seats)]
        self._kinds: dict[Move, str] = {}

    @property
    def watchers(self) -> list[Seat | None]:
        """Everybody who observes: each seat, and the public."""
        return [*map(Seat, range(self.seats)), None]

    def complain(self, message: str) -> NoReturn:
        """Raise ContractError with the place that was reached."""
        raise ContractError(
            f"{self.game.name}, {self.seats} players, match {self.number}, "
            f"decision {self.decision}: {message}"
        )

    def require(self, holds: bool, message: str) -> None:
        """Complain unless the claim holds."""
        if not holds:
            self.complain(message)

    def decisions(self) -> Iterator[Sequence[Move]]:
        """Play to the end, yielding the legal moves before each random choice among them."""
        while self.state.to_act is not None:
            self.decision += 1
            self.require(self.decision <= MOST_DECISIONS, "random play does not end")
            legal = self.state.legal_moves()
            self.require(bool(legal), "a seat is to act but has no legal move")
            yield legal
            self.state.apply(self.choose(legal))

    def choose(self, legal: Sequence[Move]) -> Move:
        """Return a random move.

        In every second match the kind of move is chosen first, so that moves that come in few
        forms are not drowned by those that come in many.
        """
        if self.number % 2:
            known = self._kinds
            kinds = [known.get(move) or self._kind(move) for move in legal]
            kind = self.rng.choice(sorted(set(kinds)))
            legal = [move for move, other in zip(legal, kinds, strict=True) if other == kind]
        return self.rng.choice(legal)

    def _kind(self, move: Move) -> str:
        fields = list(self.game.move_to_json(move).values())[:2]
        kind = "/".join(field for field in fields if isinstance(field, str))
        return self._kinds.setdefault(move, kind)

    def play_on(self, state: AnyState, most: int = MOST_DECISIONS) -> Iterator[Move]:
        """Play another state by random moves, at most so many, yielding each after it is made."""
        for _ in range(most):
            if state.to_act is None:
                return
            move = self.choose(state.legal_moves())
            state.apply(move)
            yield move

    def look(self, state: AnyState) -> list[Any]:
        """Return everything that anybody sees of a state."""
        seen = [state.observe(watcher) for watcher in self.watchers]
        return [*seen, list(state.legal_moves())]


def seen_events(events: Sequence[Event], watcher: Seat | None) -> list[Event]:
    """Return the events as the watcher sees them."""
    shown = (seen_by(event, watcher) for event in events)
    return [event for event in shown if event is not None]
