"""A decision: what decide() gets, and how what it returns becomes the place of a legal move."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

from arena_client.errors import IllegalChoice
from arena_client.heads import whole_decision
from arena_client.match import Match, seconds
from arena_client.v1 import play_pb2

LISTED = 40  # legal moves named in a refusal; a reader wants no more


class Move:
    """One legal move of one decision. str() is its text, as in the rules.

    Attributes:
        index: its place among the legal moves.
    """

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    @property
    def text(self) -> str:
        """The move as the rules write it; for an unknown game its index."""
        return str(self.index)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.index}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


Choice: TypeAlias = Move | int


class Decision:
    """A question to a seat. Everything but the note is read only, and computed when looked at.

    Attributes:
        match: the match it belongs to.
        id: the number of the question within the match, from 1, rising.
        legal_count: how many legal moves there are, at least 2. Costs less than len(legal_moves).
        note: set it to keep a text beside the move in the replay.
    """

    __slots__ = ("_message", "_moves", "_observation", "id", "legal_count", "match", "note")

    def __init__(self, match: Match, message: play_pb2.Decision) -> None:
        """Make a decision of its message; the session gives only the head of it (heads.py)."""
        self.match = match
        self.id: int = message.decision_id
        self.legal_count: int = message.legal_count
        self.note = ""
        self._message = message
        self._moves: tuple[Any, ...] | None = None
        self._observation: Any = None

    @property
    def message(self) -> play_pb2.Decision:
        """The message it came in."""
        message = self._message
        if type(message) is not play_pb2.Decision:
            message = self._message = whole_decision(play_pb2, message)
        return message

    @property
    def legal_moves(self) -> Sequence[Move]:
        """All moves the seat may make, each once, in the game's fixed order."""
        if self._moves is None:
            self._moves = tuple(map(Move, range(self.legal_count)))
        return self._moves

    @property
    def observation(self) -> Any:
        """All the seat may know now, by game; for an unknown game the bare Any message."""
        return self.message.other

    @property
    def events(self) -> Sequence[Any]:
        """What happened since the seat's last decision, oldest first, as messages of the game."""
        return ()

    @property
    def faults(self) -> Sequence[play_pb2.SeatFault]:
        """The misbehaviours of seats since this seat's last decision, its own among them."""
        return self.message.faults

    @property
    def move_time_s(self) -> float | None:
        """Seconds this decision may take before the bank is touched. None: no limit."""
        message = self.message
        return seconds(message.move_time) if message.HasField("move_time") else None

    @property
    def bank_s(self) -> float | None:
        """Seconds left in the bank. None: no limit."""
        message = self.message
        return seconds(message.bank) if message.HasField("bank") else None

    def index_of(self, choice: object) -> int:
        """Return the place of a chosen move: itself, if it is one.

        Raises:
            IllegalChoice: it is neither a legal move nor the place of one.
        """
        if isinstance(choice, Move):
            moves = self.legal_moves
            if choice.index < len(moves) and moves[choice.index] is choice:
                return choice.index
            for move in moves:  # perhaps one kept from an earlier decision
                if move == choice:
                    return move.index
        elif not isinstance(choice, bool):
            try:
                index = operator.index(choice)  # type: ignore[arg-type]
            except TypeError:
                pass
            else:
                if 0 <= index < self.legal_count:
                    return index
        raise IllegalChoice(self._refusal(choice))

    def _refusal(self, choice: object) -> str:
        count = self.legal_count
        lines = [f"decide() returned {choice!r}, which is not one of the {count} legal moves:"]
        lines += [f"  {move.index}: {move}" for move in self.legal_moves[:LISTED]]
        if count > LISTED:
            lines.append(f"  ... and {count - LISTED} more")
        lines.append(f"(decision {self.id} of {self.match!r}; return a legal move or its index)")
        return "\n".join(lines)
