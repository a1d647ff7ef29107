"""What a bot may be called, so that the build tools of all languages take it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from arena.errors import InputError

LONGEST_NAME = 64  # characters, by the protocol

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_FOREIGN = re.compile(r"[^a-z0-9]+")


def check_name(name: str) -> str:
    """Return the name if it can be a bot's; raises InputError."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise InputError(
            f"the bot cannot be called {name!r}: take small letters, digits and single hyphens "
            f"between them, a letter first, at most {LONGEST_NAME} characters"
        )
    return name


def name_after(directory: Path) -> str:
    """Return a name for the bot in a directory; raises InputError if that gives none."""
    plain = unicodedata.normalize("NFKD", directory.name).encode("ascii", "ignore").decode()
    name = _FOREIGN.sub("-", plain.lower()).strip("-")
    if not name:
        raise InputError(f"{directory}: the bot cannot be named after that: add --name NAME")
    if name[0].isdigit():
        name = f"bot-{name}"
    return name[:LONGEST_NAME].rstrip("-")
