"""One session with an arena, over as many connections as it takes.

    CONNECTING --welcome--> PLAYING --goodbye, leave()--> LEAVING --end of stream--> ENDED
                             |   ^
          connection is lost |   | welcome
                             v   |
                           RESUMING

Built-in bots and bridged programs play through it. Who plays is a `Player`: it knows nothing of
connections, but that what is still open is asked again over a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import logging
import random
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import grpc
import grpc.aio

from arena.client.channel import Destination
from arena.errors import InputError, LostError
from arena.inert import inert
from arena.v1 import play_pb2

LOG = logging.getLogger("arena.play")

GRACE_S = 2.0  # for the arena to end the stream after a leave or a goodbye

_WELCOME_S = 10.0  # for the welcome after the hello
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.05, 1.0  # between attempts, doubling
_MAX_REASON = 1000  # characters of a leave, by the protocol

_TRANSIENT = {
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.OK,  # without a goodbye: something in between closed the stream
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
}
_CALL_OVER = (grpc.aio.AioRpcError, asyncio.InvalidStateError)  # what writing raises then

ResultT = TypeVar("ResultT")

Call = grpc.aio.StreamStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]


class Player(Protocol):
    """Who plays in a session. Called from the event loop; nothing here may wait."""

    def hello(self) -> play_pb2.Hello:
        """Return the introduction, without protocol, token and resume token if it likes."""

    def welcome(self, welcome: play_pb2.Welcome) -> None:
        """A connection is there. Unless it is `resumed`, all matches so far are lost.

        What is still open will be asked again, and is to be answered then.
        """

    def take_in(self, response: play_pb2.PlayResponse) -> Sequence[play_pb2.Answer]:
        """Take any other message, goodbyes included; return the answers that are known at once."""


class State(enum.Enum):
    """Where a session stands."""

    CONNECTING = "connecting"
    PLAYING = "playing"
    RESUMING = "resuming"
    LEAVING = "leaving"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying."""

    connect_s: float = 5.0
    resume_s: float = 30.0


