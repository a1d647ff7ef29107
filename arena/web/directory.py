"""Documents of results directories and replays on this machine."""

from __future__ import annotations

import contextlib
import json
import shlex
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from arena import __version__
from arena.errors import (
    ArenaError,
    InputError,
    UnknownDocumentError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.games.game import Json
from arena.games.registry import game_names
from arena.inert import inert
from arena.referee.follow import read_header
from arena.referee.replay import read_line
from arena.results.archive import (
    DATABASE_FILE,
    LEADERBOARD_FILE,
    Archive,
    is_results_directory,
    open_archive,
)
from arena.results.export import PAGE_FILE, Release, make_board, release_of
from arena.results.formats import leaderboard_value
from arena.results.matches_file import MATCHES_FILE
from arena.results.replay_files import find_replays
from arena.schedule.deals import commitment
from arena.storage.opening import open_store
from arena.storage.records import read_moment
from arena.web import FORMAT
from arena.web.documents import (
    Document,
    Documents,
    ReplayFile,
    Viewer,
    games_list,
    page_address,
    results_page,
)
from arena.web.results import (
    ShownMatches,
    TournamentFacts,
    bot_document,
    log_text,
    pages_of,
    rating_pause_s,
    tournament_document,
    tournament_summary,
)

FoundT = TypeVar("FoundT")

_ENDING = ".jsonl"
_STALE_S = 2.0  # how long what was read counts as new
_READING = 20  # it is read in at most this part of the time
_RATE_WINDOW_S = 60.0
_NOTED_REPLAYS = 5  # of how many matches a bot's notes are shown
_MOST_NOTES = 20


class ShownTournament:
    """A results directory, read again when it has changed. Blocking; one thread at a time."""

    def __init__(
        self, name: str, directory: Path, *, shows_logs: bool, db: str | None = None
    ) -> None:
        """Read nothing yet."""
        self.name = name
        self._db = db
        self._directory = directory
        self._shows_logs = shows_logs
        self._read_at = self._read_cost_s = 0.0
        self._stamp: object = None
        self._board_cost_s = 0.0
        self._board_at = 0.0
        self._progress: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()
        self.matches = ShownMatches(())
        self.facts: TournamentFacts
        self._archive: Archive
        self._release: Release

    def refresh(self) -> None:
        """See what has changed; raises InputError, ResultsError, StorageError."""
        with self._lock:
            now = time.monotonic()
            if self._read_at and now - self._read_at < max(_STALE_S, _READING * self._read_cost_s):
                return
            stamp = self._changed_at()
            self._read_at = now
            if stamp != self._stamp:
                started = time.thread_time()
                with open_archive(self._directory, self._db) as archive:
                    self._read_cost_s = time.thread_time() - started
                    self._take(archive, now)
                self._stamp = stamp

    def _changed_at(self) -> object:
        """Return what is another when somebody has written to the directory."""
        if self._db is not None:
            return time.monotonic()  # it is elsewhere
        files = (DATABASE_FILE, f"{DATABASE_FILE}-wal", MATCHES_FILE, LEADERBOARD_FILE)
        found = []
        for name in files:
            try:
                status = (self._directory / name).stat()
            except OSError:
                continue
            found.append((name, status.st_mtime_ns, status.st_size))
        return found

    def _take(self, archive: Archive, now: float) -> None:
        release = release_of(archive)
        names = [bot.name for bot in archive.tournament.bots]
        if list(self.matches.bots) != names:
            self.matches = ShownMatches(names)
        self.matches.add(archive.matches)
        deals = {match.fixture.deal for match in archive.matches}
        self.matches.open_deals = frozenset(deals - release.deals)
        if archive.store is None:
            there = find_replays(self._directory)
            known = (match.fixture.match for match in archive.matches)
            self.matches.without_replay = frozenset(m for m in known if m not in there)
        self._progress.append((now, len(archive.matches)))
        while now - self._progress[0][0] > _RATE_WINDOW_S:
            self._progress.popleft()
        self._archive, self._release = archive, release
        self.facts = self._facts(archive, release, self._board(archive, release, now))

    def _board(self, archive: Archive, release: Release, now: float) -> Mapping[str, Json] | None:
        """Return the leaderboard: the published one if it tells of all matches, else a new one.

        Of a tournament that runs it is made again only now and then, so that this takes a small
        part of the time.
        """
        path = self._directory / LEADERBOARD_FILE
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
            if value["matches"] == len(archive.matches) or archive.store is None:
                return dict(value)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        if not archive.matches:
            return None
        if self._board_at and now - self._board_at < rating_pause_s(self._board_cost_s):
            return self.facts.leaderboard
        started = time.thread_time()
        board = leaderboard_value(make_board(archive, release))
        self._board_cost_s, self._board_at = time.thread_time() - started, now
        return board

    def _facts(
        self, archive: Archive, release: Release, board: Mapping[str, Json] | None
    ) -> TournamentFacts:
        record = archive.tournament
        played, parked = len(archive.matches), len(archive.parked)
        rate = None
        (first_at, first), (last_at, last) = self._progress[0], self._progress[-1]
        if archive.is_running and last > first:
            rate = 60 * (last - first) / (last_at - first_at)
        is_whole = played + parked >= len(archive.fixtures)
        phase = "complete" if is_whole else "settled" if release.is_complete else "stopped"
        return TournamentFacts(
            name=self.name,
            title=record.name,
            game=record.game,
            players=record.players,
            phase="running" if archive.is_running and not is_whole else phase,
            bots=record.bots,
            played=played,
            scheduled=len(archive.fixtures),
            parked=parked,
            created=read_moment(record.created),
            commitment=commitment(record.seed, record.salt),
            seed=record.seed_text if release.is_complete else None,
            salt=record.salt.hex() if release.is_complete else None,
            verify=f"arena verify {shlex.quote(self._directory.name or '.')}",
            control=archive.config.control,
            max_faults=archive.config.policy.max_faults,
            leaderboard=board,
            rate_per_min=rate,
        )

    def document(self) -> dict[str, Json]:
        """Return the tournament's document."""
        self.refresh()
        document = tournament_document(self.facts, self.matches)
        with contextlib.suppress(UnknownDocumentError):
            self.leaderboard()
            document["page"] = page_address(self.name)
        return document

    def page(self, number: int) -> dict[str, Json]:
        """Return a page of matches; raises UnknownDocumentError."""
        self.refresh()
        pages = pages_of(self.facts.scheduled)
        self._check_page(number, pages)
        return self.matches.page(number, pages)

    def bot(self, name: str) -> dict[str, Json]:
        """Return a bot's document; raises UnknownDocumentError."""
        self._check_bot(name)
        log = self._archive.stderr(name) if self._shows_logs else ""
        return bot_document(self.facts, self.matches, name, notes=self._notes(name), log=log)

    def log(self, name: str) -> str | None:
        """Return the end of a bot's log for those who may see it; None if there is none."""
        self._check_bot(name)
        return log_text(self._archive.stderr(name))

    def bot_page(self, name: str, number: int) -> dict[str, Json]:
        """Return a page of a bot's matches; raises UnknownDocumentError."""
        self._check_bot(name)
        self._check_page(number, pages_of(len(self.matches.of_bot(name))))
        return self.matches.bot_page(name, number)

    def _check_bot(self, name: str) -> None:
        self.refresh()
        if name not in self.matches.bots:
            raise UnknownDocumentError(f"there is no bot {name!r} in {self.name!r}")

    def _check_page(self, number: int, pages: int) -> None:
        if number >= pages:
            raise UnknownDocumentError(f"there is no page {number}: there are {pages}")

    def leaderboard(self) -> Document:
        """Return the page of the results; raises UnknownDocumentError."""
        try:
            content = (self._directory / PAGE_FILE).read_bytes()
        except OSError:
            content = b""
        return results_page(content)

    def replay(self, match: str) -> ReplayFile:
        """Return a replay; raises UnknownMatchError, UnreleasedError."""
        self.refresh()
        found = self.matches.by_name.get(match)
        if found is None:
            raise UnknownMatchError(f"there is no match {match!r} in {self.name!r}")
        if found.fixture.deal in self.matches.open_deals:
            raise UnreleasedError(f"match {match!r} is shown when every match on its deal is done")
        return ReplayFile(self._read_replay(match), self.name, self._archive.config.control)

    def _read_replay(self, match: str) -> bytes:
        path = find_replay(self._directory, match)
        if path is not None:
            return path.read_bytes()
        database = self._directory / DATABASE_FILE
        if self._db is not None or database.is_file():
            name = self._archive.tournament.name
            with open_store(self._db or database, name, is_read_only=True) as store:
                text = store.replay(match)
            if text is not None:
                return text.encode("utf-8", "backslashreplace")
        raise UnknownMatchError(f"the replay of match {match!r} was not kept")

    def _notes(self, bot: str) -> list[Mapping[str, Json]]:
        """Return what the bot noted in its last matches that may be shown."""
        notes: list[Mapping[str, Json]] = []
        shown = [m for m in self.matches.of_bot(bot) if "open" not in self.matches.row(m)]
        for match in reversed(shown[-_NOTED_REPLAYS:]):
            try:
                data = self._read_replay(match.fixture.match)
            except (ArenaError, OSError):
                continue
            seat = match.fixture.bots.index(bot)
            notes += read_notes(data, match.fixture.match, seat)
            if len(notes) >= _MOST_NOTES:
                break
        return notes[:_MOST_NOTES]


def tournament_name(directory: Path) -> str:
    """Return what a tournament is called in addresses, if no other is called so."""
    return directory.resolve().name


def find_replay(directory: Path, match: str) -> Path | None:
    """Return the file of a match's replay; no name leads out of the directory."""
    if Path(match).name != match:
        return None
    path = directory / "replays" / f"{match}{_ENDING}"
    return path if path.is_file() else None


def read_notes(data: bytes, match: str, seat: int) -> Iterator[Mapping[str, Json]]:
    """Yield the notes of a seat in a replay, by step; lines that say something else are skipped."""
    moves = 0
    for line in data.split(b"\n"):
        moves += line.startswith(b'{"type":"move"')
        if b'"note":' in line:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict) and value.get("seat") == seat:
                yield {"match": match, "move": moves, "text": inert(str(value.get("note")))}


