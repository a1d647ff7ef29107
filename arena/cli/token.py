"""`arena token`: give bots tokens, list them, take them away."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime, timedelta
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
_DURATION = re.compile(r"(?P<number>[0-9]{1,9})(?P<unit>[mhdw])")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


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
    add.add_argument(
        "--expires",
        metavar="WHEN",
        help="make the token worthless after WHEN: a duration such as 90m, 12h, 30d or 2w, or a "
        "date or time such as 2027-01-31 or 2027-01-31T18:00 (default: never)",
    )
    listing = actions.add_parser("list", help="list the names that have a token, and until when")
    remove = actions.add_parser("remove", help="revoke the token of a name; its session ends")
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
        "arena token add guest --expires 30d",
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
    expires = _read_expires(args.expires) if args.expires is not None else None
    token, grant = new_token(name, args.role, expires)
    _write(path, [*grants, grant])
    print(token)


def _list(args: argparse.Namespace) -> None:
    for grant in read_grants(Path(args.tokens)):
        print(f"{inert(grant.name):<24} {grant.role:<6} {_describe_expiry(grant)}".rstrip())


def _describe_expiry(grant: Grant) -> str:
    if grant.expires is None:
        return ""
    word = "expired" if grant.is_expired else "expires"
    return f"{word} {grant.expires.astimezone():%Y-%m-%d %H:%M}"


def _read_expires(text: str) -> datetime:
    """Return the time that a person means; raises InputError if it is none, or over."""
    now = datetime.now(UTC)
    duration = _DURATION.fullmatch(text)
    try:
        if duration:
            expires = now + int(duration["number"]) * _UNITS[duration["unit"]]
        else:
            expires = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InputError(
            f"--expires {text!r} must be a duration such as 90m, 12h, 30d or 2w, or a date or time "
            "such as 2027-01-31 or 2027-01-31T18:00"
        ) from None
    if expires <= now:
        raise InputError(f"--expires {text} is in the past")
    return expires


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
