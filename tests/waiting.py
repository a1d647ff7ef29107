"""Waiting for what happens in other tasks, threads and processes, where nothing tells of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LONG_S = 30.0  # for what should take a moment, on a machine that is busy
_EVERY_S = 0.003
_SELDOM_S = 0.02  # for what another process does: looking takes time from it


async def until(is_true: Callable[[], object], limit_s: float = LONG_S) -> float:
    """Return after how many seconds it became true; fails after a long time."""
    started = time.monotonic()
    while not is_true():
        assert time.monotonic() < started + limit_s, "it did not come to that in time"
        await asyncio.sleep(_EVERY_S)
    return time.monotonic() - started


def wait_until(is_true: Callable[[], object], limit_s: float = LONG_S) -> None:
    """Return once it is true; fails after a long time."""
    deadline = time.monotonic() + limit_s
    pause_s = _EVERY_S
    while not is_true():
        assert time.monotonic() < deadline, "it did not come to that in time"
        time.sleep(pause_s)
        pause_s = min(1.3 * pause_s, _SELDOM_S)
