"""A store on a thread of its own: a commit waits for the disk, the loop must not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from arena.storage.store import Store

ResultT = TypeVar("ResultT")


class StoreThread:
    """Runs every use of a store on one thread, one after the other."""

    def __init__(self, store: Store) -> None:
        """Take the store over; it is closed with this."""
        self._store = store
        self._thread = ThreadPoolExecutor(1, "store")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._store.close)
        self._thread.shutdown()

    async def call(self, work: Callable[[Store], ResultT]) -> ResultT:
        """Use the store. The work runs to its end even if nobody waits for it any more."""
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._thread, work, self._store))
