"""The sockets that launched bots dial, one for each of them, which last even if one is removed.

Without a sandbox a bot may remove or replace what belongs to its own user. A second link to each
socket, in a directory that no bot is told of, lets it be put back. A bot that could not come in
meanwhile is not to blame: `check` tells.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import time
from pathlib import Path
from typing import Self

from arena.errors import InputError, LaunchError, SocketLostError
from arena.server.address import Address
from arena.server.app import Arena

LOG = logging.getLogger("arena.server")

_LOOK_S = 0.5


class PrivateSocket:
    """A socket that exists, and can be put back where it is."""

    def __init__(self, path: Path, spare: Path) -> None:
        """Keep a second link at `spare`, on the same file system; raises OSError."""
        self.address = Address(f"unix:{path}")
        self.spare = spare
        self._path = path
        os.link(path, spare)
        self._key = _key(path)
        self._lost_at = float("-inf")

    def mend(self) -> None:
        """Put the socket back if it is not there; raises SocketLostError if that is impossible."""
        if _key(self._path) == self._key:
            return
        if self._lost_at == float("-inf"):
            LOG.warning("the socket of a launched bot was removed; it is put back")
        self._lost_at = time.monotonic()
        try:
            self._path.unlink(missing_ok=True)
            os.link(self.spare, self._path)
        except OSError as error:
            raise SocketLostError(
                f"the arena's socket {self._path} was removed and cannot be put back "
                f"({error.strerror}): a bot or another program of this user did that"
            ) from None

    def check(self, since: float) -> None:
        """Raise SocketLostError if it was not there at any time since then, by the system's clock.

        Nobody is to be blamed for not having come in.
        """
        self.mend()
        if self._lost_at >= since:
            raise SocketLostError(
                f"the arena's socket {self._path} was removed while bots were to connect: a bot "
                "or another program of this user did that"
            )


class PrivateSockets:
    """All of them, looked after while this is open. A context manager."""

    def __init__(self, arena: Arena, directory: Path, spare: Path) -> None:
        """Make each in a directory of its own below `directory`. Needs a running loop.

        The second links are in `spare`.
        """
        self._arena = arena
        self._directory = directory
        self._spare = spare
        self._numbers = itertools.count(1)
        self._open: set[PrivateSocket] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._look()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def open(self) -> PrivateSocket:
        """Have the arena listen on another one; raises LaunchError."""
        number = str(next(self._numbers))
        path = self._directory / number / "arena.sock"
        try:
            path.parent.mkdir(mode=0o700)
            await self._arena.open_private(Address(f"unix:{path}"))
            socket = PrivateSocket(path, self._spare / number)
        except (OSError, InputError) as error:
            raise LaunchError(f"there is no socket for it: {error}") from error
        self._open.add(socket)
        return socket

    async def close(self, socket: PrivateSocket) -> None:
        """Have nobody listen on it any more. Idempotent."""
        self._open.discard(socket)
        await self._arena.close_private(socket.address)
        socket.spare.unlink(missing_ok=True)

    def _look(self) -> None:
        if self._arena.lobby.is_stopping:  # gRPC removes the sockets of servers that stop
            return
        for socket in list(self._open):
            try:
                socket.mend()
            except SocketLostError as error:
                LOG.error("%s", error)
                self._open.discard(socket)  # said once
        self._timer = asyncio.get_running_loop().call_later(_LOOK_S, self._look)


def _key(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.lstat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
