"""A tournament from its config to its results directory, whoever plays the matches."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from arena.atomic import lone_writer, replace_files
from arena.config.tournament import TournamentConfig, differences, read_config, write_config
from arena.errors import InputError, StorageError
from arena.rating.leaderboard import Leaderboard
from arena.results.archive import CONFIG_FILE, DATABASE_FILE
from arena.results.export import export_results
from arena.results.matches_file import MATCHES_FILE
from arena.results.replay_files import OnProgress
from arena.schedule.schedule import Schedule, make_schedule
from arena.storage.opening import open_store
from arena.storage.records import StoredMatch, TournamentRecord
from arena.storage.store import FailPoint, Store
from arena.tournament.engine import Engine, Entered, Refused
from arena.tournament.runner import RunEnd, Runner
from arena.tournament.store_thread import StoreThread
from arena.tournament.watcher import Watcher


class Unfit(enum.Enum):
    """What to do about a bot that fails the check before play."""

    STOP = "stop"  # begin nothing: it is for its author to mend
    LEAVE_OUT = "leave-out"  # play without it
    ENTER = "enter"  # let it forfeit whatever it does not start for


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known when play is about to begin."""

    config: TournamentConfig
    is_resumed: bool
    schedule: Schedule | None  # of a new tournament
    refused: Mapping[str, str]  # bots that failed the check, and why


