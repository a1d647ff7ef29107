"""The results directories of a server, one for each tournament, read for others."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from arena.config.bot_fields import check_name
from arena.config.tournament import read_config, without_secrets, write_config
from arena.errors import (
    ArenaError,
    InputError,
    UnknownDocumentError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.organiser.journal import TournamentState
from arena.rating.leaderboard import Leaderboard
from arena.results.archive import (
    CONFIG_FILE,
    DATABASE_FILE,
    LEADERBOARD_FILE,
    REPLAYS,
    read_leaderboard,
    read_log,
)
from arena.results.export import EXPORTS, PAGE_FILE, export_results
from arena.results.matches_file import MATCHES_FILE
from arena.results.messages import TournamentPhase
from arena.results.replay_files import find_replays
from arena.schedule.deals import commitment
from arena.signing import OrganiserKey
from arena.storage.chain import ChainLink, first_link
from arena.storage.opening import open_store
from arena.storage.records import StoredMatch, TournamentRecord, read_moment
from arena.storage.store import Store

Piece = tuple[str, bytes, bool]
"""Name of the file, content, whether it is the last piece of it."""

_CHUNK = 256 * 1024
_HELD_BACK = "# seed and salt are told when the tournament is complete\n"


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Some matches in canonical order, each with whether it may be shown in full."""

    matches: Sequence[tuple[StoredMatch, bool]]
    shows_names: bool  # to the bots that play
    next_start: int | None


