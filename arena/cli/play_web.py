"""`arena play --web`: an arena for one person, who plays in a browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from arena.cli import DONE, complain
from arena.cli.options import write_file
from arena.cli.serve import direct
from arena.cli.signals import handled
from arena.cli.web import web_address
from arena.cli.web_beside import arena_flags, private_address, web_beside
from arena.errors import InputError
from arena.games.game import AnyGame
from arena.referee.match import PlayedMatch
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import AdmitAll
from arena.server.limits import SessionLimits
from arena.server.loop import run_async


def play_in_browser(game: AnyGame, args: argparse.Namespace) -> int:
    """Serve the pages until Ctrl-C."""
    for flag in ("bots", "seed"):
        if getattr(args, flag):
            raise InputError(f"--web lets you choose on the page: leave out --{flag}")
    if args.human is not None or args.json or args.watch or game.options:
        raise InputError("--web goes with --replay only")
    args.web_cert = args.web_key = None
    args.behind_proxy = False
    if not web_address(args).address.is_local:
        raise InputError(f"--web {args.web} can be reached from other machines: use arena serve")
    return run_async(_play(game, args))


async def _play(game: AnyGame, args: argparse.Namespace) -> int:
    stopping = asyncio.Event()
    options = ArenaOptions(
        games=[game.name], admission=AdmitAll(), has_tokens=False, limits=SessionLimits()
    )
    with (
        handled(lambda _number: stopping.set()),
        private_address() as address,
        tempfile.TemporaryDirectory(prefix="arena-play-") as results,
    ):
        async with (
            contextlib.AsyncExitStack() as exits,
            Arena(options) as arena,
            direct(arena, Path(results), _keeper(args.replay)),
        ):
            await arena.listen([address])
            page = f"play.html?{urlencode({'game': game.name})}"
            flags = [*arena_flags(address), "--open", "--page", page]
            await exits.enter_async_context(web_beside(args, flags))
            await stopping.wait()
    return DONE


def _keeper(path: str | None) -> Callable[[PlayedMatch], None]:
    """Return what writes the replay of the last match."""

    def keep(played: PlayedMatch) -> None:
        if path is not None and played.outcome is not None:
            try:
                write_file(path, played.replay)
            except InputError as error:
                complain(error)

    return keep
