"""PlayService on gRPC: one reader and one writer for each stream, the meaning is elsewhere."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import grpc
import grpc.aio

from arena.errors import (
    FloodError,
    HelloTimeoutError,
    LimitError,
    MessageError,
    SessionError,
)
from arena.referee.clock import Clock
from arena.referee.faults import Fault
from arena.referee.player import Question
from arena.server.greetings import Greetings, Place
from arena.server.lobby import Lobby
from arena.server.session import ENDED, Session, read_message
from arena.server.sparing import SparingLog
from arena.server.status import end_call
from arena.v1 import play_pb2
from arena.wire import play

LOG = logging.getLogger("arena.play")

Context = grpc.aio.ServicerContext[bytes, bytes]

_FAREWELL_S = 2.0
_LAST_WRITE_S = 0.5


class PlayService:
    """Serves streams of bots. Messages are bytes here, so that decoding is ours to judge."""

    name = "arena.v1.PlayService"

    def __init__(self, lobby: Lobby, clock: Clock) -> None:
        """Let the lobby decide who comes in."""
        self._lobby = lobby
        self._clock = clock
        self._streams: dict[Session, _Stream] = {}
        self._greetings = Greetings(lobby.limits)
        self._refusals = SparingLog(LOG, "session refused", clock.time())

    def handler(self, socket: str = "") -> grpc.GenericRpcHandler:
        """Return what a server is to be given; that of a private socket with its name."""

        async def play(_requests: Any, context: Context) -> None:
            await self._play(context, socket)

        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
        return grpc.method_handlers_generic_handler(self.name, {"Play": method})

    async def _play(self, context: Context, socket: str) -> None:
        """Serve one stream from hello to goodbye."""
        try:
            # All peers of unix sockets are called the same.
            peer = f"unix:{socket}" if socket else context.peer()
            session = self._lobby.enter(await self._greet(context, peer), socket)
        except SessionError as error:
            self._refusals.info(self._clock.time(), detail=str(error))
            await end_call(context, error)
            return
        before = self._streams.pop(session, None)
        if before is not None:
            before.replace()
        stream = self._streams[session] = _Stream(session, context, self._clock)
        try:
            await stream.serve()
        finally:
            if self._streams.get(session) is stream:
                del self._streams[session]
                if isinstance(stream.parting, play_pb2.Goodbye):
                    session.end(Fault.DISCONNECT, f"goodbye was said: {stream.parting.message}")
                else:
                    session.park()
        if isinstance(stream.parting, SessionError):
            await end_call(context, stream.parting)

    async def _greet(self, context: Context, peer: str) -> play_pb2.Hello:
        place = self._greetings.begin(peer)
        try:
            return await self._read_hello(context, place)
        finally:
            self._greetings.end(peer, place)

    async def _read_hello(self, context: Context, place: Place) -> play_pb2.Hello:
        limit = self._lobby.limits.hello_timeout_s
        reading = asyncio.ensure_future(context.read())
        # Not wait_for: a cancelled read would end the call before it can be told why.
        either = asyncio.FIRST_COMPLETED
        waited: set[asyncio.Future[Any]] = {reading, place}
        await asyncio.wait(waited, timeout=limit, return_when=either)
        if not reading.done():
            reading.cancel()
            if place.done():
                raise LimitError("too many streams are still to say hello: send it at once")
            raise HelloTimeoutError(f"no hello within {limit:g} s: send it first")
        try:
            data = reading.result()
        except grpc.aio.AbortError as error:
            raise MessageError("the stream broke before the hello") from error
        if not isinstance(data, bytes):
            raise MessageError("the stream ended without a hello: send it first")
        request = read_message(data, self._lobby.limits)
        if request.WhichOneof("message") != "hello":
            raise MessageError("the first message must be a hello")
        return request.hello


class _Stream:
    """One stream of a session."""

    def __init__(self, session: Session, context: Context, clock: Clock) -> None:
        self.parting: SessionError | play_pb2.Goodbye | None = None
        self._session = session
        self._context = context
        self._clock = clock
        self._tasks: list[asyncio.Task[None]] = []
        self._is_over = False
        self._writing_since: float | None = None
        self._watchdog: asyncio.TimerHandle | None = None

    async def serve(self) -> None:
        """Read and write until either side is done."""
        self._tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())]
        reader, writer = self._tasks
        self._watch_writing()
        try:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            if not writer.done() and self._session.parting is not None:
                # The bot has closed its side; it may still read our last words.
                await asyncio.wait({writer}, timeout=_FAREWELL_S)
            if not reader.done() and isinstance(self.parting, play_pb2.Goodbye):
                # Were the stream over when a bot that is thinking writes its answer, its gRPC might
                # lose our last words: let it close its side first.
                await asyncio.wait({reader}, timeout=_FAREWELL_S)
            await self._finish_write(writer)
        finally:
            if self._watchdog is not None:
                self._watchdog.cancel()
            for task in self._tasks:
                task.cancel()
            results = await asyncio.gather(*self._tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not _is_loss(result):
                LOG.error("stream failed", exc_info=result, extra={"bot": self._session.bot})

    async def _finish_write(self, writer: asyncio.Task[None]) -> None:
        """Let a write that is under way come to its end, and begin no other.

        Were it cancelled, gRPC could not end the call any more: it takes one write at a time, and
        the status is one too.
        """
        self._is_over = True
        if not writer.done():
            self._session.outbox.wake.set()
            await asyncio.wait({writer}, timeout=_LAST_WRITE_S)

    def replace(self) -> None:
        """End at once: the session goes on over another stream."""
        self.parting = SessionError("the session continues on another stream that resumed it")
        for task in self._tasks:
            task.cancel()

    async def _read(self) -> None:
        session, context, time = self._session, self._context, self._clock.time
        while True:
            data = await context.read()
            at = time()
            if not isinstance(data, bytes):  # the end of the stream
                return
            if self.parting is not None:
                continue
            try:
                session.receive(data, at)
            except SessionError as error:
                session.part(error)
                fault = Fault.FLOOD if isinstance(error, FloodError) else Fault.PROTOCOL_ERROR
                session.end(fault, str(error))
            if session.phase is ENDED:
                return

    async def _write(self) -> None:
        session, context = self._session, self._context
        outbox, time = session.outbox, self._clock.time
        while True:
            outbox.wake.clear()
            while not self._is_over and (batch := outbox.take()) is not None:
                message, questions = batch
                self._writing_since = time()
                await context.write(message)
                self._writing_since = None
                if questions:
                    _start_clocks(questions, time(), max(len(outbox.open), 1))
            if self.parting is not None or self._is_over:
                return
            if session.parting is not None:
                self.parting = session.parting
                outbox.push(_last_words(session.parting))
            elif session.phase is ENDED:
                self.parting = SessionError(session.last_words)
                return
            else:
                await outbox.wake.wait()

    def _watch_writing(self) -> None:
        """End a stream that cannot be written to: the bot does not read.

        Looks now and then, because a timer for every write would cost as much as the write.
        """
        limit = self._session.limits.write_timeout_s
        since = self._writing_since
        if since is not None and self._clock.time() - since >= limit:
            self._session.drop_slow_reader()
            self.parting = self._session.parting
            for task in self._tasks:
                task.cancel()
        else:
            loop = asyncio.get_running_loop()
            self._watchdog = loop.call_later(limit / 4, self._watch_writing)


def _start_clocks(questions: Sequence[Question], at: float, share: int) -> None:
    for question in questions:
        question.sent(at, share)


def _last_words(parting: SessionError | play_pb2.Goodbye) -> bytes:
    if isinstance(parting, SessionError):
        return play.goodbye(play_pb2.Goodbye.REASON_MISBEHAVED, str(parting))
    return play.goodbye(parting.reason, parting.message)


def _is_loss(error: Exception) -> bool:
    """Return whether the stream was simply lost, which is the bot's affair."""
    return isinstance(error, grpc.aio.AbortError | grpc.RpcError | grpc.aio.UsageError)
