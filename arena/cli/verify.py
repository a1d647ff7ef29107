"""`arena verify`: check recorded matches against the rules and their seeds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from arena.cli import BAD_INPUT, WRONG, complain
from arena.cli.inert import inert
from arena.cli.options import read_file
from arena.errors import InputError, ReplayError
from arena.referee.follow import FollowedReplay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena verify`."""
    parser.add_argument(
        "paths", nargs="+", metavar="FILE|DIR", help="a replay, or a directory of *.jsonl replays"
    )
    parser.add_argument("--quiet", action="store_true", help="print only what is wrong")
    parser.add_argument("--json", action="store_true", help="print a JSON object per file")


def run(args: argparse.Namespace) -> int:
    """Verify every file; return 1 if anything in one is wrong, 2 if one cannot be opened."""
    code = 0
    for path in _files(args.paths):
        try:
            verdict = _verify(path)
        except InputError as error:
            complain(error)
            code = BAD_INPUT
            continue
        if not verdict["ok"] and code == 0:
            code = WRONG
        if args.json:
            print(json.dumps(verdict))
        elif not verdict["ok"]:
            print(f"{path}:{verdict['line']}: {inert(str(verdict['problem']))}")
        elif not args.quiet:
            derived = "set-up and chance derived from the seed"
            if not verdict["derived"]:
                derived = "no seed to derive set-up and chance from: rules checked only"
            print(f"{path}: ok, {verdict['game']}, {verdict['moves']} moves, {derived}")
    return code


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        yield from sorted(map(str, Path(path).rglob("*.jsonl"))) or [path]


def _verify(path: str) -> dict[str, object]:
    if Path(path).is_dir():
        raise InputError(f"{path}: no *.jsonl replay in this directory")
    data = read_file(path)
    try:
        replay = FollowedReplay(data)
        moves = sum(1 for _ in replay)
    except ReplayError as error:
        return {"file": path, "ok": False, "line": error.line, "problem": error.reason}
    return {
        "file": path,
        "ok": True,
        "game": replay.game.name,
        "match": replay.header.match,
        "moves": moves,
        "derived": replay.header.seed is not None,
    }
