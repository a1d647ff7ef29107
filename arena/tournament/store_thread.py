"""A store on a thread of its own: a commit waits for the disk, the loop must not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Self, TypeVar

from arena.errors import StorageError
from arena.storage.records import Claim, MatchReport
from arena.storage.store import Store

ResultT = TypeVar("ResultT")


@dataclass(slots=True)
class _Group:
    """Matches of one owner that will be stored in one transaction."""

    storing: asyncio.Future[list[bool]]
    ended: list[tuple[Claim, MatchReport]] = field(default_factory=list)


class StoreThread:
    """Runs every use of a store on one thread, one after the other."""

    def __init__(self, store: Store) -> None:
        """Take the store over; it is closed with this."""
        self._store = store
        self._thread = ThreadPoolExecutor(1, "store")
        self._trouble: str | None = None
        self._groups: dict[str, _Group] = {}  # by owner: those that can still be joined
        self._joining = threading.Lock()

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
        return await asyncio.shield(self._begin(work))

    async def finish(self, owner: str, claim: Claim, report: MatchReport) -> bool:
        """Store a result, as `call` would; return whether it is the result, once it is durable.

        Whatever ends while the thread is at work goes into its next transaction together: a match
        that comes alone waits for nobody, many at once share what a commit costs.
        """
        with self._joining:
            group = self._groups.get(owner)
            if group is None:
                storing = self._begin(lambda store: store.finish_all(owner, self._take(owner)))
                group = self._groups[owner] = _Group(storing)
            place = len(group.ended)
            group.ended.append((claim, report))
        return (await asyncio.shield(group.storing))[place]

    def _take(self, owner: str) -> list[tuple[Claim, MatchReport]]:
        """Return what has ended so far; what ends from now on is stored after it."""
        with self._joining:
            return self._groups.pop(owner).ended

    def _begin(self, work: Callable[[Store], ResultT]) -> asyncio.Future[ResultT]:
        working = asyncio.get_running_loop().run_in_executor(self._thread, self._use, work)
        working.add_done_callback(_take_note)
        return working

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