class Competition:
    """One tournament with its store and its directory. Use it inside `async with`."""

    def __init__(
        self,
        config: TournamentConfig,
        directory: Path,
        *,
        db: str | None = None,
        fail_point: FailPoint | None = None,
    ) -> None:
        """Prepare; nothing is written before all bots have passed their check."""
        self.config = config
        self.directory = directory
        self._place: str | Path = db or directory / DATABASE_FILE
        self._fail_point = fail_point
        self.runner: Runner | None = None

    def find_stored(self) -> TournamentConfig | None:
        """Return the config under which it was begun, None if it was not.

        Raises InputError if the directory is of a tournament with another name, or holds results
        of one that is not stored.
        """
        self._check_directory()
        tournament = None
        if not isinstance(self._place, Path) or self._place.exists():
            with open_store(self._place, self.config.name) as store:
                tournament = store.tournament()
        if tournament is None:
            self._check_unplayed()
            return None
        return self._read_stored(tournament)

    def is_complete(self) -> bool:
        """Return whether nothing is left to play of a tournament that was begun."""
        with self._open() as store:
            progress = store.progress()
        return progress.results + progress.parked >= progress.fixtures

    def _read_stored(self, tournament: TournamentRecord) -> TournamentConfig:
        return read_config(tournament.config, f"the tournament stored in {self.directory}")

    def _check_directory(self) -> None:
        path = self.directory / CONFIG_FILE
        if not path.exists():
            return
        try:
            found = read_config(path.read_text(encoding="utf-8"), str(path)).name
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {error}") from None
        if found != self.config.name:
            raise InputError(
                f"{self.directory} holds another tournament: it is named {found!r}, not "
                f"{self.config.name!r}. Go on with it by `arena tournament {self.directory}`, "
                "or give another --out"
            )

    def _check_unplayed(self) -> None:
        """Raise InputError if results would be overwritten that no database can make again."""
        path = self.directory / MATCHES_FILE
        if path.exists() and path.stat().st_size:
            place = f" in {self._place}" if isinstance(self._place, Path) else " there"
            raise InputError(
                f"{self.directory} holds the results of a tournament, but there is no database "
                f"of it{place} to go on with: name the one it was played with by --db, or play it "
                f"again elsewhere by `arena tournament {self.directory} --out DIR`"
            )

    def check_same(self, stored: TournamentConfig) -> None:
        """Raise InputError unless the config asked for gives the same results as the stored one."""
        found = differences(self.config, stored)
        if found:
            raise InputError(
                f"{self.directory} holds another tournament: {'; '.join(found[:3])}"
                f"{'; …' if len(found) > 3 else ''}. Go on with it by `arena tournament "
                f"{self.directory}`, or give another --out"
            )

    async def prepare(self, engine: Engine, unfit: Unfit = Unfit.STOP) -> Outlook:
        """Check the bots and store the schedule, unless that was done before."""
        schedule = await asyncio.to_thread(self._plan)
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
        if refused and unfit is Unfit.STOP:
            raise InputError(_refusal(refused))
        if unfit is Unfit.LEAVE_OUT and refused:
            if schedule is None:
                raise InputError(_refusal(refused, is_entered=True))
            kept = {name: bot for name, bot in self.config.bots.items() if name not in refused}
            self.config = replace(self.config, bots=kept)
            schedule = await asyncio.to_thread(make_schedule, self.config.plan())
        return await asyncio.to_thread(self._settle, schedule, versions, refused)

    def _plan(self) -> Schedule | None:
        """Return the schedule of a new tournament, before a bot is started in vain."""
        return None if self.find_stored() is not None else make_schedule(self.config.plan())

    def _settle(
        self, schedule: Schedule | None, versions: Mapping[str, str], refused: Mapping[str, str]
    ) -> Outlook:
        self.directory.mkdir(parents=True, exist_ok=True)
        # Of several arenas that begin the same tournament at once, one does and the others join.
        with lone_writer(self.directory), self._open() as store:
            if schedule is not None and not self._create(store, schedule, versions):
                schedule = None
            stored = store.tournament()
            assert stored is not None
            self.check_same(self._read_stored(stored))
            _check_versions(stored, versions, refused)
            if not (self.directory / CONFIG_FILE).exists():  # begun elsewhere, on one database
                replace_files(self.directory, {CONFIG_FILE: write_config(self.config).encode()})
        return Outlook(self.config, schedule is None, schedule, refused)

    def _create(self, store: Store, schedule: Schedule, versions: Mapping[str, str]) -> bool:
        """Store the tournament; return whether that was done, and not by another arena before."""
        if store.tournament() is not None:
            return False
        text = write_config(self.config)
        replace_files(self.directory, {CONFIG_FILE: text.encode()})
        record = TournamentRecord(
            name=self.config.name,
            config=text,
            game=self.config.game,
            options=self.config.options,
            players=self.config.players,
            seed=self.config.master,
            seed_text=self.config.seed,
            salt=bytes.fromhex(self.config.salt),
            bots=self.config.entrants(versions),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            store.create(record, schedule.fixtures)
        except StorageError:
            if store.tournament() is None:
                raise
            return False
        return True

    async def play(self, engine: Engine, concurrency: int, watcher: Watcher) -> RunEnd:
        """Play what is missing."""
        async with StoreThread(await asyncio.to_thread(self._open)) as store:
            self.runner = Runner(
                store,
                engine,
                concurrency=concurrency,
                until=self.config.until,
                watcher=watcher,
            )
            return await self.runner.run()

    async def played(self) -> list[StoredMatch]:
        """Return what has been played."""

        def read() -> list[StoredMatch]:
            with self._open() as store:
                return list(store.matches())

        return await asyncio.to_thread(read)

    async def export(
        self,
        replays: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Leaderboard:
        """Write the results directory anew; `replays` is how many of them (None: all)."""
        return await asyncio.to_thread(self._export, replays, on_progress)

    def _export(self, replays: int | None, on_progress: OnProgress | None) -> Leaderboard:
        with self._open() as store:
            return export_results(
                store,
                self.directory,
                replays=replays,
                fail_point=self._fail_point,
                on_progress=on_progress,
            )

    def _open(self) -> Store:
        if isinstance(self._place, Path):
            self._place.parent.mkdir(parents=True, exist_ok=True)
        return open_store(self._place, self.config.name, fail_point=self._fail_point)


def _refusal(refused: Mapping[str, str], *, is_entered: bool = False) -> str:
    reasons = "; ".join(f"{name}: {reason}" for name, reason in refused.items())
    advice = (
        "Matches have been planned with it: mend it, or use --unfit enter"
        if is_entered
        else "Mend it, or use --unfit leave-out or --unfit enter"
    )
    return f"{len(refused)} bot{'s' if len(refused) > 1 else ''} cannot play: {reasons}. {advice}"


def _check_versions(
    stored: TournamentRecord, versions: Mapping[str, str], refused: Mapping[str, str]
) -> None:
    for bot in stored.bots:
        version = versions.get(bot.name, bot.version)
        if version != bot.version and bot.name not in refused and bot.version:
            raise InputError(
                f"bot {bot.name} is version {version!r} now, but its matches were played by "
                f"version {bot.version!r}: start that one, or begin another tournament"
            )
