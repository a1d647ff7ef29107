"""The store against a model of it, through random histories of several arenas."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from arena.storage.opening import open_store
from arena.storage.records import Claim, StoreProgress
from arena.storage.store import MAX_VOID
from tests.storage.samples import fixtures, report, tournament

COUNT = 5
OWNERS = st.sampled_from(["anna", "berta", "carl"])
LEASES = st.sampled_from([-1.0, 1000.0])  # run out at once, or never


@dataclass
class Attempt:
    owner: str
    is_running: bool = True
    is_void: bool = False


@dataclass
class Match:
    attempts: list[Attempt] = field(default_factory=list)
    voids: int = 0
    has_lapsed: bool = False  # the lease of the running attempt
    result: tuple[str, int] | None = None  # owner and attempt

    @property
    def running(self) -> Attempt | None:
        """The attempt under way."""
        return next((attempt for attempt in self.attempts if attempt.is_running), None)

    @property
    def is_parked(self) -> bool:
        return self.result is None and self.voids >= MAX_VOID

    def is_free_for(self, owner: str, dead: set[str]) -> bool:
        """Whether the owner may claim it."""
        if self.result is not None or self.is_parked:
            return False
        if (running := self.running) is None:
            return True
        return running.owner != owner and (self.has_lapsed or running.owner in dead)


class StoreMachine(RuleBasedStateMachine):
    """Plays a small tournament in all the ways it can go."""

    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory()
        self.matches = [Match() for _ in range(COUNT)]
        self.dead: set[str] = set()
        self.patch = mock.patch("arena.storage.lease.is_dead", lambda owner: owner in self.dead)
        self.patch.start()
        self.open()
        self.store.create(tournament(), fixtures(COUNT))

    def open(self) -> None:
        """Open the store, now or again."""
        self.store = open_store(Path(self.directory.name) / "arena.db", "cup")

    def teardown(self) -> None:
        """Leave nothing."""
        self.store.close()
        self.patch.stop()
        self.directory.cleanup()

    @rule(
        target=claims,
        owner=OWNERS,
        limit=st.integers(0, 3),
        lease_s=LEASES,
    )
    def claim(self, owner, limit, lease_s):
        """The first free matches, each a new attempt; who held them before does so no more."""
        self.dead.discard(owner)  # another process of the same name
        expected = [
            index for index, match in enumerate(self.matches) if match.is_free_for(owner, self.dead)
        ][:limit]
        claimed = self.store.claim(owner, limit, lease_s=lease_s)
        assert [claim.fixture.index for claim in claimed] == expected
        for claim in claimed:
            match = self.matches[claim.fixture.index]
            if match.running is not None:
                match.running.is_void, match.running.is_running = True, False
            match.attempts.append(Attempt(owner))
            match.has_lapsed = lease_s < 0
            assert claim.attempt == len(match.attempts)
        return multiple(*((owner, claim) for claim in claimed))

    @rule(taken=st.lists(consumes(claims), min_size=1, max_size=4))
    def finish(self, taken: list[tuple[str, Claim]]):
        """The first result stands, however late it comes and whatever is stored with it."""
        for owner in dict.fromkeys(owner for owner, _ in taken):
            mine = [claim for each, claim in taken if each == owner]
            ended = [(claim, report(claim, f"by {owner}")) for claim in mine]
            expected = [self.is_result(owner, claim) for claim in mine]
            assert self.store.finish_all(owner, ended) == expected

    def is_result(self, owner: str, claim: Claim) -> bool:
        """Note that a match has ended; return whether that is its result."""
        match = self.matches[claim.fixture.index]
        mine = match.attempts[claim.attempt - 1 : claim.attempt]
        if match.result is None:
            match.result = (owner, claim.attempt)
            if match.running is not None:
                match.running.is_void, match.running.is_running = True, False
            if mine and mine[0].owner == owner:
                mine[0].is_void = False
        return match.result == (owner, claim.attempt)

    @rule(taken=claims)
    def void(self, taken: tuple[str, Claim]):
        """A running attempt is void, and counts; any other is left as it is."""
        owner, claim = taken
        match = self.matches[claim.fixture.index]
        mine = match.attempts[claim.attempt - 1 : claim.attempt]
        if mine and mine[0].owner == owner and mine[0].is_running:
            mine[0].is_running, mine[0].is_void = False, True
            match.voids += 1
        self.store.void(owner, claim, "engine failed")

    @rule(owner=OWNERS, lease_s=LEASES)
    def renew(self, owner, lease_s):
        """All of an owner's claims hold from now, and nobody else's."""
        for match in self.matches:
            if match.running is not None and match.running.owner == owner:
                match.has_lapsed = lease_s < 0
        self.store.renew(owner, lease_s=lease_s)

    @rule(owner=OWNERS)
    def release(self, owner):
        """All of an owner's running attempts never happened."""
        for match in self.matches:
            if match.running is not None and match.running.owner == owner:
                match.attempts.remove(match.running)
        self.store.release(owner)

    @rule(owner=OWNERS)
    def die(self, owner):
        """An arena ends without a word."""
        self.dead.add(owner)

    @rule()
    def reopen(self):
        """Nothing is forgotten."""
        self.store.close()
        self.open()

    @invariant()
    def agrees(self):
        """Store and model say the same."""
        matches = self.matches
        done = [index for index, match in enumerate(matches) if match.result is not None]
        parked = [index for index, match in enumerate(matches) if match.is_parked]
        live = [
            match
            for match in matches
            if match.running and not match.has_lapsed and match.running.owner not in self.dead
        ]
        assert self.store.progress() == StoreProgress(COUNT, len(done), len(parked), len(live))
        assert [match.fixture.index for match in self.store.matches()] == done
        assert [fixture.index for fixture in self.store.parked()] == parked
        assert [
            (a.match, a.number, a.owner, a.ended is None, a.void_reason is not None)
            for a in self.store.attempts()
        ] == [
            (fixture.match, number, attempt.owner, attempt.is_running, attempt.is_void)
            for fixture, match in zip(fixtures(COUNT), matches, strict=True)
            for number, attempt in enumerate(match.attempts, 1)
        ]
        for fixture, match in zip(fixtures(COUNT), matches, strict=True):
            replay = self.store.replay(fixture.match)
            assert replay == (f"by {match.result[0]}" if match.result else None)


TestStoreMachine = pytest.mark.slow(StoreMachine.TestCase)
TestStoreMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
