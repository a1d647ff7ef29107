"""Reading a results directory, with the tournament's database or without."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from arena import __version__
from arena.config.tournament import TournamentConfig, read_config
from arena.errors import InputError, ResultsError
from arena.games.game import AnyGame
from arena.rating.leaderboard import BotTiming, Leaderboard
from arena.rating.standings import timings
from arena.results.matches_file import MATCHES_FILE, MatchLine, read_match_lines
from arena.results.published import leaderboard_from_json
from arena.results.timing_file import TIMING_FILE, Timing, isolation_of, last_end_s, read_timing
from arena.schedule.schedule import make_schedule
from arena.storage.chain import ChainLink
from arena.storage.opening import open_store
from arena.storage.records import (
    AttemptRecord,
    FixtureRecord,
    StoredMatch,
    TournamentRecord,
)
from arena.storage.store import Store

CONFIG_FILE = "tournament.toml"
DATABASE_FILE = "arena.db"
LEADERBOARD_FILE = "leaderboard.json"
REPLAYS = "replays"
LOGS = "logs"

_EXCERPT_BYTES = 2000


@dataclass(frozen=True, slots=True)
class Archive:
    """A tournament as far as it has been played. A context manager: it may hold a database."""

    directory: Path
    tournament: TournamentRecord
    config: TournamentConfig
    game: AnyGame
    fixtures: Sequence[FixtureRecord]  # all of the schedule, in canonical order
    matches: Sequence[StoredMatch]  # those with a result, likewise
    parked: Sequence[FixtureRecord]  # those that were given up, likewise
    is_running: bool  # somebody plays matches of it right now
    bot_timings: Sequence[BotTiming]
    void: Sequence[tuple[str, int, str]]  # match, number and reason of each void attempt
    arena: str  # the version that made the exports
    store: Store | None  # None: read from the files
    ended_s: float | None = None  # when the last match ended, since the tournament was created
    replays: Sequence[str] = ()  # the matches whose replays the page links to
    attempts: Sequence[AttemptRecord] = ()  # only from a database
    lines: Sequence[MatchLine] = ()  # only from the files
    timing: Timing | None = None  # likewise, if it was there
    chain: Sequence[ChainLink] = ()  # only from a database
    closes_store: bool = False

    @property
    def isolation(self) -> Mapping[str, int]:
        """How many matches were played at each level; of those whose bots were started."""
        if self.store is not None:
            return isolation_of(self.attempts)
        return {} if self.timing is None else self.timing.isolation

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Let the database go, if it was opened for this."""
        if self.closes_store and self.store is not None:
            self.store.close()

    def stderr(self, bot: str) -> str:
        """Return the end of what a bot has printed, "" if nothing was kept."""
        return read_log(self.directory, bot)


def read_log(directory: Path, bot: str) -> str:
    """Return the end of what a bot has printed in a results directory, "" if nothing was kept.

    Each worker has a log of its own; it is of the one that was written to last.
    """
    name = f"{bot}.stderr"
    if Path(name).name != name:  # no name leads out of here
        return ""
    logs = directory / LOGS
    paths = [place / name for place in (logs, *sorted(logs.glob("worker-*")))]
    paths = [path for path in paths if path.is_file() and path.stat().st_size]
    if not paths:
        return ""
    path = max(paths, key=lambda path: path.stat().st_mtime)
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _EXCERPT_BYTES))
        return file.read(_EXCERPT_BYTES).decode("utf-8", "replace")


def is_results_directory(directory: Path) -> bool:
    """Return whether a directory holds results rather than nothing but replays."""
    names = (CONFIG_FILE, MATCHES_FILE, DATABASE_FILE)
    return any((directory / name).is_file() for name in names)


def open_archive(directory: Path, db: str | None = None) -> Archive:
    """Open a results directory: its database, or else its files.

    `db` is where the database is if not in the directory. Raises InputError if it is no results
    directory, ResultsError naming file and place for what is malformed, StorageError.
    """
    if db is None and not is_results_directory(directory):
        raise InputError(
            f"{directory}: not a results directory: neither {CONFIG_FILE} nor {MATCHES_FILE} "
            f"nor {DATABASE_FILE} is there"
        )
    if db is None and not (directory / DATABASE_FILE).is_file():
        return read_files(directory)
    name = _name(directory)
    store = open_store(db or directory / DATABASE_FILE, name, is_read_only=True)
    try:
        if store.tournament() is None:
            path = directory / CONFIG_FILE
            is_missing = "" if path.exists() else "is missing, and "
            raise ResultsError(path, f"{is_missing}the database has no tournament {name!r}")
        return replace(read_store(store, directory), closes_store=True)
    except BaseException:
        store.close()
        raise