class DirectoryDocuments(Documents):
    """The documents of results directories and replays, each of which may change."""

    def __init__(
        self,
        paths: Sequence[Path],
        *,
        host: str = "directory",
        title: str | None = None,
        shows_logs: bool = True,
        db: str | None = None,
        is_live: bool = False,
    ) -> None:
        """Look for results and replays; raises InputError if there are none.

        Those of a running tournament may come later.
        """
        super().__init__()
        self._paths = paths
        self._db = db
        self._shows_logs = shows_logs
        self._host = host
        self._title = title or ", ".join(path.resolve().name for path in paths)
        self._is_live = is_live
        self.tournaments: dict[str, ShownTournament] = {}
        self.replays: dict[str, Path] = {}
        if not is_live:
            for path in paths:
                self._find(path)
        if not is_live and not self.tournaments and not self.replays:
            raise InputError(
                f"{', '.join(map(str, paths))}: neither results of a tournament nor replays there"
            )

    def _find_running(self) -> None:
        """Look for the results of a tournament that has begun by now."""
        for path in () if self.tournaments else self._paths:
            if is_results_directory(path):
                self._find(path)

    def _find(self, path: Path) -> None:
        if path.is_file():
            _add(self.replays, path.name.removesuffix(_ENDING), path)
        elif not path.is_dir():
            raise InputError(f"{path}: no such file or directory")
        elif is_results_directory(path):
            name = tournament_name(path)
            shown = ShownTournament("", path, shows_logs=self._shows_logs, db=self._db)
            shown.name = _add(self.tournaments, name, shown)
        else:
            for place in sorted(path.iterdir()):
                if place.is_dir() and is_results_directory(place):
                    self._find(place)
                elif place.is_file() and place.name.endswith(_ENDING):
                    _add(self.replays, place.name.removesuffix(_ENDING), place)

    def load(self) -> None:
        """Read everything once; raises what is wrong with any of it."""
        for tournament in self.tournaments.values():
            tournament.refresh()

    async def home(self, viewer: Viewer) -> Mapping[str, Json]:
        return await self.make(self._home)

    def _home(self) -> Mapping[str, Json]:
        if self._is_live:
            self._find_running()
        for tournament in self.tournaments.values():
            tournament.refresh()
        facts = sorted(
            (tournament.facts for tournament in self.tournaments.values()),
            key=lambda facts: (facts.phase == "running", str(facts.created)),
            reverse=True,
        )
        replays = [describe_replay(name, path) for name, path in self.replays.items()]
        home: dict[str, Json] = {
            "format": FORMAT,
            "host": self._host,
            "arena": __version__,
            "title": self._title,
            "games": games_list(game_names()),
            "running": [],
            "tournaments": [tournament_summary(each) for each in facts],
            "replays": [replay for replay in replays if replay is not None],
        }
        return {**home, "live": True, "online": True} if self._is_live else home

    async def tournament(self, viewer: Viewer, name: str) -> Mapping[str, Json]:
        return await self.make(self._shown(name).document)

    async def leaderboard(self, name: str) -> Document:
        return await self.make(self._shown(name).leaderboard)

    async def matches(self, viewer: Viewer, name: str, page: int) -> Mapping[str, Json]:
        return await self.make(self._shown(name).page, page)

    async def bot(self, viewer: Viewer, name: str, bot: str) -> Mapping[str, Json]:
        return await self.make(self._shown(name).bot, bot)

    async def bot_matches(
        self, viewer: Viewer, name: str, bot: str, page: int
    ) -> Mapping[str, Json]:
        return await self.make(self._shown(name).bot_page, bot, page)

    async def replay_file(self, viewer: Viewer, name: str, match: str) -> ReplayFile:
        return await self.make(self.read_replay, name, match)

    def read_replay(self, name: str, match: str) -> ReplayFile:
        """Return a replay, outside tournaments with "" for the name; raises as `replay_file`."""
        if name:
            return self._shown(name).replay(match)
        if match not in self.replays:
            raise UnknownMatchError(f"there is no replay {match!r} here")
        return ReplayFile(self.replays[match].read_bytes())

    def _shown(self, name: str) -> ShownTournament:
        if self._is_live:
            self._find_running()
        if name not in self.tournaments:
            raise UnknownTournamentError(f"there is no tournament {name!r} here")
        return self.tournaments[name]


def describe_replay(name: str, path: Path) -> Mapping[str, Json] | None:
    """Return a replay as a line of the home page, by its first and last line; None if it is none.

    It is checked with the rules when somebody opens it.
    """
    try:
        lines = path.read_bytes().splitlines()
        game, header = read_header(read_line(1, lines[0]))
        outcome = read_line(len(lines), lines[-1])
        scores, ranks = outcome.get("scores"), outcome.get("ranks")
    except (ArenaError, OSError, IndexError):
        return None
    return {
        "id": name,
        "game": game.name,
        "match": inert(header.match),
        "seats": [inert(seat.bot) for seat in header.seats],
        "scores": scores if isinstance(scores, list) else [],
        "ranks": ranks if isinstance(ranks, list) else [],
        "moves": sum(line.startswith(b'{"type":"move"') for line in lines),
    }


def _add(found: dict[str, FoundT], name: str, value: FoundT) -> str:
    """Add under a name that is not taken yet, and return it."""
    free = name
    number = 2
    while free in found:
        free, number = f"{name}-{number}", number + 1
    found[free] = value
    return free
