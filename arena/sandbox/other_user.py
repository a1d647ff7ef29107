"""Another user: where arena runs as root and there are no namespaces, as in many containers."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence

_FIRST, _COUNT = 61184, 4336  # systemd keeps these for users that exist only while they run
_turns = itertools.count(os.getpid())


def first_user() -> int:
    """Return a user id that belongs to nobody."""
    return _FIRST


def next_user() -> int:
    """Return another one each time, so that no two bots share it."""
    return _FIRST + next(_turns) % _COUNT


def other_user_command(user: int, program: str, arguments: Sequence[str]) -> list[str]:
    """Return the words that run a program as that user, without groups and capabilities."""
    return [
        *("setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"),
        *("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", program, *arguments),
    ]
