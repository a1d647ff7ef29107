"""A scripted arena: speaks the protocol word by word, so that anything can be said to a bot."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from arena.errors import FormatError, ShortcomingError
from arena.v1 import play_pb2
from arena.wire import play

Context = grpc.aio.ServicerContext[bytes, bytes]

_MOST_WAITING = 4_096  # messages of a bot that nobody has looked at
_FAREWELL_S = 2.0  # as in the real arena: for the bot to close its side after a goodbye


class Stream:
    """One stream of a bot, at the arena's end."""

    def __init__(self, context: Context) -> None:
        """Serve a call."""
        self._context = context
        self._received: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_WAITING)
        self._closed = asyncio.Event()
        self._grace_s = 0.0
        self.is_lost = False

    async def send(self, message: bytes) -> None:
        """Write a PlayResponse, whatever its bytes are; a lost stream swallows it."""
        try:
            await self._context.write(message)
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError):
            self.is_lost = True

    async def receive(self) -> play_pb2.PlayRequest | None:
        """Return the bot's next message, None at the end; raises ShortcomingError for nonsense."""
        data = await self._received.get()
        if data is None:
            self.is_lost = True
            return None
        try:
            return play.read_request(data)
        except FormatError as error:
            raise ShortcomingError(f"the bot sent {error}") from None

    def close(self, grace_s: float = 0.0) -> None:
        """End the stream with the status OK; the bot may close its side within the grace."""
        self._grace_s = grace_s
        self._closed.set()

    async def part(self, goodbye: bytes) -> None:
        """Send the last message and end the stream as the real arena does."""
        await self.send(goodbye)
        self.close(_FAREWELL_S)

    async def serve(self) -> None:
        """Collect what the bot says until the script closes the stream."""
        reading = asyncio.ensure_future(self._read())
        try:
            await self._closed.wait()
            if self._grace_s:
                await asyncio.wait({reading}, timeout=self._grace_s)
        finally:
            # A bot that cancels its call has this cancelled: whoever waits must hear of it too.
            reading.cancel()
            with contextlib.suppress(asyncio.QueueFull):
                self._received.put_nowait(None)

    async def _read(self) -> None:
        try:
            while isinstance(data := await self._context.read(), bytes):
                await self._received.put(data)
        except (grpc.RpcError, grpc.aio.BaseError):
            pass
        await self._received.put(None)


class ScriptedArena:
    """Listens on a unix socket and hands out the streams that bots open. A context manager."""

    def __init__(self, path: str) -> None:
        """Prepare to listen at the path of a socket."""
        self.address = f"unix:{path}"
        self._server = grpc.aio.server()
        self._streams: asyncio.Queue[Stream] = asyncio.Queue()
        self._served: list[Stream] = []
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        handler = grpc.method_handlers_generic_handler("arena.v1.PlayService", {"Play": method})
        self._server.add_generic_rpc_handlers((handler,))

    async def __aenter__(self) -> Self:
        self._server.add_insecure_port(self.address)
        await self._server.start()
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for stream in self._served:
            stream.close()
        await self._server.stop(0.2)

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
