"""Players that keep to a script, well-behaved and misbehaving, for whoever tests a referee.

All of them work in an event loop, virtual or real, and remember everything they were told.
Questions are counted from 1, for each player its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence

from arena.games.game import Event, Seat
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Ending, Question

Choose = Callable[[Question], int]
"""Names the place of the move to make."""

HAIR_S = 0.001
"""The least that counts as early or late."""

ALWAYS = range(1, 1_000_000_000)


def choose_first(_question: Question) -> int:
    """Choose the first legal move."""
    return 0


def choose_last(question: Question) -> int:
    """Choose the last legal move."""
    return len(question.legal_moves) - 1


class ScriptedPlayer:
    """Well-behaved: answers each question after `think_s`, within `ask` if that is None.

    With `batch` k it claims to have been asked k questions in one message.
    """

    is_present = True

    def __init__(
        self,
        think_s: float | None = 0.0,
        choose: Choose = choose_first,
        *,
        batch: int = 1,
        note: str | None = None,
    ) -> None:
        """Think for so long, choose so."""
        self.think_s = think_s
        self.choose = choose
        self.batch = batch
        self.note = note
        self.match: Match | None = None
        self.seat: Seat | None = None
        self.questions: list[Question] = []
        self.withdrawn: list[Question] = []
        self.endings: list[Ending] = []
        self.events: list[Event] = []
        self.faults: list[SeatFault] = []
        self.refusals: list[Fault] = []
        """What its answers were found to be, if not accepted."""

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""
        self.match = match
        self.seat = seat

    def ask(self, question: Question) -> None:
        """Remember the question and do as the script says."""
        self.questions.append(question)
        self.events += question.events
        self.faults += question.faults
        self.respond(question)

    def withdraw(self, question: Question) -> None:
        """Remember that it was settled without an answer."""
        self.withdrawn.append(question)

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Remember how it ended."""
        self.endings.append(ending)
        self.events += events
        self.faults += faults

    def respond(self, question: Question) -> None:
        """Answer a question properly."""
        self.send(question)
        self.after(self.think_s, lambda: self.answer(question))

    def send(self, question: Question) -> None:
        """Say that the question is on its way now."""
        question.sent(question.match.clock.time(), self.batch)

    def answer(self, question: Question, index: int | None = None) -> None:
        """Answer now, with the chosen move unless another is named."""
        chosen = self.choose(question) if index is None else index
        fault = question.answer(chosen, question.match.clock.time(), self.note)
        if fault is not None:
            self.refusals.append(fault)

    @staticmethod
    def after(delay_s: float | None, call: Callable[[], None]) -> None:
        """Call later, or at once if the delay is None."""
        if delay_s is None:
            call()
        else:
            asyncio.get_running_loop().call_later(delay_s, call)


class MisbehavingPlayer(ScriptedPlayer):
    """Base of those that misbehave at some questions (`at`) and answer the others properly."""

    def __init__(
        self,
        at: Container[int] = ALWAYS,
        think_s: float | None = 0.0,
        choose: Choose = choose_first,
        *,
        batch: int = 1,
    ) -> None:
        """Misbehave at these questions, counted from 1."""
        super().__init__(think_s, choose, batch=batch)
        self.at = at

    def respond(self, question: Question) -> None:
        """Misbehave if it is time to."""
        if len(self.questions) in self.at:
            self.misbehave(question)
        else:
            super().respond(question)

    def misbehave(self, question: Question) -> None:
        """Do what a bot should not; subclasses say what."""
        raise NotImplementedError


class SilentPlayer(MisbehavingPlayer):
    """Takes the question and never answers."""

    def misbehave(self, question: Question) -> None:
        """Say nothing."""
        self.send(question)


class LatePlayer(MisbehavingPlayer):
    """Answers so long after the deadline, when move time and bank are used up; negative: before."""

    def __init__(
        self, by_s: float = HAIR_S, at: Container[int] = ALWAYS, *, batch: int = 1
    ) -> None:
        """Be late by so much."""
        super().__init__(at, batch=batch)
        self.by_s = by_s

    def misbehave(self, question: Question) -> None:
        """Wait for the deadline and a little longer. Without a limit nobody can be late."""
        self.send(question)
        allowance_s = (question.move_time_s or 0.0) + question.bank_s
        self.after(allowance_s * self.batch + self.by_s, lambda: self.answer(question))


