"""The store on a thread of its own, where matches that end together share a transaction."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.errors import StorageError
from arena.storage.opening import open_store
from arena.storage.records import Claim, MatchReport, StoreProgress
from arena.storage.store import Store
from arena.tournament.store_thread import StoreThread
from tests.storage.samples import fixtures, report, tournament
from tests.waiting import until

ME, OTHER = "me", "other"


class Gate:
    """Holds the thread that comes to it until it is opened."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._reached = threading.Event()

    def hold(self) -> None:
        """Come to it."""
        self._reached.set()
        assert self._open.wait(30)

    async def reached(self) -> None:
        """Return once somebody is held."""
        await until(self._reached.is_set)

    def open(self) -> None:
        """Let go."""
        self._open.set()


class Noting:
    """A store that notes which matches share a transaction, and can be made to fail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.groups: list[list[str]] = []
        self.trouble: str | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def finish_all(self, owner: str, ended: Sequence[tuple[Claim, MatchReport]]) -> list[bool]:
        self.groups.append([claim.fixture.match for claim, _ in ended])
        if self.trouble is not None:
            raise StorageError(self.trouble)
        return self._store.finish_all(owner, ended)


class Kit:
    """A stored tournament of six matches, and a store on its thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._occupying: asyncio.Task[None] | None = None
        self._written = 0
        self.hold_write: tuple[int, Gate] | None = None  # where to stop inside transactions
        with open_store(path, "cup") as store:
            store.create(tournament(), fixtures(6))
        self.store: Any = Noting(open_store(path, "cup", fail_point=self._reach))
        self.thread = StoreThread(self.store)

    async def claim(self, count: int, owner: str = ME, lease_s: float = 30.0) -> list[Claim]:
        """Claim by the thread."""
        return await self.thread.call(lambda store: store.claim(owner, count, lease_s=lease_s))

    async def occupy(self) -> Gate:
        """Keep the thread at work, as a slow disk does, until the gate is opened."""
        gate = Gate()
        self._occupying = asyncio.ensure_future(self.thread.call(lambda _: gate.hold()))
        await gate.reached()
        return gate

    async def finish(self, *claims: Claim, owner: str = ME) -> list[asyncio.Task[bool]]:
        """Ask for these matches to be stored; return when all have been asked for."""
        asking = [
            asyncio.ensure_future(self.thread.finish(owner, claim, report(claim, f"by {owner}")))
            for claim in claims
        ]
        await asyncio.sleep(0)
        return asking

    def results(self) -> list[str]:
        """Return what another arena would find."""
        with open_store(self._path, "cup") as store:
            return [match.fixture.match for match in store.matches()]

    def _reach(self, boundary: str) -> None:
        self._written += boundary == "after write"
        if self.hold_write and (boundary, self._written) == ("after write", self.hold_write[0]):
            self.hold_write[1].hold()


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(tmp_path / "arena.db")


