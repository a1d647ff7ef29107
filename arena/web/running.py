"""Running matches: as documents list them, and those of a tournament that this machine plays."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path

from arena.client.channel import Destination
from arena.errors import LostError, UnknownMatchError
from arena.games.game import Json
from arena.inert import inert
from arena.v1 import watch_pb2
from arena.web.arena_calls import ArenaCalls
from arena.web.directory import DirectoryDocuments
from arena.web.documents import Viewer
from arena.web.remembered import Remembered, of_token

_LISTED = 12  # on the home page; all of a tournament are on its own
_LASTS_S = 1.0  # how long an answer of an arena counts


def running_matches(
    matches: Iterable[watch_pb2.MatchSummary], tournaments: set[str], *, is_organiser: bool
) -> dict[str, Json]:
    """Return what a home page says of running matches."""
    running = [
        _row(match, tournaments, is_organiser=is_organiser) for match in matches if not match.ended
    ]
    more: dict[str, Json] = {"more": len(running) - _LISTED} if len(running) > _LISTED else {}
    return {"running": running[:_LISTED], **more}


def running_of(
    matches: Iterable[watch_pb2.MatchSummary], tournament: str, *, is_organiser: bool
) -> list[Json]:
    """Return the running matches of a tournament."""
    return [
        _row(match, {tournament}, is_organiser=is_organiser)
        for match in matches
        if not match.ended and match.match_id.startswith(f"{tournament}/")
    ]


def _row(
    match: watch_pb2.MatchSummary, tournaments: set[str], *, is_organiser: bool
) -> dict[str, Json]:
    name, slash, _ = match.match_id.rpartition("/")
    of = name if slash and name in tournaments else None
    return {
        "id": match.match_id,
        "game": match.game,
        "seats": [inert(seat.bot) for seat in match.seats],
        "moves": match.moves,
        "tournament": of,
        "watch": of is None or is_organiser,
    }


class GalleryCalls:
    """Calls to the arenas that play one tournament, each at a socket in one directory.

    A worker that was lost comes back at the same socket. The names of matches begin with that of
    the tournament, as in an arena that has many.
    """

    def __init__(self, directory: Path, tournament: str) -> None:
        """Look there for arenas whenever something is asked."""
        self._directory = directory
        self._prefix = f"{tournament}/"
        self._arenas: dict[str, ArenaCalls] = {}

    async def close(self) -> None:
        """Hang up."""
        for arena in self._arenas.values():
            await arena.close()

    async def list_matches(self) -> Sequence[watch_pb2.MatchSummary]:
        """Return the matches that run, and the last that have ended; none while nobody plays."""
        found = []
        for _, listed in await self._listed():
            for match in listed.matches:
                match.match_id = self._prefix + match.match_id
                found.append(match)
        return found

    async def watch(
        self, match: str, token: str, *, everything: bool = False
    ) -> AsyncIterator[watch_pb2.WatchResponse]:
        """Yield the pieces of a match, with its tables or with everything if the token may."""
        name = match.removeprefix(self._prefix)
        for arena, listed in await self._listed():
            if match != name and any(each.match_id == name for each in listed.matches):
                async for piece in arena.watch(name, token, everything=everything):
                    yield piece
                return
        raise UnknownMatchError(f"no match {match!r} is running here or has ended recently")

    async def is_admin(self, token: str) -> bool:
        """Return whether this token is the organiser's; raises LostError while nobody plays."""
        answers = await self._listed(token)
        if not answers:
            raise LostError("nothing is being played now: try again when matches run")
        return all(listed.organiser for _, listed in answers)

    async def is_known(self, token: str) -> bool:
        """Return whether somebody was given this token; raises LostError while nobody plays."""
        return await self.is_admin(token)

    async def _listed(
        self, token: str = ""
    ) -> list[tuple[ArenaCalls, watch_pb2.ListMatchesResponse]]:
        """Ask all arenas that are there."""
        found = sorted(self._directory.iterdir()) if self._directory.is_dir() else []
        arenas = [self._arena(path) for path in found if path.is_socket()]
        answers = await asyncio.gather(
            *(arena.listed(token) for arena in arenas), return_exceptions=True
        )
        told = []
        for arena, answer in zip(arenas, answers, strict=True):
            if isinstance(answer, watch_pb2.ListMatchesResponse):
                told.append((arena, answer))
            elif not isinstance(answer, LostError):
                raise answer
        return told

    def _arena(self, path: Path) -> ArenaCalls:
        address = f"unix:{path}"
        return self._arenas.setdefault(address, ArenaCalls(Destination(address)))


class RunningDocuments(DirectoryDocuments):
    """The documents of a tournament that this machine plays: its results, and its matches."""

    def __init__(self, directory: Path, calls: GalleryCalls, *, db: str | None = None) -> None:
        """Read results there, which may come later, and ask about matches with these calls."""
        super().__init__([directory], host="live", db=db, shows_logs=False, is_live=True)
        self._calls = calls
        self._remembered = Remembered(_LASTS_S)

    async def is_organiser(self, viewer: Viewer) -> bool:
        """Return whether the viewer has shown the organiser's token, as the arenas judge it."""
        if not viewer.token:
            return False
        with contextlib.suppress(LostError):
            key = of_token("role", viewer.token)
            return await self._remembered.get(key, lambda: self._calls.is_admin(viewer.token))
        return False  # nobody plays: there is nothing to hide

    async def home(self, viewer: Viewer) -> Mapping[str, Json]:
        home = await super().home(viewer)
        is_organiser = await self.is_organiser(viewer)
        role: dict[str, Json] = {"organiser": True} if is_organiser else {}
        running = running_matches(
            await self._matches(), set(self.tournaments), is_organiser=is_organiser
        )
        return {**home, **running, **role, "login": True}

    async def tournament(self, viewer: Viewer, name: str) -> Mapping[str, Json]:
        document = await super().tournament(viewer, name)
        is_organiser = await self.is_organiser(viewer)
        running = running_of(await self._matches(), name, is_organiser=is_organiser)
        return {**document, "running": running}

    async def bot(self, viewer: Viewer, name: str, bot: str) -> Mapping[str, Json]:
        document = await super().bot(viewer, name, bot)
        if not await self.is_organiser(viewer):
            return document
        return {**document, "log": await self.make(self._shown(name).log, bot)}

    async def _matches(self) -> Sequence[watch_pb2.MatchSummary]:
        return await self._remembered.get("matches", self._calls.list_matches)
