"""A session with the bot in the scripted arena: says things, asks, and judges every answer."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable

from arena.errors import MessageError, ShortcomingError
from arena.examine.candidate import Candidate
from arena.examine.scripted import ScriptedArena, Stream
from arena.examine.table import ExamTable
from arena.referee.match import Conditions
from arena.server.limits import SessionLimits
from arena.server.lobby import check_hello
from arena.v1 import play_pb2
from arena.wire import play
from arena.wire.protocol import PROTOCOL

Edit = Callable[[bytes], bytes]

_LIMITS = SessionLimits()
_UNLIMITED_S = 120.0  # for a decision where there is no move time
_SLACK_S = 0.5  # for the machine's own delays


class Conversation:
    """One stream with a bot that has said hello. `edit` changes all that is said to it."""

    def __init__(
        self, candidate: Candidate, stream: Stream, hello: play_pb2.Hello, conditions: Conditions
    ) -> None:
        """Talk to the bot that opened the stream."""
        self.hello = hello
        self.edit: Edit = bytes
        self.decisions = 0
        self.slowest_s = 0.0
        self.repeated = 0  # answers to decisions that had been answered
        self.longest_note = 0  # bytes
        self._candidate = candidate
        self._stream = stream
        self._conditions = conditions
        self._answered: set[tuple[str, int]] = set()
        self._ended: set[str] = set()

    @property
    def is_live(self) -> bool:
        """Whether the bot is still there, as far as is known."""
        return self._candidate.is_running and not self._stream.is_lost

    async def say(self, message: bytes) -> None:
        """Send a PlayResponse."""
        await self._stream.send(self.edit(message))

    async def welcome(self) -> None:
        """Accept the hello."""
        limits = play_pb2.Limits(
            max_matches=max(self.hello.max_matches, 1),
            max_message_bytes=_LIMITS.max_message_bytes,
            max_note_bytes=_LIMITS.max_note_bytes,
            max_messages_per_second=_LIMITS.max_messages_per_second,
        )
        await self.say(
            play.welcome(
                session="exam",
                resume_token=secrets.token_bytes(16),
                resumed=False,
                arena="exam",
                bot=self._candidate.name,
                limits=limits,
            )
        )

    async def introduce(self, table: ExamTable) -> None:
        """Give the bot its seat."""
        conditions = self._conditions
        await self.say(table.introduction(conditions.control, conditions.policy.max_faults))

    async def pose(self, *tables: ExamTable) -> None:
        """Send the open decisions of the tables in one message, without waiting for answers."""
        parts = [table.decision(self._conditions.control) for table in tables]
        await self.say(play.decisions(parts))

    async def ask(self, *tables: ExamTable) -> None:
        """Have the open decisions of the tables decided, all asked in one message.

        Raises ShortcomingError if an answer is wrong or missing when the time is up.
        """
        await self.pose(*tables)
        started = time.monotonic()
        waiting = {table.id: table for table in tables}
        allowance = self._allowance_s(len(tables))
        try:
            async with asyncio.timeout(allowance + _SLACK_S):
                while waiting:
                    await self._take(waiting)
        except TimeoutError:
            raise _unanswered(len(tables), len(waiting), allowance) from None
        self.decisions += len(tables)
        self.slowest_s = max(self.slowest_s, (time.monotonic() - started) / len(tables))

    async def finish(self, table: ExamTable) -> None:
        """Tell the bot how the match ended; what is left of it is played without the bot."""
        table.play_out()
        self._ended.add(table.id)
        await self.say(table.ending())

    async def play(self, table: ExamTable, decisions: int | None = None) -> None:
        """Play a match that has been introduced: to its end, or so many decisions of the bot."""
        while table.question is not None and decisions != 0:
            await self.ask(table)
            decisions = None if decisions is None else decisions - 1
        await self.finish(table)

    async def part(self) -> None:
        """Say goodbye and end the stream."""
        text = "there is nothing more to play"
        goodbye = play.goodbye(play_pb2.Goodbye.REASON_FINISHED, text)
        await self._stream.part(self.edit(goodbye))

    def _allowance_s(self, number: int) -> float:
        control = self._conditions.control
        if control.move_time_s is None:
            return _UNLIMITED_S
        return number * control.move_time_s + control.bank_s

    async def _take(self, waiting: dict[str, ExamTable]) -> None:
        """Take the bot's next message; tables that it answers for no longer wait."""
        request = await self._stream.receive()
        if request is None:
            raise ShortcomingError(await self._candidate.describe_loss())
        which = request.WhichOneof("message")
        if which == "leave":
            reason = request.leave.reason[:200] or "no reason given"
            raise ShortcomingError(f"the bot left: {reason}")
        if which == "hello":
            raise ShortcomingError(
                "the bot said hello twice on one stream",
                "say hello once, as the first message of a stream",
            )
        for answer in request.answers.answers:
            await self._judge(answer, waiting)

    async def _judge(self, answer: play_pb2.Answer, waiting: dict[str, ExamTable]) -> None:
        table = waiting.get(answer.match_id)
        question = None if table is None else table.question
        if table is None or question is None or question.id != answer.decision_id:
            await self._turn_down(answer)
            return
        if not answer.HasField("move_index"):
            raise ShortcomingError(
                f"an answer without move_index, to decision {question.id}",
                "set move_index in every answer. The field is optional, so 0 must be set "
                "explicitly: in most languages that is not the same as leaving it at its default",
            )
        legal = len(question.legal_moves)
        if answer.move_index >= legal:
            raise ShortcomingError(
                f"move_index {answer.move_index} where there are {legal} legal moves",
                f"move_index is the place in legal_moves, here 0 to {legal - 1}",
            )
        del waiting[answer.match_id]
        self._answered.add((answer.match_id, answer.decision_id))
        self.longest_note = max(self.longest_note, len(answer.note.encode()))
        table.answer(answer.move_index)

    async def _turn_down(self, answer: play_pb2.Answer) -> None:
        """Reject an answer to nothing that is asked, as an arena does."""
        reasons = play_pb2.Rejected.Reason
        if (answer.match_id, answer.decision_id) in self._answered:
            self.repeated += 1
            reason, text = reasons.REASON_REPEATED, "answered already: answer each once"
        elif answer.match_id in self._ended:
            reason, text = reasons.REASON_MATCH_OVER, "the match has ended"
        else:
            raise ShortcomingError(
                f"an answer to decision {answer.decision_id} of match {answer.match_id[:40]!r}, "
                "which was not asked",
                "repeat match_id and decision_id of the decision in its answer",
            )
        message = play.rejected(
            match_id=answer.match_id, decision_id=answer.decision_id, reason=reason, message=text
        )
        await self.say(message)


