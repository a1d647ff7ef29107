"""`arena token`: give bots tokens, list them, take them away."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena.cli import DONE
from arena.cli.options import write_file
from arena.cli.terminal import add_help
from arena.config.bot_fields import check_name
from arena.errors import InputError
from arena.inert import inert
from arena.server.auth import ROLES, Grant, grants_to_text, new_token, read_grants

DEFAULT_FILE = "tokens.json"
_PRIVATE = 0o600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena token`."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="create a token and print it; it is not shown again")
    add.add_argument("name", metavar="NAME", help="the name that the bot plays under")
    add.add_argument(
        "--role",
        choices=ROLES,
        default="bot",
        help="bot: play; admin: run tournaments (default: bot)",
    )
    listing = actions.add_parser("list", help="list the names that have a token")
    remove = actions.add_parser("remove", help="revoke the token of a name")
    remove.add_argument("name", metavar="NAME", help="the name that the token was created for")
    for action, function in ((add, _add), (listing, _list), (remove, _remove)):
        action.add_argument(
            "--tokens",
            default=DEFAULT_FILE,
            metavar="FILE",
            help=f"the token file (default: {DEFAULT_FILE})",
        )
        action.set_defaults(act=function)
    add_help(
        parser,
        "arena token add mine",
        "arena token add boss --role admin",
        "arena token remove mine",
    )


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
            f"{name} already has a token; revoke it first with: arena token remove {name}"
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
        raise InputError(f"{path}: there is no token for {args.name!r}")
    _write(path, left)


def _write(path: Path, grants: list[Grant]) -> None:
    write_file(str(path), grants_to_text(grants))
    path.chmod(_PRIVATE)
