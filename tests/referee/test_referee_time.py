"""The referee's clocks: move time, then the bank, then a timeout; never the arena's own delay."""

from __future__ import annotations

import pytest
from highcard.rules import HighCard

from arena.referee.clock import UNLIMITED, LoopClock, TimeControl
from arena.referee.faults import Fault
from arena.referee.match import READ_FIRST_S, Conditions, Match, PlayedMatch
from arena.referee.player import Question
from arena.testing import (
    FailingPlayer,
    HastyPlayer,
    LatePlayer,
    ScriptedPlayer,
    SilentPlayer,
    VirtualLoop,
    choose_last,
)
from arena.testing.players import HAIR_S
from tests.virtual_table import (
    CONTROL,
    QUESTIONS,
    Table,
    faults_of,
    fixture_of,
    move_lines,
    others,
)


class TestTime:
    def test_within_the_move_time(self):
        """Thinking for exactly the move time costs nothing of the bank."""
        slow = ScriptedPlayer(1.0)
        played = Table([slow, *others()]).play()

        assert not played.faults
        assert [question.bank_s for question in slow.questions] == [10.0] * QUESTIONS
        assert [question.move_time_s for question in slow.questions] == [1.0] * QUESTIONS
        assert played.clocks[0].used_s == QUESTIONS

    def test_the_bank_pays_the_overrun(self):
        """What goes beyond the move time comes out of the bank, which every question names."""
        slow = ScriptedPlayer(2.5)
        played = Table([slow, *others()]).play()

        assert not played.faults
        assert [question.bank_s for question in slow.questions] == [10.0, 8.5, 7.0, 5.5]
        assert played.clocks[0].bank_s == 4.0
        assert [line["ms"] for line in move_lines(played, 0)] == [2500.0] * QUESTIONS + [0.0]

    def test_then_the_time_is_out(self):
        """When move time and bank are gone, the default move is made, and the match goes on."""
        silent = SilentPlayer(at=[1], choose=choose_last)
        table = Table([silent, *others()])
        played = table.play()

        assert faults_of(played, 0) == ["timeout"]
        assert silent.withdrawn == silent.questions[:1]
        assert silent.questions[1].bank_s == 0.0
        assert silent.questions[1].asked_at == pytest.approx(11.0 + READ_FIRST_S)
        first = move_lines(played, 0)[0]
        assert (first["fault"], first["ms"]) == ("timeout", 11000.0)
        assert first["move"] == played.fixture.game.move_to_json(silent.questions[0].legal_moves[0])
        assert played.ended == ("normal",) * 3
        assert played.clocks[0].used_s == 11.0
        assert played.clocks[0].delay_s == pytest.approx(READ_FIRST_S)

    def test_after_a_timeout_only_the_move_time_is_left(self):
        """With an empty bank the next timeout comes after the move time."""
        players = [SilentPlayer(at=[1, 2]), *others()]
        played = Table(players).play()

        assert [line["ms"] for line in move_lines(played, 0)[:2]] == [11000.0, 1000.0]
        # The later timers that were set for the others, with their full banks, do not delay it.
        assert players[1].questions[1].asked_at == pytest.approx(12.0 + 2 * READ_FIRST_S)

    @pytest.mark.parametrize("at", [[1], [2], [4]])
    def test_a_hair_before_the_deadline(self, at):
        """The last moment of the bank may be used."""
        early = LatePlayer(-HAIR_S, at, batch=1)
        played = Table([early, *others()]).play()

        assert not played.faults
        assert played.clocks[0].bank_s == pytest.approx(HAIR_S)

    def test_at_the_very_deadline(self):
        """An answer after exactly the allowance is in time."""
        assert not Table([LatePlayer(0.0, [1]), *others()]).play().faults

    @pytest.mark.parametrize("by_s", [HAIR_S, READ_FIRST_S, 2 * READ_FIRST_S, 3600.0])
    def test_a_hair_after_the_deadline(self, by_s):
        """Too late is too late, whether the timer or the answer is noticed first."""
        late = LatePlayer(by_s, [1], batch=1)
        played = Table([late, *others()]).play()

        assert faults_of(played, 0) == ["timeout"]
        assert late.withdrawn == late.questions[:1]
        assert late.refusals == ([Fault.TIMEOUT] if by_s <= READ_FIRST_S else [])
        assert len(late.questions) == QUESTIONS
        assert move_lines(played, 0)[0]["ms"] == pytest.approx(11000, abs=READ_FIRST_S * 1000)

    def test_a_late_answer_is_no_answer_to_the_next_question(self):
        """What comes after the timeout is dropped, though another question is open by then."""
        late = LatePlayer(0.5, [1])
        late.choose = lambda question: 2 if question.id == 1 else 0
        slow = [ScriptedPlayer(0.9), ScriptedPlayer(0.9)]
        played = Table([late, *slow]).play()

        assert faults_of(played, 0) == ["timeout"]
        game = played.fixture.game
        asked = [line for line in move_lines(played, 0) if line["legal"] > 1]
        for line, question in zip(asked, late.questions, strict=True):
            assert line["move"] == game.move_to_json(question.legal_moves[0])

    def test_only_the_seat_that_was_asked_pays(self):
        """The time of others costs nothing."""
        players = [ScriptedPlayer(3.0), *others()]
        played = Table(players).play()

        assert [clock.bank_s for clock in played.clocks] == [2.0, 10.0, 10.0]
        assert [clock.used_s for clock in played.clocks] == [12.0, 0.0, 0.0]

    def test_no_limit(self):
        """Without a move time an answer may take a month, and nobody sets a timer."""
        players = [ScriptedPlayer(30 * 86_400.0), *others()]
        table = Table(players, UNLIMITED)
        timers: list[int] = []
        table.loop.call_later(1.0, lambda: timers.append(len(table.clock.timers)))
        played = table.play()

        assert not played.faults
        assert timers == [0]
        assert players[0].questions[0].move_time_s is None

    def test_the_bank_alone(self):
        """With no move time at all everything comes out of the bank."""
        slow = ScriptedPlayer(1.0)
        played = Table([slow, *others()], TimeControl(0.0, 3.0)).play()

        assert [question.bank_s for question in slow.questions] == [3.0, 2.0, 1.0, 0.0]
        assert faults_of(played, 0) == ["timeout"]
        assert [line.get("fault") for line in move_lines(played, 0)][3] == "timeout"

    def test_no_time_at_all(self):
        """Even a clock that leaves nothing ends the match."""
        played = Table([ScriptedPlayer(0.001), *others()], TimeControl(0.0, 0.0)).play()

        assert played.ended == ("forfeit:timeout", "normal", "normal")

    def test_the_clock_starts_when_the_question_is_sent(self):
        """What goes by between asking and sending is the arena's, not the player's."""

        class Queued(ScriptedPlayer):
            def respond(self, question: Question) -> None:
                self.after(100.0, lambda: ScriptedPlayer.respond(self, question))

        queued = Queued(0.5)
        played = Table([queued, *others()]).play()

        assert not played.faults
        assert played.clocks[0].used_s == pytest.approx(0.5 * QUESTIONS)
        assert played.clocks[0].bank_s == 10.0
        question = queued.questions[0]
        assert (question.asked_at, question.sent_at) == (0.0, 100.0)

    def test_a_question_sent_again(self):
        """Only the first sending starts the clock."""

        class Again(ScriptedPlayer):
            def respond(self, question: Question) -> None:
                super().respond(question)
                self.after(0.5, lambda: self.send(question))

        played = Table([Again(3.0), *others()]).play()

        assert played.clocks[0].used_s == 3.0 * QUESTIONS

    def test_an_answer_before_the_question_was_sent(self):
        """When messages cross, the answer counts and has taken no time."""
        played = Table([HastyPlayer(choose=choose_last), *others()]).play()

        assert not played.faults
        assert played.clocks[0].used_s == 0.0
        assert played.clocks[0].decisions == QUESTIONS

    def test_an_answer_stamped_before_the_sending(self):
        """Time never runs backwards for a seat."""

        class Stamped(ScriptedPlayer):
            def answer(self, question: Question, index: int | None = None) -> None:
                question.answer(0, question.match.clock.time() - 7.0)

        played = Table([Stamped(), *others()]).play()

        assert played.clocks[0].used_s == 0.0
        assert min(line["ms"] for line in move_lines(played)) == 0.0