def _unanswered(asked: int, missing: int, allowance_s: float) -> ShortcomingError:
    if asked == 1:
        return ShortcomingError(
            f"no answer within {allowance_s:g} s (move time plus bank)",
            "answer every decision in time; otherwise arena makes a default move",
        )
    return ShortcomingError(
        f"answered {asked - missing} of {asked} decisions of one message within {allowance_s:g} s",
        "answer every decision in Decisions.decisions, in one message or several; "
        "or take one match at a time: max_matches = 1 in the hello",
    )


async def meet(candidate: Candidate, arena: ScriptedArena, conditions: Conditions) -> Conversation:
    """Start the bot and wait for a proper hello; it has not been welcomed then.

    Raises ShortcomingError, and what starting a process raises.
    """
    arena.forget()
    token = secrets.token_urlsafe(24)
    await candidate.start(arena.address, token)
    start_s = conditions.control.start_timeout_s
    try:
        async with asyncio.timeout(start_s):
            stream = await candidate.during(arena.dialled())
    except TimeoutError:
        raise ShortcomingError(
            f"did not connect within {start_s:g} s",
            "dial the address in the environment variable ARENA_ADDRESS (here a unix: address) and "
            "open PlayService.Play",
        ) from None
    request = None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(min(start_s, _LIMITS.hello_timeout_s)):
            request = await candidate.during(stream.receive())
            if request is None:
                raise ShortcomingError(
                    f"no hello: {await candidate.describe_loss()}",
                    "send a hello as the first message and keep the stream open",
                )
    if request is None:
        limit = min(start_s, _LIMITS.hello_timeout_s)
        raise ShortcomingError(
            f"no hello within {limit:g} s after connecting",
            "send a PlayRequest with a hello as the first message of the stream",
        )
    if request.WhichOneof("message") != "hello":
        which = request.WhichOneof("message")
        raise ShortcomingError(f"the first message is {which}, not a hello", "send the hello first")
    _check_hello(request.hello, token)
    return Conversation(candidate, stream, request.hello, conditions)


def _check_hello(hello: play_pb2.Hello, token: str) -> None:
    """Raise ShortcomingError for a hello that an arena would refuse."""
    if hello.protocol != PROTOCOL:
        raise ShortcomingError(
            f"the hello says protocol {hello.protocol}, the arena speaks {PROTOCOL}",
            f"set Hello.protocol to {PROTOCOL}",
        )
    if hello.token != token:
        what = "a token other than ARENA_TOKEN" if hello.token else "no token"
        raise ShortcomingError(
            f"the hello carries {what}",
            "put the environment variable ARENA_TOKEN, as it is at this start, into Hello.token",
        )
    try:
        check_hello(hello)
    except MessageError as error:
        raise ShortcomingError(str(error), "see the comments of Hello in play.proto") from None
