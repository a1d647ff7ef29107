"""`arena web`: a gateway that shows a running arena, or a running tournament, in browsers."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli import DONE
from arena.cli.logs import add_log_options, set_up_logs
from arena.cli.options import DEFAULT_ADDRESS
from arena.cli.signals import handled
from arena.cli.terminal import add_help
from arena.cli.view import cancel, open_browser, require_web
from arena.client.channel import Destination, destination_from
from arena.errors import InputError, LostError
from arena.games.registry import game_names
from arena.server.address import parse_address
from arena.server.loop import run_async

if TYPE_CHECKING:
    from arena.web.app import WebApp
    from arena.web.arena_calls import ArenaCalls
    from arena.web.serving import WebAddress

LOG = logging.getLogger("arena.web")

DEFAULT_WEB = "127.0.0.1:8080"
_GREETING_S = 5.0
_LOWER_PRIORITY = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena web`."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--arena",
        metavar="ADDRESS",
        help=f"show the arena at HOST:PORT or unix:PATH (default: ARENA_ADDRESS or "
        f"{DEFAULT_ADDRESS}); ARENA_TOKEN is the gateway's token",
    )
    what.add_argument(
        "--results",
        metavar="DIR",
        help="show the results directory of a tournament that runs on this machine",
    )
    add_web_options(parser, DEFAULT_WEB)
    parser.add_argument(
        "--db", metavar="URL", help="with --results: the tournament's database, if not in DIR"
    )
    parser.add_argument(
        "--gallery",
        metavar="DIR",
        help="with --results: where the arenas that play it let their matches be watched",
    )
    parser.add_argument(
        "--no-play", action="store_true", help="do not let people play from their browsers"
    )
    parser.add_argument(
        "--open", action="store_true", help="open a browser on this machine if there is one"
    )
    parser.add_argument(
        "--page", default="", metavar="PAGE", help="the page to open (default: the home page)"
    )
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help="end when the standard input ends, and run with a lower priority: for programs that "
        "start a gateway beside an arena",
    )
    parser.add_argument(
        "--sweep", metavar="DIR", help="with --until-eof: remove this directory then"
    )
    add_log_options(parser, "warning")
    add_help(
        parser,
        "arena web --arena 127.0.0.1:50051",
        "arena web --arena cup.example:50051 --web 0.0.0.0:443 --web-cert cert.pem "
        "--web-key key.pem",
    )


def add_web_options(parser: argparse._ActionsContainer, default: str | None) -> None:
    """Add where browsers are listened for."""
    parser.add_argument(
        "--web",
        default=default,
        metavar="ADDRESS",
        help=f"serve web pages at HOST:PORT (default: {default or 'do not'})",
    )
    parser.add_argument(
        "--web-cert", metavar="FILE", help="certificate of the web pages, PEM (default: no TLS)"
    )
    parser.add_argument("--web-key", metavar="FILE", help="the private key of --web-cert, PEM")
    parser.add_argument(
        "--behind-proxy",
        action="store_true",
        help="a proxy in front of --web encrypts; trust the client addresses that it names",
    )


def web_address(args: argparse.Namespace) -> WebAddress:
    """Return where browsers are listened for; raises InputError if that is not safe."""
    require_web()
    from arena.web.serving import WebAddress  # noqa: PLC0415 - needs the extra

    return WebAddress(
        parse_address(args.web),
        Path(args.web_cert) if args.web_cert else None,
        Path(args.web_key) if args.web_key else None,
        is_behind_proxy=args.behind_proxy,
    )


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM."""
    if args.until_eof:
        _end_at_eof(args.sweep)
    set_up_logs(args.log, args.log_level)
    for flag in ("db", "gallery"):
        if getattr(args, flag) and not args.results:
            raise InputError(f"--{flag} needs --results")
    web = web_address(args)
    if args.until_eof:
        os.nice(_LOWER_PRIORITY)  # pages can wait, clocks cannot
    return run_async(_serve(args, web))


async def _serve(args: argparse.Namespace, web: WebAddress) -> int:
    from arena.web.app import make_app  # noqa: PLC0415 - needs the extra
    from arena.web.serving import address_of, serve  # noqa: PLC0415

    with web.listen() as listening:
        async with _results_app(args, web) if args.results else _arena_app(args, web) as app:
            address = address_of(web, listening)

            def tell() -> None:
                print(f"web pages on {address}{args.page}", flush=True)
                if args.open:
                    open_browser(address + args.page)

            serving = asyncio.ensure_future(serve(make_app(app), web, listening, tell))
            with handled(lambda _number: cancel(serving)):
                await asyncio.wait({serving})
            if not serving.cancelled() and (error := serving.exception()) is not None:
                raise error
    return DONE