class TestBatches:
    def test_each_is_charged_its_share(self):
        """In a batch of four, 4 s are 1 s for each: within the move time."""
        played = Table([ScriptedPlayer(4.0, batch=4), *others()]).play()

        assert played.clocks[0].used_s == 1.0 * QUESTIONS
        assert played.clocks[0].bank_s == 10.0
        assert move_lines(played, 0)[0]["ms"] == 1000.0

    def test_the_overrun_is_shared_too(self):
        """Beyond the allowance of the batch each pays its share out of its bank."""
        played = Table([ScriptedPlayer(12.0, batch=4), *others()]).play()

        assert played.clocks[0].bank_s == 10.0 - 2.0 * QUESTIONS

    def test_a_batch_has_the_allowance_of_all(self):
        """A batch of k may take k times as long, and not a moment longer."""
        assert not Table([LatePlayer(-HAIR_S, [1], batch=4), *others()]).play().faults
        late = Table([LatePlayer(4 * HAIR_S, [1], batch=4), *others()]).play()
        assert faults_of(late, 0) == ["timeout"]

    def test_a_silent_batch(self):
        """The timer of a batch of four fires after four allowances."""
        silent = SilentPlayer(at=[1], batch=4)
        played = Table([silent, *others()]).play()

        assert silent.questions[1].asked_at == pytest.approx(44.0 + READ_FIRST_S)
        assert move_lines(played, 0)[0]["ms"] == 11000.0


