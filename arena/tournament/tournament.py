"""A tournament from its config to its results directory, whoever plays the matches."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from arena.atomic import lone_writer, replace_files
from arena.config.tournament import (
    TournamentConfig,
    Unfit,
    describe_differences,
    read_config,
    with_chance,
    write_config,
)
from arena.errors import (
    InputError,
    ResultsError,
    StorageError,
    TournamentExistsError,
    UnfitError,
)
from arena.rating.leaderboard import Leaderboard
from arena.results.archive import CONFIG_FILE, DATABASE_FILE
from arena.results.export import ChainPublisher, export_results
from arena.results.matches_file import MATCHES_FILE
from arena.results.recovery import read_whole_matches, recover
from arena.results.replay_files import OnProgress
from arena.schedule.schedule import Schedule, make_schedule
from arena.signing import OrganiserKey
from arena.storage.opening import open_store
from arena.storage.records import StoredMatch, StoreProgress, TournamentRecord
from arena.storage.store import FailPoint, Store
from arena.tournament.engine import Engine, Entered, Refused
from arena.tournament.runner import RunEnd, Runner
from arena.tournament.store_thread import StoreThread
from arena.tournament.watcher import Watcher

ResultT = TypeVar("ResultT")

_PUBLISH_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is known when play is about to begin."""

    schedule: Schedule | None  # of a new tournament; None: it is resumed
    refused: Mapping[str, str]  # bots that failed the check, and why


@contextlib.asynccontextmanager
async def open_tournament(
    asked: TournamentConfig,
    directory: Path,
    *,
    unfit: Unfit = Unfit.STOP,
    db: str | None = None,
    fail_point: FailPoint | None = None,
    key: OrganiserKey | None = None,
    recovers: bool = False,
) -> AsyncIterator[Tournament]:
    """Open the tournament that the directory or the database `db` holds, or else a new one.

    Raises TournamentExistsError if it would give other results than the one asked for, InputError
    if the directory is of a tournament with another name, or holds results of one that is not
    stored. `key` signs the results. With `recovers` the results in the directory are stored first,
    as far as the database has lost them.
    """
    place = db or directory / DATABASE_FILE
    tournament = Tournament(asked, directory, place, unfit, fail_point, key)
    try:
        await tournament.find(recovers=recovers)
        yield tournament
    finally:
        await tournament.close()


def check_same(asked: TournamentConfig, stored: TournamentConfig, unfit: Unfit) -> None:
    """Raise TournamentExistsError unless both give the same results."""
    if unfit is Unfit.LEAVE_OUT:  # so it may have been begun without some of them
        kept = {name: bot for name, bot in asked.bots.items() if name in stored.bots}
        asked = replace(asked, bots=kept)
    found = describe_differences(with_chance(asked, stored), stored)
    if found:
        raise TournamentExistsError(stored.name, found)


