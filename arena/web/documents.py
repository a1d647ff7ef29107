"""What every host of the pages serves: documents by their addresses."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ParamSpec, TypeVar
from urllib.parse import quote, unquote

from arena.errors import UnknownDocumentError
from arena.games.game import Json
from arena.games.registry import game_names, get_game
from arena.referee.clock import TimeControl
from arena.referee.follow import FollowedReplay
from arena.referee.replay import encode
from arena.results.export import PAGE_FILE
from arena.results.page.document import page_policy
from arena.web.drawings import drawing_address, has_rules, rules_of
from arena.web.replay import pack_document, replay_document
from arena.web.rules_text import rules_document

_KEPT_REPLAYS = 64
_MAKERS = 2  # threads: one reader who asks for much must not keep the others waiting
_NUMBER = re.compile(r"(0|[1-9]\d{0,6})\.json")
_LONGEST_ADDRESS = 1_000

Params = ParamSpec("Params")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks; `token` is what they have shown, "" if nothing."""

    token: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is sent."""

    content: bytes
    media_type: str = "application/json"
    is_lasting: bool = False  # never changes
    policy: str = ""  # what it may do as a page; "": what pages of arena may


@dataclass(frozen=True, slots=True)
class ReplayFile:
    """A replay with what its document says besides; it may be shown in full."""

    content: bytes
    tournament: str | None = None
    control: TimeControl | None = None


class Documents(ABC):
    """Finds documents by their addresses, which are those of docs/web-documents.md."""

    def __init__(self) -> None:
        """Begin without replays at hand."""
        self._replays: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._asked: dict[tuple[Viewer, str, str], asyncio.Task[bytes]] = {}  # on their way
        self._making = asyncio.Semaphore(_MAKERS)

    async def is_organiser(self, viewer: Viewer) -> bool:
        """Return whether nothing need be hidden from the viewer: the arena knows its tokens."""
        return False

    async def common(self, viewer: Viewer) -> Viewer:
        """Return a viewer who is shown the same live events: one for all but organisers."""
        return viewer if viewer.token and await self.is_organiser(viewer) else Viewer()

    @abstractmethod
    async def home(self, viewer: Viewer) -> Mapping[str, Json]:
        """Return the home document."""

    @abstractmethod
    async def tournament(self, viewer: Viewer, name: str) -> Mapping[str, Json]:
        """Return a tournament; raises UnknownTournamentError."""

    @abstractmethod
    async def matches(self, viewer: Viewer, name: str, page: int) -> Mapping[str, Json]:
        """Return a page of matches; raises UnknownTournamentError, UnknownDocumentError."""

    @abstractmethod
    async def bot(self, viewer: Viewer, name: str, bot: str) -> Mapping[str, Json]:
        """Return a bot; raises UnknownTournamentError, UnknownDocumentError."""

    @abstractmethod
    async def bot_matches(
        self, viewer: Viewer, name: str, bot: str, page: int
    ) -> Mapping[str, Json]:
        """Return a page of a bot's matches; raises UnknownTournamentError, UnknownDocumentError."""

    @abstractmethod
    async def replay_file(self, viewer: Viewer, name: str, match: str) -> ReplayFile:
        """Return a replay, outside tournaments with "" for the name.

        Raises UnknownTournamentError, UnknownMatchError, UnreleasedError.
        """

    async def get(self, address: str, viewer: Viewer) -> Document:
        """Return the document at an address below `data/`, as it stands in the request.

        Raises UnknownDocumentError and what the other methods do.
        """
        if len(address) > _LONGEST_ADDRESS:
            raise UnknownDocumentError("the address is too long")
        match [unquote(part) for part in address.split("/")]:
            case ["home.json"]:
                return _json(await self.home(viewer))
            case ["rules", file] if file.endswith(".json"):
                return _json(self.rules(file.removesuffix(".json")))
            case ["replays", file]:
                return await self._replay(viewer, "", file)
            case ["t", name, "tournament.json"]:
                return _json(await self.tournament(viewer, name))
            case ["t", name, "leaderboard.html"]:
                return await self.leaderboard(name)
            case ["t", name, "matches", page]:
                return _json(await self.matches(viewer, name, _number(page)))
            case ["t", name, "bots", bot, "bot.json"]:
                return _json(await self.bot(viewer, name, bot))
            case ["t", name, "bots", bot, "matches", page]:
                return _json(await self.bot_matches(viewer, name, bot, _number(page)))
            case ["t", name, "replays", file] if name:
                return await self._replay(viewer, name, file)
        raise UnknownDocumentError(f"there is no document {address!r}")

    async def leaderboard(self, name: str) -> Document:
        """Return the page of a tournament that its results have; raises UnknownDocumentError."""
        raise UnknownDocumentError(f"there is no leaderboard.html of {name!r} here")

    def rules(self, game: str) -> Mapping[str, Json]:
        """Return the rules of a game; raises UnknownDocumentError if it brings none."""
        text = rules_of(get_game(game)) if game in game_names() else None
        if text is None:
            raise UnknownDocumentError(f"there is no text of the rules of {game!r}")
        return rules_document(game, text)

    async def _replay(self, viewer: Viewer, name: str, file: str) -> Document:
        if file.endswith(".jsonl"):
            found = await self.replay_file(viewer, name, file.removesuffix(".jsonl"))
            return Document(found.content, "application/x-ndjson", is_lasting=True)
        if not file.endswith(".json.gz"):
            raise UnknownDocumentError(f"there is no document {file!r}")
        match = file.removesuffix(".json.gz")
        key = (name, match)
        if key in self._replays:
            self._replays.move_to_end(key)
            packed = self._replays[key]
        else:
            packed = await asyncio.shield(self._begin(viewer, name, match))
        return Document(packed, "application/gzip", is_lasting=True)

    def prepare(self, viewer: Viewer, name: str, match: str) -> None:
        """Have the document of a replay ready for a page that will ask for it in a moment.

        What goes wrong is told to whoever asks for it.
        """
        if (name, match) not in self._replays:
            self._begin(viewer, name, match)

    def _begin(self, viewer: Viewer, name: str, match: str) -> asyncio.Task[bytes]:
        key = (viewer, name, match)
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._make_replay(*key))
            self._asked[key].add_done_callback(lambda made: self._forget(key, made))
        return self._asked[key]

    def _forget(self, key: tuple[Viewer, str, str], made: asyncio.Task[bytes]) -> None:
        del self._asked[key]
        if not made.cancelled():
            made.exception()

    async def _make_replay(self, viewer: Viewer, name: str, match: str) -> bytes:
        replay = await self.replay_file(viewer, name, match)
        packed = await self.make(pack_replay, replay, download_address(name, match))
        self._replays[name, match] = packed
        while len(self._replays) > _KEPT_REPLAYS:
            self._replays.popitem(last=False)
        return packed

    async def make(
        self, function: Callable[Params, ResultT], *args: Params.args, **kwargs: Params.kwargs
    ) -> ResultT:
        """Do what takes long beside the loop, one after the other."""
        async with self._making:
            return await asyncio.to_thread(function, *args, **kwargs)


