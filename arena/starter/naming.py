"""What a bot or a game may be called, so that build tools take it."""

from __future__ import annotations

import importlib.util
import keyword
import re
import unicodedata
from pathlib import Path

from arena.errors import InputError
from arena.games.registry import game_names

LONGEST_NAME = 64  # characters, by the protocol

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GAME_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_FOREIGN = re.compile(r"[^a-z0-9]+")


def check_name(name: str) -> str:
    """Return the name if it can be a bot's; raises InputError."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise InputError(
            f"the bot cannot be called {name!r}: use lower-case letters, digits and single hyphens "
            f"between them, beginning with a letter, at most {LONGEST_NAME} characters"
        )
    return name


def check_game_name(name: str) -> str:
    """Return the name if it can be a game's and its package's; raises InputError."""
    if not _GAME_NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise InputError(
            f"the game cannot be called {name!r}: use lower-case letters, digits and single "
            f"underscores between them, beginning with a letter, at most {LONGEST_NAME} characters"
        )
    if name in game_names():
        raise InputError(f"the game cannot be called {name!r}: there is one of that name")
    found = importlib.util.find_spec(name)
    if keyword.iskeyword(name) or (found is not None and found.origin is not None):
        raise InputError(f"the game cannot be called {name!r}: Python has that name already")
    return name


def name_after(directory: Path, what: str = "bot") -> str:
    """Return a name for what is in a directory; raises InputError if that gives none."""
    plain = unicodedata.normalize("NFKD", directory.name).encode("ascii", "ignore").decode()
    name = _FOREIGN.sub("-", plain.lower()).strip("-")
    if not name:
        raise InputError(
            f"{directory}: the {what} cannot be named after that: give a name with --name"
        )
    if name[0].isdigit():
        name = f"{what}-{name}"
    return name[:LONGEST_NAME].rstrip("-")
