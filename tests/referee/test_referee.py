"""The referee over players who may misbehave: how a match goes on and ends, whoever plays."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from highcard.rules import HighCard, HighCardState
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.game import AnyState, Event, Seat
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault
from arena.referee.match import READ_FIRST_S, Match, PlayedMatch, play_match
from arena.referee.player import Question
from arena.testing import (
    AbsentPlayer,
    CrashingPlayer,
    FailingPlayer,
    FloodingPlayer,
    HastyPlayer,
    IllegalPlayer,
    LatePlayer,
    MisbehavingPlayer,
    ScriptedPlayer,
    SilentPlayer,
    choose_last,
)
from arena.testing.players import HAIR_S
from tests.high_card import with_state
from tests.recorded import RandomPlayer
from tests.virtual_table import (
    QUESTIONS,
    Table,
    assert_told_everything,
    faults_of,
    fixture_of,
    follow,
    move_lines,
    others,
    without_times,
)

GAMES = [HighCard(), get_game("byzanz"), get_game("schwarzmarkt")]


def random_choice(seed: object) -> Callable[[Question], int]:
    """Choose as RandomPlayer does."""
    player = RandomPlayer(seed)
    return lambda question: question.legal_moves.index(
        player.decide(question.observation, question.legal_moves)
    )


class TestAbort:
    def check_void(self, table: Table, players: Sequence[ScriptedPlayer]) -> PlayedMatch:
        ((played, timers),) = table.ends
        assert timers == 0
        assert played.outcome is None
        assert played.void_reason == "the arena stops"
        assert table.match.is_over
        for player in players:
            (ending,) = player.endings
            assert (ending.outcome, ending.void_reason) == (None, "the arena stops")
        assert not any(question.is_open for player in players for question in player.questions)
        return played

    def test_in_the_middle(self):
        """The match is void: no outcome, everybody is told, no timer left, late answers ignored."""
        players = [ScriptedPlayer(0.7, choose_last) for _ in range(3)]
        table = Table(players)
        table.loop.call_later(3.0, lambda: table.match.abort("the arena stops"))
        table.run()

        played = self.check_void(table, players)
        assert played.moves == 4
        assert played.faults == ()
        assert [json.loads(line)["type"] for line in played.replay.splitlines()][-1] != "outcome"
        assert_told_everything(table, players)
        state = table.match.state
        assert state.to_act == 1
        assert state.legal_moves() == players[1].questions[-1].legal_moves

    def test_only_once(self):
        """The first reason counts, and a finished match cannot be aborted."""
        players = others(3)
        table = Table(players)
        table.loop.call_later(100.0, lambda: table.match.abort("too late"))

        assert table.play().void_reason is None

        players = [SilentPlayer(), *others()]
        table = Table(players)
        table.loop.call_later(1.0, lambda: table.match.abort("the arena stops"))
        table.loop.call_later(1.0, lambda: table.match.abort("again"))
        table.run()
        self.check_void(table, players)

    def test_within_a_question(self):
        """An abort while a player is being asked stops the loop there."""

        class Aborting(ScriptedPlayer):
            def respond(self, question: Question) -> None:
                question.match.abort("the arena stops")

        players = [*others(1), Aborting(), *others(1)]
        table = Table(players)
        table.run()

        assert self.check_void(table, players).moves == 1
        assert players[2].questions == []

    def test_within_a_fault(self):
        """An abort by whoever is told of a fault: nothing is played after it."""
        players = [IllegalPlayer(think_s=None), *others()]
        table = Table(players)
        table.match.conditions = replace(
            table.match.conditions, on_fault=lambda _: table.match.abort("the arena stops")
        )
        table.run()

        assert self.check_void(table, players).moves == table.match.moves == 0
        assert players[0].withdrawn == []

    def test_within_an_event(self):
        """An abort by a watcher of events stops the match after that move."""
        players = [ScriptedPlayer(None) for _ in range(3)]
        table = Table(players)

        def watch(state: AnyState, events: Sequence[Event]) -> None:
            if table.match.moves == 2:
                table.match.abort("the arena stops")

        table.match.conditions = replace(table.match.conditions, on_events=watch)
        table.run()

        assert table.match.moves == 2
        assert len(table.ends) == 1
        assert table.match.state.to_act == 2

    def test_at_the_last_move(self):
        """An abort with the very last event leaves the match void, and ends it once."""
        players = [ScriptedPlayer(None) for _ in range(3)]
        table = Table(players)

        def watch(state: AnyState, events: Sequence[Event]) -> None:
            if state.to_act is None:
                table.match.abort("the arena stops")

        table.match.conditions = replace(table.match.conditions, on_events=watch)
        table.run()

        ((played, _),) = table.ends
        assert played.outcome is None

    def test_at_the_start(self):
        """An abort before the first move: nobody is asked."""

        class Aborting(ScriptedPlayer):
            def start(self, match: Match, seat: Seat) -> None:
                match.abort("the arena stops")

        players = [*others(2), Aborting()]
        table = Table(players)
        table.run()

        assert self.check_void(table, players).moves == 0
        assert not any(player.questions for player in players)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
class TestWellBehaved:
    def test_the_same_replay_as_in_process(self, game):
        """With the same choices, a match over a loop has the replay of one in process."""
        for number, think_s in ((1, 0.25), (2, None)):
            fixture = fixture_of(game, number=number)
            inline = play_match(fixture, [RandomPlayer((number, seat)) for seat in range(3)])
            players = [ScriptedPlayer(think_s, random_choice((number, seat))) for seat in range(3)]
            table = Table(players, game=game, number=number)
            played = table.play()

            assert without_times(played.replay) == without_times(inline.replay)
            assert played.outcome == inline.outcome
            assert_told_everything(table, players)
            assert all(move.fault is None for move in follow(played))

    def test_repeatable(self, game):
        """The same script makes the same match to the last byte, times included."""

        def record() -> PlayedMatch:
            players = [
                LatePlayer(HAIR_S, at=range(2, 100, 7)),
                ScriptedPlayer(0.3, random_choice(1)),
                CrashingPlayer(after_s=4.0),
            ]
            return Table(players, game=game).play()

        first, second = record(), record()

        assert first.replay == second.replay
        assert first.faults == second.faults

    def test_misbehaviour_in_the_replay(self, game):
        """A match with faults of all sorts is accepted by whoever follows the replay."""
        players = [
            SilentPlayer(at=[3, 5]),
            IllegalPlayer(at=[2, 4, 6]),
            CrashingPlayer(at=[9]),
        ]
        table = Table(players, game=game)
        played = table.play()
        moves = follow(played)

        places = {recorded.move: recorded.fault for recorded in played.faults}
        for number, move in enumerate(moves, start=1):
            if number in places:
                assert move.fault is places[number]
        assert_told_everything(table, players)

    def test_notes(self, game):
        """What a player notes stands with its moves, and nowhere else."""
        players = [ScriptedPlayer(note='"so" ö\n'), *others()]
        played = Table(players, game=game).play()

        for line in move_lines(played):
            is_noted = line["seat"] == 0 and line["legal"] > 1
            assert line.get("note") == ('"so" ö\n' if is_noted else None)
        follow(played)


def test_questions_are_numbered():
    """The questions of a seat are counted from 1: nothing shows how often others were asked."""
    players = others(3)
    Table(players).play()

    for player in players:
        ids = [question.id for question in player.questions]
        assert ids == list(range(1, QUESTIONS + 1))


def test_at_most_one_question_is_open():
    """A seat is asked only when everything before is settled."""
    open_at_once: list[int] = []

    class Counting(ScriptedPlayer):
        def respond(self, question: Question) -> None:
            asked = [other for player in players for other in player.questions]
            open_at_once.append(sum(other.is_open for other in asked))
            super().respond(question)

    players = [Counting(0.1), Counting(None), Counting(0.0)]
    Table(players).play()

    assert open_at_once == [1] * 3 * QUESTIONS


class EndlessState(HighCardState):
    """High Card, played again and again until so many cards have been played."""

    left = 5_000

    def _play(self, seat: Seat, card: int) -> list[Event]:
        events = super()._play(seat, card)
        self.left -= 1
        self.gone.clear()
        if self.left > 0:
            self.hands[seat].append(card)  # back to the hand: nobody ever runs out
            self.to_act = Seat((seat + 1) % self.seats)
        else:
            self.to_act = None
        return events


@pytest.mark.parametrize(
    "players",
    [
        [ScriptedPlayer(None) for _ in range(3)],
        [IllegalPlayer(think_s=None) for _ in range(3)],
        [HastyPlayer() for _ in range(3)],
    ],
    ids=["answers", "illegal", "hasty"],
)
def test_five_thousand_answers_within_the_call(players):
    """However many answers come at once, the stack stays flat."""
    table = Table(players, game=with_state(EndlessState), max_faults=1_000_000)
    played = table.play()

    assert played.moves >= 5_000
    assert sum(clock.decisions for clock in played.clocks) >= 5_000


def well_behaved() -> st.SearchStrategy[ScriptedPlayer]:
    return st.one_of(
        st.builds(ScriptedPlayer, st.sampled_from([None, 0.0, 0.1, 0.5])),
        st.builds(HastyPlayer),
        st.builds(FloodingPlayer, st.integers(1, 4)),
        st.builds(AbsentPlayer, st.sets(st.integers(1, 4)), st.sampled_from([0.0, 0.1, 0.5])),
        st.builds(LatePlayer, st.sampled_from([-HAIR_S, -0.5]), st.sets(st.integers(1, 4))),
    )


def misbehaving() -> st.SearchStrategy[MisbehavingPlayer]:
    at = st.sets(st.integers(1, 4), min_size=1)
    think = st.sampled_from([None, 0.0, 0.2])
    return st.one_of(
        st.builds(SilentPlayer, at),
        st.builds(LatePlayer, st.sampled_from([HAIR_S, READ_FIRST_S, 0.5, 5.0]), at),
        st.builds(IllegalPlayer, st.sampled_from([None, -1, 10**9]), at, think),
        st.builds(FailingPlayer, st.sampled_from(Fault), at, think),
        st.builds(CrashingPlayer, at, st.none(), st.sampled_from(Fault), think),
        st.builds(CrashingPlayer, st.just(()), st.sampled_from([0.0, 0.05, 1.0, 3.0])),
        st.builds(AbsentPlayer, at, st.sampled_from([None, 2.0])),
    )


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    players=st.lists(well_behaved() | misbehaving(), min_size=3, max_size=4),
    control=st.sampled_from([TimeControl(1.0, 0.0), TimeControl(1.0, 0.7), TimeControl(0.6, 0.5)]),
    max_faults=st.integers(1, 5),
    number=st.integers(1, 50),
)
def test_any_mixture_ends(players, control, max_faults, number):
    """Whoever sits there, the match ends, only those who misbehave have faults, all are told."""
    table = Table(players, control, max_faults=max_faults, number=number)
    played = table.play()

    suspects = {
        seat
        for seat, player in enumerate(players)
        if isinstance(player, MisbehavingPlayer)
        and not isinstance(player, HastyPlayer | FloodingPlayer)
        and not (isinstance(player, LatePlayer) and player.by_s < 0)
        and not (
            isinstance(player, AbsentPlayer)
            and player.back_after_s is not None
            and player.back_after_s < 1.0
        )
    }
    assert {recorded.seat for recorded in played.faults} <= suspects
    for seat in range(len(players)):
        faults = faults_of(played, seat)
        is_out = played.ended[seat] != "normal"
        assert len(faults) <= max_faults
        assert is_out or len(faults) < max_faults
        if seat not in suspects:
            assert not is_out
            assert len(players[seat].questions) == QUESTIONS
    assert not table.clock.timers
    assert_told_everything(table, players)
    follow(played)
