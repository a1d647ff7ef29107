"""Another user: where arena runs as root and there are no namespaces, as in many containers."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

_FIRST, _COUNT = 61184, 4335  # systemd keeps these for users that exist only while they run
_given: set[int] = set()


def first_user() -> int:
    """Return a user id that belongs to nobody."""
    return _FIRST


def next_user() -> int:
    """Return one that no process has, also none of another arena's bots, and another each time."""
    free = sorted(set(range(_FIRST, _FIRST + _COUNT)) - set(_running_users()) - _given)
    if not free:
        _given.clear()
        return next_user()
    _given.add(user := secrets.choice(free))
    return user


def _running_users() -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # a process that ends just now
            yield path.stat().st_uid


def other_user_command(user: int, program: str, arguments: Sequence[str]) -> list[str]:
    """Return the words that run a program as that user, without capabilities."""
    return [
        *("setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"),
        *("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", program, *arguments),
    ]


def admit_user(socket: Path, user: int) -> None:
    """Let one other user dial a socket in a directory that is root's alone; raises OSError.

    That user can neither list nor change the directory. One that others may enter is left as it is.
    """
    if stat.S_IMODE(socket.parent.stat().st_mode) & 0o707 != stat.S_IRWXU:
        return
    for path, mode in ((socket, 0o660), (socket.parent, 0o710)):
        os.chown(path, -1, user)
        path.chmod(mode)
