"""Pages served to a real browser: replays of every table, from a thread of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cli import main
from arena.games.byzanz import Byzanz
from arena.games.registry import game_names
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.server.address import parse_address
from arena.web.app import WebApp, make_app
from arena.web.directory import DirectoryDocuments
from arena.web.pages import load_pages
from arena.web.serving import WebAddress, address_of, serve

GAMES = (Byzanz(), Schwarzmarkt())
TABLES = [(game.name, size) for game in GAMES for size in game.table_sizes]


def play_all(directory: Path) -> None:
    """Write a replay of every game at every table size."""
    for name, size in TABLES:
        bots = ",".join(["greedy", "random", *["random"] * (size - 2)])
        file = directory / f"{name}-{size}.jsonl"
        assert main(["play", name, "--bots", bots, "--seed", "5", "--replay", str(file)]) == 0


@contextmanager
def serving(*paths: Path) -> Iterator[str]:
    """Serve results and replays as `arena view` does; gives the address."""
    documents = DirectoryDocuments(list(paths))
    documents.load()
    web = WebAddress(parse_address("127.0.0.1:0"))
    app = make_app(WebApp(documents, load_pages(game_names()), hosts=web.hosts))
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    with web.listen() as listening:
        task = loop.create_task(serve(app, web, listening, ready.set))

        def run() -> None:
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(asyncio.wait({task}))
            finally:
                loop.close()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert ready.wait(20)
        yield address_of(web, listening)
        loop.call_soon_threadsafe(task.cancel)
        thread.join(20)
