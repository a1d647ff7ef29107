"""The scripted arena: takes the streams of a bot and hands them to the director of a scenario."""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from arena.v1.play_pb2 import Limits

SERVICE, METHOD = "arena.v1.PlayService", "Play"
_BREAKING_S = 0.03
_OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0))


class Broken(Exception):
    """The bot broke a stream off instead of closing its side."""


class Link:
    """One stream of a bot, as the arena has it.

    Attributes:
        limits: what the welcome said the bot must keep to.
        is_over: nothing more will be said on it.
    """

    def __init__(self, context: Any) -> None:
        self.limits = Limits()
        self.is_over = False
        self._context = context
        self._inbox: deque[bytes | Broken | None] = deque()
        self._news = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._status: asyncio.Future[tuple[grpc.StatusCode, str]] = loop.create_future()

    @property
    def unread(self) -> int:
        """How many messages have come that no step awaited."""
        return sum(isinstance(item, bytes) for item in self._inbox)

    async def read(self) -> bytes | None:
        """Return the next message of the bot; None when it has closed its side.

        Raises:
            Broken: it broke the stream off.
        """
        while not self._inbox:
            self._news.clear()
            await self._news.wait()
        item = self._inbox.popleft()
        if isinstance(item, Broken):
            raise item
        return item

    async def send(self, content: bytes) -> None:
        """Send a message as it is; raises grpc errors if the bot is gone."""
        await self._context.write(content)

    def end(self, code: grpc.StatusCode, message: str) -> None:
        """End the stream with a status."""
        self.is_over = True
        if not self._status.done():
            self._status.set_result((code, message))

    async def serve(self) -> None:
        """Take in what the bot says until the stream has a status or is gone."""
        reading = asyncio.ensure_future(self._take_in())
        try:
            code, message = await self._status
        except asyncio.CancelledError:
            self._put(Broken())
            raise
        finally:
            reading.cancel()
        if code is not grpc.StatusCode.OK:
            await self._context.abort(code, message)

    async def _take_in(self) -> None:
        while (message := await self._context.read()) is not grpc.aio.EOF:
            self._put(message)
        # gRPC tells the end of a stream that was broken off before it tells that it was.
        await asyncio.sleep(_BREAKING_S)
        self._put(Broken() if self._context.cancelled() else None)

    def _put(self, item: bytes | Broken | None) -> None:
        self._inbox.append(item)
        self._news.set()


class Arena:
    """A gRPC server on a unix socket that does nothing by itself. An async context manager."""

    def __init__(self, path: Path, credentials: grpc.ServerCredentials | None = None) -> None:
        self._path = path
        self._credentials = credentials
        self._links: asyncio.Queue[Link] = asyncio.Queue()
        self._server: grpc.aio.Server | None = None

    async def __aenter__(self) -> Self:
        handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler})]
        )
        if self._credentials is None:
            self._server.add_insecure_port(f"unix:{self._path}")
        else:
            self._server.add_secure_port(f"unix:{self._path}", self._credentials)
        await self._server.start()
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            await self._server.stop(None)

    async def next_link(self) -> Link:
        """Wait for the next stream of the bot."""
        return await self._links.get()

    @property
    def unexpected(self) -> int:
        """How many streams nobody has asked for."""
        return self._links.qsize()

    async def _play(self, _requests: Any, context: Any) -> None:
        link = Link(context)
        self._links.put_nowait(link)
        await link.serve()