def _name(directory: Path) -> str:
    """Return the name a tournament has in its database: as configured, or that of the directory."""
    path = directory / CONFIG_FILE
    try:
        return _config(decode(read_bytes(path), path), path).name
    except FileNotFoundError:
        return directory.resolve().name


def read_store(store: Store, directory: Path) -> Archive:
    """Return what a database holds now; the store stays the caller's."""
    tournament = store.tournament()
    if tournament is None:
        raise ResultsError(directory, "the database holds no tournament yet")
    config = read_config(tournament.config, "the config in the database", directory)
    matches = list(store.matches())
    attempts = list(store.attempts())
    return Archive(
        directory=directory,
        tournament=tournament,
        config=config,
        game=config.configured_game(),
        fixtures=store.fixtures(),
        matches=matches,
        parked=store.parked(),
        is_running=store.progress().claimed > 0,
        bot_timings=timings(matches),
        void=[
            (attempt.match, attempt.number, attempt.void_reason)
            for attempt in attempts
            if attempt.void_reason is not None
        ],
        arena=__version__,
        store=store,
        ended_s=last_end_s(tournament, matches, attempts),
        attempts=attempts,
        chain=list(store.chain()),
    )


def read_files(directory: Path, config_text: str | None = None) -> Archive:
    """Return what the files of a published directory say; its config, too, unless it is given."""
    config_path = directory / CONFIG_FILE
    text = decode(_needed(config_path), config_path) if config_text is None else config_text
    config = _config(text, config_path)
    matches_path, timing_path = directory / MATCHES_FILE, directory / TIMING_FILE
    lines = list(read_match_lines(_needed(matches_path), matches_path))
    timing = None
    with contextlib.suppress(FileNotFoundError):
        timing = read_timing(read_bytes(timing_path), timing_path)
    bots = config.entrants(_versions(directory, lines))
    game = config.configured_game()
    tournament = config.record(text, bots, "" if timing is None else timing.created)
    matches = [_timed(line.match, timing) for line in lines]
    try:
        fixtures = make_schedule(config.plan(bots)).fixtures
    except InputError as error:
        raise ResultsError(config_path, str(error)) from None
    return Archive(
        directory=directory,
        tournament=tournament,
        config=config,
        game=game,
        fixtures=fixtures,
        matches=matches,
        parked=_parked(directory, fixtures),
        is_running=False,
        bot_timings=() if timing is None else timing.bots,
        void=() if timing is None else timing.void,
        arena=__version__ if timing is None else timing.arena,
        store=None,
        ended_s=None if timing is None else timing.ended_s,
        replays=() if timing is None else timing.replays,
        lines=lines,
        timing=timing,
    )


def _config(text: str, path: Path) -> TournamentConfig:
    """Return what a results directory's config says; a wrong one is not what anybody typed."""
    try:
        return read_config(text, CONFIG_FILE, path.parent)
    except InputError as error:
        raise ResultsError(path, str(error)) from None


def _timed(match: StoredMatch, timing: Timing | None) -> StoredMatch:
    known = None if timing is None else timing.matches.get(match.fixture.match)
    if known is None:
        return match
    return StoredMatch(match.fixture, replace(match.report, times=known.seats))


def _versions(directory: Path, lines: Iterable[MatchLine]) -> dict[str, str]:
    """Return the versions of the bots: as listed with their matches, or on the leaderboard."""
    versions: dict[str, str] = {}
    with contextlib.suppress(FileNotFoundError):
        versions |= {bot.name: bot.version for bot in read_leaderboard(directory).bots}
    for line in lines:
        versions |= zip(line.match.fixture.bots, line.versions, strict=True)
    return versions


def _parked(directory: Path, fixtures: Iterable[FixtureRecord]) -> list[FixtureRecord]:
    try:
        parked = set(read_leaderboard(directory).parked)
    except FileNotFoundError:
        return []
    known = [fixture for fixture in fixtures if fixture.match in parked]
    for match in parked - {fixture.match for fixture in known}:
        reason = f"parked match {match!r} is not in the schedule"
        raise ResultsError(directory / LEADERBOARD_FILE, reason)
    return known


def read_leaderboard(directory: Path) -> Leaderboard:
    """Return the published leaderboard; raises ResultsError, FileNotFoundError if there is none."""
    path = directory / LEADERBOARD_FILE
    return leaderboard_from_json(decode(read_bytes(path), path), path)


def read_bytes(path: Path) -> bytes:
    """Return a file's content; raises InputError, FileNotFoundError if it is not there."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None


def decode(data: bytes, path: Path) -> str:
    """Return the text of a file; raises ResultsError with the line that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ResultsError(path, "not UTF-8 text", line) from None


def _needed(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except FileNotFoundError:
        raise InputError(
            f"{path}: is missing, and there is no database to read the tournament from"
        ) from None
