"""One session with an arena, over as many connections as it takes.

    CONNECTING --welcome--> PLAYING --goodbye, leave()--> LEAVING --end of stream--> ENDED
                             |   ^
          connection is lost |   | welcome with resumed
                             v   |
                           RESUMING

CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that has
expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.

The SDK and the arena's own client are two distributions, and neither needs the other. Both have
this file, by a link; so it imports nothing of either, and takes their messages as they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import random
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping, Sequence
from functools import lru_cache
from time import monotonic
from typing import Any, ClassVar, TypeVar

import grpc
import grpc.aio

METHOD = "/arena.v1.PlayService/Play"
WELCOME_S = 10.0  # for the welcome after the hello
GRACE_S = 2.0  # for the arena to end the stream after a leave or a goodbye
FIRST_PAUSE_S, LAST_PAUSE_S = 0.05, 1.0  # between attempts, doubling
MAX_REASON = 1000  # characters of a leave, by the protocol

TRANSIENT = {
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.OK,  # without a goodbye: something in between closed the stream
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
}
CALL_OVER = (grpc.aio.AioRpcError, asyncio.InvalidStateError)  # what writing raises then

T = TypeVar("T")

Call = grpc.aio.StreamStreamCall[Any, Any]


class SessionState(enum.Enum):
    """Where a session stands."""

    CONNECTING = "connecting"
    PLAYING = "playing"
    RESUMING = "resuming"
    LEAVING = "leaving"
    ENDED = "ended"


class LastingSession(ABC):
    """Connects, resumes and leaves. What is said in between is up to who derives from it."""

    messages: Any  # the module that play.proto was made into
    response: Any  # its PlayResponse, or one that reads less of it
    refused: ClassVar[type[Exception]]  # raised if the arena does not want this session
    unreachable: ClassVar[type[Exception]]  # raised if it cannot be reached, or not again
    advice: ClassVar[Mapping[int, str]] = {}  # by the reasons of rejected answers

    def __init__(self, address: str, connect_s: float, resume_s: float) -> None:
        """Prepare to dial; the times say how long to keep trying, at first and later."""
        self.state = SessionState.CONNECTING
        self._address = address
        self._connect_s = connect_s
        self._resume_s = resume_s
        self._call: Call | None = None
        self._writing = asyncio.Lock()  # gRPC takes one message at a time
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._resume_token = b""
        self._max_message_bytes = 0
        self._deadline = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._goodbye: Any = None

    def leave(self, reason: str, *, failed: bool = False) -> None:
        """Leave soon; the session ends then."""
        reason = self._inert(reason)[:MAX_REASON]
        self._end(self.messages.Leave(reason=reason, failed=failed))

    @abstractmethod
    def _dial(self) -> grpc.aio.Channel:
        """Return a new channel to the arena."""

    @abstractmethod
    def _hello(self) -> Any:
        """Return the introduction; the resume token is filled in."""

    @abstractmethod
    def _begin(self, welcome: Any) -> None:
        """Note that a connection is there; unless it is `resumed`, all matches are lost."""

    @abstractmethod
    async def _serve(self, call: Call) -> None:
        """Answer what the arena asks until the stream ends."""

    @abstractmethod
    def _tell(self, text: str, *, is_warning: bool = False) -> None:
        """Tell whoever runs the bot."""

    @abstractmethod
    def _inert(self, text: str) -> str:
        """Return a text from elsewhere so that it can do nothing to a terminal."""

    @abstractmethod
    def _refusal(self, status: grpc.StatusCode, details: str) -> str:
        """Return why the arena refused the session."""

    @abstractmethod
    def _silence(self, details: str) -> str:
        """Return that no arena has ever answered."""

    async def _run(self) -> None:
        """Connect until the arena has said goodbye or the session was left. To be called once."""
        self._deadline = monotonic() + self._connect_s
        try:
            while not self._stopping.is_set():
                status, details = await self._connect()
                if not self._stopping.is_set():
                    await self._after_loss(status, details)
        finally:
            self.state = SessionState.ENDED

    def _check_goodbye(self) -> None:
        """Raise `refused` if the arena has ended the session for misbehaviour."""
        goodbye, reasons = self._goodbye, self.messages.Goodbye
        if goodbye is not None and goodbye.reason == reasons.REASON_MISBEHAVED:
            raise self.refused(f"the arena ended the session: {self._inert(goodbye.message)}")

    async def _connect(self) -> tuple[grpc.StatusCode, str]:
        """Dial once and play until the stream ends; return with which status."""
        channel = self._dial()
        method: grpc.aio.StreamStreamMultiCallable[Any, Any] = channel.stream_stream(
            METHOD, response_deserializer=self.response.FromString
        )
        self._call = call = method()
        try:
            if not await self._greet(call):
                return grpc.StatusCode.UNAVAILABLE, "no welcome in time"
            await self._serve(call)
            return await call.code(), await call.details() or "the stream ended"
        except grpc.aio.AioRpcError as error:
            return error.code(), error.details() or ""
        finally:
            self._call = None
            call.cancel()
            for task in self._tasks:
                task.cancel()
            await channel.close()

    async def _greet(self, call: Call) -> bool:
        """Say hello; return whether a welcome came."""
        greeting = self._spawn(self._introduce(call))
        stopping = self._spawn(self._stopping.wait())
        either = asyncio.FIRST_COMPLETED
        await asyncio.wait((greeting, stopping), timeout=WELCOME_S, return_when=either)
        if not greeting.done() or self._stopping.is_set():
            return False
        response = greeting.result()
        if response is None:
            return False
        welcome = response.welcome
        if self._resume_token and not welcome.resumed:
            self._tell("the arena started a new session; the old matches are lost", is_warning=True)
        elif self.state is SessionState.RESUMING:
            self._tell("the session was resumed")
        else:
            at = f"{self._address} (arena {self._inert(welcome.arena)})"
            self._tell(f"playing as {self._inert(welcome.bot)} at {at}")
        self._resume_token = welcome.resume_token
        self._max_message_bytes = welcome.limits.max_message_bytes
        self._pause_s = FIRST_PAUSE_S
        self.state = SessionState.PLAYING
        self._begin(welcome)
        return True

    async def _introduce(self, call: Call) -> Any:
        """Say hello; return the message with the welcome, None if there is none.

        To be cancelled as a task: a call that is cancelled before it has begun lets whoever writes
        to it wait for ever.
        """
        hello = self._hello()
        hello.resume_token = self._resume_token
        await self._write(call, self.messages.PlayRequest(hello=hello).SerializeToString())
        response = await self._read(call)
        while response is not None and not response.HasField("welcome"):
            response = await self._read(call)  # nothing this version knows
        return response

    def _take_goodbye(self, goodbye: Any) -> None:
        self._goodbye = goodbye
        self._tell(f"the arena says goodbye: {self._inert(goodbye.message)}")
        self._end(None)

    def _tell_rejected(self, rejected: Any) -> None:
        reason, names = rejected.reason, self.messages.Rejected.Reason
        name = names.Name(reason) if reason in names.values() else f"REASON_{reason}"
        name = name.removeprefix("REASON_").lower().replace("_", " ")
        told = self._inert(rejected.message)
        told = told or self.advice.get(reason, "see arena's documentation")
        where = f"decision {rejected.decision_id} of match {self._inert(rejected.match_id)}"
        text = f"the arena rejected the answer to {where} ({name}): {told}"
        self._tell(text, is_warning=True)

    async def _after_loss(self, status: grpc.StatusCode, details: str) -> None:
        """Wait for the next attempt, or raise if there should be none."""
        # Before the welcome: the arena has no room now. Later: the bot went too far.
        is_full = (
            status is grpc.StatusCode.RESOURCE_EXHAUSTED and self.state is not SessionState.PLAYING
        )
        if self.state is SessionState.PLAYING:
            self.state = SessionState.RESUMING
            self._deadline = monotonic() + self._resume_s
            self._tell(f"the connection was lost ({self._inert(details)}); trying to resume")
        if self._resume_token and status is grpc.StatusCode.NOT_FOUND:
            self._expire()
            return
        # An arena that has not noticed the loss itself takes the old connection for another bot.
        is_own = self._resume_token and status is grpc.StatusCode.ALREADY_EXISTS
        if status not in TRANSIENT and not is_own and not is_full:
            raise self.refused(self._refusal(status, details))
        pause_s = self._pause_s * random.uniform(0.5, 1.0)  # not all bots at once
        self._pause_s = min(2 * self._pause_s, LAST_PAUSE_S)
        if monotonic() + pause_s > self._deadline:
            if is_full:
                raise self.refused(self._refusal(status, details))
            raise self.unreachable(self._absence(details))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                await self._stopping.wait()

    def _expire(self) -> None:
        """Begin anew: the arena knows the session no more."""
        text = "the session has expired at the arena; its matches are lost"
        self._tell(text, is_warning=True)
        self._resume_token = b""
        self.state = SessionState.CONNECTING

    def _absence(self, details: str) -> str:
        if self.state is not SessionState.RESUMING:
            return self._silence(details)
        within = f"within {self._resume_s:g} s ({self._inert(details)})"
        return f"the arena at {self._address} went away and did not come back {within}"

    def _end(self, leave: Any) -> None:
        """Begin to leave; without a message if the arena has said goodbye itself."""
        if self.state in (SessionState.LEAVING, SessionState.ENDED):
            return
        was_playing = self.state is SessionState.PLAYING
        self.state = SessionState.LEAVING
        self._stopping.set()
        if self._call is not None and was_playing:
            self._spawn(self._leave(self._call, leave))

    async def _leave(self, call: Call, leave: Any) -> None:
        asyncio.get_running_loop().call_later(GRACE_S, call.cancel)
        if leave is not None:
            request = self.messages.PlayRequest(leave=leave)
            await self._write(call, request.SerializeToString())
        async with self._writing:
            with contextlib.suppress(*CALL_OVER):
                await call.done_writing()

    async def _send(self, call: Call, answers: Sequence[bytes]) -> None:
        """Send serialised answers in one message, or in several if it would be too large.

        By hand: the field `answers` of a PlayRequest, with the fields `answers` of an Answers.
        """
        parts = [b"\n%b%b" % (varint(len(answer)), answer) for answer in answers]
        request = field(b"\x12", b"".join(parts))
        if 0 < self._max_message_bytes < len(request) and len(answers) > 1:
            half = len(answers) // 2
            await self._send(call, answers[:half])
            await self._send(call, answers[half:])
        else:
            await self._write(call, request)

    async def _write(self, call: Call, request: bytes) -> None:
        """Write a serialised message. If the stream is over, reading it will tell why."""
        async with self._writing:
            try:
                await call.write(request)
            except CALL_OVER:
                pass
            except asyncio.CancelledError:
                if not call.cancelled() or _is_cancelled():
                    raise

    async def _read(self, call: Call) -> Any:
        """Return the next message; None at the end of the stream, also if it was our doing."""
        try:
            response = await call.read()
        except asyncio.CancelledError:
            if not call.cancelled() or _is_cancelled():
                raise
            return None
        return None if response is grpc.aio.EOF else response

    def _spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


@lru_cache(maxsize=1024)
def varint(number: int) -> bytes:
    """Return a whole number as protobuf writes it. Few are ever used, again and again."""
    content = bytearray()
    while number > 0x7F:
        content.append(number & 0x7F | 0x80)
        number >>= 7
    content.append(number)
    return bytes(content)


def field(tag: bytes, content: bytes) -> bytes:
    """Return a field of a message that holds a text or another message."""
    return b"%b%b%b" % (tag, varint(len(content)), content)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
