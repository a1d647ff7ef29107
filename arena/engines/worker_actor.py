"""What runs on a node of a Ray cluster: an actor in front of a worker's process.

The process is not part of the actor because Ray may kill an actor at any time, and its children
with it: so the bots, and the keeper that ends them, are never children of the actor itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from pathlib import Path

from arena.engines.worker_process import WorkerProcess

_BATCH_BYTES = 64 << 10  # Ray hands on as much without storing it


class WorkerActor:
    """The Ray actor: it passes messages to and from a worker's process on its node."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None
        self._said: deque[bytes] = deque()
        self._is_over = False
        self._news = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    async def start(self, number: int, close_s: float, place: str) -> None:
        """Start the process, in the directory if that is there."""
        directory = Path(place) if await asyncio.to_thread(os.path.isdir, place) else None
        self._process = await WorkerProcess.start(number, close_s, directory)
        self._listening = asyncio.ensure_future(self._listen(self._process))

    async def tell(self, texts: list[bytes]) -> None:
        """Pass messages to the process."""
        assert self._process is not None
        for text in texts:
            self._process.send(text)

    async def hear(self) -> tuple[list[bytes], str | None]:
        """Return what the process has said, or nothing and how it ended; waits for either."""
        while not self._said and not self._is_over:
            await self._news.wait()
            self._news.clear()
        assert self._process is not None
        texts: list[bytes] = []
        size = 0
        while self._said and (not texts or size + len(self._said[0]) < _BATCH_BYTES):
            texts.append(self._said.popleft())
            size += len(texts[-1])
        return texts, None if texts else self._process.ending

    async def close(self) -> None:
        """End the process."""
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        if self._process is not None:
            await self._process.close()

    async def _listen(self, process: WorkerProcess) -> None:
        while (text := await process.receive()) is not None:
            self._said.append(text)
            self._news.set()
        self._is_over = True
        self._news.set()
