"""The socket that launched bots dial, which lasts even if one of them removes it.

Without a sandbox a bot may remove or replace what belongs to its own user. A second link to the
socket, in a directory that no bot is told of, lets it be put back. A bot that could not come in
meanwhile is not to blame: `check` tells.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from pathlib import Path
from typing import Self

from arena.errors import SocketLostError

LOG = logging.getLogger("arena.server")

_LOOK_S = 0.5


class PrivateSocket:
    """A socket that exists, kept where it is while this is open. A context manager."""

    def __init__(self, path: Path, spare: Path) -> None:
        """Keep a second link at `spare`, on the same file system. Needs a running loop."""
        self._path = path
        self._spare = spare
        os.link(path, spare)
        self._key = _key(path)
        self._lost_at = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._look()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def mend(self) -> None:
        """Put the socket back if it is not there; raises SocketLostError if that is impossible."""
        if _key(self._path) == self._key:
            return
        if self._lost_at == float("-inf"):
            LOG.warning("the socket of launched bots was removed; it is put back")
        self._lost_at = time.monotonic()
        try:
            self._path.unlink(missing_ok=True)
            os.link(self._spare, self._path)
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

    def _look(self) -> None:
        try:
            self.mend()
        except SocketLostError as error:
            LOG.error("%s", error)
        else:
            self._timer = asyncio.get_running_loop().call_later(_LOOK_S, self._look)


def _key(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.lstat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
