"""`arena rate`: make ratings and all exports again from the stored matches."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from arena.atomic import replace_files
from arena.cli import DONE
from arena.cli.meter import Meter
from arena.cli.options import how_many
from arena.cli.terminal import add_colour, add_help, is_coloured, styles
from arena.inert import inert
from arena.rating.leaderboard import Leaderboard
from arena.rating.ratings import MODELS
from arena.results.archive import REPLAYS, Archive, open_archive
from arena.results.export import (
    DEFAULT_MODEL,
    make_board,
    model_file,
    release_of,
    write_results,
)
from arena.results.formats import leaderboard_json, leaderboard_text
from arena.results.manifest import SIGNATURE_FILE
from arena.results.replay_files import replays_there
from arena.signing import find_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena rate`."""
    parser.add_argument("directory", metavar="DIR", help="a results directory")
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=DEFAULT_MODEL,
        help=f"the rating model (default: {DEFAULT_MODEL}); for another model arena writes only "
        "leaderboard.MODEL.json",
    )
    parser.add_argument(
        "--replays",
        type=how_many,
        default=argparse.SUPPRESS,  # None means all
        metavar="all|none|N",
        help="write all replays, none, or the first N (default: as many as are there now)",
    )
    add_database(parser)
    parser.add_argument("--json", action="store_true", help="print the leaderboard as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    add_colour(parser)
    add_help(parser, "arena rate results/cup", "arena rate results/cup --model openskill")


def add_database(parser: argparse._ActionsContainer) -> None:
    """Add `--db`."""
    parser.add_argument(
        "--db",
        metavar="URL",
        help="the tournament's database (default: DIR/arena.db, or the files in DIR if there is "
        "no such file)",
    )


def run(args: argparse.Namespace) -> int:
    """Rate every match again, write the exports, and print the leaderboard."""
    is_shown = not (args.quiet or args.json)
    signature = Path(args.directory, SIGNATURE_FILE)
    was_signed = signature.exists()
    with (
        open_archive(Path(args.directory), args.db) as archive,
        Meter(is_shown=is_shown) as meter,
    ):
        if args.model == DEFAULT_MODEL:
            there = len(replays_there(archive.directory / REPLAYS))
            board = write_results(
                archive,
                replays=getattr(args, "replays", there),
                repairs_replays=True,
                on_progress=meter,
                key=find_key(os.environ),
            )
            written = "exports"
        else:
            board = _rate_otherwise(archive, args.model, meter)
            written = model_file(args.model)
    if was_signed and not signature.exists():
        print("the results have changed and are no longer signed", file=sys.stderr)
    if args.json:
        print(leaderboard_json(board), end="")
    elif is_shown:
        heading, aside = styles(is_coloured(args.color))
        print(leaderboard_text(board, shutil.get_terminal_size().columns, heading, aside), end="")
        print(aside(f"{written} written to {inert(args.directory)}"))
    return DONE


def _rate_otherwise(archive: Archive, model: str, meter: Meter) -> Leaderboard:
    """Return the leaderboard of another model, and write it beside that of the usual one."""
    board = make_board(archive, release_of(archive), model=model, on_progress=meter)
    content = leaderboard_json(board).encode()
    replace_files(archive.directory, {model_file(model): content})
    return board
