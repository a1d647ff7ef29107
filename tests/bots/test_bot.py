from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NoReturn

from arena.bots.bot import Bot, RandomBot
from arena.games.game import Move
from arena.games.registry import get_game

MOVES = [Move() for _ in range(7)]


class Last(Bot):
    """Takes the last move, wherever `decide` finds it."""

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        assert observation == "seen"
        return legal_moves[-1]


def nothing() -> NoReturn:
    raise AssertionError("nobody needs to read this")


def test_a_choice_is_the_place_of_what_is_decided():
    """A bot that says only how it decides reads what it decides about."""
    assert Last(get_game("byzanz"), Random(1)).choose(7, lambda: ("seen", MOVES)) == 6


def test_a_random_bot_reads_nothing_and_plays_the_same():
    """The number of moves is enough for it, and the same seed makes the same choices."""
    game = get_game("byzanz")
    reading, blind = RandomBot(game, Random(5)), RandomBot(game, Random(5))

    for _ in range(100):
        assert MOVES[blind.choose(7, nothing)] is reading.decide(None, MOVES)
