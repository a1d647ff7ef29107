"""A store on a thread of its own: a commit waits for the disk, the loop must not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

from arena.errors import StorageError
from arena.storage.store import Store

ResultT = TypeVar("ResultT")


class StoreThread:
    """Runs every use of a store on one thread, one after the other."""

    def __init__(self, store: Store) -> None:
        """Take the store over; it is closed with this."""
        self._store = store
        self._thread = ThreadPoolExecutor(1, "store")
        self._trouble: str | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the store behind all that was asked of it."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._store.close)
        self._thread.shutdown()

    async def call(self, work: Callable[[Store], ResultT]) -> ResultT:
        """Use the store. The work runs to its end even if nobody waits for it any more.

        Once the store has failed it is not tried again: whatever comes later fails the same way.
        """
        loop = asyncio.get_running_loop()
        working = loop.run_in_executor(self._thread, self._use, work)
        working.add_done_callback(_take_note)
        return await asyncio.shield(working)

    def _use(self, work: Callable[[Store], ResultT]) -> ResultT:
        if self._trouble is not None:
            raise StorageError(self._trouble)
        try:
            return work(self._store)
        except StorageError as error:
            # It has been waited for already; each match in the queue would wait as long again.
            self._trouble = str(error)
            raise


def _take_note(working: asyncio.Future[ResultT]) -> None:
    """Let nobody complain that an error was not looked at, if nobody waits for it any more."""
    if not working.cancelled():
        working.exception()
