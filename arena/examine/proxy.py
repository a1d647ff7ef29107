"""A proxy between a bot and its arena that can be cut, as networks are."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16


class Proxy:
    """Passes bytes between unix sockets. An async context manager."""

    def __init__(self, path: str, target: str) -> None:
        """Listen at `path` for what is meant for `target`, both paths of sockets."""
        self.connections = 0  # so far
        self._path = path
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._connect, self._path)
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)

    def cut(self) -> None:
        """Drop every connection and what is under way on it. New ones are taken."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers = set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            there, back = await asyncio.open_unix_connection(self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        passing = {
            asyncio.ensure_future(_pass(reader, back)),
            asyncio.ensure_future(_pass(there, writer)),
        }
        self._tasks |= passing
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, back):
            end.transport.abort()
            self._writers.discard(end)
        await asyncio.wait(passing)
        self._tasks -= passing


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