class IllegalPlayer(MisbehavingPlayer):
    """Answers with a place that no legal move has; unless it is named, the one behind the last."""

    def __init__(
        self,
        index: int | None = None,
        at: Container[int] = ALWAYS,
        think_s: float | None = 0.0,
    ) -> None:
        """Name this place, whatever the question."""
        super().__init__(at, think_s)
        self.index = index

    def misbehave(self, question: Question) -> None:
        """Choose what is not there."""
        index = len(question.legal_moves) if self.index is None else self.index
        self.send(question)
        self.after(self.think_s, lambda: self.answer(question, index))


class HastyPlayer(MisbehavingPlayer):
    """Answers before it has been told that the question was sent. No fault: messages may cross."""

    def misbehave(self, question: Question) -> None:
        """Answer first, send then."""
        self.answer(question)
        self.send(question)


class FloodingPlayer(MisbehavingPlayer):
    """Answers `count` times instead of once, and all its old questions again. No fault by itself.

    Only the first answer to an open question is the right one; the others name no legal move.
    """

    def __init__(
        self, count: int = 2, at: Container[int] = ALWAYS, think_s: float | None = 0.0
    ) -> None:
        """Answer so often."""
        super().__init__(at, think_s)
        self.count = count

    def misbehave(self, question: Question) -> None:
        """Answer the old ones wrongly, this one properly, and then all of them again."""
        self.send(question)
        self.after(self.think_s, lambda: self._flood(question))

    def _flood(self, question: Question) -> None:
        asked = self.questions[:]  # the right answer may bring a new one, which is left alone
        for old in asked[:-1]:
            self.answer(old, len(old.legal_moves))
        self.answer(question)
        for old in asked * (self.count - 1):
            self.answer(old, len(old.legal_moves))


class FailingPlayer(MisbehavingPlayer):
    """Lets the question fail with a fault, as a session does for a message that makes no sense."""

    def __init__(
        self,
        fault: Fault = Fault.PROTOCOL_ERROR,
        at: Container[int] = ALWAYS,
        think_s: float | None = 0.0,
    ) -> None:
        """Fail so."""
        super().__init__(at, think_s)
        self.fault = fault

    def misbehave(self, question: Question) -> None:
        """Fail, after thinking."""
        self.send(question)
        self.after(self.think_s, lambda: question.fail(self.fault, "scripted"))


class CrashingPlayer(MisbehavingPlayer):
    """Ends in the middle: at a question (`at`), or `after_s` the start, whoever is to act."""

    def __init__(
        self,
        at: Container[int] = (),
        after_s: float | None = None,
        fault: Fault = Fault.CRASH,
        think_s: float | None = 0.0,
    ) -> None:
        """Say when and how to end; never, if neither is named."""
        super().__init__(at, think_s)
        self.after_s = after_s
        self.fault = fault

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat and set the time of the crash."""
        super().start(match, seat)
        if self.after_s is not None:
            self.after(self.after_s, self.crash)

    def misbehave(self, question: Question) -> None:
        """Crash over a question."""
        self.send(question)
        self.after(self.think_s, self.crash)

    def crash(self) -> None:
        """Let the seat forfeit now."""
        assert self.match is not None
        assert self.seat is not None
        self.match.forfeit(self.seat, self.fault, "exit status 1")


class AbsentPlayer(MisbehavingPlayer):
    """Goes away at a question; comes back after `back_after_s` and answers it, or never."""

    def __init__(self, at: Container[int] = ALWAYS, back_after_s: float | None = None) -> None:
        """Be away for so long."""
        super().__init__(at)
        self.is_present = True
        self.back_after_s = back_after_s

    def misbehave(self, question: Question) -> None:
        """Go; the clock runs nevertheless."""
        self.send(question)
        self.is_present = False
        if self.back_after_s is not None:
            self.after(self.back_after_s, lambda: self._come_back(question))

    def _come_back(self, question: Question) -> None:
        self.is_present = True
        self.send(question)  # again, as after a reconnect: the clock must not start anew
        self.answer(question)
