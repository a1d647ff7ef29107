"""The page of a running tournament in a real browser: it moves, rests and comes back by itself."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from arena.cli.serve import direct
from arena.client.channel import Destination
from arena.config.bot_spec import BotSpec
from arena.config.tournament import RunSettings, TournamentConfig, Unfit, write_config
from arena.games.registry import game_names
from arena.referee.clock import TimeControl
from arena.server.address import Address, parse_address
from arena.server.app import Arena, ArenaOptions
from arena.web.app import WebApp, make_app
from arena.web.arena_calls import ArenaCalls
from arena.web.following import Followers
from arena.web.gateway import ArenaDocuments
from arena.web.live import LiveEvents
from arena.web.pages import load_pages
from arena.web.serving import WebAddress, address_of, serve
from tests.integration.bots import House, answer, answers
from tests.waiting import until

pytestmark = pytest.mark.slow

BOTS = ("ann", "ben", "cem")
CUP = TournamentConfig(
    name="cup",
    game="byzanz",
    players=3,
    rounds=500,  # more than are played here
    control=TimeControl(60.0, 60.0, 5.0),
    bots={bot: BotSpec(bot, connected=True) for bot in BOTS},
    run=RunSettings(concurrency=1),
)
PAUSE_S = 0.02  # before each answer: there is time to look, and none is used

HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def _play(stream):
    while (message := await stream.hear()) is not None:
        if message.WhichOneof("message") == "decisions":
            await asyncio.sleep(PAUSE_S)
            await stream.say(answers(*(answer(one, 0) for one in message.decisions.decisions)))


class RunningCup:
    """A tournament that runs, and a gateway that shows it, in a thread; the arena can go away."""

    def __init__(self, directory):
        self._directory = directory
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self.address = ""
        self.live: LiveEvents

    async def run(self, ready):
        calls = ArenaCalls(Destination(f"unix:{self._directory / 'arena'}"))
        documents = ArenaDocuments(calls, title="test", has_login=False)
        self.live = LiveEvents(Followers(documents, calls).follow)
        web = WebAddress(parse_address("127.0.0.1:0"))
        app = make_app(WebApp(documents, load_pages(game_names()), live=self.live, hosts=web.hosts))
        with web.listen() as listening:
            self.address = address_of(web, listening)
            serving = asyncio.create_task(serve(app, web, listening, ready.set))
            await self._stopping.wait()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        await self.live.close()
        await calls.close()

    @contextlib.asynccontextmanager
    async def _arena(self):
        async with (
            Arena(ArenaOptions(games=["byzanz"])) as arena,
            direct(arena, self._directory / "results", lambda _played: None) as director,
        ):
            address = Address(f"unix:{self._directory / 'arena'}")
            await arena.listen([address])
            house = House(arena, address.text)
            streams = [(await house.enter(bot, max_matches=16))[0] for bot in BOTS]
            playing = [asyncio.create_task(_play(stream)) for stream in streams]
            await director.start(write_config(CUP), Unfit.STOP)
            try:
                yield
            finally:
                await director.close(0.0)
                await house.close()
                await asyncio.gather(*playing, return_exceptions=True)

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        """Have the arena there, and the tournament go on."""
        arena = self._arena()
        asyncio.run_coroutine_threadsafe(arena.__aenter__(), self._loop).result(60)
        try:
            yield
        finally:
            leaving = arena.__aexit__(None, None, None)
            asyncio.run_coroutine_threadsafe(leaving, self._loop).result(60)

    @contextlib.contextmanager
    def shown(self) -> Iterator[None]:
        """Serve the pages."""
        ready = threading.Event()

        def work() -> None:
            asyncio.set_event_loop(self._loop)
            self._loop.run_until_complete(self.run(ready))
            self._loop.close()

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        assert ready.wait(20)
        yield
        self._loop.call_soon_threadsafe(self._stopping.set)
        thread.join(30)

    def follow(self, count: int) -> None:
        """Wait until so many tabs follow."""
        waiting = until(lambda: self.live.streams == count)
        asyncio.run_coroutine_threadsafe(waiting, self._loop).result(60)


def played(tab) -> int:
    text = tab.page.locator("dl.facts dd").first.inner_text()
    found = re.match(r"[\d,\s]+", text)
    assert found is not None, text
    return int(re.sub(r"\D", "", found[0]))


def moves_on(tab) -> None:
    """Wait until the page has told of another match without being touched."""
    before = tab.page.locator("dl.facts dd").first.inner_text()
    expect(tab.page.locator("dl.facts dd").first).not_to_have_text(before)


def test_the_page_of_a_running_tournament_moves(tab, tmp_path):
    """By itself, not while it is hidden, and again after a restart of the arena."""
    cup = RunningCup(tmp_path)
    with cup.shown():
        with cup.playing():
            tab.page.goto(f"{cup.address}tournament.html?t=cup")
            moves_on(tab)
            expect(tab.page.locator("section:has(#running) li")).not_to_have_count(0)
            first = played(tab)
            assert (
                tab.page.locator("table.standings tbody tr, #standings ~ * tbody tr").count() >= 3
            )

            cup.follow(1)
            tab.page.evaluate(HIDE, arg=True)
            cup.follow(0)
            rested = played(tab)
            tab.page.evaluate(HIDE, arg=False)
            cup.follow(1)
            moves_on(tab)
            assert played(tab) > rested >= first

        expect(tab.page.get_by_text("connection lost")).to_be_visible()
        before = played(tab)
        with cup.playing():
            expect(tab.page.get_by_text("connection lost")).not_to_be_visible()
            moves_on(tab)
            assert played(tab) > before
        assert tab.said == []
