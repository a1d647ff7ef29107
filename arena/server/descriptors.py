"""Open files: as many as the system allows, and enough of them kept for the arena itself.

Each connection takes one. What storage and launching need must not be taken by connections that
anybody can open: so gRPC is told how many it may hold, and closes the others as they come.
"""

from __future__ import annotations

import resource

_WANTED = 65_536
_MOST_KEPT = 512


def raise_limit() -> int:
    """Let this process open as many files as the system allows; return how many.

    Processes that it starts have the same limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return _WANTED if soft == resource.RLIM_INFINITY else soft


def connections_of(files: int, listeners: int) -> int:
    """Return how many connections each listener may hold, if so many files may be open."""
    return max(1, (files - min(files // 2, _MOST_KEPT)) // max(1, listeners))