class TestLag:
    """The arena's own delay is never charged, and recorded apart."""

    def test_an_answer_read_after_the_timer_has_fired(self):
        """What came in time counts, though the timer was noticed first."""
        late = LatePlayer(0.004, [1])

        class Stamped(LatePlayer):
            def answer(self, question: Question, index: int | None = None) -> None:
                question.answer(0, question.match.clock.time() - 0.004)

        assert faults_of(Table([late, *others()]).play(), 0) == ["timeout"]
        assert not Table([Stamped(0.004, [1]), *others()]).play().faults

    @pytest.mark.parametrize("lag_s", [0.01, 0.5, 7.0])
    def test_a_lagging_loop(self, lag_s):
        """As late as the loop lags, an answer is still in time; the delay is recorded."""
        played = Table([LatePlayer(lag_s, [1]), *others()], lag_s=lag_s).play()

        assert not played.faults
        assert played.clocks[0].bank_s == pytest.approx(0.0)
        assert played.clocks[0].delay_s == pytest.approx(lag_s)
        assert played.clocks[0].used_s == pytest.approx(11.0)

    @pytest.mark.parametrize("lag_s", [0.01, 0.5, 7.0])
    def test_later_than_the_lag(self, lag_s):
        """What is later than the loop lags is late."""
        played = Table([LatePlayer(lag_s + HAIR_S, [1]), *others()], lag_s=lag_s).play()

        assert faults_of(played, 0) == ["timeout"]

    def test_the_bank_does_not_pay_for_lag(self):
        """Beyond the move time by no more than the lag costs nothing of the bank."""
        played = Table([ScriptedPlayer(1.5), *others()], lag_s=0.5).play()

        assert played.clocks[0].bank_s == 10.0
        assert played.clocks[0].used_s == QUESTIONS
        assert played.clocks[0].delay_s == 0.5 * QUESTIONS

    def test_a_share_of_the_lag(self):
        """In a batch each is relieved of its share of the lag."""
        played = Table([ScriptedPlayer(6.0, batch=4), *others()], lag_s=2.0).play()

        assert played.clocks[0].bank_s == 10.0
        assert played.clocks[0].delay_s == 0.5 * QUESTIONS

    def test_a_silent_player_gains_nothing_by_lag(self):
        """The arena waits longer, the player is charged its allowance and times out."""
        silent = SilentPlayer(at=[1])
        played = Table([silent, *others()], lag_s=0.5).play()

        assert faults_of(played, 0) == ["timeout"]
        assert played.clocks[0].used_s == 11.0
        assert silent.questions[1].asked_at == pytest.approx(12.0)

    def test_a_fault_is_not_charged_for_lag_either(self):
        """A message that makes no sense costs its time without the lag."""
        played = Table([FailingPlayer(at=[1], think_s=1.5), *others()], lag_s=0.5).play()

        assert played.clocks[0].bank_s == 10.0

    def test_a_blocked_loop_by_its_own_meter(self):
        """A loop that stood still over the deadline lets the answer that waited through."""
        loop = VirtualLoop()
        clock = LoopClock(loop)
        clock.start()
        ended: list[PlayedMatch] = []
        conditions = Conditions(CONTROL, clock=clock, on_end=ended.append)
        players = [LatePlayer(-0.01, [1]), *others()]
        match = Match(fixture_of(HighCard()), players, conditions)
        loop.call_soon(match.begin)
        loop.call_at(10.985, loop.advance, 3.0)  # the answer, due at 10.99, is read at 13.985
        loop.call_at(20.0, clock.stop)
        loop.run_until_idle()
        loop.close()

        assert ended[0].faults == ()
        assert ended[0].clocks[0].delay_s == pytest.approx(3.0, abs=0.02)
