"""`arena site`: write results as a web site."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena.cli import DONE
from arena.cli.meter import Meter
from arena.cli.terminal import add_help
from arena.counted import counted
from arena.errors import InputError
from arena.processes import count_cores
from arena.web.directory import DirectoryDocuments
from arena.web.site import write_site


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena site`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="DIR",
        help="results directories, directories of them, or replay files",
    )
    parser.add_argument("--out", required=True, metavar="SITE", help="write the site here")
    parser.add_argument("--title", metavar="TEXT", help="the title of the home page")
    parser.add_argument(
        "--replays",
        type=int,
        metavar="N",
        help="publish the replays of the first N matches only (default: all)",
    )
    parser.add_argument(
        "-j",
        "--concurrency",
        type=int,
        metavar="N",
        help="make N replays at once, each in its own process (default: one per core if there are "
        "many replays; 1: in this process)",
    )
    parser.add_argument("--quiet", action="store_true", help="do not show progress")
    add_help(parser, "arena site results/cup --out public")


def run(args: argparse.Namespace) -> int:
    """Write the site."""
    if args.replays is not None and args.replays < 0:
        raise InputError(f"--replays must be at least 0, not {args.replays}")
    processes = count_cores() if args.concurrency is None else args.concurrency
    if processes < 1:
        raise InputError(f"--concurrency must be at least 1, not {processes}")
    documents = DirectoryDocuments(
        [Path(path) for path in args.paths], host="site", title=args.title, shows_logs=False
    )
    out = Path(args.out)
    with Meter(is_shown=not args.quiet) as meter:
        summary = write_site(
            documents, out, max_replays=args.replays, processes=processes, on_progress=meter
        )
    replays = counted(summary.replays, "replay")
    print(f"wrote {out}: {counted(summary.files, 'file')}, {summary.size / 1e6:.1f} MB, {replays}")
    return DONE
