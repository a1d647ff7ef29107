from __future__ import annotations

import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from highcard.rules import HighCard, Play

from arena.errors import IllegalMoveError, TableSizeError
from arena.games.game import AnyGame, AnyState, Event, Move
from arena.games.registry import get_game
from arena.referee.fixture import Fixture
from arena.referee.follow import FollowedReplay
from arena.referee.match import play_match
from arena.referee.replay import Entrant
from tests.oracle import byzanz as byzanz_oracle
from tests.oracle import schwarzmarkt as schwarzmarkt_oracle
from tests.recorded import RandomPlayer, play_random, record, seed_of
from tests.virtual_table import without_times

JUDGES = {"byzanz": byzanz_oracle.judge, "schwarzmarkt": schwarzmarkt_oracle.judge}
TABLES = [
    *((get_game("byzanz"), seats) for seats in (3, 4, 5, 6)),
    *((get_game("schwarzmarkt"), seats) for seats in (3, 4, 5)),
    (get_game("schwarzmarkt").configure({"deck": "uneven"}), 3),
]
ENTRANTS = [Entrant("a", "1"), Entrant("b", "1"), Entrant("c", "1")]


def fixture(game: AnyGame) -> Fixture:
    return Fixture(game, "m", "d", seed_of(1), ENTRANTS)


class Watching:
    """A random player that remembers what it was asked."""

    def __init__(self, seat: int) -> None:
        self.asked: list[tuple[Any, list[Move]]] = []
        self._player = RandomPlayer(seat)

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        self.asked.append((observation, list(legal_moves)))
        return self._player.decide(observation, legal_moves)


@pytest.mark.parametrize(
    ("game", "seats"),
    TABLES,
    ids=[f"{game.name}-{seats}p-{i}" for i, (game, seats) in enumerate(TABLES)],
)
class TestEveryTable:
    def test_the_independent_reading_of_the_rules_agrees(self, game, seats):
        """The oracle finds nothing wrong with what the match loop writes."""
        for number in (1, 2):
            lines = [json.loads(line) for line in record(game, seats, number).splitlines()]
            assert JUDGES[game.name](lines) == []

    def test_the_replay_can_be_followed(self, game, seats):
        """A recorded match has the outcome that following it gives."""
        played = play_random(game, seats, 1)
        replay = FollowedReplay(played.replay.encode())
        for _ in replay:
            pass

        assert replay.outcome == played.outcome
        assert dict(replay.header.options) == dict(game.options)

    def test_only_times_differ_between_two_runs(self, game, seats):
        """With deterministic players the replays are the same but for `ms`."""
        first, second = play_random(game, seats, 3), play_random(game, seats, 3)

        assert without_times(first.replay) == without_times(second.replay)
        assert first.outcome == second.outcome


def test_a_single_legal_move_is_made_not_asked():
    """Players are asked only when there is a choice, each for its own seat."""
    players = [Watching(seat) for seat in range(3)]
    played = play_match(fixture(HighCard()), players)
    lines = [json.loads(line) for line in played.replay.splitlines()]
    moves = [line for line in lines if line["type"] == "move"]

    for seat, player in enumerate(players):
        own = [line for line in moves if line["seat"] == seat]
        assert all(observation.seat == seat for observation, _ in player.asked)
        assert [len(legal) for _, legal in player.asked] == [
            line["legal"] for line in own if "forced" not in line
        ]
        assert [line["legal"] for line in own].count(1) == 1  # the last card


def test_forced_moves_take_no_time():
    """A move that was not asked for has taken 0 ms."""
    lines = [json.loads(line) for line in record(HighCard(), 3).splitlines()]

    assert {line["ms"] for line in lines if "forced" in line} == {0.0}


def test_every_move_is_told_with_its_events():
    """The watcher is told the events of each move, with the state after it."""
    told: list[tuple[object, list[Event]]] = []

    def remember(state: AnyState, events: Sequence[Event]) -> None:
        told.append((state.to_act, list(events)))

    players = [RandomPlayer(seat) for seat in range(3)]
    played = play_match(fixture(HighCard()), players, remember)
    moves = [line for line in played.replay.splitlines() if '"move"' in line]

    assert len(told) == len(moves)
    assert all(events for _, events in told)
    assert told[-1][0] is None


def test_a_player_that_cheats():
    """A move that is not legal leaves the loop as an IllegalMoveError: players are trusted here."""

    class Cheat:
        def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
            return Play(0)

    with pytest.raises(IllegalMoveError):
        play_match(fixture(HighCard()), [Cheat()] * 3)


def test_a_table_the_game_is_not_played_at():
    """The number of players must fit the game."""
    with pytest.raises(TableSizeError, match="3 to 6 players, not 2"):
        play_random(get_game("byzanz"), 2)


@pytest.mark.parametrize("name", ["byzanz", "schwarzmarkt"])
def test_a_renamed_deal(name):
    """A renamed deal is recorded with its renaming, and is the same deal under other names."""
    game = get_game(name)
    labels = Random(1).choice(game.relabelings()[1:])
    lines = [json.loads(line) for line in play_random(game, 3, 1, labels).replay.splitlines()]
    plain = json.loads(record(game, 3).splitlines()[0])
    image = dict(zip(game.kinds, lines[0]["relabel"], strict=True))

    assert image == {
        kind: game.kinds[label] for kind, label in zip(game.kinds, labels, strict=True)
    }
    assert lines[0]["seed"] == plain["seed"]
    for renamed, original in zip(lines[0]["setup"]["hands"], plain["setup"]["hands"], strict=True):
        pattern = "|".join(game.kinds)
        assert renamed == [re.sub(pattern, lambda m: image[m[0]], card) for card in original]
    assert JUDGES[name](lines) == []


def test_other_seeds_make_other_matches():
    """The seed decides the deal."""
    game = get_game("schwarzmarkt")

    assert record(game, 3, 1).splitlines()[0] != record(game, 3, 2).splitlines()[0]