class TestGroups:
    async def test_a_lone_match_waits_for_nobody(self, kit):
        """On an idle thread each match is stored at once, in a transaction of its own."""
        async with kit.thread:
            for claim in await kit.claim(3):
                assert await kit.thread.finish(ME, claim, report(claim))
        assert kit.store.groups == [["1-0"], ["1-1"], ["1-2"]]

    async def test_matches_that_end_during_a_commit_share_the_next(self, kit):
        """What ends while another match is being stored is stored together, and all of it."""
        kit.hold_write = 1, (gate := Gate())
        async with kit.thread:
            first, *others = await kit.claim(5)
            asking = await kit.finish(first)
            await gate.reached()
            asking += await kit.finish(*others)
            gate.open()
            assert await asyncio.gather(*asking) == [True] * 5
        assert kit.store.groups == [["1-0"], ["1-1", "1-2", "2-0", "2-1"]]
        assert kit.results() == ["1-0", "1-1", "1-2", "2-0", "2-1"]

    async def test_nobody_is_told_before_the_commit(self, kit):
        """Until the last match of a group is committed none is acknowledged, nor to be seen."""
        kit.hold_write = 3, (last := Gate())
        async with kit.thread:
            claims = await kit.claim(3)
            occupied = await kit.occupy()
            asking = await kit.finish(*claims)
            occupied.open()
            await last.reached()
            assert kit.results() == []
            assert not any(each.done() for each in asking)
            last.open()
            assert await asyncio.gather(*asking) == [True] * 3
            assert len(kit.results()) == 3
        assert len(kit.store.groups) == 1

    async def test_each_hears_of_its_own_result(self, kit):
        """A match that another arena stored first is refused alone."""
        async with kit.thread:
            claims = await kit.claim(3, lease_s=-1.0)
            _, theirs, _ = await kit.claim(3, OTHER)
            assert await kit.thread.finish(OTHER, theirs, report(theirs))
            gate = await kit.occupy()
            asking = await kit.finish(*claims)
            gate.open()
            assert await asyncio.gather(*asking) == [True, False, True]
        assert kit.store.groups == [["1-1"], ["1-0", "1-1", "1-2"]]

    async def test_owners_are_kept_apart(self, kit):
        """Each group is stored in the name of one arena."""
        async with kit.thread:
            mine, theirs = await kit.claim(2), await kit.claim(2, OTHER)
            gate = await kit.occupy()
            asking = [
                *await kit.finish(mine[0]),
                *await kit.finish(*theirs, owner=OTHER),
                *await kit.finish(mine[1]),
            ]
            gate.open()
            assert await asyncio.gather(*asking) == [True] * 4
        assert kit.store.groups == [["1-0", "1-1"], ["1-2", "2-0"]]

    async def test_what_is_asked_behind_a_match_finds_it_stored(self, kit):
        """A group never waits for more matches: it keeps the place of its first one."""
        async with kit.thread:
            claims = await kit.claim(2)
            gate = await kit.occupy()
            await kit.finish(*claims)
            asking = asyncio.ensure_future(kit.thread.call(lambda store: store.progress()))
            gate.open()
            assert await asking == StoreProgress(fixtures=6, results=2, parked=0, claimed=0)

    async def test_a_match_is_stored_although_nobody_waits(self, kit):
        """Who is cancelled takes nothing away from the group, and his match is stored too."""
        async with kit.thread:
            claims = await kit.claim(3)
            gate = await kit.occupy()
            first, *others = await kit.finish(*claims)
            first.cancel()
            await asyncio.wait([first])
            gate.open()
            assert await asyncio.gather(*others) == [True, True]
        assert kit.results() == ["1-0", "1-1", "1-2"]

    async def test_a_group_that_cannot_be_stored(self, kit, caplog):
        """All of it hear why, nothing of it is stored, and nothing is tried after it."""
        kit.store.trouble = "the disk is full"
        async with kit.thread:
            claims = await kit.claim(5)
            gate = await kit.occupy()
            asking = await kit.finish(*claims[:3])
            asking[0].cancel()
            gate.open()
            await asyncio.wait(asking)
            asking += await kit.finish(*claims[3:])
            await asyncio.wait(asking)
            for each in asking[1:]:
                with pytest.raises(StorageError, match="the disk is full"):
                    each.result()
        gc.collect()
        assert kit.store.groups == [["1-0", "1-1", "1-2"]]
        assert kit.results() == []
        assert caplog.records == []


class TestCalls:
    async def test_a_commit_is_done_although_nobody_waits(self, kit):
        """What was handed to the thread happens even if whoever asked is cancelled."""
        gate = Gate()
        async with kit.thread:
            [claim] = await kit.claim(1)

            def finish(store: Store) -> None:
                gate.hold()
                store.finish(ME, claim, report(claim))

            asking = asyncio.ensure_future(kit.thread.call(finish))
            await gate.reached()
            asking.cancel()
            await asyncio.wait([asking])
            gate.open()
        assert kit.results() == ["1-0"]

    async def test_a_store_that_has_failed_is_not_asked_again(self, kit, caplog):
        """Nobody waits for each queued call in turn, and errors that come late are not logged."""
        asked = 0
        gate = Gate()

        def fail(_store: Store) -> None:
            nonlocal asked
            asked += 1
            gate.hold()
            raise StorageError("it is locked")

        async with kit.thread:
            asking = [asyncio.ensure_future(kit.thread.call(fail)) for _ in range(3)]
            await gate.reached()
            asking[0].cancel()
            gate.open()
            await asyncio.wait(asking)
            for each in asking[1:]:
                with pytest.raises(StorageError, match="it is locked"):
                    each.result()
        gc.collect()
        assert asked == 1
        assert caplog.records == []
