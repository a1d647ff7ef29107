"""`arena token`: give bots tokens, list them, take them away."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena.cli import DONE
from arena.cli.options import write_file
from arena.config.bot_fields import check_name
from arena.errors import InputError
from arena.inert import inert
from arena.server.auth import ROLES, Grant, grants_to_text, new_token, read_grants

DEFAULT_FILE = "tokens.json"
_PRIVATE = 0o600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena token`."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="make a token and print it, this once")
    add.add_argument("name", metavar="NAME", help="the name the bot plays under")
    add.add_argument("--role", choices=ROLES, default="bot", help="what the token is good for")
    listing = actions.add_parser("list", help="list who has tokens")
    remove = actions.add_parser("remove", help="make the tokens of a name worthless")
    remove.add_argument("name", metavar="NAME", help="whose tokens")
    for action, function in ((add, _add), (listing, _list), (remove, _remove)):
        action.add_argument(
            "--tokens",
            default=DEFAULT_FILE,
            metavar="FILE",
            help=f"the token file (default: {DEFAULT_FILE})",
        )
        action.set_defaults(act=function)


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    args.act(args)
    return DONE


def _add(args: argparse.Namespace) -> None:
    name = check_name(args.name)
    path = Path(args.tokens)
    grants = read_grants(path) if path.exists() else []
    if any(grant.name == name for grant in grants):
        raise InputError(
            f"{name} has a token already: take it away first (arena token remove {name})"
        )
    token, grant = new_token(name, args.role)
    _write(path, [*grants, grant])
    print(token)


def _list(args: argparse.Namespace) -> None:
    for grant in read_grants(Path(args.tokens)):
        print(f"{inert(grant.name):<24} {grant.role}")


def _remove(args: argparse.Namespace) -> None:
    path = Path(args.tokens)
    grants = read_grants(path)
    left = [grant for grant in grants if grant.name != args.name]
    if len(left) == len(grants):
        raise InputError(f"{path}: nobody called {args.name!r} has a token")
    _write(path, left)


def _write(path: Path, grants: list[Grant]) -> None:
    write_file(str(path), grants_to_text(grants))
    path.chmod(_PRIVATE)
