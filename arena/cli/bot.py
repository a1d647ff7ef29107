"""`arena bot`: a built-in bot as a program of its own."""

from __future__ import annotations

import argparse
import os

from arena.bots.catalog import TIERS, make_bot
from arena.cli import DONE, STOPPED, complain
from arena.cli.terminal import add_help
from arena.client.bot_session import BotSession
from arena.client.channel import destination_from
from arena.config.bot_fields import check_name
from arena.errors import InputError, LostError, UnknownBotError
from arena.games.registry import get_game
from arena.server.loop import run_async

_MOST_MATCHES = 2**31


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena bot`."""
    parser.add_argument("bot", metavar="NAME", help=f"the bot: {', '.join(TIERS)}")
    parser.add_argument(
        "--name",
        dest="as_name",
        metavar="TEXT",
        help="play under this name (default: the name of the bot)",
    )
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        help="HOST:PORT or unix:PATH of the server (default: ARENA_ADDRESS)",
    )
    parser.add_argument(
        "--max-matches",
        type=int,
        default=256,
        metavar="N",
        help="play at most N matches at once (default: 256)",
    )
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        help="the seed of the bot's random choices (default: ARENA_SEED, or one that the server "
        "sends for each match)",
    )
    add_help(parser, "arena bot planner --server 127.0.0.1:50051")


def run(args: argparse.Namespace) -> int:
    """Dial and play until the arena says goodbye."""
    if args.bot.partition(":")[0] not in TIERS:
        raise UnknownBotError(f"unknown bot {args.bot!r} (there are: {', '.join(TIERS)})")
    make_bot(args.bot, get_game("byzanz"), b"")  # a wrong setting is told before dialling
    if not 1 <= args.max_matches <= _MOST_MATCHES:
        raise InputError(f"--max-matches must be 1 to {_MOST_MATCHES}, not {args.max_matches}")
    destination = destination_from(os.environ, args.server)
    seed = args.seed or os.environ.get("ARENA_SEED")
    name = check_name(args.as_name or args.bot, "--name")
    session = BotSession(args.bot, destination, args.max_matches, seed, name)
    try:
        run_async(session.run())
    except LostError as error:
        complain(error)
        return STOPPED
    return DONE
