"""`arena view`: look at results and replays in a browser."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli import DONE
from arena.cli.signals import handled
from arena.cli.terminal import add_help
from arena.errors import InputError
from arena.games.registry import game_names
from arena.server.address import parse_address
from arena.server.loop import run_async

if TYPE_CHECKING:  # serve and tournament need some of this module, but no pages
    from arena.web.documents import Documents

_ADDRESS = "127.0.0.1:0"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena view`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="results directories, directories of them, or replay files",
    )
    parser.add_argument(
        "--listen",
        default=_ADDRESS,
        metavar="ADDRESS",
        help="serve the pages here, on this machine (default: a free port of 127.0.0.1)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address, but open no browser"
    )
    add_help(parser, "arena view results/cup", "arena view match.jsonl --no-browser")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    require_web()
    from arena.web.directory import DirectoryDocuments  # noqa: PLC0415 - needs the extra

    address = parse_address(args.listen)
    if not address.is_local:
        raise InputError(
            f"--listen {args.listen} can be reached from other machines: publish results with "
            "arena site instead, or use 127.0.0.1"
        )
    documents = DirectoryDocuments([Path(path) for path in args.paths])
    documents.load()
    return run_async(_serve(documents, args))


async def _serve(documents: Documents, args: argparse.Namespace) -> int:
    from arena.web.app import WebApp, make_app  # noqa: PLC0415 - likewise
    from arena.web.pages import load_pages  # noqa: PLC0415
    from arena.web.serving import WebAddress, address_of, serve  # noqa: PLC0415

    web = WebAddress(parse_address(args.listen))
    app = make_app(WebApp(documents, load_pages(game_names()), hosts=web.hosts))
    with web.listen() as listening:
        address = address_of(web, listening)

        def tell() -> None:
            print(f"open {address} in a browser (Ctrl-C ends)", flush=True)
            if not args.no_browser:
                open_browser(address)

        serving = asyncio.ensure_future(serve(app, web, listening, tell))
        with handled(lambda _number: cancel(serving)):
            await asyncio.wait({serving})
        if not serving.cancelled() and (error := serving.exception()) is not None:
            raise error
    return DONE


def cancel(work: asyncio.Future[None]) -> None:
    """End what runs, for a signal."""
    work.cancel()


def require_web() -> None:
    """Raise InputError unless the extra `web` is installed."""
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise InputError(
            "web pages need the extra `web`: pip install 'arena-server[web]'"
        ) from None


def open_browser(address: str) -> None:
    """Open a browser if there is one on this person's screen."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if has_screen:
        webbrowser.open(address)