class ResultsDirectories:
    """Reads what is stored. Blocking; every method may be called on any thread."""

    def __init__(self, directory: Path, key: OrganiserKey | None = None) -> None:
        """Look in this directory, which need not be there yet; `key` signs what is written."""
        self._directory = directory
        self._key = key
        self._deals: tuple[tuple[str, bytes], dict[str, int]] = (("", b""), {})

    def place(self, name: str) -> Path:
        """Return the directory of a tournament; raises InputError for what cannot be a name."""
        return self._directory / check_name(name, "the tournament's name")

    def names(self) -> list[str]:
        """Return all tournaments that have been begun."""
        try:
            entries = sorted(self._directory.iterdir())
        except OSError:
            return []
        return [entry.name for entry in entries if (entry / DATABASE_FILE).is_file()]

    def state(self, name: str) -> TournamentState:
        """Return how far a tournament is that does not run; raises UnknownTournamentError."""
        with self._open(name) as store:
            return read_state(store, self.place(name))

    def try_state(self, name: str) -> TournamentState:
        """Return the same; what cannot be read has failed, and says why."""
        try:
            return self.state(name)
        except ArenaError as error:
            return TournamentState(name, "", 0, (), TournamentPhase.FAILED, reason=str(error))

    def is_complete(self, name: str) -> bool:
        """Return whether the files of a tournament tell everything: nothing more is played."""
        return _is_complete(self.place(name))

    def refresh(self, name: str) -> None:
        """Write the files anew if they do not tell of all matches; none may be running."""
        with self._open(name) as store:
            refresh_files(store, self.place(name), self._key)

    def leaderboard(self, name: str) -> tuple[str, Leaderboard]:
        """Return leaderboard.json and what it says; raises UnreleasedError if there is none yet."""
        self._open(name).close()
        place = self.place(name)
        try:
            board = read_leaderboard(place)
            return (place / LEADERBOARD_FILE).read_text(encoding="utf-8"), board
        except FileNotFoundError:
            raise UnreleasedError(f"no match of {name!r} has been played yet") from None

    def page(self, name: str) -> str:
        """Return leaderboard.html; raises UnreleasedError if there is none yet."""
        try:
            return (self.place(name) / PAGE_FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise UnreleasedError(f"no match of {name!r} has been played yet") from None

    def results(self, name: str, start: int, limit: int) -> ResultsPage:
        """Return the matches with a result at these places of the canonical order."""
        is_complete = self.is_complete(name)
        with self._open(name) as store:
            record, total = _record(store), store.progress().fixtures
            secret = frozenset() if is_complete else store.secret_deals()
            matches = [
                (match, match.fixture.deal not in secret)
                for match in store.matches(start, start + limit)
            ]
        config = read_config(record.config, name, self.place(name))
        stop = start + limit
        return ResultsPage(matches, config.shows_names, stop if stop < total else None)

    def replay(self, name: str, match: str) -> str:
        """Return a replay; raises UnreleasedError while its deal is a secret."""
        is_complete = self.is_complete(name)
        with self._open(name) as store:
            deal = self._find_deals(store).get(match)
            secret = frozenset() if is_complete else store.secret_deals()
            text = store.replay(match)
        if deal is None:
            raise UnknownMatchError(f"there is no match {match!r} in {name!r}")
        if deal in secret:
            raise UnreleasedError(
                f"match {match!r} of {name!r} is shown when every match on its deal is done"
            )
        if text is None:
            raise UnknownMatchError(f"match {match!r} of {name!r} could not be played")
        return text

    def log(self, name: str, bot: str) -> str:
        """Return the end of what a bot has printed; raises UnknownDocumentError."""
        with self._open(name) as store:
            bots = [entrant.name for entrant in _record(store).bots]
        if bot not in bots:
            raise UnknownDocumentError(f"there is no bot {bot!r} in {name!r}")
        return read_log(self.place(name), bot)

    def files(self, name: str, max_replays: int | None) -> ResultsFiles:
        """Return the files as they are now, opened: they may be replaced while they are sent."""
        with self._open(name) as store:
            text, matches = _record(store).config, list(self._find_deals(store))
        if not self.is_complete(name):
            place = self.place(name)
            config = without_secrets(read_config(text, CONFIG_FILE, place))
            text = _HELD_BACK + write_config(config, place)
        return ResultsFiles(self.place(name), text.encode(), matches, max_replays)

    def chain(self, name: str, after: int, limit: int) -> tuple[str, list[ChainLink]]:
        """Return what the first match is linked to, and links from behind that place."""
        with self._open(name) as store:
            return first_link(_record(store)), list(store.chain(after, limit))

    def _find_deals(self, store: Store) -> dict[str, int]:
        """Return the deals of all matches; the last schedule is remembered, as it never changes."""
        record = _record(store)
        key = (record.name, record.seed + record.salt)
        known, deals = self._deals  # in one step: another thread may ask for another tournament
        if known != key:
            deals = {fixture.match: fixture.deal for fixture in store.fixtures()}
            self._deals = (key, deals)
        return deals

    def _open(self, name: str) -> Store:
        try:
            path = self.place(name) / DATABASE_FILE
        except InputError:
            path = None
        if path is None or not path.is_file():
            raise UnknownTournamentError(f"there is no tournament {name!r} here")
        return open_store(path, name, is_read_only=True)


class ResultsFiles:
    """The files of one directory, being read: replays first, then the rest."""

    def __init__(
        self, place: Path, config: bytes, matches: Sequence[str], max_replays: int | None
    ) -> None:
        """Open all but the replays, which never change; `matches` are in canonical order."""
        self._using = threading.Lock()  # whoever is no longer listened to may still be reading
        self._exits = contextlib.ExitStack()
        self._pieces = self._read(place, config, matches, max_replays)
        self._opened: list[tuple[str, BinaryIO]] = []
        for name in EXPORTS:
            with contextlib.suppress(FileNotFoundError):
                file = self._exits.enter_context((place / name).open("rb"))
                self._opened.append((name, file))

    def read(self) -> Sequence[Piece]:
        """Return the next pieces, together of a size for a message; empty: that was all."""
        pieces, size = [], 0
        with self._using:
            for piece in self._pieces:
                pieces.append(piece)
                size += len(piece[1])
                if size >= _CHUNK:
                    break
        return pieces

    def close(self) -> None:
        """Let them go."""
        with self._using:
            self._pieces.close()
            self._exits.close()

    def _read(
        self, place: Path, config: bytes, matches: Sequence[str], max_replays: int | None
    ) -> Generator[Piece, None, None]:
        found = find_replays(place)
        for path in [found[match] for match in matches if match in found][:max_replays]:
            with path.open("rb") as replay:
                yield from _chunks(f"{REPLAYS}/{path.name}", replay)
        for name, file in self._opened:
            yield from _chunks(name, file)
        yield CONFIG_FILE, config, True


def _chunks(name: str, file: BinaryIO) -> Iterator[Piece]:
    data = file.read(_CHUNK)
    while following := file.read(_CHUNK):
        yield name, data, False
        data = following
    yield name, data, True


def read_state(store: Store, place: Path) -> TournamentState:
    """Return how far a tournament is that does not run; raises UnknownTournamentError."""
    record, progress = _record(store), store.progress()
    phase = TournamentPhase.STOPPED
    if progress.is_complete:
        phase = TournamentPhase.COMPLETE
    elif _is_complete(place):
        phase = TournamentPhase.SETTLED
    return TournamentState(
        name=record.name,
        game=record.game,
        players=record.players,
        bots=record.bots,
        phase=phase,
        played=progress.results,
        parked=progress.parked,
        scheduled=progress.fixtures,
        commitment=commitment(record.seed, record.salt),
        created=read_moment(record.created),
        hides_names=not read_config(record.config, record.name, place).shows_names,
    )


def refresh_files(store: Store, place: Path, key: OrganiserKey | None) -> None:
    """Write the files anew if they do not tell of all matches; none may be running."""
    results = store.progress().results
    if results and results != _count_told(place):
        export_results(store, place, key=key)


def _is_complete(place: Path) -> bool:
    with contextlib.suppress(ArenaError, OSError):
        return read_leaderboard(place).is_complete
    return False


def _count_told(place: Path) -> int | None:
    """Return how many matches the files tell of, None if some are missing."""
    try:
        told = (place / MATCHES_FILE).read_bytes().count(b"\n")
    except OSError:
        return None
    return told if (place / LEADERBOARD_FILE).exists() else None


def _record(store: Store) -> TournamentRecord:
    record = store.tournament()
    if record is None:
        raise UnknownTournamentError("the tournament was never begun")
    return record
