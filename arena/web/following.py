"""Where live events come from: documents that are looked at again, and matches that are watched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

from arena.errors import (
    ArenaError,
    ForbiddenError,
    LostError,
    TokenError,
    UnknownDocumentError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.games.game import Json
from arena.games.registry import get_game
from arena.inert import inert
from arena.referee.faults import Fault
from arena.v1 import watch_pb2
from arena.web.arena_calls import ArenaCalls
from arena.web.documents import Documents, Viewer, quoted
from arena.web.live import Happening
from arena.web.replay import head, outcome_of
from arena.web.steps import PUBLIC, Made, StepWriter, seat_names
from arena.wire.codec import codec_for
from arena.wire.faults import read_fault

_HOME_S = 1.0
_TOURNAMENT_S = 2.0
_RETRY_S = 2.0

_GONE = (
    UnknownTournamentError,
    UnknownMatchError,
    UnknownDocumentError,
    ForbiddenError,
    TokenError,
    UnreleasedError,
)


class Followers:
    """Follows topics for all who look at them."""

    def __init__(self, documents: Documents, calls: ArenaCalls | None = None) -> None:
        """Follow documents; with `calls`, running matches too."""
        self._documents = documents
        self._calls = calls

    async def follow(self, topic: str, viewer: Viewer) -> AsyncGenerator[Happening, None]:
        """Yield what happens to a topic until it is gone; an arena that is away is waited for."""
        kind, _, name = topic.partition("/")
        is_offline = False
        while True:
            try:
                async for happening in self._once(kind, name, viewer):
                    is_offline = False
                    yield happening
                return
            except LostError as error:
                if not is_offline:
                    yield Happening("offline", {"reason": inert(str(error))}, is_whole=False)
                is_offline = True
                await asyncio.sleep(_RETRY_S)
            except _GONE as error:
                yield Happening("gone", {"reason": inert(str(error))})
                return
            except ArenaError as error:
                yield Happening("offline", {"reason": inert(str(error))}, is_whole=False)
                await asyncio.sleep(_RETRY_S)

    def _once(self, kind: str, name: str, viewer: Viewer) -> AsyncIterator[Happening]:
        if kind == "home" and not name:
            return self._home(viewer)
        if kind == "tournament" and name:
            return self._tournament(name, viewer)
        if kind == "match" and name and self._calls is not None:
            return self._match(self._calls, name, viewer)
        raise UnknownDocumentError(f"there is nothing to follow under {kind!r}")

    async def _home(self, viewer: Viewer) -> AsyncIterator[Happening]:
        last: Mapping[str, Json] = {}
        while True:
            home = await self._documents.home(viewer)
            if home != last:
                yield Happening("home", {"home": home})
                last = home
            await asyncio.sleep(_HOME_S)

    async def _tournament(self, name: str, viewer: Viewer) -> AsyncIterator[Happening]:
        last: Mapping[str, Json] = {}
        while True:
            document = await self._documents.tournament(viewer, name)
            if document != last:
                yield Happening("tournament", {"tournament": document})
                last = document
            await asyncio.sleep(_TOURNAMENT_S)

    async def _match(
        self, calls: ArenaCalls, name: str, viewer: Viewer
    ) -> AsyncIterator[Happening]:
        watched: WatchedMatch | None = None
        async for piece in calls.watch(name, viewer.token):
            kind = piece.WhichOneof("piece")
            if kind == "table":
                watched = WatchedMatch(piece.table)
                yield Happening("match", {"match": watched.document})
            elif watched is not None and kind == "events":
                step = watched.take(piece.events)
                if step is not None:
                    yield Happening("step", step, is_whole=False)
            elif watched is not None and kind == "ended":
                yield Happening("ended", _end(name, piece.ended), is_whole=False)
                return
        raise LostError("the match was interrupted: the arena has gone away")


class WatchedMatch:
    """A match as the public sees it, step by step, while it runs."""

    def __init__(self, table: watch_pb2.WatchedTable) -> None:
        """Begin with how it stands when somebody comes to watch."""
        game = get_game(table.game).configure(json.loads(table.options_json or "{}"))
        self._codec = codec_for(game)
        names = seat_names([seat.bot for seat in table.seats])
        self._writer = StepWriter(game, names)
        self._steps = 0
        self._fault: Fault | None = None
        seats = [(seat.bot, seat.version) for seat in table.seats]
        first = self._write(self._codec.read_observation(table), (), None)
        self.document: dict[str, Json] = {
            **head(game, seats, [PUBLIC]),
            "match": inert(table.match_id),
            "tournament": None,
            "clock": None,
            "moves": [],
            "lines": [*self._writer.lines],
            "marks": [],
            "steps": [first],
            "outcome": None,
            "download": None,
        }

    def take(self, events: watch_pb2.WatchedEvents) -> dict[str, Json] | None:
        """Return the step that events make, None if they are only a fault."""
        for fault in events.faults:
            self._fault = read_fault(fault.fault)
        if events.WhichOneof("events") is None or not events.HasField("table"):
            return None
        lines, marks = len(self._writer.lines), len(self._writer.marks)
        told = self._codec.read_events(events)
        seat = next((s for event in told if (s := getattr(event, "seat", None)) is not None), None)
        made = None if seat is None else Made(seat, None, self._fault)
        self._fault = None
        step = self._write(self._codec.read_observation(events.table), told, made)
        return {
            "number": self._steps - 1,
            "step": step,
            "moves": [],
            "lines": self._writer.lines[lines:],
            "marks": self._writer.marks[marks:],
        }

    def _write(self, seen: Any, events: Any, made: Made | None) -> dict[str, Json]:
        self._steps += 1
        return self._writer.write({PUBLIC: seen}, {PUBLIC: events}, made)


def _end(name: str, ended: watch_pb2.WatchedEnd) -> dict[str, Json]:
    outcome: Json = None
    if ended.ranks:
        forfeits = tuple(map(read_fault, ended.forfeits))
        outcome = outcome_of(ended.scores, ended.ranks, forfeits)
    tournament, slash, match = name.rpartition("/")
    place = f"data/t/{quoted(tournament)}/replays/{quoted(match)}" if slash else None
    loose = f"data/replays/{quoted(name)}"
    return {
        "outcome": outcome,
        "void": inert(ended.void_reason) or None,
        "replay": f"{place or loose}.json.gz" if ended.replay else None,
    }
