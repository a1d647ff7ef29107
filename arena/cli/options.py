"""Flags that mean the same in every command, and how their texts are read."""

from __future__ import annotations

import argparse
import errno
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.atomic import partial_of, sweep_partials
from arena.errors import CardFileError, InputError, OptionError
from arena.games.game import AnyGame, Json, Option
from arena.games.registry import get_game
from arena.games.shuffle import SEED_BYTES, read_master_seed

DEFAULT_ADDRESS = "127.0.0.1:50051"


def add_game_options(parser: argparse._ActionsContainer) -> None:
    """Add `--option NAME=VALUE`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a game option; may be repeated (list them with: arena games)",
    )


def configure_game(name: str, texts: Sequence[str]) -> AnyGame:
    """Return the named game under the options a person gave."""
    return get_game(name).configure(read_options(name, texts))


def read_options(name: str, texts: Sequence[str]) -> dict[str, Json]:
    """Return the options of the named game that a person gave, with their content."""
    game = get_game(name)
    specs = {spec.name: spec for spec in game.option_specs}
    options: dict[str, Json] = {}
    for text in texts:
        option, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"--option {text!r} must be NAME=VALUE")
        game.check_options({option: value})
        if option in options:
            raise OptionError(f"option {option} is given twice")
        options[option] = _parse_option(specs[option], value)
    return options


def _parse_option(spec: Option, value: str) -> Json:
    if not spec.is_file:
        return spec.parse(value)
    text = read_text_file(value)
    try:
        return spec.parse(text)
    except CardFileError as error:
        raise InputError(f"{value}:{error.line or 1}: {error}") from None


def read_text_file(path: str) -> str:
    """Return a file's text; raises InputError that names the file and the reason."""
    try:
        return read_file(path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}:{line}: not UTF-8 text") from None


def read_file(path: str) -> bytes:
    """Return a file's bytes; raises InputError that names the file and the reason."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {_reason(error)}") from None


def write_file(path: str, text: str) -> None:
    """Write a file whole or not at all; raises InputError that names the file and the reason."""
    target = Path(path)
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _is_special(target):  # to replace it would harm everybody who uses it
            sys.stdout.flush()
            if path == "/dev/stdout":  # in a file, each of two would write over the other
                sys.stdout.write(text)
                return
            with target.open("a", encoding="utf-8", newline="\n") as file:
                file.write(text)
            return
        partial = partial_of(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(text, encoding="utf-8", newline="\n")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be written: {_reason(error)}") from None


def _is_special(path: Path) -> bool:
    """Return whether it is a pipe or a device, or stands for an open file, as /dev/stdout does."""
    is_named = any(place in path.absolute().parents for place in (Path("/dev"), Path("/proc")))
    return path.exists() and (is_named or not path.is_file())


def make_directory(path: str, *, is_private: bool = False) -> None:
    """See that a directory is there to be written to; raises InputError that says why not.

    What a killed arena left half written is removed. A private one is, if it is made here, for
    nobody else to read.
    """
    try:
        Path(path).mkdir(0o700 if is_private else 0o777, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be written to: {_reason(error)}") from None
    sweep_partials(Path(path))


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add `--server`, for commands that look into an arena."""
    parser.add_argument(
        "--server",
        metavar="ADDRESS",
        help=f"HOST:PORT or unix:PATH of the server (default: ARENA_ADDRESS, or {DEFAULT_ADDRESS})",
    )


def how_many(text: str) -> int | None:
    """Return the number that `none` or digits mean, None for `all`; for argparse."""
    if text in ("all", "none"):
        return None if text == "all" else 0
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"must be all, none or a number, not {text!r}")
    return int(text[:9])  # more digits mean more than anybody has, and do not fit the protocol


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def add_seed(parser: argparse._ActionsContainer) -> None:
    """Add `--seed`."""
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        help="the master seed: any text, of which arena takes the SHA-256, or hex: and the 64 "
        "digits of the seed itself (default: random; arena prints it)",
    )


def master_seed(text: str | None) -> tuple[bytes, str]:
    """Return the master seed and the text that makes it again."""
    if text is None:
        seed = secrets.token_bytes(SEED_BYTES)
        return seed, f"hex:{seed.hex()}"
    return read_master_seed(text), text
