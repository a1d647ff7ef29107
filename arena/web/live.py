"""Live events: what is followed is asked for once and kept once, however many look at it.

Every topic has one source, which runs while somebody follows it. What happened to a topic since its
last whole document is kept with the topic; a reader only knows how far it has read. Whoever takes
nothing for a while is disconnected and comes back by itself.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from arena.games.game import Json
from arena.referee.replay import encode
from arena.web.documents import Viewer
from arena.web.safety import ClientLimits, client_of

_MOST_WRITTEN = 64 * 1024  # bytes at a time, or one message: a reader holds no more of its own
_PAUSE_S = 0.25  # what happens meanwhile is written together: a write costs more than what is in it
_WRITE_TIMEOUT_S = 30.0
_HEARTBEAT_S = 15.0
_LOOK_S = 5.0  # how often it is looked for readers to whom these two apply
_LINGER_S = 5.0  # a topic is kept for a page that is loaded again
_MOST_TOPICS = 8  # that one stream follows
_LONGEST_TOPIC = 300


@dataclass(frozen=True, slots=True)
class Happening:
    """One event for the followers of a topic."""

    event: str
    data: Mapping[str, Json]
    is_whole: bool = True  # it replaces everything before it


_Place: TypeAlias = tuple[int, int]
"""How far a topic was read: the edition, and how many of its events."""

_START: _Place = (0, 0)
_NOWHERE: _Place = (-1, 0)

Source: TypeAlias = Callable[[str, Viewer], AsyncIterator[Happening]]
"""Yields what happens to a topic for ever, or until it is gone."""


@dataclass(slots=True, eq=False)
class _Topic:
    """One thing that is followed, all who follow it, and what they are sent."""

    name: str
    readers: set[_Reader] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    _history: list[bytes] = field(default_factory=list)  # the last whole event, and those after it
    _edition: int = 0  # another one for each whole event
    _taken: tuple[_Place, _Place, bytes] = (_NOWHERE, _NOWHERE, b"")  # the last answer of `take`

    def add(self, message: bytes, *, is_whole: bool) -> None:
        """Add an event; a whole one replaces those before it."""
        if is_whole:
            self._history.clear()
            self._edition += 1
        self._history.append(message)
        self._taken = (_NOWHERE, _NOWHERE, b"")

    @property
    def end(self) -> _Place:
        """The place of a reader who has read everything."""
        return self._edition, len(self._history)

    def take(self, place: _Place) -> tuple[_Place, bytes]:
        """Return what follows a place, the first of it if that is much, and the place behind it.

        Made once for all who have read equally far.
        """
        if self._taken[0] != place:
            first = place[1] if place[0] == self._edition else 0
            last, size = first, 0
            while last < len(self._history) and size < _MOST_WRITTEN:
                size += len(self._history[last])
                last += 1
            data = b"".join(self._history[first:last])
            self._taken = (place, (self._edition, last), data)
        return self._taken[1:]


class _Reader:
    """One stream: how far it has read each topic."""

    def __init__(self, topics: Iterable[_Topic]) -> None:
        self._places: dict[_Topic, _Place] = dict.fromkeys(topics, _START)
        self.wake = asyncio.Event()
        self.writing: asyncio.Task[None] | None = None
        self.busy_since: float | None = None  # it is being written to
        self.rested_since = asyncio.get_running_loop().time()

    async def write(self, send: Send) -> None:
        """Write what comes, for ever."""
        time = asyncio.get_running_loop().time
        while True:
            await self.wake.wait()
            self.wake.clear()
            data = self._take()
            if not data and self.is_quiet:
                data = b":\n\n"  # to show that we are still here
            while data:
                self.busy_since = time()
                await send({"type": "http.response.body", "body": data, "more_body": True})
                self.busy_since, self.rested_since = None, time()
                data = self._take()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing was written for so long that a sign of life is due."""
        return asyncio.get_running_loop().time() - self.rested_since > _HEARTBEAT_S - _LOOK_S

    def _take(self) -> bytes:
        for topic, place in self._places.items():
            if place != topic.end:
                self._places[topic], data = topic.take(place)
                if data:
                    return data
        return b""


