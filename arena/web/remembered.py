"""Answers that count for a moment: what is asked of an arena does not grow with its readers."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

ResultT = TypeVar("ResultT")

_MOST = 200  # answers


class Remembered:
    """What was asked a moment ago, by what was asked; asked once for all who wait for it."""

    def __init__(self, lasts_s: float) -> None:
        """Let an answer count for so long."""
        self._lasts_s = lasts_s
        self._known: dict[str, tuple[float, asyncio.Task[Any]]] = {}

    async def get(self, key: str, ask: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """Return the answer that counts, or ask; raises what that does."""
        now = time.monotonic()
        asked_at, task = self._known.get(key, (0.0, None))
        if task is None or (task.done() and now - asked_at > self._lasts_s):
            if len(self._known) >= _MOST:
                self._known.clear()
            task = asyncio.ensure_future(_run(ask))
            self._known[key] = (now, task)
        return cast("ResultT", await asyncio.shield(task))


def of_token(what: str, token: str) -> str:
    """Return under which key an answer is kept that is for the owner of a token."""
    return f"{what} {hashlib.sha256(token.encode()).hexdigest()}"


async def _run(ask: Callable[[], Awaitable[ResultT]]) -> ResultT:
    return await ask()
