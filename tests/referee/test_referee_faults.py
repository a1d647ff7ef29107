"""What faults cost, and that the others play on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from highcard.rules import HighCard, HighCardState

from arena.games.game import Seat
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Question
from arena.testing import (
    AbsentPlayer,
    CrashingPlayer,
    FailingPlayer,
    FloodingPlayer,
    IllegalPlayer,
    LatePlayer,
    ScriptedPlayer,
    SilentPlayer,
    choose_last,
)
from arena.testing.players import HAIR_S
from tests.virtual_table import (
    QUESTIONS,
    Table,
    assert_told_everything,
    faults_of,
    follow,
    move_lines,
    others,
    without_times,
)

GAMES = [HighCard(), get_game("byzanz"), get_game("schwarzmarkt")]


class TestFaults:
    @pytest.mark.parametrize(
        ("player", "fault"),
        [
            (SilentPlayer([2]), Fault.TIMEOUT),
            (LatePlayer(HAIR_S, [2]), Fault.TIMEOUT),
            (IllegalPlayer(None, [2]), Fault.ILLEGAL_MOVE),
            (IllegalPlayer(-1, [2]), Fault.ILLEGAL_MOVE),
            (IllegalPlayer(2**31, [2]), Fault.ILLEGAL_MOVE),
            (IllegalPlayer(None, [2], think_s=None), Fault.ILLEGAL_MOVE),
            (FailingPlayer(Fault.PROTOCOL_ERROR, [2]), Fault.PROTOCOL_ERROR),
            (FailingPlayer(Fault.FLOOD, [2]), Fault.FLOOD),
            (FailingPlayer(Fault.PROTOCOL_ERROR, [2], think_s=None), Fault.PROTOCOL_ERROR),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_one_fault(self, player, fault):
        """A faulty decision gets the default move; the seat plays on and everybody is told."""
        player.choose = choose_last
        players = [*others(1), player, *others(1)]
        table = Table(players)
        played = table.play()

        assert [(e.seat, e.fault, e.forfeited) for e in played.faults] == [(1, fault, False)]
        assert played.ended == ("normal",) * 3
        assert len(player.questions) == QUESTIONS
        assert player.withdrawn == [player.questions[1]]
        for told in players:
            assert told.faults == list(played.faults)
        lines = [line for line in move_lines(played, 1) if line["legal"] > 1]
        assert [line.get("fault") for line in lines] == [None, fault.value, None, None]
        chosen = [question.legal_moves[-1] for question in player.questions]
        chosen[1] = player.questions[1].legal_moves[0]
        assert [line["move"] for line in lines] == [table.game.move_to_json(m) for m in chosen]
        assert [move.fault for move in follow(played) if move.fault] == [fault]
        assert_told_everything(table, players)

    def test_the_place_of_a_fault(self):
        """A recorded fault names its move, counted from 1, and what is known."""
        played = Table([*others(1), IllegalPlayer(99, [2]), *others(1)]).play()

        (recorded,) = played.faults
        assert move_lines(played)[recorded.move - 1]["fault"] == "illegal_move"
        assert recorded.detail == "move 99 of 4 legal moves"

    def test_an_illegal_answer_tells_the_player(self):
        """Whoever passed the answer on learns what it was."""
        player = IllegalPlayer(at=[1, 3])
        Table([player, *others()]).play()

        assert player.refusals == [Fault.ILLEGAL_MOVE] * 2

    def test_an_illegal_answer_is_charged(self):
        """A wrong answer takes its time like a right one."""
        played = Table([IllegalPlayer(at=[1], think_s=3.0), *others()]).play()

        assert played.clocks[0].bank_s == 2.0
        assert move_lines(played, 0)[0]["ms"] == 3000.0

    @pytest.mark.parametrize("max_faults", [1, 2, 3, 4])
    def test_the_last_fault_forfeits(self, max_faults):
        """With the last fault that the policy allows the seat forfeits and is not asked again."""
        player = IllegalPlayer()
        players = [player, *others()]
        table = Table(players, max_faults=max_faults)
        played = table.play()

        assert faults_of(played, 0) == ["illegal_move"] * max_faults
        assert len(player.questions) == max_faults
        assert played.ended == ("forfeit:illegal_move", "normal", "normal")
        assert [fault.forfeited for fault in played.faults] == [False] * (max_faults - 1) + [True]
        for told in players:
            assert told.faults == list(played.faults)

    def test_a_patient_policy(self):
        """With five faults allowed, four are not enough."""
        player = IllegalPlayer()
        played = Table([player, *others()], max_faults=5).play()

        assert faults_of(played, 0) == ["illegal_move"] * QUESTIONS
        assert played.ended == ("normal",) * 3

    def test_faults_of_several_kinds_add_up(self):
        """Three faults forfeit, whatever they are; the last one names the forfeit."""

        class Mixed(SilentPlayer):
            def misbehave(self, question: Question) -> None:
                if len(self.questions) == 1:
                    super().misbehave(question)
                elif len(self.questions) == 2:
                    self.send(question)
                    question.fail(Fault.PROTOCOL_ERROR, "what?")
                else:
                    self.answer(question, -1)

        played = Table([Mixed(), *others()]).play()

        assert faults_of(played, 0) == ["timeout", "protocol_error", "illegal_move"]
        assert played.ended[0] == "forfeit:illegal_move"

    def test_each_seat_has_faults_of_its_own(self):
        """Two faults of each seat forfeit nobody."""
        players = [IllegalPlayer(at=[1, 2]) for _ in range(3)]
        played = Table(players).play()

        assert len(played.faults) == 6
        assert played.ended == ("normal",) * 3

    def test_answers_to_settled_questions(self):
        """Repeated and old answers change nothing and are no fault to the referee."""
        flooding = FloodingPlayer(20)
        plain = ScriptedPlayer()
        first = Table([flooding, *others()]).play()
        second = Table([plain, *others()]).play()

        assert not first.faults
        assert without_times(first.replay) == without_times(second.replay)
        assert not flooding.refusals

    def test_a_settled_question_cannot_fail(self):
        """After the answer a fault of that question is none."""

        class Afterthought(ScriptedPlayer):
            def answer(self, question: Question, index: int | None = None) -> None:
                super().answer(question, index)
                question.fail(Fault.PROTOCOL_ERROR)

        assert not Table([Afterthought(), *others()]).play().faults


class TestForfeits:
    @pytest.mark.parametrize("seat", [0, 1, 2])
    def test_a_forfeited_seat(self, seat):
        """A forfeited seat is ranked last and keeps its points; the others are ranked on."""
        players = [ScriptedPlayer(choose=choose_last) for _ in range(3)]
        players[seat] = CrashingPlayer(at=[4])
        players[seat].choose = choose_last
        table = Table(players)
        played = table.play()

        assert played.outcome is not None
        assert isinstance(table.match.state, HighCardState)
        assert played.outcome.scores == tuple(table.match.state.points)
        assert played.outcome.ranks[seat] == 3
        assert sorted(played.outcome.ranks) in ([1, 2, 3], [1, 1, 3])
        assert played.ended[seat] == "forfeit:crash"
        follow(played)

    def test_default_moves_to_the_end(self):
        """Each later choice of a forfeited seat is the default move, under the fault's name."""
        crashing = CrashingPlayer(at=[2])
        played = Table([crashing, *others()]).play()

        assert len(crashing.questions) == 2
        assert crashing.withdrawn == crashing.questions[1:]
        lines = move_lines(played, 0)
        assert [line.get("fault") for line in lines] == [None, "crash", "crash", "crash", None]
        assert lines[-1]["forced"] is True
        assert [move.fault for move in follow(played) if move.seat == 0][1:4] == [Fault.CRASH] * 3
        assert faults_of(played, 0) == ["crash"]

    @pytest.mark.parametrize("think_s", [None, 0.5])
    def test_a_crash_over_a_question(self, think_s):
        """A crash settles the open question at once."""
        crashing = CrashingPlayer(at=[1], think_s=think_s)
        players = [crashing, *others()]
        table = Table(players)
        played = table.play()

        assert played.ended == ("forfeit:crash", "normal", "normal")
        assert played.faults[0].detail == "exit status 1"
        assert players[1].questions[0].asked_at == (think_s or 0.0)
        assert move_lines(played, 0)[0]["ms"] == (think_s or 0.0) * 1000
        assert_told_everything(table, players)

    def test_a_crash_while_another_seat_is_to_act(self):
        """The question of the other seat stays open; the crashed one is not asked any more."""
        slow = ScriptedPlayer(1.0)
        crashing = CrashingPlayer(after_s=0.5)
        players = [slow, crashing, ScriptedPlayer()]
        table = Table(players)
        played = table.play()

        assert played.ended == ("normal", "forfeit:crash", "normal")
        assert crashing.questions == []
        assert crashing.withdrawn == []
        assert slow.withdrawn == []
        assert slow.questions[0].faults == ()
        assert slow.questions[1].faults == list(played.faults)
        assert [(fault.move, fault.forfeited) for fault in played.faults] == [(1, True)]
        assert_told_everything(table, players)
        follow(played)

    def test_a_seat_that_never_starts(self):
        """A fault before the first question: the match is played without that seat."""

        class Stillborn(ScriptedPlayer):
            def start(self, match: Match, seat: Seat) -> None:
                super().start(match, seat)
                match.forfeit(seat, Fault.NO_START, "never ready")

        players = [*others(1), Stillborn(), *others(1)]
        table = Table(players)
        played = table.play()

        assert played.ended == ("normal", "forfeit:no_start", "normal")
        assert players[1].questions == []
        assert players[0].questions[0].faults == [
            SeatFault(1, 1, Fault.NO_START, "never ready", forfeited=True)
        ]
        assert_told_everything(table, players)

    @pytest.mark.parametrize("crashes", [2, 3])
    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
    def test_several_crash(self, crashes, game):
        """However many crash, the match ends and they share the last rank."""
        crashing = [CrashingPlayer(at=[2 + seat]) for seat in range(crashes)]
        players = [*crashing, *others(3 - crashes)]
        table = Table(players, game=game)
        played = table.play()

        assert played.ended == ("forfeit:crash",) * crashes + ("normal",) * (3 - crashes)
        assert played.outcome is not None
        assert played.outcome.ranks == ((2, 2, 1) if crashes == 2 else (1, 1, 1))
        assert_told_everything(table, players)
        follow(played)

    def test_all_crash_at_once(self):
        """A table that is gone at the same moment ends at that moment."""
        players = [ScriptedPlayer(5.0), *others()]
        table = Table(players)

        def crash() -> None:
            for seat in (2, 1, 0):
                table.match.forfeit(Seat(seat), Fault.CRASH)

        table.loop.call_later(1.0, crash)
        ends: list[float] = []
        table.match.conditions = replace(
            table.match.conditions, on_end=lambda _: ends.append(table.loop.time())
        )
        table.run()

        assert ends == [1.0]
        assert table.match.played is not None
        assert table.match.played.ended == ("forfeit:crash",) * 3
        follow(table.match.played)

    def test_the_first_reason_counts(self):
        """A seat that has forfeited cannot do so again for another reason."""

        class Twice(CrashingPlayer):
            def crash(self) -> None:
                super().crash()
                assert self.match is not None
                self.match.forfeit(Seat(0), Fault.OUT_OF_MEMORY)

        played = Table([Twice(at=[2]), *others()]).play()

        assert played.ended[0] == "forfeit:crash"
        assert faults_of(played, 0) == ["crash"]

    def test_a_crash_after_the_third_fault(self):
        """A seat that forfeited by its faults and then crashes keeps its first reason."""

        class Sulking(IllegalPlayer):
            def withdraw(self, question: Question) -> None:
                super().withdraw(question)
                if len(self.withdrawn) == 3:
                    question.match.forfeit(question.seat, Fault.CRASH)

        played = Table([Sulking(), *others()]).play()

        assert faults_of(played, 0) == ["illegal_move"] * 3
        assert played.ended[0] == "forfeit:illegal_move"

    def test_a_crash_when_told_of_a_timeout(self):
        """A player that fails in the middle of being told forfeits from there on."""

        class Offended(SilentPlayer):
            def withdraw(self, question: Question) -> None:
                super().withdraw(question)
                question.match.forfeit(question.seat, Fault.CRASH)

        played = Table([Offended(at=[1]), *others()]).play()

        assert faults_of(played, 0) == ["timeout", "crash"]
        assert played.ended[0] == "forfeit:crash"
        assert [line.get("fault") for line in move_lines(played, 0)][:2] == ["timeout", "crash"]

    def test_a_fault_after_the_end(self):
        """When the match is over nothing can be lost any more."""
        players = others(3)
        table = Table(players)
        table.loop.call_later(100.0, lambda: table.match.forfeit(Seat(0), Fault.CRASH))
        played = table.play()

        assert played.ended == ("normal",) * 3
        assert not table.on_fault


