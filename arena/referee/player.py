"""The seam between the referee and whoever answers for a seat.

The referee asks and does not wait: `Player.ask` returns at once, and the answer comes back through
the question, at any time. So thousands of matches need no task each, and an answer costs a function
call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from arena.games.game import Event, Move, Outcome, Seat
from arena.referee.faults import Fault, Forfeits, SeatFault

if TYPE_CHECKING:
    from arena.referee.match import Match


Told: TypeAlias = tuple[
    int, float | None, float, int, Sequence[SeatFault], Any, Sequence[Move], Sequence[Event]
]
"""A question's id, move time, bank, number of legal moves, faults, observation, moves, events."""


class Question:
    """One decision put to a player: what it may know and what it may do.

    A player calls `sent` once the question is on its way to the bot (the clock runs from there) and
    then `answer` or `fail` once. A question is settled only once: `is_open` tells.
    """

    __slots__ = (
        "asked_at",
        "bank_s",
        "events",
        "faults",
        "id",
        "is_open",
        "legal_count",
        "legal_moves",
        "match",
        "move_time_s",
        "observation",
        "seat",
        "sent_at",
        "share",
    )

    def __init__(
        self,
        match: Match,
        seat: Seat,
        id: int,  # noqa: A002 - the protocol's word
        legal_moves: Sequence[Move],
        legal_count: int,
    ) -> None:
        """Made by the match alone."""
        self.match = match
        self.seat = seat
        self.id = id
        self.legal_moves = legal_moves
        self.legal_count = legal_count
        self.observation: Any = None
        self.events: Sequence[Event] = ()
        self.faults: Sequence[SeatFault] = ()
        self.move_time_s: float | None = None
        self.bank_s = 0.0
        self.asked_at = 0.0  # when the arena knew that it would ask
        self.sent_at: float | None = None
        self.share = 1.0  # of the time that passes; less than 1 in a batch
        self.is_open = True

    def told(self) -> Told:
        """Return what the bot is told: at once, since each look from outside has its price."""
        return (
            self.id,
            self.move_time_s,
            self.bank_s,
            self.legal_count,
            self.faults,
            self.observation,
            self.legal_moves,
            self.events,
        )

    def sent(self, at: float, batch: int = 1) -> None:
        """Start the clock; with others in a batch, each is charged its share.

        Only the first call counts: a question sent again after a reconnect has had its start.
        """
        if self.is_open and self.sent_at is None:
            self.sent_at = at
            self.share = 1.0 / batch
            self.match.clock_started(self)

    def answer(self, index: int, at: float, note: str | None = None) -> Fault | None:
        """Choose a legal move by its place; return the fault if it is not accepted."""
        return self.match.answered(self, index, at, note)

    def fail(self, fault: Fault, detail: str = "") -> None:
        """Let the default move be made, and count the fault."""
        self.match.failed(self, fault, detail)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, as far as everybody may know; a void one has a reason and no outcome."""

    outcome: Outcome | None
    forfeits: Forfeits
    void_reason: str | None = None


class Player(Protocol):
    """Answers for one seat in one match. No call may block or raise."""

    @property
    def is_present(self) -> bool:
        """Whether somebody is there who could answer now."""
        ...

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""
        ...

    def ask(self, question: Question) -> None:
        """Take a question; at most one is open at a time."""
        ...

    def withdraw(self, question: Question) -> None:
        """Learn that the question has been settled without an answer."""
        ...

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat: what happened since the last question, and how it ended."""
        ...


class Chooser(Protocol):
    """Whoever can name a move at once: built-in bots, people at a terminal, tests."""

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return one of `legal_moves`, which has at least two."""
        ...


class InlinePlayer:
    """A player that answers within the call. For choosers that are trusted."""

    is_present = True

    def __init__(self, chooser: Chooser) -> None:
        """Let the chooser decide."""
        self._chooser = chooser

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""

    def ask(self, question: Question) -> None:
        """Decide now; raises IllegalMoveError if the chooser names a move that is not legal."""
        match = question.match
        question.sent(match.clock.time())
        move = self._chooser.decide(question.observation, question.legal_moves)
        at = match.clock.time()
        try:
            index = question.legal_moves.index(move)
        except ValueError:
            match.refuse(move)
        else:
            question.answer(index, at)

    def withdraw(self, question: Question) -> None:
        """Nothing is open after `ask`."""

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat."""