class Tournament:
    """One tournament with its directory and its store, which is opened once."""

    def __init__(
        self,
        asked: TournamentConfig,
        directory: Path,
        place: str | Path,
        unfit: Unfit,
        fail_point: FailPoint | None,
        key: OrganiserKey | None,
    ) -> None:
        """Prepare; `open_tournament` does the rest."""
        self.config = asked  # seed and salt are settled by `find`
        self.directory = directory
        self.is_stored = False  # it was begun, now or before
        self.recovered: int | None = None  # matches, if they were taken from the files
        self.runner: Runner | None = None
        self._place = place
        self._unfit = unfit
        self._fail_point = fail_point
        self._key = key
        self._store: StoreThread | None = None
        self._is_playing = False

    # Opening.

    async def find(self, *, recovers: bool = False) -> None:
        """Find out what is stored, and settle the config accordingly.

        Files are read beside the loop, on which other matches may be running.
        """
        await asyncio.to_thread(self._check_directory)
        record = None
        if recovers:
            await self._recover()
        if not isinstance(self._place, Path) or self._place.exists():
            store = await self._open()
            record = await store.call(lambda store: store.tournament())
        if record is None:
            self._check_unplayed()
            self.config = with_chance(self.config)
        else:
            await asyncio.to_thread(self._join, record)

    async def close(self) -> None:
        """Let the store go. Whoever still reads does so by a connection of its own."""
        store, self._store = self._store, None
        if store is not None:
            await store.close()

    async def _open(self) -> StoreThread:
        if self._store is None:
            opening = functools.partial(open_store, fail_point=self._fail_point)
            store = await asyncio.to_thread(opening, self._place, self.config.name)
            self._store = StoreThread(store)
        return self._store

    def _join(self, record: TournamentRecord) -> None:
        """Go on with what is stored, if that is what was asked for."""
        where = f"the tournament stored in {self.directory}"
        stored = read_config(record.config, where, self.directory)
        check_same(self.config, stored, self._unfit)
        self.config = replace(stored, run=self.config.run)
        self.is_stored = True

    def _check_directory(self) -> None:
        path = self.directory / CONFIG_FILE
        if not path.exists():
            return
        try:
            found = read_config(path.read_text(encoding="utf-8"), str(path), self.directory).name
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from None
        if found != self.config.name:
            raise InputError(
                f"{self.directory} holds another tournament: name is {found} (asked for: "
                f"{self.config.name}). Continue it with `arena tournament {self.directory}`, "
                "or choose another --out"
            )

    def _check_unplayed(self) -> None:
        """Raise InputError if results would be overwritten that no database can make again."""
        path = self.directory / MATCHES_FILE
        if path.exists() and path.stat().st_size:
            place = f" in {self._place}" if isinstance(self._place, Path) else " there"
            raise InputError(
                f"{self.directory} holds the results of a tournament, but there is no database "
                f"of it{place}: name the database with --db; if it is lost, make it again from "
                f"the files with `arena tournament {self.directory} --recover`; or play the "
                f"tournament again elsewhere with `arena tournament {self.directory} --out DIR`"
            )

    async def _recover(self) -> None:
        """Store what the files hold and the database does not."""
        found = await asyncio.to_thread(read_whole_matches, self.directory)

        def store_all(store: Store) -> int:
            with lone_writer(self.directory):
                return recover(store, found)

        self.recovered = await (await self._open()).call(store_all)

    # Preparing.

    async def prepare(self, engine: Engine) -> Preparation:
        """Check the bots and store the schedule, unless that was done before.

        Raises InputError for what cannot be played, UnfitError for bots that cannot; nothing is
        written before all bots have passed.
        """
        schedule = None
        if not self.is_stored:  # before a bot is started in vain
            schedule = await asyncio.to_thread(make_schedule, self.config.plan())
        verdicts = await engine.preflight()
        versions = {
            name: verdict.version if isinstance(verdict, Entered) else ""
            for name, verdict in verdicts.items()
        }
        refused = {
            name: verdict.reason
            for name, verdict in verdicts.items()
            if isinstance(verdict, Refused)
        }
        if refused and self._unfit is Unfit.STOP:
            raise _refusal(refused)
        if refused and self._unfit is Unfit.LEAVE_OUT:
            if schedule is None:
                raise _refusal(refused, is_entered=True)
            kept = {name: bot for name, bot in self.config.bots.items() if name not in refused}
            self.config = replace(self.config, bots=kept)
            try:
                schedule = await asyncio.to_thread(make_schedule, self.config.plan())
            except InputError as error:  # too few are left
                raise UnfitError(str(error)) from None
        self.directory.mkdir(0o700, parents=True, exist_ok=True)
        if isinstance(self._place, Path):
            self._place.parent.mkdir(parents=True, exist_ok=True)
        store = await self._open()
        return await store.call(lambda store: self._settle(store, schedule, versions, refused))

    def _settle(
        self,
        store: Store,
        schedule: Schedule | None,
        versions: Mapping[str, str],
        refused: Mapping[str, str],
    ) -> Preparation:
        # Of several arenas that begin the same tournament at once, one does and the others join.
        with lone_writer(self.directory):
            is_begun = schedule is not None and self._create(store, schedule, versions)
            record = store.tournament()
            assert record is not None
            self._join(record)
            _check_versions(record, versions, refused)
            if not (self.directory / CONFIG_FILE).exists():  # begun elsewhere, on one database
                self._write_config()
        return Preparation(schedule if is_begun else None, refused)

    def _create(self, store: Store, schedule: Schedule, versions: Mapping[str, str]) -> bool:
        """Store the tournament; return whether that was done, and not by another arena before."""
        if store.tournament() is not None:
            return False
        record = self.config.record(
            self._write_config(),
            self.config.entrants(versions),
            datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            store.create(record, schedule.fixtures)
        except StorageError:
            if store.tournament() is None:
                raise
            return False
        return True

    def _write_config(self) -> str:
        text = write_config(self.config, self.directory)
        replace_files(self.directory, {CONFIG_FILE: text.encode()})
        return text

    # Playing.

    async def play(self, engine: Engine, concurrency: int, watcher: Watcher) -> RunEnd:
        """Play what is missing."""
        self.runner = Runner(
            await self._open(),
            engine,
            concurrency=concurrency,
            until=self.config.until,
            watcher=watcher,
        )
        self._is_playing = True
        publisher = ChainPublisher(self.directory)
        await self.read(publisher.publish)  # before the first match, if it cannot be gone on with
        publishing = asyncio.ensure_future(self._publish(publisher))
        try:
            return await self.runner.run()
        finally:
            publishing.cancel()
            await asyncio.gather(publishing, return_exceptions=True)
            self._is_playing = False

    async def _publish(self, publisher: ChainPublisher) -> None:
        """Publish the chain as it grows, until cancelled.

        Trouble is left to the export at the end, which tries again and tells it: matches go on.
        """
        while True:
            await asyncio.sleep(_PUBLISH_EVERY_S)
            with contextlib.suppress(StorageError, ResultsError):
                await self.read(publisher.publish)

    # Reading.

    async def progress(self) -> StoreProgress:
        """Return how far it is; it must have been begun."""
        return await self.read(lambda store: store.progress())

    async def played(self) -> list[StoredMatch]:
        """Return what has been played."""
        return await self.read(lambda store: list(store.matches()))

    async def export(
        self, replays: int | None = None, on_progress: OnProgress | None = None
    ) -> Leaderboard:
        """Write the results directory anew; `replays` is how many of them (None: all)."""
        return await self.read(
            lambda store: export_results(
                store,
                self.directory,
                replays=replays,
                fail_point=self._fail_point,
                on_progress=on_progress,
                key=self._key,
            )
        )

    async def read(self, work: Callable[[Store], ResultT]) -> ResultT:
        """Read what is stored. While matches are played, their results must not wait for it."""
        if self._store is not None and not self._is_playing:
            return await self._store.call(work)

        def read() -> ResultT:
            with open_store(self._place, self.config.name) as store:
                return work(store)

        return await asyncio.to_thread(read)


def _refusal(refused: Mapping[str, str], *, is_entered: bool = False) -> UnfitError:
    are, it, its = ("s", "them", "their") if len(refused) > 1 else ("", "it", "its")
    advice = (
        f"{its.capitalize()} matches are already scheduled. "
        f"Fix {it}, or let {it} forfeit with --unfit enter"
        if is_entered
        else f"Fix {it}, leave {it} out with --unfit leave-out, or let {it} forfeit {its} matches "
        "with --unfit enter"
    )
    return UnfitError(f"{len(refused)} bot{are} cannot play", refused, advice)


def _check_versions(
    stored: TournamentRecord, versions: Mapping[str, str], refused: Mapping[str, str]
) -> None:
    for bot in stored.bots:
        version = versions.get(bot.name, bot.version)
        if version != bot.version and bot.name not in refused and bot.version:
            raise UnfitError(
                f"bot {bot.name} is version {version!r} now, but its matches were played by "
                f"version {bot.version!r}: start that one, or begin another tournament"
            )