class TestAbsence:
    def test_absent_at_the_deadline(self):
        """A session that does not come back within its clock forfeits at once."""
        absent = AbsentPlayer(at=[2])
        players = [absent, *others()]
        table = Table(players)
        played = table.play()

        assert faults_of(played, 0) == ["disconnect"]
        assert played.ended == ("forfeit:disconnect", "normal", "normal")
        assert len(absent.questions) == 2
        assert players[1].faults == list(played.faults)
        assert played.faults[0].forfeited
        assert move_lines(played, 0)[1]["ms"] == 11000.0
        assert_told_everything(table, players)
        follow(played)

    def test_back_in_time(self):
        """A session that comes back within its clock plays on, and its absence is charged."""
        absent = AbsentPlayer(at=[2], back_after_s=5.0)
        played = Table([absent, *others()]).play()

        assert not played.faults
        assert played.clocks[0].bank_s == 6.0
        assert len(absent.questions) == QUESTIONS

    def test_back_too_late(self):
        """After the deadline there is no way back."""
        absent = AbsentPlayer(at=[2], back_after_s=11.1)
        played = Table([absent, *others()]).play()

        assert played.ended[0] == "forfeit:disconnect"

    def test_back_but_silent(self):
        """Somebody who is there at the deadline has timed out, not gone away."""

        class Mute(AbsentPlayer):
            def answer(self, question: Question, index: int | None = None) -> None:
                if len(self.questions) != 2:
                    super().answer(question, index)

        played = Table([Mute(at=[2], back_after_s=5.0), *others()]).play()

        assert faults_of(played, 0) == ["timeout"]
        assert played.ended[0] == "normal"

    def test_absent_while_others_act(self):
        """Whoever is away while it is not asked misses nothing."""
        absent = ScriptedPlayer()
        absent.is_present = False
        players = [ScriptedPlayer(10.0), absent, ScriptedPlayer()]
        table = Table(players, TimeControl(10.0, 0.0))

        assert not table.play().faults
        assert_told_everything(table, players)