def pack_replay(replay: ReplayFile, download: str | None = None) -> bytes:
    """Return the document of a replay with all its views, packed; raises ReplayError.

    Without an address for `download` it contains the replay file.
    """
    return pack_document(
        replay_document(
            FollowedReplay(replay.content),
            tournament=replay.tournament,
            control=replay.control,
            download=download,
            file=replay.content if download is None else None,
        )
    )


def results_page(content: bytes) -> Document:
    """Return the page that results have; raises UnknownDocumentError.

    Results may come from somebody else. The policy lets only arena's own script run, so a page
    that was not written by this version is not shown.
    """
    policy = page_policy()
    if policy.encode() not in content:
        text = f"there is no {PAGE_FILE} by this version of arena: arena rate writes it again"
        raise UnknownDocumentError(text)
    return Document(content, "text/html; charset=utf-8", policy=f"{policy}; frame-ancestors 'none'")


def page_address(name: str) -> str:
    """Return the address of the page of a tournament's results, relative to a page."""
    return f"data/t/{quoted(name)}/{PAGE_FILE}"


def download_address(name: str, match: str) -> str:
    """Return the address of a replay file, relative to a page; "" for outside tournaments."""
    place = f"data/t/{quoted(name)}" if name else "data"
    return f"{place}/replays/{quoted(match)}.jsonl"


def quoted(name: str) -> str:
    """Return a name as it stands in an address."""
    return quote(name, safe="")


def games_list(names: Iterable[str]) -> list[Json]:
    """Return games as the home page lists them."""
    games = [get_game(name) for name in names]
    return [
        {
            "name": game.name,
            "title": game.title,
            "players": game.table_sizes,
            "rules": has_rules(game),
            "drawing": drawing_address(game),
        }
        for game in games
    ]


def _json(value: Mapping[str, Json]) -> Document:
    return Document(encode(value).encode())


def _number(file: str) -> int:
    found = _NUMBER.fullmatch(file)
    if found is None:
        raise UnknownDocumentError(f"there is no document {file!r}")
    return int(found[1])
