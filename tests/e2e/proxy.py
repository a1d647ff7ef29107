"""A TCP proxy on loopback that can be cut, for the time between a bot and its arena."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from arena.server.address import Address


class Proxy:
    """Passes bytes on; `cut` resets every connection, and while `is_down` new ones too."""

    def __init__(self, target: Address) -> None:
        self.is_down = False
        self.accepted = 0
        self._host, _, self._port = target.text.rpartition(":")
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_used(self) -> bool:
        """Whether a connection is open."""
        return bool(self._open)

    def cut(self) -> None:
        """Reset all connections: what is under way is lost."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on until either side is gone."""
        if self.is_down:
            writer.transport.abort()
            return
        self.accepted += 1
        there, back = await asyncio.open_connection(self._host, self._port)
        self._open |= {writer, back}
        passing = {
            asyncio.ensure_future(_pass(reader, back)),
            asyncio.ensure_future(_pass(there, writer)),
        }
        self._tasks |= passing
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        for each in (writer, back):
            each.transport.abort()
            self._open.discard(each)
        await asyncio.wait(passing)
        self._tasks -= passing


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()


@contextlib.asynccontextmanager
async def open_proxy(target: Address) -> AsyncIterator[tuple[Proxy, Address]]:
    """Open a proxy to the address; gives it and where to dial."""
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield proxy, Address(f"127.0.0.1:{port}")
    finally:
        proxy.is_down = True
        proxy.cut()
        server.close()
        await server.wait_closed()