class PlaySession:
    """A session of one player. What it has to tell a person it logs."""

    def __init__(
        self, destination: Destination, player: Player, patience: Patience | None = None
    ) -> None:
        """Prepare to dial."""
        self.state = State.CONNECTING
        self._destination = destination
        self._player = player
        self._patience = patience or Patience()
        self._call: Call | None = None
        self._writing = asyncio.Lock()  # gRPC takes one message at a time
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._resume_token = b""
        self._max_message_bytes = 0
        self._deadline_s = 0.0
        self._pause_s = _FIRST_PAUSE_S
        self._goodbye: play_pb2.Goodbye | None = None

    async def play(self) -> None:
        """Play until the arena says goodbye or after leave(). To be called once.

        Raises InputError if the arena refuses or misbehaviour ended it, LostError if the arena
        cannot be reached, or not again.
        """
        self._deadline_s = _now() + self._patience.connect_s
        try:
            while not self._stopping.is_set():
                status, details = await self._connect()
                if not self._stopping.is_set():
                    await self._after_loss(status, details)
        finally:
            self.state = State.ENDED
        goodbye = self._goodbye
        if goodbye is not None and goodbye.reason == play_pb2.Goodbye.REASON_MISBEHAVED:
            raise InputError(f"the arena ended the session: {goodbye.message}")

    async def send(self, answers: Sequence[play_pb2.Answer]) -> None:
        """Send answers; without a connection nothing is sent, and they will be asked for again."""
        call = self._call
        if call is None or self.state is not State.PLAYING:
            return
        request = play_pb2.PlayRequest(answers=play_pb2.Answers(answers=answers))
        for part in _parts(request, self._max_message_bytes):
            await self._write(call, part)

    def leave(self, reason: str, *, failed: bool = False) -> None:
        """Leave soon; play() returns then."""
        self._end(play_pb2.Leave(reason=inert(reason)[:_MAX_REASON], failed=failed))

    async def _connect(self) -> tuple[grpc.StatusCode, str]:
        """Dial once and play until the stream ends; return with which status."""
        channel = self._destination.dial()
        method: Any = channel.stream_stream(
            "/arena.v1.PlayService/Play",
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
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
        await asyncio.wait(
            (greeting, stopping), timeout=_WELCOME_S, return_when=asyncio.FIRST_COMPLETED
        )
        if not greeting.done() or self._stopping.is_set():
            return False
        response = greeting.result()
        if response is None:
            return False
        welcome = response.welcome
        if self._resume_token and not welcome.resumed:
            LOG.warning("the arena began a new session; the old matches are lost")
        elif self.state is State.RESUMING:
            LOG.info("back in the session")
        else:
            at = f"{self._destination.address} (arena {welcome.arena})"
            LOG.info("playing as %s at %s", welcome.bot, at)
        self._resume_token = welcome.resume_token
        self._max_message_bytes = welcome.limits.max_message_bytes
        self._pause_s = _FIRST_PAUSE_S
        self.state = State.PLAYING
        self._player.welcome(welcome)
        return True

    async def _introduce(self, call: Call) -> play_pb2.PlayResponse | None:
        """Say hello; return the message with the welcome.

        To be cancelled as a task: a call that is cancelled before it has begun lets whoever writes
        to it wait for ever.
        """
        hello = self._player.hello()
        hello.token = hello.token or self._destination.token
        hello.resume_token = self._resume_token
        await self._write(call, play_pb2.PlayRequest(hello=hello))
        response = await self._read(call)
        while response is not None and not response.HasField("welcome"):
            response = await self._read(call)  # nothing this version knows
        return response

    async def _serve(self, call: Call) -> None:
        """Play until the stream ends."""
        while (response := await self._read(call)) is not None:
            is_goodbye = response.HasField("goodbye")
            if self.state is State.LEAVING and not is_goodbye:
                continue
            answers = self._player.take_in(response)
            if is_goodbye:
                self._goodbye = response.goodbye
                LOG.info("the arena says goodbye: %s", response.goodbye.message)
                self._end(None)
            elif response.HasField("rejected"):
                LOG.warning("%s", _rejection(response.rejected))
            elif answers:
                await self.send(answers)

    async def _after_loss(self, status: grpc.StatusCode, details: str) -> None:
        """Wait for the next attempt; raises InputError or LostError if there should be none."""
        if self.state is State.PLAYING:
            self.state = State.RESUMING
            self._deadline_s = _now() + self._patience.resume_s
            LOG.info("the connection was lost (%s); trying to resume", details)
        if self._resume_token and status is grpc.StatusCode.NOT_FOUND:
            LOG.warning("the session has expired at the arena; its matches are lost")
            self._resume_token = b""
            self.state = State.CONNECTING
            return
        # An arena that has not noticed the loss itself takes the old connection for another bot.
        is_own = self._resume_token and status is grpc.StatusCode.ALREADY_EXISTS
        if status not in _TRANSIENT and not is_own:
            raise InputError(self._refusal(status, details))
        pause_s = self._pause_s * random.uniform(0.5, 1.0)  # not all bots at once
        self._pause_s = min(2 * self._pause_s, _LAST_PAUSE_S)
        if _now() + pause_s > self._deadline_s:
            raise LostError(self._unreachable(details))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                await self._stopping.wait()

    def _refusal(self, status: grpc.StatusCode, details: str) -> str:
        if status is grpc.StatusCode.UNIMPLEMENTED:
            address = self._destination.address
            return f"what answers at {address} is no arena: {details} (is ARENA_ADDRESS right?)"
        return f"the arena refused: {details} ({status.name})"

    def _unreachable(self, details: str) -> str:
        address = self._destination.address
        if self.state is State.RESUMING:
            within = f"within {self._patience.resume_s:g} s ({details})"
            return f"the arena at {address} went away and did not come back {within}"
        return (
            f"no arena at {address}: {details} (is it running there, and does it use TLS? then "
            "set ARENA_CA_FILE or ARENA_TLS=1)"
        )

    def _end(self, leave: play_pb2.Leave | None) -> None:
        """Begin to leave; without a message if the arena has said goodbye itself."""
        if self.state in (State.LEAVING, State.ENDED):
            return
        was_playing = self.state is State.PLAYING
        self.state = State.LEAVING
        self._stopping.set()
        if self._call is not None and was_playing:
            asyncio.get_running_loop().call_later(GRACE_S, self._call.cancel)
            self._spawn(self._leave(self._call, leave))

    async def _leave(self, call: Call, leave: play_pb2.Leave | None) -> None:
        if leave is not None:
            await self._write(call, play_pb2.PlayRequest(leave=leave))
        async with self._writing:
            with contextlib.suppress(*_CALL_OVER):
                await call.done_writing()

    async def _write(self, call: Call, request: play_pb2.PlayRequest) -> None:
        """Write a message. If the stream is over, reading it will tell why."""
        async with self._writing:
            try:
                await call.write(request)
            except _CALL_OVER:
                pass
            except asyncio.CancelledError:
                if not call.cancelled() or _is_cancelled():
                    raise

    async def _read(self, call: Call) -> play_pb2.PlayResponse | None:
        """Return the next message; None at the end of the stream, also if it was our doing."""
        try:
            response = await call.read()
        except asyncio.CancelledError:
            if not call.cancelled() or _is_cancelled():
                raise
            return None
        return response if isinstance(response, play_pb2.PlayResponse) else None

    def _spawn(self, coroutine: Coroutine[Any, Any, ResultT]) -> asyncio.Task[ResultT]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _parts(request: play_pb2.PlayRequest, max_bytes: int) -> Iterator[play_pb2.PlayRequest]:
    """Yield a message with answers, or several if it is too large."""
    answers = request.answers.answers
    if max_bytes and len(answers) > 1 and request.ByteSize() > max_bytes:
        half = len(answers) // 2
        for part in (answers[:half], answers[half:]):
            halved = play_pb2.PlayRequest(answers=play_pb2.Answers(answers=part))
            yield from _parts(halved, max_bytes)
    else:
        yield request


def _rejection(rejected: play_pb2.Rejected) -> str:
    reasons = play_pb2.Rejected.Reason
    reason = rejected.reason
    name = reasons.Name(reason) if reason in reasons.values() else f"REASON_{reason}"
    name = name.removeprefix("REASON_").lower().replace("_", " ")
    where = f"decision {rejected.decision_id} of match {rejected.match_id}"
    return f"the arena rejected the answer to {where} ({name}): {rejected.message}"


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
