"""`arena verify`: check recorded matches, or whole results, against the rules and their seeds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from arena.cli import BAD_INPUT, DONE, WRONG, complain
from arena.cli.meter import Meter
from arena.cli.options import read_file
from arena.cli.rate import add_database
from arena.cli.terminal import add_help
from arena.counted import counted
from arena.errors import ArenaError, InputError, ReplayError
from arena.inert import inert
from arena.referee.follow import FollowedReplay
from arena.results.archive import is_results_directory
from arena.results.audit.audit import audit_results
from arena.results.audit.report import AuditReport
from arena.results.audit.seal import Evidence
from arena.signing import read_public

_MOST_AT_ONCE = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena verify`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE|DIR",
        help="a replay file, a directory of replays (*.jsonl), or a results directory",
    )
    add_database(parser)
    parser.add_argument(
        "-j",
        "--concurrency",
        type=int,
        metavar="N",
        help="check N replays at once, each in its own process (default: one per core if there are "
        "many replays; 1: in this process)",
    )
    parser.add_argument(
        "--allow-missing",
        action="store_true",
        help="accept that replays are missing which the results directory lists",
    )
    parser.add_argument(
        "--key",
        metavar="KEY",
        help="require that the results are signed with this key: a PEM file, or ed25519:…",
    )
    parser.add_argument(
        "--chain",
        metavar="COPY",
        help="require that no match was rewritten since: an earlier copy of chain.jsonl, or a link "
        "from it",
    )
    parser.add_argument("--quiet", action="store_true", help="print only what is wrong")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object per replay file or results directory",
    )
    add_help(parser, "arena verify match.jsonl", "arena verify results/cup")


def run(args: argparse.Namespace) -> int:
    """Verify everything; return 1 if anything is wrong, 2 if something cannot be opened."""
    if args.concurrency is not None and not 1 <= args.concurrency <= _MOST_AT_ONCE:
        raise InputError(f"--concurrency must be 1 to {_MOST_AT_ONCE}, not {args.concurrency}")
    codes = {DONE}
    for path in _files(args.paths, args.db):
        try:
            if Path(path).is_dir() and _holds_results(path, args.db):
                codes.add(_verify_results(args, path))
            else:
                codes.add(_verify_file(args, path))
        except ArenaError as error:
            complain(error)
            codes.add(BAD_INPUT)
    return max(codes)


def _holds_results(path: str, db: str | None) -> bool:
    return db is not None or is_results_directory(Path(path))


# The results of a tournament.


def _verify_results(args: argparse.Namespace, path: str) -> int:
    with Meter(is_shown=not (args.quiet or args.json)) as meter:
        report = audit_results(
            Path(path),
            args.db,
            meter,
            args.concurrency,
            allows_missing=args.allow_missing,
            evidence=Evidence(None if args.key is None else read_public(args.key), args.chain),
        )
    if args.json:
        print(json.dumps(_report_to_json(report)))
    else:
        for problem in report.problems:
            print(inert(str(problem)))
        if not args.quiet:
            print("\n".join(_describe(report, path)))
    return DONE if report.is_ok else WRONG


def _report_to_json(report: AuditReport) -> dict[str, object]:
    return {
        "directory": str(report.directory),
        "ok": report.is_ok,
        "complete": report.is_complete,
        "scheduled": report.scheduled,
        "matches": report.matches,
        "replays_from_files": report.from_files,
        "replays_from_database": report.from_database,
        "not_replayed": report.not_replayed,
        "missing_replays": report.missing,
        "notes": report.notes,
        "problems": [
            {"file": problem.file, "line": problem.line, "problem": problem.reason}
            for problem in report.problems
        ],
    }


def _describe(report: AuditReport, path: str) -> list[str]:
    verdict = "ok" if report.is_ok else "WRONG"
    state = (
        "complete" if report.is_complete else "NOT COMPLETE: only the matches so far were checked"
    )
    sources = f"{report.from_files:,} from files, {report.from_database:,} from the database"
    total = counted(report.scheduled, "match", "es")
    lines = [
        f"{inert(path)}: {verdict}, {report.matches:,} of {total}, {state}",
        f"  replayed: {sources}",
    ]
    if report.not_replayed:
        lines.append(
            "  not replayed, because their replays are not here: "
            f"{counted(report.not_replayed, 'match', 'es')}"
        )
    if report.missing:
        lines.append("  if the missing replays were taken away on purpose: --allow-missing")
    return lines + [f"  {inert(note)}" for note in report.notes]


# Replays.


def _verify_file(args: argparse.Namespace, path: str) -> int:
    if args.key is not None or args.chain is not None:
        raise InputError(f"{path}: --key and --chain are for results directories, not for replays")
    verdict = _verify(path)
    if args.json:
        print(json.dumps(verdict))
    elif not verdict["ok"]:
        print(f"{path}:{verdict['line']}: {inert(str(verdict['problem']))}")
    elif not args.quiet:
        derived = "set-up and chance derived from the seed"
        if not verdict["derived"]:
            derived = "no seed, so only the rules were checked"
        moves = counted(int(str(verdict["moves"])), "move")
        print(f"{path}: ok, {verdict['game']}, {moves}, {derived}")
    return DONE if verdict["ok"] else WRONG


def _files(paths: list[str], db: str | None) -> Iterator[str]:
    """Yield the replays and the results directories that the paths stand for."""
    for path in paths:
        if not Path(path).is_dir() or _holds_results(path, db):
            yield path
        else:
            yield from list(_below(Path(path))) or [path]


def _below(directory: Path) -> Iterator[str]:
    """Yield what is to be verified below a directory, in order."""
    for path in sorted(directory.iterdir()):
        if path.is_dir() and not path.is_symlink():  # which might lead back
            if is_results_directory(path):
                yield str(path)
            else:
                yield from _below(path)
        elif path.suffix == ".jsonl":
            yield str(path)


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
