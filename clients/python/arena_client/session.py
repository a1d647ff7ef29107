"""One session with an arena, over as many connections as it takes.

    CONNECTING --welcome--> PLAYING --goodbye, stop, failure--> LEAVING --end of stream--> ENDED
                             |   ^
          connection is lost |   | welcome with resumed
                             v   |
                           RESUMING

CONNECTING and RESUMING give up after their timeout and when the arena refuses. A session that has
expired at the arena goes from RESUMING back to CONNECTING, its matches are lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import random
from collections.abc import Callable, Coroutine, Iterator
from time import monotonic
from typing import Any, TypeVar

import grpc
import grpc.aio

import arena_client
from arena_client.bot import GameBot
from arena_client.channel import Call, open_call, open_channel
from arena_client.errors import BotFailed, Refused, Unreachable
from arena_client.players import FLUSH_S, Interrupted, Players
from arena_client.settings import Settings
from arena_client.texts import inert, refusal, rejection
from arena_client.v1 import play_pb2
from arena_client.v1.play_pb2 import PlayRequest, PlayResponse

PROTOCOL = 1
WELCOME_S = 10.0  # for the welcome after the hello
GRACE_S = 2.0  # for the arena to end the stream after a leave or a goodbye
FIRST_PAUSE_S, LAST_PAUSE_S = 0.05, 1.0  # between attempts, doubling
TURNS = 5  # of the event loop until a message that has arrived is at hand
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


class State(enum.Enum):
    """Where a session stands."""

    CONNECTING = "connecting"
    PLAYING = "playing"
    RESUMING = "resuming"
    LEAVING = "leaving"
    ENDED = "ended"


class Session:
    """Plays matches with objects of a bot class until the arena says goodbye.

    Args:
        bot_class: what the author wrote.
        settings: where the arena is.
        report: takes a line for the author.
    """

    def __init__(
        self,
        bot_class: type[GameBot[Any, Any]],
        settings: Settings,
        report: Callable[[str], object],
    ) -> None:
        self.state = State.CONNECTING
        self._bot_class = bot_class
        self._settings = settings
        self._report = report
        self._players = Players(bot_class, self._send_soon, self._fail, report)
        self._loop = asyncio.get_running_loop()
        self._call: Call | None = None
        self._writing = asyncio.Lock()  # gRPC takes one message at a time
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._resume_token = b""
        self._max_message_bytes = 0
        self._deadline = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._goodbye: play_pb2.Goodbye | None = None
        self._failure: BotFailed | None = None

    async def play(self) -> None:
        """Play until the arena says goodbye or stop() is called. To be called once.

        Raises:
            BotFailed: the author's code failed; the arena has been told.
            Refused: the arena does not want this session.
            Unreachable: it cannot be reached, or not again.
        """
        self._deadline = monotonic() + self._settings.connect_timeout_s
        try:
            while not self._stopping.is_set():
                status, details = await self._connect()
                if self.state is State.LEAVING or self._stopping.is_set():
                    break
                await self._after_loss(status, details)
        finally:
            self.state = State.ENDED
            self._players.close()
            await self._players.settle(GRACE_S)
        if self._failure is not None:
            raise self._failure
        goodbye = self._goodbye
        if goodbye is not None and goodbye.reason == play_pb2.Goodbye.REASON_MISBEHAVED:
            raise Refused(f"the arena ended the session: {inert(goodbye.message)}")

    def interrupt(self, reason: str) -> None:
        """Leave soon. For signal handlers of the main thread: may break off a running decide()."""
        self._loop.call_soon_threadsafe(self.stop, reason)
        if self._players.is_deciding:
            raise Interrupted(reason)

    def stop(self, reason: str) -> None:
        """Leave soon; play() returns then."""
        self._end(play_pb2.Leave(reason=reason))

    async def _connect(self) -> tuple[grpc.StatusCode, str]:
        """Dial once and play until the stream ends; return with which status."""
        channel = open_channel(self._settings)
        self._call = call = open_call(channel)
        try:
            if not await self._greet(call):
                return grpc.StatusCode.UNAVAILABLE, "no welcome in time"
            await self._serve(call)
            return await call.code(), await call.details() or ""
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
            self._report("warning: the arena began a new session; the old matches are lost")
        elif self.state is State.RESUMING:
            self._report("back in the session")
        else:
            at = f"{self._settings.address} (arena {inert(welcome.arena)})"
            self._report(f"playing as {inert(welcome.bot)} at {at}")
        self._resume_token = welcome.resume_token
        self._max_message_bytes = welcome.limits.max_message_bytes
        self._pause_s = FIRST_PAUSE_S
        self._players.connected(welcome.limits, resumed=welcome.resumed)
        self.state = State.PLAYING
        return True

    async def _introduce(self, call: Call) -> PlayResponse | None:
        """Say hello; return the message with the welcome, None if there is none.

        To be cancelled as a task: a call that is cancelled before it has begun lets whoever writes
        to it wait for ever.
        """
        bot = self._bot_class
        hello = play_pb2.Hello(
            protocol=PROTOCOL,
            token=self._settings.token,
            bot=bot.name or bot.__name__,
            version=bot.version,
            language="python",
            sdk=f"arena-python {arena_client.__version__}",
            games=bot.games,
            max_matches=bot.max_matches,
            resume_token=self._resume_token,
        )
        await self._send(call, PlayRequest(hello=hello))
        response = await self._read(call)
        while response is not None and not response.HasField("welcome"):
            response = await self._read(call)  # nothing this version knows
        return response

    async def _serve(self, call: Call) -> None:
        """Answer until the stream ends."""
        reading = await self._begin_reading(call)
        while True:
            begun = monotonic()
            is_late = self._decide()
            if monotonic() - begun > FLUSH_S:  # what has come meanwhile may settle what was found
                await self._give_way()
                while reading.done():
                    if not self._take_in(reading.result()):
                        return
                    reading = await self._begin_reading(call)
            if self._players.should_flush:
                await self._flush(call)
            if is_late:
                continue
            if not self._take_in(await reading):
                return
            reading = await self._begin_reading(call)

    async def _begin_reading(self, call: Call) -> asyncio.Task[PlayResponse | None]:
        """Read the next message; gRPC does so while a plain decide() has the program."""
        reading = self._spawn(self._read(call))
        await asyncio.sleep(0)
        return reading

    async def _give_way(self) -> None:
        """Let what waits for its turn on the event loop have it."""
        for _ in range(TURNS):
            await asyncio.sleep(0)

    def _decide(self) -> bool:
        """Decide what waits, for a moment; return whether something still waits."""
        try:
            return self._players.decide()
        except BotFailed as failure:
            self._fail(failure)
        except Interrupted as interrupted:
            self.stop(str(interrupted))
        return False

    def _take_in(self, response: PlayResponse | None) -> bool:
        """Note what the arena says; return False at the end of the stream.

        What this version does not know is ignored.
        """
        if response is None:
            return False
        message = response.WhichOneof("message")
        if self.state is State.LEAVING:
            return True
        if message == "goodbye":
            self._goodbye = response.goodbye
            self._report(f"the arena says goodbye: {inert(response.goodbye.message)}")
            self._end(None)
        elif message == "decisions":
            self._players.ask(response.decisions)
        elif message == "rejected":
            self._report(rejection(response.rejected))
        else:
            try:
                if message == "match_started":
                    self._players.start(response.match_started)
                elif message == "match_ended":
                    self._players.end(response.match_ended)
            except BotFailed as failure:
                self._fail(failure)
        return True

    async def _after_loss(self, status: grpc.StatusCode, details: str) -> None:
        """Wait for the next attempt, or raise if there should be none."""
        if self.state is State.PLAYING:
            self.state = State.RESUMING
            self._deadline = monotonic() + self._settings.resume_timeout_s
            self._report(f"the connection was lost ({inert(details)}); trying to resume")
        if self._resume_token and status is grpc.StatusCode.NOT_FOUND:
            self._report("warning: the session has expired at the arena; its matches are lost")
            self._resume_token = b""
            self._players.close()
            self.state = State.CONNECTING
            return
        # An arena that has not noticed the loss itself takes the old connection for another bot.
        is_own = self._resume_token and status is grpc.StatusCode.ALREADY_EXISTS
        if status not in TRANSIENT and not is_own:
            raise Refused(refusal(status, details, self._settings.address, PROTOCOL))
        pause_s = self._pause_s * random.uniform(0.5, 1.0)  # not all bots at once
        self._pause_s = min(2 * self._pause_s, LAST_PAUSE_S)
        if monotonic() + pause_s > self._deadline:
            raise Unreachable(self._unreachable(details))
        try:
            async with asyncio.timeout(pause_s):
                await self._stopping.wait()
        except TimeoutError:
            pass

    def _unreachable(self, details: str) -> str:
        address = self._settings.address
        if self.state is State.RESUMING:
            within = f"within {self._settings.resume_timeout_s:g} s ({inert(details)})"
            return f"the arena at {address} went away and did not come back {within}"
        hint = "is it running, and is ARENA_ADDRESS right?"
        return f"no arena answers at {address} ({inert(details)}): {hint}"

    def _fail(self, failure: BotFailed) -> None:
        if self._failure is None:
            self._failure = failure
        cause = failure.__cause__ or failure
        first_line = f"{type(cause).__name__}: {cause}".partition("\n")[0]
        self._end(play_pb2.Leave(reason=inert(first_line)[:MAX_REASON], failed=True))

    def _end(self, leave: play_pb2.Leave | None) -> None:
        """Begin to leave; without a message if the arena has said goodbye itself."""
        if self.state in (State.LEAVING, State.ENDED):
            return
        was_playing = self.state is State.PLAYING
        self.state = State.LEAVING
        self._stopping.set()
        self._players.close()
        if self._call is not None and was_playing:
            self._spawn(self._leave(self._call, leave))

    async def _leave(self, call: Call, leave: play_pb2.Leave | None) -> None:
        self._loop.call_later(GRACE_S, call.cancel)
        if leave is not None:
            await self._send(call, PlayRequest(leave=leave))
        async with self._writing:
            with contextlib.suppress(*CALL_OVER):
                await call.done_writing()

    def _send_soon(self) -> None:
        if self._call is not None and self.state is State.PLAYING:
            self._spawn(self._flush(self._call))

    async def _flush(self, call: Call) -> None:
        request = self._players.take_ready()
        if not request.answers.answers:
            return
        for part in _parts(request, self._max_message_bytes):
            await self._send(call, part)

    async def _send(self, call: Call, request: PlayRequest) -> None:
        """Write a message. If the stream is over, reading it will tell why."""
        async with self._writing:
            try:
                await call.write(request)
            except CALL_OVER:
                pass
            except asyncio.CancelledError:
                if not call.cancelled() or _is_cancelled():
                    raise

    async def _read(self, call: Call) -> PlayResponse | None:
        """Return the next message; None at the end of the stream, also if it was our doing."""
        try:
            response = await call.read()
        except asyncio.CancelledError:
            if not call.cancelled() or _is_cancelled():
                raise
            return None
        return response if isinstance(response, PlayResponse) else None

    def _spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _parts(request: PlayRequest, max_bytes: int) -> Iterator[PlayRequest]:
    """Yield a message with answers, or several if it is too large."""
    answers = request.answers.answers
    if max_bytes and len(answers) > 1 and request.ByteSize() > max_bytes:
        half = len(answers) // 2
        for part in (answers[:half], answers[half:]):
            yield from _parts(PlayRequest(answers=play_pb2.Answers(answers=part)), max_bytes)
    else:
        yield request


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
