"""A scripted arena: speaks the protocol word by word, so that anything can be said to a bot."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Self

import grpc
import grpc.aio

from arena.errors import FormatError, ShortcomingError
from arena.v1 import play_pb2
from arena.wire import play

Context = grpc.aio.ServicerContext[bytes, bytes]

_MOST_WAITING = 4_096  # messages of a bot that nobody has looked at
_BREAKING_S = 0.03  # until gRPC tells that a stream was broken off
_FAREWELL_S = 2.0  # as in the real arena: for the bot to close its side after a goodbye


class Stream:
    """One stream of a bot, at the arena's end."""

    def __init__(self, context: Context) -> None:
        """Serve a call."""
        self.is_lost = False
        self.unread = 0  # messages that have come and that nobody has read
        self._context = context
        self._received: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_WAITING)
        self._end: asyncio.Future[tuple[grpc.StatusCode, str, float]] = asyncio.Future()
        self._is_cancelled = False

    async def send(self, message: bytes) -> bool:
        """Write a PlayResponse, whatever its bytes are; return False if the stream is lost."""
        try:
            await self._context.write(message)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            self.is_lost = True
            return False
        return True

    async def read(self) -> bytes | None:
        """Return the bot's next message, None at the end."""
        data = await self._received.get()
        if data is None:
            self.is_lost = True
        else:
            self.unread -= 1
        return data

    async def receive(self) -> play_pb2.PlayRequest | None:
        """Return the bot's next message, None at the end; raises ShortcomingError for nonsense."""
        data = await self.read()
        try:
            return None if data is None else play.read_request(data)
        except FormatError as error:
            raise ShortcomingError(f"the bot sent {error}") from None

    async def is_broken_off(self) -> bool:
        """Return of a stream that has ended whether the bot did not close its side."""
        await asyncio.sleep(_BREAKING_S)  # gRPC tells the end first
        return self._is_cancelled or self._context.cancelled()

    def close(
        self,
        code: grpc.StatusCode = grpc.StatusCode.OK,
        details: str = "",
        grace_s: float = 0.0,
    ) -> None:
        """End the stream with a status; the bot may close its side within the grace."""
        if not self._end.done():
            self._end.set_result((code, details, grace_s))

    async def part(self, goodbye: bytes) -> None:
        """Send the last message and end the stream as the real arena does."""
        await self.send(goodbye)
        self.close(grace_s=_FAREWELL_S)

    async def serve(self) -> None:
        """Collect what the bot says until the script closes the stream."""
        reading = asyncio.ensure_future(self._read())
        try:
            code, details, grace_s = await self._end
            if grace_s:
                await asyncio.wait({reading}, timeout=grace_s)
        except asyncio.CancelledError:
            self._is_cancelled = True
            raise
        finally:
            # A bot that cancels its call has this cancelled: whoever waits must hear of it too.
            reading.cancel()
            with contextlib.suppress(asyncio.QueueFull):
                self._received.put_nowait(None)
        if code is not grpc.StatusCode.OK:
            await self._context.abort(code, details)

    async def _read(self) -> None:
        try:
            while isinstance(data := await self._context.read(), bytes):
                self.unread += 1
                await self._received.put(data)
        except (grpc.RpcError, grpc.aio.BaseError):
            pass
        await self._received.put(None)


class ScriptedArena:
    """Listens on a unix socket and hands out the streams that bots open. A context manager."""

    def __init__(
        self,
        path: str,
        credentials: grpc.ServerCredentials | None = None,
        options: Sequence[tuple[str, int]] = (),
    ) -> None:
        """Prepare to listen at the path of a socket, with TLS if there are credentials."""
        self.address = f"unix:{path}"
        self._credentials = credentials
        self._server = grpc.aio.server(options=options)
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()
        self._served: list[Stream] = []
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        handler = grpc.method_handlers_generic_handler("arena.v1.PlayService", {"Play": method})
        self._server.add_generic_rpc_handlers((handler,))

    async def __aenter__(self) -> Self:
        if self._credentials is None:
            self._server.add_insecure_port(self.address)
        else:
            self._server.add_secure_port(self.address, self._credentials)
        await self._server.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        for stream in self._served:
            stream.close()
        await self._server.stop(0.2)

    @property
    def unasked(self) -> int:
        """How many streams nobody has asked for."""
        return self._streams.qsize()

    async def dialled(self) -> Stream:
        """Return the next stream, once a bot has opened it."""
        return await self._streams.get()

    def forget(self) -> None:
        """Close all streams, those that nobody has looked at too."""
        for stream in self._served:
            stream.close()
        self._served = []
        while not self._streams.empty():
            self._streams.get_nowait()

    async def _play(self, _requests: Any, context: Context) -> None:
        stream = Stream(context)
        self._served.append(stream)
        self._streams.put_nowait(stream)
        await stream.serve()
