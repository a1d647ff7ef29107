"""`arena lobby`: who is connected to a running arena."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from datetime import UTC

from arena.cli import DONE
from arena.cli.options import DEFAULT_ADDRESS, add_server
from arena.cli.terminal import add_colour, add_help, is_coloured, styles
from arena.client.channel import destination_from
from arena.client.organiser import OrganiserClient
from arena.counted import counted
from arena.inert import cells, inert
from arena.server.loop import run_async
from arena.v1 import tournament_pb2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena lobby`."""
    add_server(parser)
    parser.add_argument(
        "--json", action="store_true", help="print a JSON array, one object per bot"
    )
    add_colour(parser)
    parser.description = (
        f"{parser.description}\n\nA server with tokens asks for an admin token in ARENA_TOKEN."
    )
    add_help(parser, "arena lobby", "arena lobby --server 127.0.0.1:50051 --json")


def run(args: argparse.Namespace) -> int:
    """Print who is connected, since when, and what they play."""
    destination = destination_from({"ARENA_ADDRESS": DEFAULT_ADDRESS, **os.environ}, args.server)
    bots = run_async(_ask(OrganiserClient(destination)))
    if args.json:
        print(json.dumps([_to_json(bot) for bot in bots]))
    elif not bots:
        print("no bot is connected")
    else:
        heading, _ = styles(is_coloured(args.color))
        title, *lines = _table([_HEADINGS, *map(_row, bots)])
        print("\n".join([heading(title), *lines]))
    return DONE


async def _ask(client: OrganiserClient) -> Sequence[tournament_pb2.LobbyBot]:
    async with client:
        return await client.list_bots()


_HEADINGS = ("bot", "version", "language", "connected since", "games", "now")


def _row(bot: tournament_pb2.LobbyBot) -> tuple[str, ...]:
    since = bot.connected_at.ToDatetime(UTC).astimezone()
    if not bot.present:
        now = "connection lost"
    else:
        now = f"playing {counted(bot.playing, 'match', 'es')}" if bot.playing else "waiting"
    return (
        *(inert(text) or "-" for text in (bot.name, bot.version, bot.language)),
        f"{since:%Y-%m-%d %H:%M:%S}" if bot.HasField("connected_at") else "-",
        inert(", ".join(bot.games)),
        now,
    )


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text + " " * (width - cells(text)) for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def _to_json(bot: tournament_pb2.LobbyBot) -> dict[str, object]:
    has_since = bot.HasField("connected_at")
    return {
        "name": bot.name,
        "version": bot.version,
        "language": bot.language,
        "games": list(bot.games),
        "connected_at": bot.connected_at.ToJsonString() if has_since else None,
        "present": bot.present,
        "playing": bot.playing,
        "free": bot.free,
    }
