"""A gateway beside a real arena on a unix socket; the pages are played by the test."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from arena.cli.serve import direct
from arena.client.bot_session import BotSession
from arena.client.channel import Destination
from arena.errors import UnknownDocumentError
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.v1 import watch_pb2
from arena.v1.watch_pb2_grpc import WatchServiceStub
from arena.web.arena_calls import ArenaCalls, WantedMatch
from arena.web.documents import Viewer
from arena.web.following import Followers
from arena.web.gateway import ArenaDocuments
from arena.web.play import SUBPROTOCOL, PeopleTables
from arena.web.safety import ClientLimits
from tests.waiting import until


class Page:
    """The end of a WebSocket in the browser: what a test sends, and what it was sent."""

    def __init__(self, *first):
        self.scope = {"subprotocols": [SUBPROTOCOL], "client": ("127.0.0.1", 1)}
        self._out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed = asyncio.Event()
        for message in first:
            self.say(message)

    def say(self, message):
        text = message if isinstance(message, str) else json.dumps(message)
        self._out.put_nowait({"type": "websocket.receive", "text": text})

    def cut(self):
        self._out.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def accept(self, _subprotocol):
        pass

    async def receive(self):
        return await self._out.get()

    async def send_text(self, text):
        if self.closed.is_set():
            raise WebSocketDisconnect(1006)
        self.sent.put_nowait(json.loads(text))

    async def close(self, _code=1000, _reason=""):
        self.closed.set()

    async def next(self, *kinds):
        while (message := await self.sent.get())["type"] not in kinds:
            pass
        return message


@contextlib.asynccontextmanager
async def gateway(tmp_path, *bots):
    """Run an arena with bots in its lobby and a gateway that shows it."""
    address = Address(f"unix:{tmp_path / 'arena'}")
    destination = Destination(address.text)
    async with (
        Arena(ArenaOptions(games=["byzanz"])) as arena,
        direct(arena, tmp_path / "results", lambda _played: None),
    ):
        await arena.listen([address])
        playing = [
            asyncio.create_task(BotSession("random", destination, 4, "1", name).run())
            for name in bots
        ]
        await until(lambda: len(arena.lobby.sessions()) == len(bots))
        calls = ArenaCalls(destination)
        documents = ArenaDocuments(calls, title="test", has_login=False)
        tables = PeopleTables(documents, destination, ClientLimits(), guests=True)
        try:
            yield SimpleNamespace(arena=arena, calls=calls, documents=documents, tables=tables)
        finally:
            await tables.close()
            await calls.close()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


SIT = {"type": "sit", "game": "byzanz", "bots": ["zoe", None], "name": "ann", "seat": 1}


@pytest.mark.slow
async def test_a_person_plays_a_whole_match(tmp_path):
    """Moves, a reload in the middle, a refused move with its reason, the end and the replay."""
    async with gateway(tmp_path, "zoe", "max") as web:
        page = Page(SIT)
        serving = asyncio.create_task(web.tables.play(page, Viewer()))
        seated = await page.next("seated", "error")
        assert seated["type"] == "seated", seated
        assert seated["match"]["views"] == ["1"]
        assert [seat["bot"] for seat in seated["match"]["seats"]] == ["zoe", "ann", "max"]
        moves = 0
        while (message := await page.next("decision", "ended"))["type"] == "decision":
            number = message["decision"]
            if moves == 2:  # the page is loaded again
                page.cut()
                await serving
                page = Page({"type": "resume", "key": seated["key"]})
                serving = asyncio.create_task(web.tables.play(page, Viewer()))
                again = await page.next("seated")
                assert len(again["match"]["steps"]) == moves + 1
                message = await page.next("decision")
                assert message["decision"] == number
            if moves == 3:
                wrong = {"type": "give", "card": "wine-1"}
                page.say({"type": "why", "decision": number, "move": wrong})
                reason = await page.next("reason")
                assert reason["rule"].startswith("B")
                page.say({"type": "move", "decision": number, "move": wrong})
                assert (await page.next("refused"))["text"] == reason["text"]
                page.say("{no JSON")
                page.say({"type": "move", "decision": number - 1, "move": {}})
                assert "not understood" in (await page.next("refused"))["text"]
                assert "turn" in (await page.next("refused"))["text"]
            page.say({"type": "move", "decision": number, "move": message["legal"][0][0]})
            moves += 1
        assert min(message["outcome"]["ranks"]) == 1
        await until(lambda: seated["match"]["match"] in web.documents.kept)
        address = message["replay"].removeprefix("data/")
        document = json.loads(gzip.decompress((await web.documents.get(address, Viewer())).content))
        assert document["outcome"] == message["outcome"]
        page.cut()
        await serving


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ("[1]", "JSON object"),
        ({"type": "move"}, "first message"),
        ({"type": "resume", "key": "x"}, "no longer there"),
        ({**SIT, "game": "chess"}, "chess"),
        ({**SIT, "bots": ["zoe"]}, "3 to 6 players"),
        ({**SIT, "bots": [1, 2]}, "list of names"),
        ({**SIT, "seat": 7}, "seat must be"),
        ({**SIT, "name": "../x"}, "must not"),
        ({**SIT, "bots": ["zoe", "nobody"]}, "not in the lobby"),
        ({**SIT, "bots": [None, None]}, "not enough free bots"),
    ],
)
async def test_a_wish_that_cannot_be_is_refused_with_a_reason(tmp_path, first, reason):
    """The page is told what is wrong, and the connection ends."""
    async with gateway(tmp_path, "zoe") as web:
        page = Page(first)
        await web.tables.play(page, Viewer())

        assert reason in (await page.next("error"))["text"]
        assert page.closed.is_set()


async def test_a_match_is_followed_step_by_step(tmp_path):
    """Whoever follows a running match gets the table after every move, and the end."""
    async with gateway(tmp_path, "zoe", "max", "ida") as web:
        source = Followers(web.documents, web.calls)
        beginning = asyncio.create_task(_follow_next(web, source))
        await until(lambda: bool(web.arena.hall._awaited))
        table = WantedMatch("byzanz", ["zoe", "max", "ida"], 5.0, 5.0)
        await web.calls.start_match(table, "")
        happenings = await beginning

        kinds = [happening.event for happening in happenings]
        assert kinds[0] == "match"
        assert kinds[-1] == "ended"
        assert set(kinds[1:-1]) == {"step"}
        numbers = [one.data["number"] for one in happenings[1:-1]]
        assert numbers == list(range(1, len(numbers) + 1))
        assert any("table" in one.data["step"] for one in happenings[1:-1])
        home = await web.documents.home(Viewer())
        assert {bot["name"] for bot in home["bots"]} == {"zoe", "max", "ida"}


async def _follow_next(web, source):
    """Follow the next match from its first move on, as an arena shows it to a gateway."""
    original = web.calls.watch

    def watch_next(_match, _token, *, everything):
        assert not everything
        request = watch_pb2.WatchRequest(next=True, with_tables=True)
        return WatchServiceStub(web.calls._dial()).Watch(request)

    web.calls.watch = watch_next
    try:
        return [happening async for happening in source.follow("match/next", Viewer())]
    finally:
        web.calls.watch = original


async def test_what_is_not_there_is_gone(tmp_path):
    """A topic that nobody knows ends with a reason; an arena that is away is waited for."""
    async with gateway(tmp_path) as web:
        source = Followers(web.documents, web.calls)
        for topic in ("tournament/none", "match/none", "nonsense", "home/x"):
            found = [happening async for happening in source.follow(topic, Viewer())]
            assert [happening.event for happening in found] == ["gone"]
        with pytest.raises(UnknownDocumentError):
            await web.documents.get("replays/none.json.gz", Viewer())
    offline = ArenaCalls(Destination(f"unix:{tmp_path / 'nothing'}"))
    source = Followers(ArenaDocuments(offline, title="", has_login=False), offline)
    async with contextlib.aclosing(source.follow("home", Viewer())) as events:
        assert (await anext(events)).event == "offline"
    await offline.close()
