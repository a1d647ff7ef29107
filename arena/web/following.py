"""Where live events come from: documents that are looked at again, and matches that are watched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from typing import Any, Protocol

from google.protobuf.duration_pb2 import Duration

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
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault
from arena.referee.follow import FollowedReplay
from arena.v1 import watch_pb2
from arena.web.documents import Documents, Viewer, quoted
from arena.web.live import Happening
from arena.web.replay import ReplayWriter, head, outcome_of
from arena.web.steps import PUBLIC, Made, StepWriter, seat_names, views_of
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


class WatchCalls(Protocol):
    """Who can follow matches: calls to an arena."""

    def watch(
        self, match: str, token: str, *, everything: bool = False
    ) -> AsyncIterator[watch_pb2.WatchResponse]:
        """Yield the pieces of a match."""
        ...


class Followers:
    """Follows topics for all who look at them."""

    def __init__(self, documents: Documents, calls: WatchCalls | None = None) -> None:
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
        self, calls: WatchCalls, name: str, viewer: Viewer
    ) -> AsyncIterator[Happening]:
        watched: WatchedMatch | RunningRecord | None = None
        everything = await self._documents.is_organiser(viewer)
        async for piece in calls.watch(name, viewer.token, everything=everything):
            kind = piece.WhichOneof("piece")
            if kind == "record" and not isinstance(watched, RunningRecord):
                tournament = name.rpartition("/")[0] or None
                watched = await self._documents.make(RunningRecord, tournament, piece.record)
                yield Happening("match", {"match": watched.document})
            elif kind == "record" and isinstance(watched, RunningRecord):
                for step in watched.take(piece.record):
                    yield Happening("step", step, is_whole=False)
            elif kind == "table" and not everything:
                watched = WatchedMatch(piece.table)
                yield Happening("match", {"match": watched.document})
            elif kind == "events" and isinstance(watched, WatchedMatch):
                told = watched.take(piece.events)
                if told is not None:
                    yield Happening("step", told, is_whole=False)
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
        self._fault: Fault | None = None
        seats = [(seat.bot, seat.version) for seat in table.seats]
        first = self._write(self._codec.read_observation(table), (), None)
        self._writer.tell(first)
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
        told = self._codec.read_events(events)
        seat = next((s for event in told if (s := getattr(event, "seat", None)) is not None), None)
        made = None if seat is None else Made(seat, None, self._fault)
        self._fault = None
        step = self._write(self._codec.read_observation(events.table), told, made)
        return self._writer.tell(step)

    def _write(self, seen: Any, events: Any, made: Made | None) -> dict[str, Json]:
        return self._writer.write({PUBLIC: seen}, {PUBLIC: events}, made)


class RunningRecord:
    """A match as organisers see it, step by step, in all views, while it runs."""

    def __init__(self, tournament: str | None, record: watch_pb2.WatchedRecord) -> None:
        """Begin with what has been recorded when somebody comes to watch."""
        self._replay = FollowedReplay(_data(record), is_growing=True)
        move_s = _seconds(record.move_time) if record.HasField("move_time") else None
        control = TimeControl(move_s, _seconds(record.bank))
        views = views_of(len(self._replay.header.seats))
        self._writer = ReplayWriter(self._replay, views, control)
        steps = [self._writer.begin(), *map(self._writer.write, self._replay)]
        self.document = self._writer.document(steps, tournament)

    def take(self, record: watch_pb2.WatchedRecord) -> Iterator[dict[str, Json]]:
        """Yield the steps that a record adds."""
        self._replay.extend(_data(record))
        return map(self._writer.tell, self._replay)


def _data(record: watch_pb2.WatchedRecord) -> bytes:
    return "\n".join(record.lines).encode()


def _seconds(duration: Duration) -> float:
    return duration.ToNanoseconds() / 1e9


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
