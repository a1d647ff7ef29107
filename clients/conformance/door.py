"""The door of the scripted arena: a proxy that can be cut, closed and opened again."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from pathlib import Path

from clients.conformance.scenario import Network

_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)  # linger for no time: closing sends a reset


class Door:
    """Passes bytes from where the bot dials to a unix socket.

    Attributes:
        port: the port it has, or had when it was last open; 0 if it never was, or has none.

    Args:
        network: over what the bot dials.
        directory: for the socket, if it is one.
        target: the path of the socket of the arena behind it.
    """

    def __init__(self, network: Network, directory: Path, target: Path) -> None:
        self._network = network
        self._path = directory / "arena"
        self._target = target
        self.port = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._frozen: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where to dial. Over TCP it is known once the door has been open."""
        if self._network is Network.TCP:
            return f"127.0.0.1:{self.port}"
        return f"unix:{self._path}"

    async def open(self) -> None:
        """Take connections; the address is the same each time."""
        if self._network is Network.TCP:
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]
        else:
            self._path.unlink(missing_ok=True)
            self._server = await asyncio.start_unix_server(self._accept, self._path)

    def close(self) -> None:
        """Reset all connections and refuse new ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.cut()

    def cut(self) -> None:
        """Reset all connections: what is under way is lost. New ones are taken."""
        for writer in self._writers:
            _reset(writer)
        self._writers.clear()

    def freeze(self) -> None:
        """Lose all that is sent over the connections there are. New ones are taken."""
        self._frozen |= self._writers

    async def settle(self) -> None:
        """Wait until nothing is passed on any more; to be called after close()."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._pass_on(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_unix_connection(self._target)
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
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                if writer not in self._frozen:
                    writer.write(data)
                    await writer.drain()
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    if sock is not None and sock.family == socket.AF_INET:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
