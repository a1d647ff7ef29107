"""A bot's session: it outlives its streams, holds its seats, and reads its answers."""

from __future__ import annotations

import asyncio
import enum
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena import __version__
from arena.errors import FloodError, FormatError, LimitError, MessageError, SessionError
from arena.games.game import Event, Seat
from arena.referee.clock import Clock
from arena.referee.faults import Fault, SeatFault
from arena.referee.match import Match
from arena.referee.player import Ending, Question
from arena.referee.replay import Entrant
from arena.server.limits import Allowance, SessionLimits
from arena.server.metrics import Metrics
from arena.server.outbox import Outbox
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.codec import Codec, codec_for

LOG = logging.getLogger("arena.session")

_REMEMBERED = 256  # matches that have ended
_KEPT_ENDINGS = 64  # said again after a reconnect
_REASON_LENGTH = 1_000

Reason = play_pb2.Rejected.Reason


class Phase(enum.Enum):
    """Where a session stands."""

    LIVE = "live"  # a stream is there
    PARKED = "parked"  # it may come back
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a bot says about itself."""

    bot: str
    version: str
    language: str
    sdk: str
    games: frozenset[str]  # empty: all
    max_matches: int

    def plays(self, game: str) -> bool:
        """Return whether it plays the game."""
        return not self.games or game in self.games


class Session:
    """One bot in the arena, from its first hello until it leaves or is lost."""

    def __init__(
        self, profile: Profile, limits: SessionLimits, clock: Clock, metrics: Metrics | None
    ) -> None:
        """Start live, without a stream yet."""
        self.id = secrets.token_hex(4)
        self.profile = profile
        self.limits = limits
        self.clock = clock
        self.metrics = metrics
        self.phase = Phase.LIVE
        self.resume_token = b""
        self.outbox = Outbox()
        self.seats: dict[str, SessionPlayer] = {}
        self.parting: SessionError | play_pb2.Goodbye | None = None
        self.on_change: Callable[[Session], None] = lambda _session: None
        self.ended_by: tuple[Fault, str] | None = None
        self._ended: OrderedDict[str, bytes] = OrderedDict()  # by match, newest last
        self._allowance = Allowance(limits.max_messages_per_second, clock.time())
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def bot(self) -> str:
        """The name it plays under."""
        return self.profile.bot

    @property
    def is_present(self) -> bool:
        """Whether a stream is there."""
        return self.phase is Phase.LIVE

    @property
    def free(self) -> int:
        """How many more matches it takes now."""
        return self.profile.max_matches - len(self.seats) if self.is_present else 0

    # Its streams.

    def attach(self, *, resumed: bool) -> None:
        """Begin a stream: say welcome, and everything that may have been lost again."""
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        self.phase = Phase.LIVE
        self.parting = None
        self.resume_token = secrets.token_bytes(16)
        self.outbox.discard_messages()
        limits = self.limits
        self.outbox.push(
            play.welcome(
                session=self.id,
                resume_token=self.resume_token,
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
        for player in self.seats.values():
            self.outbox.push(player.introduction)
        self.outbox.rewind()
        self.on_change(self)

    def park(self) -> None:
        """Lose the stream; wait for the bot to come back."""
        if self.phase is not Phase.LIVE:
            return
        self.phase = Phase.PARKED
        LOG.info("session lost", extra={"session": self.id, "bot": self.bot})
        now = self.clock.time()
        for question in list(self.outbox.open):
            question.sent(now)
        for player in self.seats.values():
            player.start_clock_unsent(now)
        self._expiry = asyncio.get_running_loop().call_later(
            self.limits.resume_window_s, self.end, Fault.DISCONNECT, "the session did not come back"
        )
        self.on_change(self)

    def end(self, fault: Fault, detail: str) -> None:
        """End the session for good; seats that still play forfeit by this fault."""
        if self.phase is Phase.ENDED:
            return
        self.phase = Phase.ENDED
        self.ended_by = (fault, detail)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        LOG.info("session ended", extra={"session": self.id, "bot": self.bot, "detail": detail})
        for player in list(self.seats.values()):
            player.fail(fault, detail)
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
        if self.outbox.backlog > self.limits.max_backlog_bytes:
            self.drop_slow_reader()

    def drop_slow_reader(self) -> None:
        """End a session that does not read what it is sent."""
        self.part(LimitError("the session does not read its messages: read them as they come"))
        self.end(Fault.TIMEOUT, "the bot did not read its messages")

    # What the bot says.

    def receive(self, data: bytes, at: float) -> None:
        """Take a message; raises SessionError if the session cannot go on."""
        try:
            request = play.read_request(data)
        except FormatError as error:
            raise MessageError(str(error)) from None
        which = request.WhichOneof("message")
        if which == "answers":
            used = 0
            for answer in request.answers.answers:
                used += self._answer(answer, at)
            if not used and not self._allowance.spend(at):
                raise FloodError(
                    f"more than {self.limits.max_messages_per_second} messages a second that "
                    "answer nothing: send one answer for each decision"
                )
        elif which == "leave":
            reason = request.leave.reason[:_REASON_LENGTH]
            fault = Fault.CRASH if request.leave.failed else Fault.DISCONNECT
            self.part(play_pb2.Goodbye(reason=play_pb2.Goodbye.REASON_FINISHED, message="left"))
            self.end(fault, f"the bot left: {reason or 'no reason given'}")
        else:
            raise MessageError("a hello is only allowed as the first message")

    def _answer(self, answer: play_pb2.Answer, at: float) -> bool:
        """Take one answer; return whether it settled a decision."""
        player = self.seats.get(answer.match_id)
        question = None if player is None else player.question
        if question is None or question.id != answer.decision_id:
            self._reject_stale(answer, player)
            return False
        if question not in self.outbox.open:
            self._reject(answer, Reason.REASON_UNKNOWN_DECISION, "not asked yet: wait for it")
            return False
        if not answer.HasField("move_index"):
            question.fail(Fault.PROTOCOL_ERROR, "an answer without move_index")
            self._reject(answer, Reason.REASON_INCOMPLETE, "set move_index, 0 too")
            return True
        self._settle(answer, question, at)
        return True

    def _settle(self, answer: play_pb2.Answer, question: Question, at: float) -> None:
        note = answer.note
        if note and len(raw := note.encode()) > self.limits.max_note_bytes:
            note = raw[: self.limits.max_note_bytes].decode(errors="ignore")
            most = self.limits.max_note_bytes
            self._reject(answer, Reason.REASON_NOTE_TOO_LONG, f"cut to {most} bytes")
        if self.metrics is not None:
            self.metrics.decided(question, at)
        self.outbox.settle(question)
        fault = question.answer(answer.move_index, at, note or None)
        if fault is Fault.ILLEGAL_MOVE:
            most = len(question.legal_moves)
            text = f"move_index {answer.move_index} is not one of 0 to {most - 1}"
            self._reject(answer, Reason.REASON_ILLEGAL_MOVE, text)
        elif fault is not None:
            self._reject(answer, Reason.REASON_LATE, "the time was up; a default move was made")

    def _reject_stale(self, answer: play_pb2.Answer, player: SessionPlayer | None) -> None:
        if player is None:
            if answer.match_id in self._ended:
                self._reject(answer, Reason.REASON_MATCH_OVER, "the match has ended")
            else:
                self._reject(answer, Reason.REASON_UNKNOWN_MATCH, "no seat in such a match here")
        elif answer.decision_id in player.late:
            self._reject(answer, Reason.REASON_LATE, "the time was up; a default move was made")
        elif 0 < answer.decision_id <= player.last_id:
            self._reject(answer, Reason.REASON_REPEATED, "answered already: answer each once")
        else:
            self._reject(
                answer, Reason.REASON_UNKNOWN_DECISION, "no such decision: repeat its decision_id"
            )

    def _reject(self, answer: play_pb2.Answer, reason: Reason, text: str) -> None:
        self.send(
            play.rejected(
                match_id=answer.match_id[:_REASON_LENGTH],
                decision_id=answer.decision_id,
                reason=reason,
                message=text,
            )
        )

    # Its matches.

    def leave_match(self, match_id: str, message: bytes) -> None:
        """Give up a seat and tell the bot how the match ended."""
        self.seats.pop(match_id, None)
        self._ended[match_id] = message
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)
        if self.phase is Phase.LIVE:
            self.send(message)
        self.on_change(self)


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
        assert self._match is not None
        assert self._codec is not None
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
