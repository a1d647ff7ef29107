"""Whoever answers for a seat of a hosted match: a session, or nobody."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.game import Event, Seat
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Ending, Question
from arena.referee.replay import Entrant
from arena.server.session import Phase, Session
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import Codec, codec_for


class SessionPlayer:
    """Answers for one seat through a session."""

    def __init__(self, session: Session, shows_names: bool = True) -> None:
        """Sit down for a bot that is in the lobby."""
        self.session = session
        self.question: Question | None = None
        self.last_id = 0  # of the decisions of this seat so far
        self.late: set[int] = set()
        self.introduction = b""
        self._shows_names = shows_names
        self._match: Match | None = None
        self._seat = Seat(0)
        self._codec: Codec | None = None

    @property
    def is_present(self) -> bool:
        """Whether the session has a stream."""
        return self.session.is_present

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat and tell the bot."""
        self._match = match
        self._seat = seat
        self._codec = codec_for(match.game)
        fixture, conditions = match.fixture, match.conditions
        self.introduction = play.match_started(
            match_id=fixture.match,
            game=match.game,
            seat=seat,
            seats=seat_infos(fixture.seats, self._shows_names),
            time_control=play.time_control(
                move_time_s=conditions.control.move_time_s,
                bank_s=conditions.control.bank_s,
                max_faults=conditions.policy.max_faults,
            ),
            bot_seed=fixture.bot_seeds[seat] if fixture.bot_seeds else b"",
        )
        session = self.session
        if session.ended_by is not None:
            match.fail(seat, *session.ended_by)
            return
        session.seats[fixture.match] = self
        session.send(self.introduction)
        session.on_change(session)

    def ask(self, question: Question) -> None:
        """Have the decision written."""
        assert self._codec is not None
        self.question = question
        self.last_id = question.id
        part = play.decision(
            question.match.fixture.match,
            question.id,
            question.move_time_s,
            question.bank_s,
            len(question.legal_moves),
            question.faults,
            self._codec.decision(question.observation, question.legal_moves, question.events),
        )
        session = self.session
        session.outbox.ask(question, part)
        if session.phase is not Phase.LIVE:
            question.sent(session.clock.time())  # it has its clock to come back

    def withdraw(self, question: Question) -> None:
        """Take back a decision whose time is up."""
        self.session.outbox.settle(question)
        self.late.add(question.id)

    def start_clock_unsent(self, at: float) -> None:
        """Start the clock of a decision that could not be written, as the session is gone."""
        if self.question is not None:
            self.question.sent(at)

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat and tell the bot how it ended."""
        if self._match is None or self._codec is None:
            return  # void before it began
        if self.question is not None:
            self.session.outbox.settle(self.question)
        match_id = self._match.fixture.match
        outcome = ending.outcome
        message = play.match_ended(
            match_id=match_id,
            scores=outcome.scores if outcome else (),
            ranks=outcome.ranks if outcome else (),
            forfeits=ending.forfeits,
            void_reason=ending.void_reason or "",
            faults=faults,
            events=self._codec.events(events),
        )
        self.session.leave_match(match_id, message)

    def fail(self, fault: Fault, detail: str) -> None:
        """Forfeit: the session is gone for good."""
        if self._match is not None:
            self._match.fail(self._seat, fault, detail)


def seat_infos(entrants: Sequence[Entrant], shows_names: bool = True) -> list[play_pb2.SeatInfo]:
    """Return who sits where, without names where they are hidden."""
    if not shows_names:
        return [play_pb2.SeatInfo() for _ in entrants]
    return [play_pb2.SeatInfo(bot=entry.bot, version=entry.version) for entry in entrants]


class AbsentPlayer:
    """A seat whose bot was never ready: forfeits before the first move."""

    is_present = False

    def __init__(self, fault: Fault, detail: str) -> None:
        """Say why nobody is there."""
        self._fault = fault
        self._detail = detail

    def start(self, match: Match, seat: Seat) -> None:
        """Forfeit."""
        match.fail(seat, self._fault, self._detail)

    def ask(self, question: Question) -> None:
        """Never called: a forfeited seat is not asked."""
        question.fail(self._fault, self._detail)

    def withdraw(self, question: Question) -> None:
        """Nothing is open."""

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """There is nobody to tell."""
