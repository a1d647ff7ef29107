"""The referee over players who may misbehave: every promise about clocks and faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.game import AnyState, Event, Seat
from arena.games.registry import get_game
from arena.referee.clock import UNLIMITED, LoopClock, TimeControl
from arena.referee.faults import Fault, FaultPolicy, SeatFault
from arena.referee.match import READ_FIRST_S, Conditions, Match, PlayedMatch, play_match
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
    VirtualLoop,
    choose_last,
)
from arena.testing.players import HAIR_S
from tests.recorded import RandomPlayer
from tests.toy_game import ToyGame, ToyState
from tests.virtual_table import (
    CONTROL,
    Table,
    faults_of,
    fixture_of,
    follow,
    move_lines,
    without_times,
)

QUESTIONS = 4  # each seat of the toy game is asked so often: one card to bury, three to play
GAMES = [ToyGame(), get_game("byzanz"), get_game("schwarzmarkt")]


def by_name(games):
    return pytest.mark.parametrize("game", games, ids=lambda game: game.name)


def others(count: int = 2) -> list[ScriptedPlayer]:
    return [ScriptedPlayer() for _ in range(count)]


def random_choice(seed: object) -> Callable[[Question], int]:
    """Choose as RandomPlayer does."""
    player = RandomPlayer(seed)
    return lambda question: question.legal_moves.index(
        player.decide(question.observation, question.legal_moves)
    )


def assert_told_everything(table: Table, players: Sequence[ScriptedPlayer]) -> None:
    """Each seat was told every event it may see and every fault, once and in order."""
    notices = [(recorded.seat, recorded.fault) for recorded in table.on_fault]
    for seat, player in enumerate(players):
        assert player.events == table.seen(seat)
        assert [(told.seat, told.fault) for told in player.faults] == notices
        assert len(player.endings) == 1


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
        silent = SilentPlayer(at=[1, 2])
        played = Table([silent, *others()]).play()

        assert [line["ms"] for line in move_lines(played, 0)[:2]] == [11000.0, 1000.0]

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
        match = Match(fixture_of(ToyGame()), players, conditions)
        loop.call_soon(match.begin)
        loop.call_at(10.985, loop.advance, 3.0)  # the answer, due at 10.99, is read at 13.985
        loop.call_at(20.0, clock.stop)
        loop.run_until_idle()
        loop.close()

        assert ended[0].faults == ()
        assert ended[0].clocks[0].delay_s == pytest.approx(3.0, abs=0.02)


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

        assert [(entry.seat, entry.fault) for entry in played.faults] == [(1, fault)]
        assert played.ended == ("normal",) * 3
        assert len(player.questions) == QUESTIONS
        assert player.withdrawn == [player.questions[1]]
        for told in players:
            assert told.faults == [SeatFault(1, fault, forfeited=False)]
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
        player = IllegalPlayer(choose_last_index := None)
        assert choose_last_index is None
        players = [player, *others()]
        table = Table(players, max_faults=max_faults)
        played = table.play()

        assert faults_of(played, 0) == ["illegal_move"] * max_faults
        assert len(player.questions) == max_faults
        assert played.ended == ("forfeit:illegal_move", "normal", "normal")
        last = [False] * (max_faults - 1) + [True]
        for told in players:
            assert told.faults == [SeatFault(0, Fault.ILLEGAL_MOVE, is_last) for is_last in last]

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
        flooding = FloodingPlayer(20, choose_last_at := range(1, 10))
        assert choose_last_at
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
    def test_a_forfeited_seat(self):
        """Default moves to the end, last rank, and the points are kept."""
        players = [ScriptedPlayer(choose=choose_last) for _ in range(3)]
        crashing = CrashingPlayer(at=[4])
        crashing.choose = choose_last
        for seat in range(3):
            table = Table([*players[:seat], crashing, *players[seat + 1 :]])
            played = table.play()
            assert played.outcome is not None
            state = table.match.state
            assert isinstance(state, ToyState)
            assert played.outcome.scores == tuple(state.points)
            assert played.outcome.ranks[seat] == 3
            assert played.ended[seat] == "forfeit:crash"
            assert sorted(played.outcome.ranks) in ([1, 2, 3], [1, 1, 3])
            follow(played)
            players = [ScriptedPlayer(choose=choose_last) for _ in range(3)]
            crashing = CrashingPlayer(at=[4])
            crashing.choose = choose_last

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
        assert slow.questions[1].faults == [SeatFault(1, Fault.CRASH, forfeited=True)]
        assert played.faults[0].move == 1
        assert_told_everything(table, players)
        follow(played)

    def test_a_seat_that_never_starts(self):
        """A fault before the first question: the match is played without that seat."""

        class Stillborn(ScriptedPlayer):
            def start(self, match: Match, seat: Seat) -> None:
                super().start(match, seat)
                match.fail(seat, Fault.NO_START, "never ready")

        players = [*others(1), Stillborn(), *others(1)]
        table = Table(players)
        played = table.play()

        assert played.ended == ("normal", "forfeit:no_start", "normal")
        assert players[1].questions == []
        assert players[0].questions[0].faults == [SeatFault(1, Fault.NO_START, forfeited=True)]
        assert_told_everything(table, players)

    @pytest.mark.parametrize("crashes", [2, 3])
    @by_name(GAMES)
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
                table.match.fail(Seat(seat), Fault.CRASH)

        table.loop.call_later(1.0, crash)
        ends: list[float] = []
        table.match.conditions.on_end = lambda _: ends.append(table.loop.time())
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
                self.match.fail(Seat(0), Fault.OUT_OF_MEMORY)

        played = Table([Twice(at=[2]), *others()]).play()

        assert played.ended[0] == "forfeit:crash"
        assert faults_of(played, 0) == ["crash"]

    def test_a_crash_after_the_third_fault(self):
        """A seat that forfeited by its faults and then crashes keeps its first reason."""

        class Sulking(IllegalPlayer):
            def withdraw(self, question: Question) -> None:
                super().withdraw(question)
                if len(self.withdrawn) == 3:
                    question.match.fail(question.seat, Fault.CRASH)

        played = Table([Sulking(), *others()]).play()

        assert faults_of(played, 0) == ["illegal_move"] * 3
        assert played.ended[0] == "forfeit:illegal_move"

    def test_a_crash_when_told_of_a_timeout(self):
        """A player that fails in the middle of being told forfeits from there on."""

        class Offended(SilentPlayer):
            def withdraw(self, question: Question) -> None:
                super().withdraw(question)
                question.match.fail(question.seat, Fault.CRASH)

        played = Table([Offended(at=[1]), *others()]).play()

        assert faults_of(played, 0) == ["timeout", "crash"]
        assert played.ended[0] == "forfeit:crash"
        assert [line.get("fault") for line in move_lines(played, 0)][:2] == ["timeout", "crash"]

    def test_a_fault_after_the_end(self):
        """When the match is over nothing can be lost any more."""
        players = others(3)
        table = Table(players)
        table.loop.call_later(100.0, lambda: table.match.fail(Seat(0), Fault.CRASH))
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
        assert players[1].faults == [SeatFault(0, Fault.DISCONNECT, forfeited=True)]
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
        table.match.conditions.on_fault = lambda _: table.match.abort("the arena stops")
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

        table.match.conditions.on_events = watch
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

        table.match.conditions.on_events = watch
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


@by_name(GAMES)
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
    """Each question of a match has an id of its own, counted from 1."""
    players = others(3)
    Table(players).play()

    ids = sorted(question.id for player in players for question in player.questions)
    assert ids == list(range(1, 3 * QUESTIONS + 1))


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


class EndlessState(ToyState):
    """The toy game, played again and again until so many cards have been played."""

    left = 5_000

    def _play(self, seat: Seat, card: int) -> list[Event]:
        events = super()._play(seat, card)
        self.left -= 1
        if self.left > 0:
            self.hands[seat].append(card)  # back to the hand: nobody ever runs out
            self.to_act = Seat((seat + 1) % self.seats)
        else:
            self.to_act = None
        return events


class EndlessGame(ToyGame):
    """See EndlessState."""

    state_class = EndlessState


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
    table = Table(players, game=EndlessGame(), max_faults=1_000_000)
    played = table.play()

    assert played.moves >= 5_000
    assert sum(clock.decisions for clock in played.clocks) >= 5_000


def well_behaved() -> st.SearchStrategy[ScriptedPlayer]:
    return st.one_of(
        st.builds(ScriptedPlayer, st.sampled_from([None, 0.0, 0.1, 0.5])),
        st.builds(HastyPlayer),
        st.builds(FloodingPlayer, st.integers(1, 4)),
        st.builds(AbsentPlayer, st.sets(st.integers(1, 4)), st.sampled_from([0.0, 0.1, 0.9])),
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
