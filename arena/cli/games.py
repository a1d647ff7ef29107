"""`arena games`: what can be played."""

from __future__ import annotations

import argparse
import json

from arena.games.registry import game_names, get_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena games`."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """List the games."""
    games = [get_game(name) for name in game_names()]
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
        return 0
    for game in games:
        print(f"{game.name}: {game.title}, {game.table_sizes[0]} to {game.table_sizes[-1]} players")
        for spec in game.option_specs:
            value = "FILE" if spec.is_file else "VALUE"
            print(f"  --option {spec.name}={value}  {spec.summary}; default: {spec.default}")
    return 0
