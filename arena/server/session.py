"""A bot's session: it outlives its streams, holds its seats, and passes on its answers."""

from __future__ import annotations

import asyncio
import enum
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from arena import __version__
from arena.errors import FloodError, FormatError, LimitError, MessageError, SessionError
from arena.launch.exits import Shortage
from arena.referee.clock import Clock
from arena.referee.faults import Fault, fault_of_failure
from arena.referee.player import Question
from arena.server.limits import Allowance, SessionLimits
from arena.server.metrics import Metrics
from arena.server.outbox import Outbox
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.answers import Answer, list_answers, read_plain

LOG = logging.getLogger("arena.session")

_REMEMBERED = 256  # matches that have ended
_KEPT_ENDINGS = 64  # said again after a reconnect
_REASON_LENGTH = 1_000

Reason = play_pb2.Rejected.Reason


class SessionPhase(enum.Enum):
    """Where a session stands."""

    LIVE = "live"  # a stream is there
    PARKED = "parked"  # it may come back
    ENDED = "ended"


LIVE, ENDED = SessionPhase.LIVE, SessionPhase.ENDED
"""An enum is asked for its members through its metaclass, which takes longer than most else."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a bot says about itself."""

    bot: str
    version: str
    language: str
    sdk: str
    games: frozenset[str]  # empty: all
    max_matches: int
    batches_matches: bool = False

    def plays(self, game: str) -> bool:
        """Return whether it plays the game."""
        return not self.games or game in self.games


class Seated(Protocol):
    """Whoever answers for a seat through a session: what the session knows of it."""

    introduction: bytes  # said again after a reconnect
    question: Question | None  # the last one that was put to the seat

    def answer(self, answer: Answer, at: float) -> bool:
        """Judge an answer for the seat; return whether it was asked for, late or not."""
        ...

    def forfeit(self, fault: Fault, detail: str) -> None:
        """Give the seat up for good."""
        ...


