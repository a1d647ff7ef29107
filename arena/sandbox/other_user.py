"""Another user: where arena runs as root and there are no namespaces, as in many containers."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Sequence
from pathlib import Path

_FIRST, _COUNT = 61184, 4335  # systemd keeps these for users that exist only while they run
_GROUP = _FIRST + _COUNT  # the last of them: all bots of this level, and nobody else
_turns = itertools.count(os.getpid())


def first_user() -> int:
    """Return a user id that belongs to nobody."""
    return _FIRST


def next_user() -> int:
    """Return another one each time, so that no two bots share it."""
    return _FIRST + next(_turns) % _COUNT


def other_user_command(user: int, program: str, arguments: Sequence[str]) -> list[str]:
    """Return the words that run a program as that user, without capabilities."""
    return [
        *("setpriv", "--reuid", str(user), "--regid", str(user), "--groups", str(_GROUP)),
        *("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", program, *arguments),
    ]


def admit_users(socket: Path) -> None:
    """Let other users dial a socket in a directory that is root's alone; raises OSError.

    They can neither list nor change the directory. One that others may enter is left as it is.
    """
    if stat.S_IMODE(socket.parent.stat().st_mode) != stat.S_IRWXU:
        return
    for path, mode in ((socket, 0o660), (socket.parent, 0o710)):
        os.chown(path, -1, _GROUP)
        path.chmod(mode)
