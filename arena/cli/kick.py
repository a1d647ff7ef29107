"""`arena kick`: end the session of a bot in a running arena."""

from __future__ import annotations

import argparse
import os

from arena.cli import DONE
from arena.cli.options import DEFAULT_ADDRESS, add_server
from arena.cli.terminal import add_help
from arena.client.channel import destination_from
from arena.client.organiser import OrganiserClient
from arena.errors import InputError
from arena.server.loop import run_async


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena kick`."""
    parser.add_argument("name", metavar="NAME", help="the name that the bot plays under")
    parser.add_argument(
        "--reason", default="", metavar="TEXT", help="tell the bot why (default: no reason)"
    )
    add_server(parser)
    parser.description = (
        f"{parser.description}\n\nThe bot forfeits its running matches. It can connect again; to "
        "keep it out, remove its\ntoken with arena token remove, which also ends its session.\n\n"
        "A server with tokens asks for an admin token in ARENA_TOKEN."
    )
    add_help(parser, "arena kick mine", 'arena kick mine --reason "it is too slow"')


def run(args: argparse.Namespace) -> int:
    """Have the session ended; raises InputError if there is none."""
    destination = destination_from({"ARENA_ADDRESS": DEFAULT_ADDRESS, **os.environ}, args.server)
    if not run_async(_kick(OrganiserClient(destination), args.name, args.reason)):
        raise InputError(f"no bot {args.name!r} is connected: arena lobby lists those that are")
    return DONE


async def _kick(client: OrganiserClient, name: str, reason: str) -> bool:
    async with client:
        return await client.kick(name, reason)