class LiveEvents:
    """Serves streams of events. Its tasks end with `close`."""

    def __init__(self, source: Source, limits: ClientLimits | None = None) -> None:
        """Follow topics with this source."""
        self._source = source
        self._limits = limits or ClientLimits()
        self._topics: dict[tuple[str, str], _Topic] = {}
        self._streams: Counter[str] = Counter()
        self._lingering: set[asyncio.TimerHandle] = set()
        self._readers: set[_Reader] = set()
        self._changed: set[_Topic] = set()  # of which readers have not been told
        self._telling: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._streams.total()

    def respond(self, request: Request, viewer: Viewer) -> Response:
        """Return a stream of events about the topics that a request names."""
        topics = list(dict.fromkeys(request.query_params.getlist("follow")))
        client = client_of(request.scope)
        if not 1 <= len(topics) <= _MOST_TOPICS or any(len(t) > _LONGEST_TOPIC for t in topics):
            text = f"name 1 to {_MOST_TOPICS} topics: api/live?follow=home"
            return JSONResponse({"error": text}, 400)
        limits = self._limits
        if self.streams >= limits.streams or self._streams[client] >= limits.streams_per_client:
            text = "too many streams are open: close some tabs, or try again later"
            return JSONResponse({"error": text}, 429, {"retry-after": "10"})
        return _EventStream(self, topics, viewer, client)

    async def close(self) -> None:
        """End all sources."""
        for handle in (*self._lingering, self._telling, self._looking):
            if handle is not None:
                handle.cancel()
        tasks = [topic.task for topic in self._topics.values() if topic.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def join(self, topics: list[str], viewer: Viewer, client: str) -> _Reader:
        """Return a reader of these topics, who is sent first how they stand."""
        self._streams[client] += 1
        followed = []
        for name in topics:
            key = (name, viewer.token)
            topic = self._topics.get(key)
            if topic is None:
                topic = self._topics[key] = _Topic(name)
                topic.task = asyncio.create_task(self._feed(key, topic, viewer))
            followed.append(topic)
        reader = _Reader(followed)
        self._readers.add(reader)
        for topic in followed:
            topic.readers.add(reader)
            if topic.end[1]:
                reader.wake.set()
        if self._looking is None:
            self._look()
        return reader

    def leave(self, reader: _Reader, topics: list[str], viewer: Viewer, client: str) -> None:
        """Forget a reader; a topic without readers ends after a while."""
        self._readers.discard(reader)
        self._streams[client] -= 1
        if not self._streams[client]:
            del self._streams[client]
        for name in topics:
            key = (name, viewer.token)
            topic = self._topics.get(key)
            if topic is not None:
                topic.readers.discard(reader)
                if not topic.readers:
                    loop = asyncio.get_running_loop()
                    handle = loop.call_later(_LINGER_S, self._end_unread, key, topic)
                    self._lingering.add(handle)

    def _end_unread(self, key: tuple[str, str], topic: _Topic) -> None:
        self._lingering = {handle for handle in self._lingering if not handle.cancelled()}
        if not topic.readers and self._topics.get(key) is topic:
            del self._topics[key]
            if topic.task is not None:
                topic.task.cancel()

    async def _feed(self, key: tuple[str, str], topic: _Topic, viewer: Viewer) -> None:
        async for happening in self._source(topic.name, viewer):
            data = encode({"topic": topic.name, **happening.data})
            message = f"event: {happening.event}\ndata: {data}\n\n".encode()
            topic.add(message, is_whole=happening.is_whole)
            self._changed.add(topic)
            if self._telling is None:
                self._telling = asyncio.get_running_loop().call_later(_PAUSE_S, self._tell)
        # What has ended is looked at again when somebody asks again.
        if self._topics.get(key) is topic:
            del self._topics[key]

    def _tell(self) -> None:
        """Have everybody read what has happened."""
        self._telling = None
        for topic in self._changed:
            for reader in topic.readers:
                reader.wake.set()
        self._changed.clear()

    def _look(self) -> None:
        """Give a sign of life where nothing happens, and let those go who take nothing."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for reader in self._readers:
            if reader.busy_since is not None:
                if now - reader.busy_since > _WRITE_TIMEOUT_S and reader.writing is not None:
                    reader.writing.cancel()
            elif reader.is_quiet:
                reader.wake.set()
        self._looking = loop.call_later(_LOOK_S, self._look) if self._readers else None


class _EventStream(Response):
    """One stream of server-sent events, written until the reader goes or is too slow."""

    def __init__(self, live: LiveEvents, topics: list[str], viewer: Viewer, client: str) -> None:
        super().__init__(
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )
        del self.headers["content-length"]
        self._live = live
        self._topics = topics
        self._viewer = viewer
        self._client = client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write events, while somebody listens."""
        reader = self._live.join(self._topics, self._viewer, self._client)
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": self.raw_headers,
                }
            )
            writing = reader.writing = asyncio.create_task(reader.write(send))
            leaving = asyncio.create_task(_wait_for_leave(receive))
            try:
                await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writing, leaving):
                    task.cancel()
                await asyncio.gather(writing, leaving, return_exceptions=True)
        finally:
            self._live.leave(reader, self._topics, self._viewer, self._client)


async def _wait_for_leave(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
