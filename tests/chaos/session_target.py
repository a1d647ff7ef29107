"""What coverage-guided fuzzing is pointed at: bytes become messages, and a session takes them."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import SessionError
from arena.referee.faults import Fault
from arena.referee.player import Question
from arena.server.limits import SessionLimits
from arena.server.session import Profile, Session, SessionPhase
from arena.v1 import play_pb2

LIMITS = SessionLimits()
PROFILE = Profile("fuzz", "1", "", "", frozenset(), 4)
APART_S = 0.005  # two messages of one bot


class StillClock:
    """Time passes only where it is told to."""

    def time(self) -> float:
        return 0.0

    def lag(self) -> float:
        return 0.0


@dataclass
class Seat:
    """A seat that takes what it is told; it was asked decision 1."""

    introduction: bytes = b""
    question: Question | None = None
    forfeited: bool = False

    def answer(self, answer: play_pb2.Answer, at: float) -> bool:
        """Read every field, as a player does."""
        assert 0 <= answer.move_index < 1 << 32
        answer.note.encode()
        return answer.decision_id == 1

    def forfeit(self, fault: Fault, detail: str) -> None:
        assert detail
        self.forfeited = True


def split(data: bytes) -> list[bytes]:
    """Return the messages in an input: most are one; 0xFE 0xFE parts them."""
    return data.split(b"\xfe\xfe")


def take(data: bytes) -> str:
    """Let a session take all messages of an input; return how it stands then.

    Raises nothing: what a session may raise is part of how it stands.
    """
    session = Session(PROFILE, LIMITS, StillClock(), None)  # type: ignore[arg-type]
    seat = Seat()
    session.seats["m1"] = seat
    session.attach()
    for number, message in enumerate(split(data)):
        try:
            session.receive(message, number * APART_S)
        except SessionError as error:
            session.part(error)
            session.end(Fault.PROTOCOL_ERROR, str(error))  # its seat wants a word of explanation
        if session.phase is SessionPhase.ENDED:
            assert seat.forfeited
            break
    while (batch := session.outbox.take()) is not None:
        play_pb2.PlayResponse.FromString(batch[0])  # what the bot is told can be read
    return session.phase.value
