"""A static site: every page and document as a file that any web host can serve."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from arena.atomic import make_directory, replace_files
from arena.errors import ArenaError, InputError, UnreleasedError
from arena.games.registry import game_names, get_game
from arena.web.directory import DirectoryDocuments
from arena.web.documents import Viewer, quoted
from arena.web.drawings import has_rules
from arena.web.pages import static_files
from arena.web.results import pages_of

OnProgress = Callable[[str, int, int], None]

MARK = "arena-site.txt"
"""The file that says that a directory may be written over."""

_AT_ONCE = 200


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
    on_progress: OnProgress = lambda _what, _done, _of: None,
) -> SiteSummary:
    """Write a site to a directory that is empty or holds an older one.

    Only what has been released is published, and no logs. Raises InputError if the directory holds
    something else, ResultsError if a file cannot be written.
    """
    if out.exists() and not (out / MARK).is_file() and any(out.iterdir()):
        raise InputError(f"{out}: holds other files: name a new directory, or an older site")
    documents.load()
    writer = _Writer(out)
    for path, file in static_files(game_names()):
        writer.add(path, file.read_bytes())
    asyncio.run(_write_documents(documents, writer, max_replays, on_progress))
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


async def _write_documents(
    documents: DirectoryDocuments,
    writer: _Writer,
    max_replays: int | None,
    on_progress: OnProgress,
) -> None:
    viewer = Viewer()
    for address in _addresses(documents):
        document = await documents.get(address, viewer)
        # A host decodes the names in an address before it looks for a file.
        writer.add(f"data/{_file(address)}", document.content)
    replays = list(_replay_addresses(documents))[:max_replays]
    for number, address in enumerate(replays):
        try:
            for ending in (".json.gz", ".jsonl"):
                document = await documents.get(address + ending, viewer)
                writer.add(f"data/{_file(address)}{ending}", document.content)
        except UnreleasedError:
            continue
        except ArenaError as error:
            raise InputError(f"{_file(address)}: cannot be shown: {error}") from None
        on_progress("writing replays", number + 1, len(replays))


def _addresses(documents: DirectoryDocuments) -> Iterator[str]:
    yield "home.json"
    for game in game_names():
        if has_rules(get_game(game)):
            yield f"rules/{quoted(game)}.json"
    for name, shown in documents.tournaments.items():
        place = f"t/{quoted(name)}"
        yield f"{place}/tournament.json"
        for page in range(pages_of(shown.facts.scheduled)):
            yield f"{place}/matches/{page}.json"
        for bot in shown.matches.bots:
            yield f"{place}/bots/{quoted(bot)}/bot.json"
            for page in range(pages_of(len(shown.matches.of_bot(bot)))):
                yield f"{place}/bots/{quoted(bot)}/matches/{page}.json"


def _replay_addresses(documents: DirectoryDocuments) -> Iterator[str]:
    for name in documents.replays:
        yield f"replays/{quoted(name)}"
    for name, shown in documents.tournaments.items():
        for match in shown.matches.in_order():
            row = shown.matches.row(match)
            if "open" not in row and "no_replay" not in row:
                yield f"t/{quoted(name)}/replays/{quoted(match.fixture.match)}"


def _file(address: str) -> str:
    return unquote(address)
