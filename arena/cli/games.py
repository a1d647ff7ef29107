"""`arena games`: what can be played."""

from __future__ import annotations

import argparse
import json

from arena.cli import DONE, WRONG, complain
from arena.cli.terminal import add_help
from arena.errors import InputError, UnknownGameError
from arena.games.game import AnyGame
from arena.games.registry import game_names, get_game
from arena.wire.codec import codec_for
from arena.wire.derived import DerivedCodec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena games`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print JSON")
    how.add_argument(
        "--proto", metavar="GAME", help="print the message types of a game from a package"
    )
    add_help(parser, "arena games")


def run(args: argparse.Namespace) -> int:
    """List the games, or print the proto file of one."""
    if args.proto is not None:
        codec = codec_for(get_game(args.proto))
        if not isinstance(codec, DerivedCodec):
            raise InputError(f"the messages of {args.proto} are not derived from its types")
        print(codec.proto_file(), end="")
        return DONE
    games: list[AnyGame] = []
    code = DONE
    for name in game_names():
        try:
            games.append(get_game(name))
        except UnknownGameError as error:  # somebody's broken package must not hide the others
            complain(error)
            code = WRONG
    if args.json:
        listed = [
            {
                "name": game.name,
                "title": game.title,
                "players": list(game.table_sizes),
                "options": [
                    {"name": spec.name, "summary": spec.summary, "default": spec.default}
                    for spec in game.option_specs
                ],
            }
            for game in games
        ]
        print(json.dumps(listed, ensure_ascii=False, indent=2))
        return code
    for game in games:
        print(f"{game.name}: {game.title}, {game.describe_tables()}")
        for spec in game.option_specs:
            value = "FILE" if spec.is_file else "VALUE"
            print(f"  --option {spec.name}={value}  {spec.summary}; default: {spec.default}")
    return code
