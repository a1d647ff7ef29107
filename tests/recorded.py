"""Matches of random players, recorded: equal arguments, equal match but for `ms`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from arena.games.game import AnyGame, Labels, Move
from arena.referee.fixture import Fixture
from arena.referee.match import PlayedMatch, play_match
from arena.referee.replay import Entrant

SHORT = {"highcard": 1, "byzanz": 59, "schwarzmarkt": 73}
"""For each game the number of a short match of three that has every type of line and of chance."""


class RandomPlayer:
    """Any legal move, from a generator of its own, whatever the order in which they are listed."""

    def __init__(self, seed: object) -> None:
        self._rng = Random(repr(seed))

    def decide(self, _observation: Any, legal_moves: Sequence[Move]) -> Move:
        return self._rng.choice(sorted(legal_moves, key=repr))


def seed_of(number: int) -> bytes:
    return hashlib.sha256(f"recorded {number}".encode()).digest()


def play_random(
    game: AnyGame, seats: int, number: int = 1, labels: Labels | None = None
) -> PlayedMatch:
    entrants = [Entrant(f"bot-{seat}", "1") for seat in range(seats)]
    fixture = Fixture(game, f"m{number}", f"d{number}", seed_of(number), entrants, labels)
    return play_match(fixture, [RandomPlayer((number, seat)) for seat in range(seats)])


@cache
def record(game: AnyGame, seats: int, number: int = 1) -> str:
    """Return the replay of a random match."""
    return play_random(game, seats, number).replay
