"""Whoever answers for a seat of a hosted match: a session, or nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.games.game import Event, Seat
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Ending, Question
from arena.referee.replay import Entrant
from arena.server.session import LIVE, Reason, Session
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.answers import Answer
from arena.wire.codec import Codec, codec_for

_LATE = "the time was up; a default move was made"


class SessionPlayer:
    """Answers for one seat through a session."""

    def __init__(self, session: Session, match_id: str) -> None:
        """Sit down for a bot that is in the lobby, in a match that it is to know by this id."""
        self.session = session
        self.question: Question | None = None
        self.introduction = b""
        self._late: set[int] = set()  # ids of those that were settled without an answer
        self._match_id = match_id
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
            match_id=self._match_id,
            game=match.game,
            seat=seat,
            seats=seat_infos(fixture.seats, conditions.shows_names),
            time_control=play.time_control(
                move_time_s=conditions.control.move_time_s,
                bank_s=conditions.control.bank_s,
                max_faults=conditions.policy.max_faults,
            ),
            bot_seed=fixture.bot_seeds[seat] if fixture.bot_seeds else b"",
        )
        session = self.session
        if session.ended_by is not None:
            match.forfeit(seat, *session.ended_by)
            return
        session.enter_match(self._match_id, self)

    def ask(self, question: Question) -> None:
        """Have the decision written."""
        assert self._codec is not None
        self.question = question
        id_, move_time_s, bank_s, legal_count, faults, observation, legal, events = question.told()
        game = self._codec.decision(observation, legal, events)
        part = play.decision(self._match_id, id_, move_time_s, bank_s, legal_count, faults, game)
        session = self.session
        session.outbox.ask(question, part)
        if session.phase is not LIVE:
            question.sent(session.clock.time())  # it has its clock to come back

    def withdraw(self, question: Question) -> None:
        """Take back a decision whose time is up."""
        self.session.outbox.settle(question)
        self._late.add(question.id)

    def answer(self, answer: Answer, at: float) -> bool:
        """Judge an answer of the bot; return whether it was asked for, late or not."""
        _, decision_id, move_index, _ = answer
        question, session = self.question, self.session
        if question is None or question.id != decision_id or not question.is_open:
            return self._reject_stale(answer)
        if question not in session.outbox.open:
            session.reject(answer, Reason.REASON_UNKNOWN_DECISION, "not asked yet: wait for it")
            return False
        if move_index is None:
            question.fail(Fault.PROTOCOL_ERROR, "an answer without move_index")
            session.reject(answer, Reason.REASON_INCOMPLETE, "set move_index, even if it is 0")
        elif (fault := self._settle(question, move_index, answer, at)) is None:
            return True
        elif fault is Fault.ILLEGAL_MOVE:
            text = f"move_index {move_index} is not one of 0 to {question.legal_count - 1}"
            session.reject(answer, Reason.REASON_ILLEGAL_MOVE, text)
        else:
            session.reject(answer, Reason.REASON_LATE, _LATE)
        self._late.discard(question.id)  # it was answered, if not well
        return True

    def _settle(
        self, question: Question, move_index: int, answer: Answer, at: float
    ) -> Fault | None:
        """Have the referee take the answer; return the fault that it is, if any."""
        session, note = self.session, answer[3]
        if session.metrics is not None:
            session.metrics.decided(question, at)
        session.outbox.settle(question)
        if not note:
            return question.answer(move_index, at)
        raw, most = note.encode(), session.limits.max_note_bytes
        if len(raw) > most:
            note = raw[:most].decode(errors="ignore")
        fault = question.answer(move_index, at, note or None)
        if len(raw) > most and fault is None:
            text = f"the note was cut to {most} bytes: send shorter ones"
            session.reject(answer, Reason.REASON_NOTE_TOO_LONG, text)
        return fault

    def _reject_stale(self, answer: Answer) -> bool:
        """Reject an answer to nothing that is open; return whether it was merely late."""
        reject = self.session.reject
        if answer.decision_id in self._late:
            self._late.remove(answer.decision_id)
            reject(answer, Reason.REASON_LATE, _LATE)
            return True
        if self.question is not None and 0 < answer.decision_id <= self.question.id:
            reject(answer, Reason.REASON_REPEATED, "answered already: answer each once")
        else:
            text = "no such decision: repeat its decision_id"
            reject(answer, Reason.REASON_UNKNOWN_DECISION, text)
        return False

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat and tell the bot how it ended."""
        if self._match is None or self._codec is None:
            return  # void before it began
        if self.question is not None:
            self.session.outbox.settle(self.question)
        outcome = ending.outcome
        message = play.match_ended(
            match_id=self._match_id,
            scores=outcome.scores if outcome else (),
            ranks=outcome.ranks if outcome else (),
            forfeits=ending.forfeits,
            void_reason=ending.void_reason or "",
            faults=faults,
            events=self._codec.events(events),
        )
        self.question = self._match = None  # both hold this seat: no cycle
        self.session.leave_match(self._match_id, message)

    def forfeit(self, fault: Fault, detail: str) -> None:
        """Give the seat up: the session is gone for good."""
        if self._match is not None:
            self._match.forfeit(self._seat, fault, detail)


def seat_infos(entrants: Sequence[Entrant], shows_names: bool) -> list[play_pb2.SeatInfo]:
    """Return who sits where, without names where they are hidden."""
    if not shows_names:
        return [play_pb2.SeatInfo() for _ in entrants]
    return [play_pb2.SeatInfo(bot=entry.bot, version=entry.version) for entry in entrants]


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat whose bot is not there, and why: it forfeits before the first move."""

    is_present: ClassVar[bool] = False

    fault: Fault
    detail: str

    def start(self, match: Match, seat: Seat) -> None:
        """Forfeit."""
        match.forfeit(seat, self.fault, self.detail)

    def ask(self, question: Question) -> None:
        """Never called: a forfeited seat is not asked."""
        question.fail(self.fault, self.detail)

    def withdraw(self, question: Question) -> None:
        """Nothing is open."""

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """There is nobody to tell."""
