"""What coverage-guided fuzzing is pointed at: bytes become messages, and an arena takes them."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import SessionError
from arena.referee.faults import Fault
from arena.referee.player import Question
from arena.server.auth import AdmitAll
from arena.server.limits import SessionLimits
from arena.server.lobby import Lobby
from arena.server.session import SessionPhase, read_message
from arena.v1 import play_pb2
from arena.wire.answers import Answer
from arena.wire.protocol import PROTOCOL

LIMITS = SessionLimits()
IN_EARNEST = play_pb2.Hello(protocol=PROTOCOL, bot="fuzz", version="1", max_matches=4)
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

    def answer(self, answer: Answer, at: float) -> bool:
        """Read every field, as a player does."""
        assert 0 <= (answer.move_index or 0) < 1 << 32
        answer.note.encode()
        return answer.decision_id == 1

    def forfeit(self, fault: Fault, detail: str) -> None:
        assert detail
        self.forfeited = True


def split(data: bytes) -> list[bytes]:
    """Return the messages in an input: most are one; 0xFE 0xFE parts them."""
    return data.split(b"\xfe\xfe")


def take(data: bytes) -> str:
    """Let an arena take all messages of an input; return how the session stands then.

    A hello at the start is for the lobby, which may refuse it; all else is said by a bot that is in
    and has a seat. Raises nothing: what lobby and session may raise is part of how it stands.
    """
    messages = split(data)
    lobby = Lobby(AdmitAll(), ["byzanz"], LIMITS, StillClock())  # type: ignore[arg-type]
    hello = _hello_in(messages[0])
    try:
        session = lobby.enter(hello or IN_EARNEST)
    except SessionError:
        return "refused"
    seat = Seat()
    session.seats["m1"] = seat
    for number, message in enumerate(messages[1:] if hello else messages):
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
    assert (lobby.find(session.bot) is session) == (session.phase is SessionPhase.LIVE)
    return session.phase.value


def _hello_in(data: bytes) -> play_pb2.Hello | None:
    try:
        request = read_message(data, LIMITS)
    except SessionError:
        return None
    return request.hello if request.WhichOneof("message") == "hello" else None