def _end_at_eof(directory: str | None) -> None:
    """End this process and the bots that it has started with the standard input, at once.

    From the beginning and whatever it is doing: nothing is lost, and browsers come back.
    """
    descriptor = sys.stdin.fileno()

    def watch() -> None:
        while os.read(descriptor, 1024):
            pass
        if directory is not None:
            shutil.rmtree(directory, ignore_errors=True)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), signal.SIGTERM)
        os._exit(DONE)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.asynccontextmanager
async def _arena_app(args: argparse.Namespace, web: WebAddress) -> AsyncIterator[WebApp]:
    """Yield the pages of an arena."""
    from arena.web.app import WebApp  # noqa: PLC0415 - needs the extra
    from arena.web.arena_calls import ArenaCalls  # noqa: PLC0415
    from arena.web.following import Followers  # noqa: PLC0415
    from arena.web.gateway import ArenaDocuments  # noqa: PLC0415
    from arena.web.live import LiveEvents  # noqa: PLC0415
    from arena.web.pages import load_pages  # noqa: PLC0415
    from arena.web.play import PeopleTables  # noqa: PLC0415
    from arena.web.safety import ClientLimits  # noqa: PLC0415

    values = {"ARENA_ADDRESS": DEFAULT_ADDRESS, **os.environ}
    destination = destination_from(values, args.arena)
    calls, limits = ArenaCalls(destination), ClientLimits()
    has_tokens = await _has_tokens(calls, destination)
    title = "arena" if destination.address.startswith("unix:") else destination.address
    documents = ArenaDocuments(calls, title=title, has_login=has_tokens)
    live = LiveEvents(Followers(documents, calls).follow, limits)
    tables = None
    if not args.no_play:
        tables = PeopleTables(documents, destination, limits, guests=not has_tokens)
        documents.play = tables.offer(game_names())
    try:
        yield WebApp(
            documents,
            load_pages(game_names()),
            live=live,
            player=tables,
            tokens=calls if has_tokens else None,
            hosts=web.hosts,
            is_tls=web.is_tls or web.is_behind_proxy,
            limits=limits,
        )
    finally:
        await live.close()
        if tables is not None:
            await tables.close()
        await calls.close()


async def _has_tokens(calls: ArenaCalls, destination: Destination) -> bool:
    """Return whether the arena asks for tokens; raises InputError if the gateway's own is none."""
    try:
        async with asyncio.timeout(_GREETING_S):
            if await calls.is_known(""):
                return False
            if await calls.is_known(destination.token):
                return True
    except (LostError, TimeoutError) as error:
        LOG.warning("no arena at %s yet (%s); trying again", destination.address, error)
        return bool(destination.token)
    raise InputError(
        f"the arena at {destination.address} asks for a token: arena token add web --tokens FILE "
        "there, and set ARENA_TOKEN here to what it prints"
    )


@contextlib.asynccontextmanager
async def _results_app(args: argparse.Namespace, web: WebAddress) -> AsyncIterator[WebApp]:
    """Yield the pages of a tournament on this machine."""
    from arena.web.app import WebApp  # noqa: PLC0415 - needs the extra
    from arena.web.directory import DirectoryDocuments, tournament_name  # noqa: PLC0415
    from arena.web.documents import Documents  # noqa: PLC0415
    from arena.web.following import Followers  # noqa: PLC0415
    from arena.web.live import LiveEvents  # noqa: PLC0415
    from arena.web.pages import load_pages  # noqa: PLC0415
    from arena.web.running import GalleryCalls, RunningDocuments  # noqa: PLC0415

    directory = Path(args.results)
    calls: GalleryCalls | None = None
    if args.gallery:
        calls = GalleryCalls(Path(args.gallery), tournament_name(directory))
        documents: Documents = RunningDocuments(directory, calls, db=args.db)
    else:
        documents = DirectoryDocuments(
            [directory], host="live", db=args.db, shows_logs=False, is_live=True
        )
    live = LiveEvents(Followers(documents, calls).follow)
    try:
        yield WebApp(
            documents,
            load_pages(game_names()),
            live=live,
            tokens=calls,
            hosts=web.hosts,
            is_tls=web.is_tls or web.is_behind_proxy,
        )
    finally:
        await live.close()
        if calls is not None:
            await calls.close()
