"""A proxy between a bot and its arena that can be cut, as networks are."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from typing import Self

from arena.server.address import Address

_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)  # linger for no time: closing sends a reset


class Proxy:
    """Passes bytes on. As an async context manager it is open until it is left.

    Both addresses are `unix:PATH` or `HOST:PORT`. With port 0 it takes a free one when it is first
    opened, and keeps it.
    """

    def __init__(self, address: str, target: str) -> None:
        """Prepare to listen at an address for what is meant for the target."""
        self.address = address
        self.connections = 0  # so far
        self._target = target
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._frozen: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)

    @property
    def is_used(self) -> bool:
        """Whether a connection is open."""
        return bool(self._writers)

    async def open(self) -> None:
        """Take connections; the address is the same each time."""
        own = Address(self.address)
        if own.is_unix:
            self._server = await asyncio.start_unix_server(self._accept, own.path)
        else:
            self._server = await asyncio.start_server(self._accept, own.host, int(own.port))
            self.address = own.at_port(self._server.sockets[0].getsockname()[1]).text

    def close(self) -> None:
        """Drop every connection and refuse new ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
            if (own := Address(self.address)).is_unix:
                own.path.unlink(missing_ok=True)
        self.cut()

    def cut(self) -> None:
        """Drop every connection and what is under way on it. New ones are taken."""
        for writer in self._writers:
            _reset(writer)
        self._writers.clear()

    def freeze(self) -> None:
        """Lose all that is sent over the connections there are. New ones are taken."""
        self._frozen |= self._writers

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._connect(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await _dial(self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pass(reader, back))
            group.create_task(self._pass(there, writer))
        self._writers -= {writer, back}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes on until there are no more, then close that side too."""
        # uvloop: to read on from a connection that was cut is a RuntimeError.
        with contextlib.suppress(OSError, RuntimeError):
            while data := await reader.read(_CHUNK):
                if writer not in self._frozen:
                    writer.write(data)
                    await writer.drain()
        writer.close()


async def _dial(text: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = Address(text)
    if address.is_unix:
        return await asyncio.open_unix_connection(address.path)
    return await asyncio.open_connection(address.host, int(address.port))


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    is_open = sock is not None and sock.fileno() >= 0  # not closed by _pass() already
    if is_open and sock.family == socket.AF_INET:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
