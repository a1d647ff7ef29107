"""Recorded decisions asked again: one bot of a match answers anew, the rest is as it was.

The bot's answers are noted and the recorded moves are made, so that every decision of the match is
asked as it was asked then, whatever the bot answers now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from arena.bots.bot import Bot
from arena.games.game import Event, Move, Seat
from arena.referee.faults import Fault, SeatFault
from arena.referee.follow import FollowedReplay
from arena.referee.match import Match
from arena.referee.player import Ending, Player, Question
from arena.referee.replay import Header


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was decided in a match, by seat; moves that were the only legal one are left out."""

    header: Header
    moves: Sequence[Sequence[Move]]
    has_faults: bool


def read_recorded(replay: bytes) -> Recorded:
    """Return what a replay records; raises ReplayError."""
    followed = FollowedReplay(replay)
    moves: list[list[Move]] = [[] for _ in followed.header.seats]
    has_faults = False
    for move in followed:
        has_faults = has_faults or move.fault is not None
        if move.legal > 1:
            moves[move.seat].append(move.move)
    return Recorded(followed.header, moves, has_faults or any(followed.forfeits))


class RecordedPlayer:
    """Makes the moves that were made."""

    is_present = True

    def __init__(self, moves: Sequence[Move]) -> None:
        """Have these ready, in order."""
        self._moves = iter(moves)

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""

    def ask(self, question: Question) -> None:
        """Answer at once."""
        at = question.match.clock.time()
        question.sent(at)
        question.answer(question.legal_moves.index(next(self._moves)), at)

    def withdraw(self, question: Question) -> None:
        """Nothing is open after `ask`."""

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat."""


class _Overruled:
    """A question to which the recorded move is made, whatever the answer is.

    For all that a player reads in it and does with it, it is the question itself.
    """

    def __init__(self, question: Question, recorded: int, note: Callable[[int], None]) -> None:
        self._question = question
        self._recorded = recorded
        self._note = note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._question, name)

    def answer(self, index: int, at: float, note: str | None = None) -> Fault | None:
        """Note the answer, and make the recorded move."""
        self._note(index)  # first: the next question is asked before the answer returns
        return self._question.answer(self._recorded, at, note)


class AskedPlayer:
    """Has another player answer, notes the answers and makes the recorded moves."""

    def __init__(self, player: Player, moves: Sequence[Move]) -> None:
        """Ask this player."""
        self.answers: list[Move | None] = []  # None: not a legal move
        self._player = player
        self._moves: Iterator[Move] = iter(moves)
        self._asked: Question | None = None

    @property
    def is_present(self) -> bool:
        """Whether the player could answer now."""
        return self._player.is_present

    def start(self, match: Match, seat: Seat) -> None:
        """Take the seat."""
        self._player.start(match, seat)

    def ask(self, question: Question) -> None:
        """Pass the question on."""
        legal = question.legal_moves

        def note(index: int) -> None:
            self.answers.append(legal[index] if 0 <= index < len(legal) else None)

        place = legal.index(next(self._moves))
        self._asked = cast("Question", _Overruled(question, place, note))
        self._player.ask(self._asked)

    def withdraw(self, question: Question) -> None:
        """Take the question back."""
        if self._asked is not None:
            self._player.withdraw(self._asked)

    def end(self, ending: Ending, events: Sequence[Event], faults: Sequence[SeatFault]) -> None:
        """Leave the seat."""
        self._player.end(ending, events, faults)


class BotPlayer(RecordedPlayer):
    """A built-in bot in this process, which answers within the call.

    As `InlinePlayer`, which where it is compiled takes no question but the referee's own.
    """

    def __init__(self, bot: Bot) -> None:
        """Let the bot decide."""
        super().__init__(())
        self._bot = bot

    def ask(self, question: Question) -> None:
        """Decide now."""
        clock = question.match.clock
        question.sent(clock.time())
        move = self._bot.decide(question.observation, question.legal_moves)
        question.answer(question.legal_moves.index(move), clock.time())