class Session:
    """One bot in the arena, from its first hello until it leaves or is lost."""

    def __init__(
        self, profile: Introduction, limits: SessionLimits, clock: Clock, metrics: Metrics | None
    ) -> None:
        """Start live, without a stream yet."""
        self.id = secrets.token_hex(4)
        self.opened_at = datetime.now(UTC)
        self.profile = profile
        self.token_sha256 = ""  # of the token it came in with
        self.socket = ""  # the private one it came by, and comes back by, if any
        self.limits = limits
        self.clock = clock
        self.metrics = metrics
        self.phase = LIVE
        self.seats: dict[str, Seated] = {}
        self.outbox = Outbox(self.seats, batches_matches=profile.batches_matches)
        self.parting: SessionError | play_pb2.Goodbye | None = None
        self.on_change: Callable[[Session], None] = lambda _session: None
        self.find_shortage: Callable[[], Shortage | None] = lambda: None  # of a launched bot
        self.ended_by: tuple[Fault, str] | None = None
        self._ended: OrderedDict[str, bytes] = OrderedDict()  # by match, newest last
        self._resume_tokens = (b"", b"")
        self._allowance = Allowance(
            limits.max_messages_per_second, 2 * profile.max_matches, clock.time()
        )
        self._expiry: asyncio.TimerHandle | None = None
        self._held: list[tuple[str, bytes]] | None = None  # ended, while answers are being read

    @property
    def bot(self) -> str:
        """The name it plays under."""
        return self.profile.bot

    @property
    def is_present(self) -> bool:
        """Whether a stream is there."""
        return self.phase is LIVE

    @property
    def free(self) -> int:
        """How many more matches it takes now."""
        return self.profile.max_matches - len(self.seats) if self.is_present else 0

    @property
    def last_words(self) -> str:
        """Why it has ended, for the bot."""
        return f"the session has ended: {self.ended_by[1] if self.ended_by else 'it is over'}"

    # Its streams.

    def is_resumed_by(self, token: bytes) -> bool:
        """Return whether the token continues this session."""
        return any(secrets.compare_digest(token, known) for known in self._resume_tokens)

    def attach(self, resume_token: bytes = b"") -> None:
        """Begin a stream: say welcome, and everything that may have been lost again.

        `resume_token` is the one it was resumed with, if it was. It stays good beside the new one:
        the welcome may be lost too.
        """
        resumed = bool(resume_token)
        fresh = secrets.token_bytes(16)
        self._resume_tokens = (fresh, resume_token or fresh)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        self.phase = LIVE
        self.parting = None
        self.outbox.discard_messages()
        limits = self.limits
        self.outbox.push(
            play.welcome(
                session=self.id,
                resume_token=fresh,
                resumed=resumed,
                arena=__version__,
                bot=self.bot,
                limits=play_pb2.Limits(
                    max_matches=self.profile.max_matches,
                    max_message_bytes=limits.max_message_bytes,
                    max_note_bytes=limits.max_note_bytes,
                    max_messages_per_second=limits.max_messages_per_second,
                ),
            )
        )
        for message in list(self._ended.values())[-_KEPT_ENDINGS:] if resumed else ():
            self.outbox.push(message)
        for seat in self.seats.values():
            self.outbox.push(seat.introduction)
        self.outbox.rewind()
        self.on_change(self)

    def park(self) -> None:
        """Lose the stream; wait for the bot to come back."""
        if self.phase is not LIVE:
            return
        self.phase = SessionPhase.PARKED
        LOG.info("session lost", extra={"session": self.id, "bot": self.bot})
        now = self.clock.time()
        for seat in self.seats.values():
            if seat.question is not None:
                seat.question.sent(now)  # it has its clock to come back
        self._expiry = asyncio.get_running_loop().call_later(
            self.limits.resume_window_s, self.end, Fault.DISCONNECT, "the session did not come back"
        )
        self.on_change(self)

    def end(self, fault: Fault, detail: str) -> None:
        """End the session for good; seats that still play forfeit by this fault."""
        if self.phase is ENDED:
            return
        self.phase = ENDED
        self.ended_by = (fault, detail)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        LOG.info("session ended", extra={"session": self.id, "bot": self.bot, "detail": detail})
        for seat in list(self.seats.values()):
            seat.forfeit(fault, detail)
        self.on_change(self)
        self.outbox.wake.set()

    def part(self, parting: SessionError | play_pb2.Goodbye) -> None:
        """Have the stream say its last words and close."""
        if self.parting is None:
            self.parting = parting
            self.outbox.wake.set()

    def send(self, message: bytes) -> None:
        """Have a message written; a bot that does not read ends."""
        self.outbox.push(message)
        self._check_backlog()

    def _check_backlog(self) -> None:
        if self.outbox.backlog > self.limits.max_backlog_bytes:
            self.drop_slow_reader()

    def drop_slow_reader(self) -> None:
        """End a session that does not read what it is sent."""
        self.part(LimitError("the session does not read its messages: read them as they come"))
        self.end(Fault.TIMEOUT, "the bot did not read its messages")

    # What the bot says.

    def receive(self, data: bytes, at: float) -> None:
        """Take a message; raises SessionError if the session cannot go on."""
        if len(data) <= self.limits.max_message_bytes and (answers := read_plain(data)) is not None:
            self._take(answers, at)
            return
        request = read_message(data, self.limits)
        which = request.WhichOneof("message")
        if which == "answers":
            self._take(list_answers(request.answers), at)
        elif which == "leave":
            # Of several lines an SDK sends the first, which may announce the others.
            reason = request.leave.reason[:_REASON_LENGTH].rstrip(" :")
            fault, detail = _fault_of_leaving(request.leave), reason or "no reason given"
            if fault is Fault.CRASH and (shortage := self.find_shortage()) is not None:
                fault, detail = shortage.fault, f"{detail}; it {shortage.describe()}"
            self.part(play_pb2.Goodbye(reason=play_pb2.Goodbye.REASON_FINISHED, message="left"))
            self.end(fault, f"the bot left: {detail}")
        else:
            raise MessageError("a hello is only allowed as the first message")

    def _take(self, answers: Sequence[Answer], at: float) -> None:
        """Take the answers of one message.

        What is said about them comes before the ends of matches that they bring about: whether a
        match ends at once or later depends on whether others still have a choice.
        """
        if not answers:
            self._spend(at)
        held = self._held = []
        try:
            for answer in answers:
                seat = self.seats.get(answer[0])
                if seat is None:
                    self._reject_unseated(answer)
                if seat is None or not seat.answer(answer, at):
                    self._spend(at)
                    if self.phase is ENDED:  # it does not read what it is told
                        return
        finally:
            self._held = None
            for match_id, message in held:
                self._say_ended(match_id, message)

    def _spend(self, at: float) -> None:
        """Count something that nobody asked for; raises FloodError if it is too much."""
        if not self._allowance.spend(at):
            raise FloodError(
                f"more than {self.limits.max_messages_per_second} messages or answers a second "
                "that answer nothing: send one answer for each decision"
            )

    def _reject_unseated(self, answer: Answer) -> None:
        if answer.match_id in self._ended:
            self.reject(answer, Reason.REASON_MATCH_OVER, "the match has ended")
        else:
            self.reject(
                answer, Reason.REASON_UNKNOWN_MATCH, "this session has no seat in that match"
            )

    def reject(self, answer: Answer, reason: Reason, text: str) -> None:
        """Tell the bot that an answer does not count, and why."""
        self.send(
            play.rejected(
                match_id=answer.match_id[:_REASON_LENGTH],
                decision_id=answer.decision_id,
                reason=reason,
                message=text,
            )
        )

    # Its matches.

    def enter_match(self, match_id: str, seat: Seated) -> None:
        """Take a seat and tell the bot."""
        self.seats[match_id] = seat
        self.outbox.start(match_id, seat.introduction)
        self._check_backlog()
        self.on_change(self)

    def leave_match(self, match_id: str, message: bytes) -> None:
        """Give up a seat and tell the bot how the match ended."""
        self.seats.pop(match_id, None)
        self._ended[match_id] = message
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        if self._held is None:
            self._say_ended(match_id, message)
        else:
            self._held.append((match_id, message))
        self.on_change(self)

    def _say_ended(self, match_id: str, message: bytes) -> None:
        if self.phase is LIVE:
            self.outbox.end(match_id, message)
            self._check_backlog()


def read_message(data: bytes, limits: SessionLimits) -> play_pb2.PlayRequest:
    """Return a bot's message; raises SessionError if it is too large or makes no sense."""
    if len(data) > limits.max_message_bytes:
        raise LimitError(
            f"a message of {len(data)} bytes: no more than {limits.max_message_bytes} are taken"
        )
    try:
        return play.read_request(data)
    except FormatError as error:
        raise MessageError(str(error)) from None


def _fault_of_leaving(leave: play_pb2.Leave) -> Fault:
    """Return what it counts as that a bot leaves: its own words tell what it ran out of."""
    if not leave.failed:
        return Fault.DISCONNECT
    return fault_of_failure(leave.reason.encode(errors="replace"))
