from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

from arena.testing import VirtualLoop
from arena.web.documents import Viewer
from arena.web.live import Happening, LiveEvents
from arena.web.safety import ClientLimits


def following(*topics, client="10.0.0.1"):
    query = urlencode([("follow", topic) for topic in topics]).encode()
    scope = {"type": "http", "client": (client, 1), "query_string": query, "headers": []}
    return Request(scope)


class Source:
    """Topics whose events a test pushes; counts how often each is followed."""

    def __init__(self):
        self.queues = {}
        self.begun = 0

    async def follow(self, topic, viewer):
        self.begun += 1
        queue = self.queues.setdefault(topic, asyncio.Queue())
        while (happening := await queue.get()) is not None:
            yield happening


class Stream:
    """A tab that follows topics; `reads` says whether it takes what it is sent."""

    def __init__(self, live, *topics, client="10.0.0.1"):
        request = following(*topics, client=client)
        self.scope = request.scope
        self.response = live.respond(request, Viewer())
        self.body = b""
        self.written: list[bytes] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.gone = asyncio.Event()
        self.task = asyncio.create_task(self.response(self.scope, self._receive, self._send))

    async def _receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        await self.reads.wait()
        self.body += message.get("body", b"")
        self.written.append(message.get("body", b""))

    def events(self):
        return [
            (event.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
            for event, data in (
                part.split("\n")
                for part in self.body.decode().split("\n\n")[:-1]
                if part.startswith("event")
            )
        ]

    async def leave(self):
        self.gone.set()
        await self.task


@pytest.fixture
def loop_factory():
    """Pauses between writes take no time here."""
    return VirtualLoop


async def settle():
    await asyncio.sleep(1)


async def test_many_tabs_follow_one_source():
    """A topic is followed once; whoever comes later is sent how it stands."""
    source = Source()
    live = LiveEvents(source.follow)
    tabs = [Stream(live, "home") for _ in range(50)]
    await settle()
    source.queues["home"].put_nowait(Happening("home", {"home": 1}))
    await settle()
    late = Stream(live, "home")
    await settle()

    assert source.begun == 1
    for tab in (*tabs, late):
        assert tab.events() == [("home", {"topic": "home", "home": 1})]
        await tab.leave()
    await live.close()


async def test_a_tab_that_does_not_read_holds_one_document():
    """Of what replaces what was before only the last waits, however slow the reader is."""
    source = Source()
    live = LiveEvents(source.follow)
    tab = Stream(live, "home")
    await settle()
    tab.reads.clear()
    for number in range(1000):
        source.queues["home"].put_nowait(Happening("home", {"home": number}))
    await settle()
    tab.reads.set()
    await settle()

    assert len(tab.events()) <= 3
    assert tab.events()[-1][1]["home"] == 999
    await tab.leave()
    await live.close()


async def test_what_comes_fast_is_written_together():
    """A hundred steps of a second are a few writes, none is lost, and much is written in parts."""
    source = Source()
    live = LiveEvents(source.follow)
    tab = Stream(live, "match/1")
    await settle()
    for number in range(100):
        data: dict[str, Any] = {"number": number, "text": "x" * 5_000}
        source.queues["match/1"].put_nowait(Happening("step", data, is_whole=False))
        await asyncio.sleep(0.01)
    await settle()

    assert [data["number"] for _, data in tab.events()] == list(range(100))
    assert max(map(len, tab.written)) < 80_000
    assert len(tab.written) < 20
    await tab.leave()
    await live.close()


async def test_a_tab_that_takes_nothing_is_disconnected():
    """After a while it is let go, and comes back by itself; until then it misses nothing."""
    source = Source()
    live = LiveEvents(source.follow)
    patient, stuck = Stream(live, "match/1"), Stream(live, "match/1")
    await settle()
    for tab in (patient, stuck):
        tab.reads.clear()
    for number in range(5_000):
        source.queues["match/1"].put_nowait(Happening("step", {"number": number}, is_whole=False))
    await asyncio.sleep(20)
    assert live.streams == 2
    patient.reads.set()
    await settle()
    assert [data["number"] for _, data in patient.events()] == list(range(5_000))
    await asyncio.wait_for(stuck.task, 20)

    assert live.streams == 1
    await patient.leave()
    await live.close()


async def test_a_quiet_stream_shows_that_it_is_alive():
    """Proxies end connections on which nothing is written."""
    live = LiveEvents(Source().follow)
    tab = Stream(live, "home")
    await asyncio.sleep(61)

    assert 4 <= tab.body.count(b":\n\n") <= 6
    await tab.leave()
    await live.close()


@pytest.mark.parametrize("topics", [(), ("x" * 400,), tuple(map(str, range(9)))])
async def test_a_stream_names_a_few_short_topics(topics):
    """Anything else is refused."""
    live = LiveEvents(Source().follow)
    request = following(*topics)

    assert live.respond(request, Viewer()).status_code == 400


async def test_streams_are_limited_by_client():
    """One client cannot take all streams."""
    live = LiveEvents(Source().follow, ClientLimits(streams_per_client=2))
    tabs = [Stream(live, "home") for _ in range(2)]
    await settle()
    request = following("home")

    assert live.respond(request, Viewer()).status_code == 429
    for tab in tabs:
        await tab.leave()
    await live.close()
