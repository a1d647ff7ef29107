"""`arena key`: the key that an organiser signs results with."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from arena.cli import DONE
from arena.cli.terminal import add_help
from arena.signing import default_path, make_key, public_pem, read_public


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena key`."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    make = actions.add_parser(
        "make", help="create a key; tournaments are signed with it from then on"
    )
    show = actions.add_parser("show", help="print the public key, for those who verify results")
    show.add_argument("--pem", action="store_true", help="print it as a PEM file")
    for action, function in ((make, _make), (show, _show)):
        action.add_argument(
            "file",
            nargs="?",
            metavar="FILE",
            help="the key file (default: ARENA_KEY, or arena/key.pem in ~/.config)",
        )
        action.set_defaults(act=function)
    add_help(parser, "arena key make", "arena key show", "arena key show --pem > organiser.pub")


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    args.act(args, Path(args.file) if args.file else default_path(os.environ))
    return DONE


def _make(_args: argparse.Namespace, path: Path) -> None:
    key = make_key(path)
    print(f"{key.public}\nkept in {path}; publish the line above, keep the file to yourself")


def _show(args: argparse.Namespace, path: Path) -> None:
    public = read_public(str(path))
    print(public_pem(public) if args.pem else public, end="" if args.pem else "\n")
