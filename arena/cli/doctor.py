"""`arena doctor`: what this machine has for arena, found out by trying."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable

from arena.cli import DONE, WRONG, complain
from arena.cli.terminal import add_help
from arena.doctor.probed import Probed, Usability
from arena.doctor.probes import probe_all
from arena.errors import SandboxError
from arena.inert import inert
from arena.sandbox.isolation import default_isolation, parse_isolation
from arena.sandbox.probe import choose_level

_NAME_WIDTH, _STATE_WIDTH = 18, 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena doctor`."""
    parser.add_argument(
        "--isolation",
        metavar="WANTED",
        help="exit with 1 if bots cannot be isolated like this: require (bubblewrap), or "
        "require:LEVEL (default: ARENA_ISOLATION, or auto, which takes what there is)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_help(parser, "arena doctor", "arena doctor --isolation require")


def run(args: argparse.Namespace) -> int:
    """Print what was found, and whether bots can be isolated as wanted."""
    wanted = parse_isolation(args.isolation) if args.isolation else default_isolation()
    try:
        choice, refusal = choose_level(wanted), None
    except SandboxError as error:
        choice, refusal = None, error
    found = probe_all()
    if args.json:
        in_force = None if choice is None else choice.level.value
        print(json.dumps({"isolation": in_force, "probes": list(map(_to_json, found))}, indent=2))
    else:
        _print_table(found)
        if choice is not None:
            print(f"isolation in force: {inert(choice.describe())}")
    if refusal is not None:
        sys.stdout.flush()
        complain(refusal)
        return WRONG
    return DONE


def _print_table(found: Iterable[Probed]) -> None:
    area = ""
    for each in found:
        if each.area != area:
            area = each.area
            print(area)
        print(
            f"  {each.name:<{_NAME_WIDTH}} {each.state.value:<{_STATE_WIDTH}} {inert(each.detail)}"
        )
        if each.advice and each.state is not Usability.OK:
            print(f"  {'':<{_NAME_WIDTH}} {'':<{_STATE_WIDTH}} -> {each.advice}")


def _to_json(each: Probed) -> dict[str, str]:
    return {
        "area": each.area,
        "name": each.name,
        "state": each.state.value,
        "detail": each.detail,
        "advice": each.advice,
    }
