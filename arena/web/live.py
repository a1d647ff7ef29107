"""Live events: what is followed is asked for once, however many look at it.

Every topic has one source, which runs while somebody follows it. A reader has at most one document
of each topic waiting, and a bounded number of steps; whoever is too slow is disconnected and comes
back by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from arena.games.game import Json
from arena.referee.replay import encode
from arena.web.documents import Viewer
from arena.web.safety import Limits, client_of

_BACKLOG = 2_000  # steps that may wait for one reader; all readers share their bytes
_MOST_WRITTEN = 64 * 1024  # bytes at a time, or one message: a reader holds no more of its own
_PAUSE_S = 0.25  # between writes to one reader: a write costs more than what is in it
_WRITE_TIMEOUT_S = 30.0
_HEARTBEAT_S = 15.0
_LINGER_S = 5.0  # a topic is kept for a page that is loaded again
_MOST_TOPICS = 8  # that one stream follows
_LONGEST_TOPIC = 300


@dataclass(frozen=True, slots=True)
class Happening:
    """One event for the followers of a topic."""

    event: str
    data: Mapping[str, Json]
    is_whole: bool = True  # it replaces everything before it


Source: TypeAlias = Callable[[str, Viewer], AsyncIterator[Happening]]
"""Yields what happens to a topic for ever, or until it is gone."""


class _Reader:
    """What waits for one stream: the latest whole event of each topic, and what came after it."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[bytes]] = OrderedDict()
        self._some = asyncio.Event()
        self.is_slow = False

    def push(self, topic: str, message: bytes, *, is_whole: bool) -> None:
        queue = self._waiting.setdefault(topic, deque())
        if is_whole:
            queue.clear()
        queue.append(message)
        self.is_slow = self.is_slow or len(queue) > _BACKLOG
        self._some.set()

    async def take(self) -> bytes:
        """Return what waits, the first of it if that is much; empty if nothing came for a while."""
        if not self._some.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_HEARTBEAT_S):
                    await self._some.wait()
        taken: list[bytes] = []
        size = 0
        while self._waiting and size < _MOST_WRITTEN:
            topic, queue = next(iter(self._waiting.items()))
            taken.append(queue.popleft())
            size += len(taken[-1])
            if not queue:
                del self._waiting[topic]
        if not self._waiting:
            self._some.clear()
        return b"".join(taken)

    @property
    def is_waiting(self) -> bool:
        """Whether there is more to write."""
        return self._some.is_set()


@dataclass(slots=True)
class _Topic:
    """One thing that is followed, and all who follow it."""

    name: str
    readers: set[_Reader] = field(default_factory=set)
    history: list[bytes] = field(default_factory=list)  # what a new reader is sent
    task: asyncio.Task[None] | None = None
    is_gone: bool = False


class LiveEvents:
    """Serves streams of events. Its tasks end with `close`."""

    def __init__(self, source: Source, limits: Limits | None = None) -> None:
        """Follow topics with this source."""
        self._source = source
        self._limits = limits or Limits()
        self._topics: dict[tuple[str, str], _Topic] = {}
        self._streams: Counter[str] = Counter()
        self._lingering: set[asyncio.TimerHandle] = set()

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
        return _Stream(self, topics, viewer, client)

    async def close(self) -> None:
        """End all sources."""
        for handle in self._lingering:
            handle.cancel()
        tasks = [topic.task for topic in self._topics.values() if topic.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def join(self, topics: list[str], viewer: Viewer, client: str) -> _Reader:
        """Return a reader of these topics, who has been sent how they stand."""
        self._streams[client] += 1
        reader = _Reader()
        for name in topics:
            key = (name, viewer.token)
            topic = self._topics.get(key)
            if topic is None:
                topic = self._topics[key] = _Topic(name)
                topic.task = asyncio.create_task(self._feed(key, topic, viewer))
            for number, message in enumerate(topic.history):
                reader.push(name, message, is_whole=number == 0)
            topic.readers.add(reader)
        return reader

    def leave(self, reader: _Reader, topics: list[str], viewer: Viewer, client: str) -> None:
        """Forget a reader; a topic without readers ends after a while."""
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
            if happening.is_whole:
                topic.history.clear()
            topic.history.append(message)
            for reader in list(topic.readers):
                reader.push(topic.name, message, is_whole=happening.is_whole)
        # What has ended is looked at again when somebody asks again.
        if self._topics.get(key) is topic:
            del self._topics[key]


class _Stream(Response):
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
            writing = asyncio.create_task(_write(reader, send))
            leaving = asyncio.create_task(_wait_for_leave(receive))
            try:
                await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writing, leaving):
                    task.cancel()
                await asyncio.gather(writing, leaving, return_exceptions=True)
        finally:
            self._live.leave(reader, self._topics, self._viewer, self._client)


async def _write(reader: _Reader, send: Send) -> None:
    while not reader.is_slow:
        message = await reader.take() or b":\n\n"
        async with asyncio.timeout(_WRITE_TIMEOUT_S):
            await send({"type": "http.response.body", "body": message, "more_body": True})
        if not reader.is_waiting:
            await asyncio.sleep(_PAUSE_S)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_for_leave(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
