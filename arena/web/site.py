"""A static site: every page and document as a file that any web host can serve."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from arena.atomic import make_directory, replace_files
from arena.errors import ArenaError, InputError, UnreleasedError
from arena.games.registry import game_names, get_game
from arena.processes import map_in_processes
from arena.web.directory import DirectoryDocuments
from arena.web.documents import ReplayFile, Viewer, pack_replay, quoted
from arena.web.drawings import has_rules
from arena.web.pages import static_files
from arena.web.results import pages_of

OnProgress = Callable[[str, int, int], None]

MARK = "arena-site.txt"
"""The file that says that a directory may be written over."""

_AT_ONCE = 200
_WORTH_A_PROCESS = 40  # replays: a process takes half a second to start


@dataclass(frozen=True, slots=True)
class _ReplayPlace:
    """Where a replay is found."""

    tournament: str  # "" outside tournaments
    match: str

    @property
    def file(self) -> str:
        """The file of its document."""
        place = f"data/t/{self.tournament}" if self.tournament else "data"
        return f"{place}/replays/{self.match}.json.gz"


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """What was written."""

    files: int
    size: int
    replays: int


def write_site(
    documents: DirectoryDocuments,
    out: Path,
    *,
    max_replays: int | None = None,
    processes: int = 1,
    on_progress: OnProgress = lambda _what, _done, _of: None,
) -> SiteSummary:
    """Write a site to a directory that is empty or holds an older one.

    Only what has been released is published, and no logs. Many replays are made in so many
    processes. Raises InputError if the directory holds something else, ResultsError if a file
    cannot be written.
    """
    if out.exists() and not (out / MARK).is_file() and any(out.iterdir()):
        raise InputError(f"{out}: holds other files: name a new directory, or an older site")
    documents.load()
    writer = _Writer(out)
    for path, file in static_files(game_names()):
        writer.add(path, file.read_bytes())
    asyncio.run(_write_documents(documents, writer))
    _write_replays(documents, writer, max_replays, processes, on_progress)
    writer.add(MARK, b"Written by arena site, which may write over everything here.\n")
    writer.flush()
    return SiteSummary(writer.files, writer.size, writer.replays)


class _Writer:
    """Writes files, many at once, below a directory."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._waiting: dict[str, dict[str, bytes]] = {}
        self.files = self.size = self.replays = 0

    def add(self, address: str, content: bytes) -> None:
        place, _, name = address.rpartition("/")
        self._waiting.setdefault(place, {})[name] = content
        self.files += 1
        self.size += len(content)
        self.replays += name.endswith(".json.gz")
        if self.files % _AT_ONCE == 0:
            self.flush()

    def flush(self) -> None:
        for place, contents in self._waiting.items():
            directory = self._out / place
            make_directory(directory)
            replace_files(directory, contents)
        self._waiting = {}


async def _write_documents(documents: DirectoryDocuments, writer: _Writer) -> None:
    for address in _addresses(documents):
        document = await documents.get(address, Viewer())
        # A host decodes the names in an address before it looks for a file.
        writer.add(f"data/{unquote(address)}", document.content)


def _write_replays(
    documents: DirectoryDocuments,
    writer: _Writer,
    max_replays: int | None,
    processes: int,
    on_progress: OnProgress,
) -> None:
    places = list(_replays(documents))[:max_replays]
    on_progress("writing replays", 0, len(places))
    processes = max(1, min(processes, len(places) // _WORTH_A_PROCESS))
    replays = ((place, replay) for place in places if (replay := _read(documents, place)))
    made = map_in_processes(_pack, replays, processes)
    with contextlib.closing(made):
        for number, ((place, _), packed) in enumerate(made, 1):
            writer.add(place.file, packed)
            on_progress("writing replays", number, len(places))


def _read(documents: DirectoryDocuments, place: _ReplayPlace) -> ReplayFile | None:
    """Return a replay; None if its deal is played again by now."""
    try:
        return documents.read_replay(place.tournament, place.match)
    except UnreleasedError:
        return None
    except ArenaError as error:
        raise InputError(f"{place.file}: cannot be shown: {error}") from None


def _pack(found: tuple[_ReplayPlace, ReplayFile]) -> bytes:
    place, replay = found
    try:
        return pack_replay(replay)
    except ArenaError as error:
        raise InputError(f"{place.file}: cannot be shown: {error}") from None


def _addresses(documents: DirectoryDocuments) -> Iterator[str]:
    yield "home.json"
    for game in game_names():
        if has_rules(get_game(game)):
            yield f"rules/{quoted(game)}.json"
    for name, shown in documents.tournaments.items():
        place = f"t/{quoted(name)}"
        yield f"{place}/tournament.json"
        if "page" in shown.document():
            yield f"{place}/leaderboard.html"
        for page in range(pages_of(shown.facts.scheduled)):
            yield f"{place}/matches/{page}.json"
        for bot in shown.matches.bots:
            yield f"{place}/bots/{quoted(bot)}/bot.json"
            for page in range(pages_of(len(shown.matches.of_bot(bot)))):
                yield f"{place}/bots/{quoted(bot)}/matches/{page}.json"


def _replays(documents: DirectoryDocuments) -> Iterator[_ReplayPlace]:
    for name in documents.replays:
        yield _ReplayPlace("", name)
    for name, shown in documents.tournaments.items():
        for match in shown.matches.in_order():
            row = shown.matches.row(match)
            if "open" not in row and "no_replay" not in row:
                yield _ReplayPlace(name, match.fixture.match)
