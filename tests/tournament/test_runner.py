"""The run of a tournament, with an engine that only pretends to play."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from arena.errors import StorageError
from arena.rating.stopping_rule import parse_rule
from arena.referee.faults import Fault, SeatFault
from arena.schedule.plan import SchedulePlan
from arena.schedule.schedule import make_schedule
from arena.storage.opening import open_store
from arena.storage.records import (
    BotRecord,
    FixtureRecord,
    MatchReport,
    SeatTimes,
    StoreProgress,
)
from arena.storage.store import MAX_VOID, Store
from arena.tournament import runner as runner_module
from arena.tournament.engine import Entered, OnFault, Verdict, Void
from arena.tournament.runner import EndReason, RunEnd, Runner
from arena.tournament.store_thread import StoreThread
from arena.tournament.watcher import Watcher
from tests.storage.samples import tournament
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = tuple(BotRecord(name, "1") for name in ("best", "good", "weak"))
Play = Callable[[FixtureRecord], MatchReport | Void]


def won_by_name(fixture: FixtureRecord) -> MatchReport:
    """Return a match that ended in the alphabetical order of its bots."""
    ranks = tuple(sorted(fixture.bots).index(bot) + 1 for bot in fixture.bots)
    times = tuple(SeatTimes(1, 0.0, 0.0, 0.0) for _ in ranks)
    scores = tuple(10 - rank for rank in ranks)
    forfeits = (None,) * len(ranks)
    return MatchReport(fixture.match, scores, ranks, forfeits, (), times, 3, "replay\n")


class FakeEngine:
    """Plays in no time, or when it is let; keeps account of everything."""

    addresses: Sequence[str] = ()

    def __init__(self, play: Play = won_by_name) -> None:
        self._play = play
        self.gate: asyncio.Event | None = None  # matches wait for it
        self.begun: list[str] = []
        self.running = self.most_running = 0
        self.released: list[list[str]] = []
        self.ended: set[str] = set()
        self.is_aborted = False
        self.hears_abort = True
        self.fault: SeatFault | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Nothing is open."""

    async def preflight(self) -> Mapping[str, Verdict]:
        return {bot.name: Entered(bot.version) for bot in BOTS}

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        assert versions == {bot.name: bot.version for bot in BOTS}
        self.begun.append(fixture.match)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(0)
            if self.gate is not None:
                await self.gate.wait()
        finally:
            self.running -= 1
        if self.is_aborted and self.hears_abort:
            return Void("the arena was stopped")
        if self.fault is not None and on_fault is not None:
            on_fault(fixture, self.fault)
        played = self._play(fixture)
        if isinstance(played, MatchReport):
            self.ended.add(fixture.match)
        return played

    def release(self, matches: Sequence[str]) -> None:
        self.released.append(list(matches))

    def abort(self) -> None:
        self.is_aborted = True
        if self.gate is not None and self.hears_abort:
            self.gate.set()


class Notes(Watcher):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def begun(self, done: int, total: int) -> None:
        self.told.append(("begun", done, total))

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        assert fixture.match == report.match
        self.told.append(("ended", fixture.match))

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        self.told.append(("fault", fixture.bots[fault.seat], fault.fault.value))

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        self.told.append(("void", fixture.match, reason))

    def parked(self, fixture: FixtureRecord) -> None:
        self.told.append(("parked", fixture.match))

    def waiting(self, matches: int) -> None:
        self.told.append(("waiting", matches))


