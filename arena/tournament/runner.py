"""The run of a tournament: claim what is missing, have it played, store it, until nothing is."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import functools
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

from arena.errors import StorageError
from arena.rating.settling import checkpoints, is_settled
from arena.rating.stopping_rule import SettledRule
from arena.schedule.schedule import round_ends
from arena.storage.owner import new_owner
from arena.storage.records import Claim, FixtureRecord, StoredMatch
from arena.storage.store import LEASE_S, Store
from arena.tournament.engine import Engine, Void
from arena.tournament.store_thread import StoreThread
from arena.tournament.watcher import Watcher

_POLL_S = 0.5  # while other arenas play the last matches
_WIND_UP_S = 1.0  # for aborted matches to say so


class EndReason(enum.Enum):
    """Why a run ended."""

    COMPLETE = "complete"  # nothing is left to play
    SETTLED = "settled"  # the stopping rule says so
    STOPPED = "stopped"  # by a person; what is missing can be played later


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended."""

    ending: EndReason
    settled_after: int | None = None  # rounds


class Runner:
    """One run. `stop` lets running matches finish, `abort` does not; both lose nothing stored."""

    def __init__(
        self,
        store: StoreThread,
        engine: Engine,
        *,
        concurrency: int,
        until: SettledRule | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        """Prepare; the engine is open and has passed all bots."""
        self._store = store
        self._engine = engine
        self._concurrency = concurrency
        self._until = until
        self._watcher = watcher or Watcher()
        self._owner = new_owner()
        self._total = 0
        self._queue: deque[Claim] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._is_aborted = False
        self._versions: Mapping[str, str] = {}
        self._missing: dict[int, FixtureRecord] = {}
        self._open_deals: Counter[int] = Counter()
        self._ended_of_deal: dict[int, list[str]] = {}
        self._looks: list[tuple[int, int]] = []  # rounds and index of the checkpoints ahead
        self._looking = asyncio.Lock()
        self._settled_after: int | None = None

    def stop(self) -> None:
        """Begin no more matches; those that run are finished."""
        self._stopping.set()

    def abort(self) -> None:
        """End at once: running matches are given up, and will be played again."""
        self._is_aborted = True
        self._stopping.set()
        self._engine.abort()
        for task in self._running:
            task.get_loop().call_later(_WIND_UP_S, task.cancel)

    @property
    def complete_prefix(self) -> int:
        """How many matches of the canonical order have been played without a gap."""
        return next(iter(self._missing), self._total)

    async def run(self) -> RunEnd:
        """Play until nothing is missing, the order is settled, or it is stopped.

        Raises StorageError when results can no longer be stored.
        """
        await self._load()
        renewing = asyncio.ensure_future(self._renew())
        try:
            await self._look()
            await self._play_all(renewing)
        except BaseException:
            self._engine.abort()
            await self._give_up(renewing)
            with contextlib.suppress(StorageError):  # then they end with this process
                await self._release()
            raise
        await self._give_up(renewing)
        await self._release()
        if self._settled_after is not None:
            return RunEnd(EndReason.SETTLED, self._settled_after)
        progress = await self._store.call(lambda store: store.progress())
        return RunEnd(EndReason.COMPLETE if progress.is_complete else EndReason.STOPPED)

    async def _give_up(self, renewing: asyncio.Future[None]) -> None:
        renewing.cancel()
        for task in self._running:
            task.cancel()
        await asyncio.gather(renewing, *self._running, return_exceptions=True)

    async def _release(self) -> None:
        await self._store.call(lambda store: store.release(self._owner))

    # What there is to play.

    async def _load(self) -> None:
        tournament = await self._store.call(lambda store: store.tournament())
        assert tournament is not None
        self._versions = {bot.name: bot.version for bot in tournament.bots}
        missing = await self._store.call(lambda store: store.missing())
        progress = await self._store.call(lambda store: store.progress())
        self._total = progress.fixtures
        self._missing = {fixture.index: fixture for fixture in missing}
        self._open_deals = Counter(fixture.deal for fixture in missing)
        if self._until is not None:
            ends = round_ends(await self._store.call(lambda store: store.fixtures()))
            self._looks = list(checkpoints(self._until, ends))
        self._watcher.begun(progress.results + progress.parked, progress.fixtures)

    async def _claim(self) -> bool:
        """See that there is something to begin; return whether there is."""
        if not self._queue:
            wanted = 2 * self._concurrency - len(self._running)
            claims = await self._store.call(lambda store: store.claim(self._owner, wanted))
            self._queue.extend(claims)
        return bool(self._queue)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(LEASE_S / 3)
            await self._store.call(lambda store: store.renew(self._owner))
            if self._until is not None:  # other arenas may have come as far as it asks
                await self._refresh()

    # Playing.

    async def _play_all(self, renewing: asyncio.Future[None]) -> None:
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while True:
                while not self._stopping.is_set() and len(self._running) < self._concurrency:
                    if not await self._claim() or self._stopping.is_set():
                        break
                    self._running.add(asyncio.ensure_future(self._play(self._queue.popleft())))
                if not self._running and (self._stopping.is_set() or not await self._wait()):
                    return
                waited = {*self._running, renewing}
                if not self._stopping.is_set():
                    waited.add(stopping)  # type: ignore[arg-type]
                if self._running:
                    await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                self._collect(renewing)
        finally:
            stopping.cancel()

    def _collect(self, renewing: asyncio.Future[None]) -> None:
        """Forget the matches that have ended; raises what went wrong on our side."""
        done = {task for task in self._running if task.done()}
        self._running -= done
        # All are asked before one is raised: whoever is not asked complains later.
        errors = [task.exception() for task in done if not task.cancelled()]
        for error in filter(None, errors):
            raise error
        if renewing.done():
            renewing.result()

    async def _wait(self) -> bool:
        """Wait a little for other arenas' matches; return whether there are any to wait for."""
        progress = await self._store.call(lambda store: store.progress())
        if progress.is_complete:
            return False
        if progress.claimed:
            self._watcher.waiting(progress.claimed)
        try:
            async with asyncio.timeout(_POLL_S):
                await self._stopping.wait()
        except TimeoutError:
            await self._refresh()
        return True

    async def _play(self, claim: Claim) -> None:
        fixture = claim.fixture
        report = await self._engine.play(fixture, self._versions, self._watcher.fault)
        if isinstance(report, Void):
            if not self._is_aborted:
                reason = report.reason
                is_parked = await self._store.call(
                    lambda store: store.void(self._owner, claim, reason)
                )
                self._watcher.void(fixture, reason)
                if is_parked:
                    self._watcher.parked(fixture)
                await self._refresh()
            return
        await self._store.finish(self._owner, claim, report)
        self._mark_done(fixture)
        self._watcher.ended(fixture, report)
        await self._look()

    # What has been played.

    def _mark_done(self, fixture: FixtureRecord) -> None:
        """Note that a match is done; a deal that is done can be shown."""
        if self._missing.pop(fixture.index, None) is None:
            return
        deal = fixture.deal
        self._open_deals[deal] -= 1
        self._ended_of_deal.setdefault(deal, []).append(fixture.match)
        if not self._open_deals[deal]:
            self._engine.release(self._ended_of_deal.pop(deal))

    async def _refresh(self) -> None:
        """Note what others have played meanwhile, and what has been parked."""
        missing = {
            fixture.index for fixture in await self._store.call(lambda store: store.missing())
        }
        for index in [index for index in self._missing if index not in missing]:
            self._mark_done(self._missing[index])
        await self._look()

    async def _look(self) -> None:
        """Ask the stopping rule at every checkpoint whose matches have all been played."""
        async with self._looking:  # one checkpoint after the other: the first one counts
            while self._looks and self._until and self._settled_after is None:
                rounds, stop = self._looks[0]
                if self.complete_prefix < stop:
                    return
                del self._looks[0]
                matches, parked = await self._store.call(functools.partial(_before, stop=stop))
                # Beside the store, which has claims to renew: rating many matches takes long.
                if await asyncio.to_thread(is_settled, self._until, matches, parked, rounds):
                    self._settled_after = rounds
                    self._stopping.set()


def _before(store: Store, stop: int) -> tuple[list[StoredMatch], list[FixtureRecord]]:
    """Return all results up to an index, and the matches that were given up."""
    return list(store.matches(0, stop)), store.parked()
