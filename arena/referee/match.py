"""The referee: one match from set-up to outcome, over players who may misbehave.

A match is driven by calls, not by a task of its own: `begin` plays until a player must be asked,
and every answer, fault or timer plays on from there. Nothing here raises for what a player does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from arena import __version__
from arena.games.game import AnyState, Event, Labels, Move, Outcome, Seat, seen_by
from arena.games.shuffle import SeededChance
from arena.referee.clock import UNLIMITED, Clock, InlineClock, SeatClock, TimeControl, Timer
from arena.referee.faults import (
    Fault,
    FaultPolicy,
    Forfeits,
    SeatFault,
    ended_by,
    rank_with_forfeits,
)
from arena.referee.fixture import Fixture
from arena.referee.player import Chooser, Ending, InlinePlayer, Player, Question
from arena.referee.replay import Header, Recording

OnEvents = Callable[[AnyState, Sequence[Event]], None]

READ_FIRST_S = 0.005
"""When a timer fires, so long (and as long as the loop lags) input already here is read first."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What is left of a match. A void one has a reason, no outcome and no complete replay."""

    fixture: Fixture
    outcome: Outcome | None
    forfeits: Forfeits
    faults: tuple[SeatFault, ...]
    clocks: tuple[SeatClock, ...]
    moves: int
    recording: Recording
    void_reason: str | None = None

    @property
    def replay(self) -> str:
        """The replay file, written anew at every call."""
        return self.recording.text()

    @property
    def ended(self) -> tuple[str, ...]:
        """How each seat ended, as replays write it."""
        return tuple(map(ended_by, self.forfeits))


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a match is played under, beside its fixture, and who is told of it."""

    control: TimeControl = UNLIMITED
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    shows_names: bool = True  # to whoever plays
    clock: Clock = field(default_factory=InlineClock)
    on_events: OnEvents | None = None
    on_fault: Callable[[SeatFault], None] | None = None
    on_end: Callable[[PlayedMatch], None] | None = None

    def untold(self) -> Conditions:
        """Return the same conditions with nobody to be told."""
        return replace(self, on_events=None, on_fault=None, on_end=None)


class Match:
    """One match in progress. Players call back through their questions and `forfeit`."""

    def __init__(self, fixture: Fixture, players: Sequence[Player], conditions: Conditions) -> None:
        """Deal; nobody is told before `begin`."""
        game = fixture.game
        labels = fixture.labels or tuple(range(len(game.kinds)))
        setup = game.relabel(game.setup(fixture.seed, len(players)), labels)
        self.fixture = fixture
        self.game = game
        self.state = game.start(setup, SeededChance(fixture.seed))
        self.clock = conditions.clock
        self.conditions = conditions
        self.moves = 0
        self.played: PlayedMatch | None = None
        seats = len(players)
        self._players = tuple(players)
        self._clocks = tuple(SeatClock(conditions.control) for _ in players)
        self._faults: list[SeatFault] = []
        self._fault_counts = [0] * seats
        self._forfeits: list[Fault | None] = [None] * seats
        self._events: list[Event] = []
        self._gated = 0  # from here on, all events are for everybody: most of them are
        self._told = [(0, 0)] * seats  # how many events and faults each seat has been told
        self._question: Question | None = None
        self._asked = [0] * seats  # by seat: a common count would show others' forced moves
        self._is_playing = False
        self._timer: Timer | None = None
        self._timer_at = 0.0
        self._answered_at = 0.0
        self.recording = Recording(game, partial(_header, fixture, labels, setup))

    # What the owner calls.

    def begin(self) -> None:
        """Seat everybody and play until somebody must be asked."""
        self._answered_at = self.clock.time()
        self._is_playing = True
        for seat, player in enumerate(self._players):
            player.start(self, Seat(seat))
        self._is_playing = False
        if self.played is None:
            self._record(self.game.opening(self.state))
            self._play_on()

    def abort(self, reason: str) -> None:
        """End the match without an outcome: it is void."""
        if self.played is None:
            self._finish(None, reason)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, one way or the other."""
        return self.played is not None

    # What players call, mostly through their questions.

    def forfeit(self, seat: Seat, fault: Fault, detail: str = "") -> None:
        """Let a seat forfeit at once: it is not coming back. The first reason counts."""
        if self.played is not None or self._forfeits[seat] is not None:
            return
        question = self._question
        if question is not None and question.seat == seat:
            self._settle(question, fault, detail, is_forfeit=True)
        else:
            self._note_fault(seat, fault, detail, is_forfeit=True)

    def clock_started(self, question: Question) -> None:
        """Set the timer for a question that has been sent."""
        allowance = self._clocks[question.seat].allowance_s
        if allowance is not None and question.sent_at is not None:
            self._watch(question.sent_at + allowance / question.share)

    def answered(
        self, question: Question, index: int, at: float, note: str | None = None
    ) -> Fault | None:
        """Take an answer; return the fault it is, if any. Ignored if the question is settled."""
        if not question.is_open:
            return None
        self._answered_at = at
        used, delay = self._time_used(question, at)
        if not self._clocks[question.seat].charge(used, delay):
            self._settle(question, Fault.TIMEOUT, "the answer came too late", used)
            return Fault.TIMEOUT
        if not 0 <= index < question.legal_count:
            detail = f"move {index} of {question.legal_count} legal moves"
            self._settle(question, Fault.ILLEGAL_MOVE, detail, used)
            return Fault.ILLEGAL_MOVE
        self._close(question)
        self._play(question.legal_moves[index], question.legal_count, used, note=note)
        self._play_on()
        return None

    def failed(self, question: Question, fault: Fault, detail: str = "") -> None:
        """Make the default move for a question that got no proper answer."""
        if question.is_open:
            self._settle(question, fault, detail)

    def refuse(self, move: Move) -> None:
        """Raise IllegalMoveError for a move that a trusted player should not have made."""
        self.state.apply(move)

    # The loop.

    def _play_on(self) -> None:
        """Play until a question is open or the match is over; flat, however fast answers are."""
        if self._is_playing or self.is_over:
            return
        self._is_playing = True
        state = self.state
        try:
            while (
                self._question is None
                and (seat := state.to_act) is not None
                and not self.is_over  # whoever is called from here may abort
            ):
                legal = state.legal_moves()
                legal_count = len(legal)
                if legal_count == 1:
                    self._play(legal[0], 1, 0.0)
                elif (fault := self._forfeits[seat]) is not None:
                    self._play(state.default_move(), legal_count, 0.0, fault=fault)
                else:
                    self._ask(seat, legal, legal_count)
        finally:
            self._is_playing = False
        if state.to_act is None and not self.is_over:
            self._finish(state.outcome(), None)

    def _ask(self, seat: Seat, legal: Sequence[Move], legal_count: int) -> None:
        self._asked[seat] += 1
        question = Question(self, seat, self._asked[seat], legal, legal_count)
        clock = self._clocks[seat]
        question.observation = self.state.observe(seat)
        question.events, question.faults = self._news(seat)
        question.move_time_s = clock.move_time_s
        question.bank_s = clock.bank_s
        question.asked_at = self._answered_at
        self._question = question
        self._players[seat].ask(question)

    def _news(self, seat: Seat) -> tuple[list[Event], Sequence[SeatFault]]:
        """Return what a seat has not been told yet, as far as it may know it."""
        events, faults = self._told[seat]
        self._told[seat] = (len(self._events), len(self._faults))
        news = self._events[events:]
        if events < self._gated:
            news = [seen for event in news if (seen := seen_by(event, seat)) is not None]
        return news, self._faults[faults:] if self._faults else ()

    def _play(
        self,
        move: Move,
        legal_count: int,
        used_s: float,
        fault: Fault | None = None,
        note: str | None = None,
    ) -> None:
        seat = self.state.to_act
        assert seat is not None
        events = self.state.apply(move)
        self.moves += 1
        self.recording.steps.append((seat, move, legal_count, used_s, fault, note, events))
        self._record(events)

    def _record(self, events: Sequence[Event]) -> None:
        for event in events:
            self._events.append(event)
            if event.audience is not None:
                self._gated = len(self._events)
        if events and self.conditions.on_events is not None:
            self.conditions.on_events(self.state, events)

    # Faults and time.

    def _settle(
        self,
        question: Question,
        fault: Fault,
        detail: str,
        used_s: float | None = None,
        *,
        is_forfeit: bool = False,
    ) -> None:
        """Close a question with a fault and make the default move.

        `used_s` is what has been charged already; None charges what it has taken until now.
        """
        self._close(question)
        if used_s is None:
            self._answered_at = self.clock.time()
            used_s, delay_s = self._time_used(question, self._answered_at)
            self._clocks[question.seat].charge(used_s, delay_s)
        self._note_fault(question.seat, fault, detail, is_forfeit=is_forfeit)
        if self.played is None:  # whoever was told may have aborted
            self._players[question.seat].withdraw(question)
        if self.played is None:
            self._play(self.state.default_move(), question.legal_count, used_s, fault=fault)
            self._play_on()

    def _time_used(self, question: Question, at: float) -> tuple[float, float]:
        """Return what a question has taken until then, and the arena's own delay apart from it."""
        if question.sent_at is None or at <= question.sent_at:
            return 0.0, 0.0
        elapsed = (at - question.sent_at) * question.share
        move_time = question.move_time_s
        # A quick answer costs nothing anyway: only one that took long is worth a look at the lag.
        if move_time is None or elapsed <= move_time / 2:
            return elapsed, 0.0
        delay = min(self.clock.lag() * question.share, elapsed)
        return elapsed - delay, delay

    def _close(self, question: Question) -> None:
        question.is_open = False
        self._question = None

    def _note_fault(self, seat: Seat, fault: Fault, detail: str, *, is_forfeit: bool) -> None:
        self._fault_counts[seat] += 1
        is_forfeit = is_forfeit or self._fault_counts[seat] >= self.conditions.policy.max_faults
        if is_forfeit:
            self._forfeits[seat] = fault
        recorded = SeatFault(seat, self.moves + 1, fault, detail, is_forfeit)
        self._faults.append(recorded)
        if self.conditions.on_fault is not None:
            self.conditions.on_fault(recorded)

    def _watch(self, deadline: float) -> None:
        """Have a timer that fires by the deadline; one that fires early sets itself anew."""
        if self._timer is not None:
            if self._timer_at <= deadline:
                return
            self._timer.cancel()
        self._timer_at = deadline
        self._timer = self.clock.call_at(deadline, self._timer_fired)

    def _timer_fired(self) -> None:
        self._timer = None
        question = self._question
        if self.played is not None or question is None or question.sent_at is None:
            return
        clock = self._clocks[question.seat]
        assert clock.allowance_s is not None
        patience = max(READ_FIRST_S, 2 * self.clock.lag())
        deadline = question.sent_at + clock.allowance_s / question.share
        now = self.clock.time()
        if now < deadline:
            self._watch(deadline)
        elif now < deadline + patience:
            self._watch(deadline + patience)
        else:
            # What went by since the deadline was the arena's patience.
            used = clock.allowance_s
            clock.charge(used, (now - deadline) * question.share)
            self._answered_at = now
            if self._players[question.seat].is_present:
                detail = "no answer within move time and bank"
                self._settle(question, Fault.TIMEOUT, detail, used)
            else:
                detail = "the session did not come back"
                self._settle(question, Fault.DISCONNECT, detail, used, is_forfeit=True)

    # The end.

    def _finish(self, outcome: Outcome | None, void_reason: str | None) -> None:
        question, self._question = self._question, None
        if question is not None:
            question.is_open = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        forfeits = tuple(self._forfeits)
        if outcome is not None:
            outcome = Outcome(outcome.scores, rank_with_forfeits(outcome.ranks, forfeits))
            self.recording.ending = outcome, forfeits
        self.played = PlayedMatch(
            fixture=self.fixture,
            outcome=outcome,
            forfeits=forfeits,
            faults=tuple(self._faults),
            clocks=self._clocks,
            moves=self.moves,
            recording=self.recording,
            void_reason=void_reason,
        )
        ending = Ending(outcome, forfeits, void_reason)
        for seat, player in enumerate(self._players):
            player.end(ending, *self._news(Seat(seat)))
        on_end = self.conditions.on_end
        self.conditions = self.conditions.untold()  # whoever was told may hold this match: no cycle
        self._players = ()
        if on_end is not None:
            on_end(self.played)


def _header(fixture: Fixture, labels: Labels, setup: object) -> Header:
    game = fixture.game
    return Header(
        arena=__version__,
        game=game.name,
        options=game.options,
        match=fixture.match,
        deal=fixture.deal,
        seed=fixture.seed,
        relabel=[game.kinds[kind] for kind in labels],
        seats=fixture.seats,
        setup=game.setup_to_json(setup),
    )


def play_match(
    fixture: Fixture, choosers: Sequence[Chooser], on_events: OnEvents | None = None
) -> PlayedMatch:
    """Play to the end in process, without clocks; `on_events` is told of opening and moves.

    Raises IllegalMoveError if a chooser names a move that is not legal.
    """
    players = [InlinePlayer(chooser) for chooser in choosers]
    match = Match(fixture, players, Conditions(on_events=on_events))
    match.begin()
    assert match.played is not None
    return match.played