class Kit:
    """A stored tournament of three bots, and ways to run it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes = Notes()
        self.runner: Runner | None = None
        self.thread: StoreThread | None = None

    def open(self) -> Store:
        return open_store(self.path, "cup")

    def create(self, rounds: int = 2) -> tuple[FixtureRecord, ...]:
        schedule = make_schedule(SchedulePlan(BOTS, 3, rounds)).fixtures
        with self.open() as store:
            store.create(dataclasses.replace(tournament(), bots=BOTS), schedule)
        return schedule

    async def play(
        self,
        engine: FakeEngine,
        concurrency: int = 4,
        until: str | None = None,
        store: Store | None = None,
    ) -> RunEnd:
        async with asyncio.timeout(30), StoreThread(store or self.open()) as thread:
            self.thread = thread
            self.runner = Runner(
                thread,
                engine,
                concurrency=concurrency,
                until=None if until is None else parse_rule(until),
                watcher=self.notes,
            )
            return await self.runner.run()

    async def pass_turns(self) -> None:
        """Let the run go on as far as it can: whatever it asks of the store is answered."""
        assert self.thread is not None
        for _ in range(5):
            await self.thread.call(lambda store: store.progress())

    def expire(self) -> None:
        """Let the claims of the last run run out, as they do when its process has ended."""
        assert self.runner is not None
        with self.open() as store:
            store.renew(self.runner._owner, lease_s=-1.0)

    def progress(self) -> StoreProgress:
        with self.open() as store:
            return store.progress()

    def results(self) -> list[str]:
        with self.open() as store:
            return [match.fixture.match for match in store.matches()]


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """A database without a tournament yet."""
    return Kit(tmp_path / "arena.db")


class TestPlaying:
    async def test_everything_is_played_once(self, kit):
        """Each match is begun once, stored once and told once, and the run is complete."""
        schedule = kit.create(4)
        engine = FakeEngine()
        assert await kit.play(engine) == RunEnd(EndReason.COMPLETE)

        matches = [fixture.match for fixture in schedule]
        assert sorted(engine.begun) == sorted(matches)
        assert kit.results() == matches
        assert kit.progress() == StoreProgress(12, results=12, parked=0, claimed=0)
        assert kit.notes.told[0] == ("begun", 0, 12)
        assert sorted(kit.notes.told[1:]) == sorted(("ended", match) for match in matches)

    @pytest.mark.parametrize("concurrency", [1, 3])
    async def test_concurrency_is_kept(self, kit, concurrency):
        """As many matches as asked for run at once, never more."""
        kit.create(4)
        engine = FakeEngine()
        engine.gate = asyncio.Event()
        running = asyncio.ensure_future(kit.play(engine, concurrency))
        await until(lambda: engine.running == concurrency)
        await kit.pass_turns()
        assert engine.running == concurrency
        engine.gate.set()
        await running
        assert engine.most_running == concurrency
        assert len(engine.begun) == 12

    async def test_in_canonical_order(self, kit):
        """One at a time the matches come in the order of the schedule."""
        schedule = kit.create(3)
        engine = FakeEngine()
        await kit.play(engine, 1)
        assert engine.begun == [fixture.match for fixture in schedule]

    async def test_a_second_run_finds_nothing_to_do(self, kit):
        """What is complete stays as it is."""
        kit.create()
        await kit.play(FakeEngine())
        engine = FakeEngine()
        assert await kit.play(engine) == RunEnd(EndReason.COMPLETE)
        assert engine.begun == []
        assert kit.notes.told[-1] == ("begun", 6, 6)

    async def test_faults_are_told(self, kit):
        """Whoever watches hears of each fault, with the bot in that seat."""
        schedule = kit.create(1)
        engine = FakeEngine()
        engine.fault = SeatFault(2, 5, Fault.TIMEOUT, "", forfeited=False)
        await kit.play(engine)
        faults = [told for told in kit.notes.told if told[0] == "fault"]
        assert sorted(faults) == sorted(
            ("fault", fixture.bots[2], "timeout") for fixture in schedule
        )


class TestVoid:
    async def test_played_again(self, kit):
        """A match that was void twice gets its result at the third attempt."""
        kit.create()
        tries: list[str] = []

        def play(fixture: FixtureRecord) -> MatchReport | Void:
            tries.append(fixture.match)
            is_void = fixture.match == "1-2" and tries.count("1-2") < MAX_VOID
            return Void("a cable") if is_void else won_by_name(fixture)

        assert await kit.play(FakeEngine(play)) == RunEnd(EndReason.COMPLETE)
        assert kit.progress() == StoreProgress(6, results=6, parked=0, claimed=0)
        assert tries.count("1-2") == MAX_VOID
        assert len(tries) == 6 + MAX_VOID - 1
        with kit.open() as store:
            found = [each.void_reason for each in store.attempts() if each.match == "1-2"]
        assert found == ["a cable"] * (MAX_VOID - 1) + [None]
        assert kit.notes.told.count(("void", "1-2", "a cable")) == MAX_VOID - 1

    async def test_parked(self, kit):
        """A match that is void each time is given up after three attempts; the others are not."""
        kit.create()
        engine = FakeEngine(
            lambda fixture: Void("a cable") if fixture.match == "1-2" else won_by_name(fixture)
        )
        assert await kit.play(engine) == RunEnd(EndReason.COMPLETE)
        assert kit.progress() == StoreProgress(6, results=5, parked=1, claimed=0)
        assert engine.begun.count("1-2") == MAX_VOID
        assert kit.notes.told.count(("parked", "1-2")) == 1

        again = FakeEngine()
        assert await kit.play(again) == RunEnd(EndReason.COMPLETE)
        assert again.begun == []

    async def test_the_count_goes_on_in_another_run(self, kit):
        """Attempts before a stop count towards parking."""
        kit.create(1)
        tries = 0

        def play(fixture: FixtureRecord) -> MatchReport | Void:
            nonlocal tries
            tries += 1
            if tries == 2:
                assert kit.runner is not None
                kit.runner.stop()
            return Void("a cable")

        assert await kit.play(FakeEngine(play), 1) == RunEnd(EndReason.STOPPED)
        await kit.play(FakeEngine(lambda _: Void("a cable")), 1)
        assert kit.progress() == StoreProgress(3, results=0, parked=3, claimed=0)
        with kit.open() as store:
            assert len(list(store.attempts())) == 3 * MAX_VOID


class TestStopping:
    async def test_stop(self, kit):
        """Running matches are finished and stored, no other begins, nothing stays claimed."""
        kit.create(4)
        engine = FakeEngine()
        engine.gate = asyncio.Event()
        running = asyncio.ensure_future(kit.play(engine, 3))
        await until(lambda: engine.running == 3)
        kit.runner.stop()
        await kit.pass_turns()
        engine.gate.set()

        assert await running == RunEnd(EndReason.STOPPED)
        assert len(engine.begun) == 3
        assert kit.progress() == StoreProgress(12, results=3, parked=0, claimed=0)
        with kit.open() as store:
            assert len(list(store.attempts())) == 3
        assert await kit.play(FakeEngine()) == RunEnd(EndReason.COMPLETE)

    async def test_stop_before_the_first_match(self, kit):
        """A run that is stopped at once begins nothing."""
        kit.create()
        engine = FakeEngine()
        running = asyncio.ensure_future(kit.play(engine))
        await until(lambda: kit.runner is not None)
        kit.runner.stop()

        assert await running == RunEnd(EndReason.STOPPED)
        assert len(engine.begun) <= 4
        assert kit.progress().claimed == 0

    @pytest.mark.parametrize("hears_abort", [True, False])
    async def test_abort(self, kit, monkeypatch, hears_abort):
        """Running matches are given up, even if the engine does not react; no attempt counts."""
        monkeypatch.setattr(runner_module, "_WIND_UP_S", 0.05)
        kit.create(4)
        engine = FakeEngine()
        engine.hears_abort = hears_abort
        engine.gate = asyncio.Event()
        running = asyncio.ensure_future(kit.play(engine, 3))
        await until(lambda: engine.running == 3)
        kit.runner.stop()
        kit.runner.abort()

        assert await running == RunEnd(EndReason.STOPPED)
        assert engine.is_aborted
        assert kit.progress() == StoreProgress(12, results=0, parked=0, claimed=0)
        with kit.open() as store:
            assert list(store.attempts()) == []
        assert not [told for told in kit.notes.told if told[0] == "void"]
        assert await kit.play(FakeEngine()) == RunEnd(EndReason.COMPLETE)

    async def test_cancelled(self, kit):
        """Whoever cancels the run leaves no claim and no match behind."""
        kit.create()
        engine = FakeEngine()
        engine.gate = asyncio.Event()
        running = asyncio.ensure_future(kit.play(engine, 2))
        await until(lambda: engine.running == 2)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        assert engine.is_aborted
        assert engine.running == 0
        assert kit.progress() == StoreProgress(6, results=0, parked=0, claimed=0)


class Failing:
    """A store that fails in one method, the nth time it is called."""

    def __init__(self, store: Store, method: str, count: int) -> None:
        self._store = store
        self._method = method
        self._left = count

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name != self._method:
            return method

        def call(*arguments: Any, **settings: Any) -> Any:
            self._left -= 1
            if self._left == 0:
                raise StorageError("the disk is full")
            return method(*arguments, **settings)

        return call


class Renewing(Failing):
    """A store that counts how often claims are renewed."""

    renewals = 0

    def __getattr__(self, name: str) -> Any:
        self.renewals += name == "renew"
        return super().__getattr__(name)


class TestTrouble:
    @pytest.mark.parametrize(
        ("method", "count", "least"),
        [
            ("claim", 1, 0),
            ("claim", 2, 1),
            ("finish_all", 1, 0),
            ("finish_all", 5, 4),
            ("void", 1, 0),
        ],
    )
    async def test_a_store_that_fails(self, kit, method, count, least):
        """The run ends with what the store says; what was stored before is kept, and it resumes."""
        kit.create(4)
        engine = FakeEngine(
            lambda fixture: (
                Void("a cable")
                if method == "void" and not engine.released and fixture.match == "1-1"
                else won_by_name(fixture)
            )
        )
        store: Any = Failing(kit.open(), method, count)
        with pytest.raises(StorageError, match="the disk is full"):
            await kit.play(engine, 2, store=store)
        assert kit.progress().results >= least
        assert engine.is_aborted
        assert engine.running == 0
        told = [match for what, match, *_ in kit.notes.told if what == "ended"]
        assert set(told) <= set(kit.results())  # whatever was said to be stored is
        kit.expire()
        assert await kit.play(FakeEngine()) == RunEnd(EndReason.COMPLETE)
        assert kit.progress() == StoreProgress(12, results=12, parked=0, claimed=0)

    async def test_an_engine_that_raises(self, kit):
        """A bug of the engine ends the run; it parks nothing and loses nothing."""
        kit.create(4)

        def play(fixture: FixtureRecord) -> MatchReport:
            if fixture.match == "2-1":
                raise RuntimeError("a bug")
            return won_by_name(fixture)

        with pytest.raises(RuntimeError, match="a bug"):
            await kit.play(FakeEngine(play), 2)
        progress = kit.progress()
        assert progress.results >= 2
        assert (progress.parked, progress.claimed) == (0, 0)
        assert await kit.play(FakeEngine()) == RunEnd(EndReason.COMPLETE)

    async def test_a_lost_lease(self, kit):
        """When another arena was faster its result stands, and this one goes on."""
        schedule = kit.create(1)
        other = dataclasses.replace(won_by_name(schedule[0]), scores=(0, 0, 0), ranks=(1, 1, 1))

        def play(fixture: FixtureRecord) -> MatchReport:
            if fixture.index == 0:
                kit.expire()
                with kit.open() as store:
                    [claim] = store.claim("faster", 1)
                    assert store.finish("faster", claim, other)
            return won_by_name(fixture)

        assert await kit.play(FakeEngine(play), 1) == RunEnd(EndReason.COMPLETE)
        with kit.open() as store:
            assert [match.report.ranks for match in store.matches(0, 1)] == [(1, 1, 1)]
        assert kit.progress() == StoreProgress(3, results=3, parked=0, claimed=0)

    async def test_leases_are_renewed(self, kit, monkeypatch):
        """While matches run their claims are renewed, well before they run out."""
        monkeypatch.setattr(runner_module, "LEASE_S", 0.06)
        schedule = kit.create(1)
        engine = FakeEngine()
        engine.gate = asyncio.Event()
        store: Any = Renewing(kit.open(), "", 0)
        running = asyncio.ensure_future(kit.play(engine, 1, store=store))
        await until(lambda: store.renewals)
        engine.gate.set()
        await running
        assert len(engine.begun) == len(schedule)


class TestOthers:
    async def test_waits_for_other_arenas(self, kit, monkeypatch):
        """What another arena has claimed is waited for, and played if that one gives it back."""
        monkeypatch.setattr(runner_module, "_POLL_S", 0.01)
        kit.create(1)
        with kit.open() as other:
            finished, given_back = other.claim("other", 2)
            running = asyncio.ensure_future(kit.play(FakeEngine(), 4))
            await until(lambda: ("waiting", 2) in kit.notes.told)
            assert other.finish("other", finished, won_by_name(finished.fixture))
            await until(lambda: ("waiting", 1) in kit.notes.told)
            other.release("other")
            assert await running == RunEnd(EndReason.COMPLETE)
        told = [match for what, match, *_ in kit.notes.told if what == "ended"]
        assert given_back.fixture.match in told
        assert finished.fixture.match not in told
        assert kit.progress() == StoreProgress(3, results=3, parked=0, claimed=0)

    async def test_stop_while_waiting(self, kit):
        """Waiting for others ends when it is stopped."""
        kit.create(1)
        with kit.open() as other:
            other.claim("other", 3)
            running = asyncio.ensure_future(kit.play(FakeEngine(), 4))
            await until(lambda: ("waiting", 3) in kit.notes.told)
            kit.runner.stop()
            assert await running == RunEnd(EndReason.STOPPED)
            assert other.progress().claimed == 3

    async def test_two_runs_share_the_matches(self, kit, monkeypatch):
        """Two arenas on one database play every match once, and both end complete."""
        monkeypatch.setattr(runner_module, "_POLL_S", 0.01)
        kit.create(10)
        engines = FakeEngine(), FakeEngine()
        ends = await asyncio.gather(*(kit.play(engine, 2) for engine in engines))
        assert ends == [RunEnd(EndReason.COMPLETE)] * 2
        begun = engines[0].begun + engines[1].begun
        assert sorted(begun) == sorted(kit.results())
        assert len(begun) == 30


class TestStoppingRule:
    async def test_settled(self, kit):
        """When the order is settled at a checkpoint it ends there, at any concurrency."""
        kit.create(40)
        end = await kit.play(FakeEngine(), 1, "settled@95")
        assert end == RunEnd(EndReason.SETTLED, 10)
        assert kit.progress().results == 30

        again = FakeEngine()
        assert await kit.play(again, 8, "settled@95") == RunEnd(EndReason.SETTLED, 10)
        assert again.begun == []

    async def test_settled_with_many_at_once(self, kit):
        """What ran beyond the checkpoint is stored, and nothing more is begun."""
        kit.create(40)
        end = await kit.play(FakeEngine(), 8, "settled@95")
        assert end == RunEnd(EndReason.SETTLED, 10)
        assert 30 <= kit.progress().results <= 30 + 8

    async def test_not_settled(self, kit):
        """Bots that win in turn are played to the end."""
        kit.create(20)

        def play(fixture: FixtureRecord) -> MatchReport:
            ranks = (1, 2, 3)  # the seat decides
            return dataclasses.replace(won_by_name(fixture), ranks=ranks, scores=(3, 2, 1))

        assert await kit.play(FakeEngine(play), 4, "settled@95") == RunEnd(EndReason.COMPLETE)
        assert kit.progress().results == 60

    async def test_only_complete_prefixes_count(self, kit):
        """While one early match is missing nothing is asked, whatever else has been played."""
        kit.create(12)
        with kit.open() as other:
            other.claim("other", 1)  # the first match, and it never comes
            engine = FakeEngine()
            running = asyncio.ensure_future(kit.play(engine, 4, "settled@95"))
            await until(lambda: ("waiting", 1) in kit.notes.told)
            kit.runner.stop()
            assert await running == RunEnd(EndReason.STOPPED)
        assert len(engine.begun) == 35

    async def test_what_others_have_played_counts(self, kit, monkeypatch):
        """Matches of another arena complete the prefix while this one still plays."""
        monkeypatch.setattr(runner_module, "LEASE_S", 0.03)  # it looks at every renewal
        kit.create(20)
        store: Any = Renewing(kit.open(), "", 0)
        with kit.open() as other:
            claims = other.claim("other", 3)

            gate = asyncio.Event()

            def play(fixture: FixtureRecord) -> MatchReport:
                engine.gate = gate if fixture.index == 30 else None
                return won_by_name(fixture)

            engine = FakeEngine(play)
            running = asyncio.ensure_future(kit.play(engine, 1, "settled@95", store))
            await until(lambda: engine.gate and engine.running)
            for claim in claims:
                other.finish("other", claim, won_by_name(claim.fixture))
            looks = store.renewals + 2
            await until(lambda: store.renewals >= looks)
            gate.set()
            assert await running == RunEnd(EndReason.SETTLED, 10)
        assert engine.begun[-1] == "11-2"


class TestRelease:
    async def test_deals_are_released_when_all_their_matches_are_done(self, kit):
        """A match is seen in full only when nobody will play on its deal any more."""
        schedule = kit.create(3)
        deals = {fixture.match: fixture.deal for fixture in schedule}
        engine = FakeEngine()

        def check(matches: Sequence[str]) -> None:
            [deal] = {deals[match] for match in matches}
            on_deal = {match for match, its in deals.items() if its == deal}
            assert on_deal <= engine.ended
            assert set(matches) == on_deal
            engine.released.append(list(matches))

        engine.release = check  # type: ignore[method-assign]
        await kit.play(engine, 4)
        assert len(engine.released) == 3

    async def test_not_while_one_is_missing(self, kit):
        """A deal with a match still to be played stays closed after a stop."""
        kit.create(2)
        engine = FakeEngine()

        def play(fixture: FixtureRecord) -> MatchReport:
            if fixture.match == "2-2":
                kit.runner.stop()
            return won_by_name(fixture)

        engine = FakeEngine(play)
        await kit.play(engine, 1)
        assert engine.released == [["1-1", "1-2", "1-3"]]
        engine = FakeEngine()
        await kit.play(engine, 1)
        assert engine.released == [["2-3"]]

    async def test_a_parked_match_does_not_keep_a_deal_closed(self, kit):
        """A match that was given up will not be played any more."""
        kit.create(1)
        engine = FakeEngine(
            lambda fixture: Void("a cable") if fixture.match == "1-2" else won_by_name(fixture)
        )
        await kit.play(engine, 1)
        [released] = engine.released
        assert {"1-1", "1-3"} <= set(released)
