"""Loads modules that have been compiled from their own sources, as long as they are the same.

`scripts/compile_rules.py` makes them, in `_compiled/` beside this, with a checksum of the
sources they were made of. Once one of those is edited they are all passed over, as with ARENA_PURE.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from types import ModuleType
from zlib import crc32

PACKAGE = os.path.dirname(__file__)  # noqa: PTH120 - pathlib takes long to load
DIRECTORY = f"{PACKAGE}/_compiled"
CHECKSUM = f"{DIRECTORY}/sources.crc32"

RULES = (
    "arena.games.counts",
    "arena.games.ledger",
    "arena.games.shuffle",
    "arena.games.tuples",
    "arena.games.byzanz.cards",
    "arena.games.byzanz.bids",
    "arena.games.byzanz.position",
    "arena.games.byzanz.rules",
    "arena.games.byzanz.determinize",
    "arena.games.schwarzmarkt.position",
    "arena.games.schwarzmarkt.rules",
    "arena.games.schwarzmarkt.determinize",
    "arena.referee.clock",
    "arena.referee.match",
    "arena.referee.player",
)
"""What is compiled: the rules, and the referee, which asks them for everything.

The records of the games (moves, events, observations) gain nothing by it.
"""

SHARED = "arena_rules__mypyc"
"""The module with the code of all of them."""


class CompiledFinder:
    """Finds compiled modules by their names."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the module is; None if it is not one of them."""
        file = self._files.get(fullname)
        if file is None:
            return None
        from importlib.util import spec_from_file_location  # noqa: PLC0415 - takes long to load

        return spec_from_file_location(fullname, file)


def source_of(module: str) -> str:
    """Return the path of a module's source."""
    return f"{PACKAGE}/{module.removeprefix('arena.').replace('.', '/')}.py"


def sum_up_sources() -> str:
    """Return a checksum of all that is compiled: it shows an edit, and takes no time to load."""
    checksum = 0
    for module in RULES:
        with open(source_of(module), "rb") as file:  # noqa: PTH123 - likewise
            checksum = crc32(file.read(), checksum)
    return f"{checksum:08x}"


def are_rules_compiled() -> bool:
    """Return whether compiled rules are there, fit sources and Python, and are wanted."""
    if os.environ.get("ARENA_PURE"):
        return False
    try:
        with open(CHECKSUM, encoding="utf-8") as file:  # noqa: PTH123 - likewise
            made_of = file.read()
        return os.path.exists(_file_of(SHARED)) and made_of == sum_up_sources()  # noqa: PTH110 - likewise
    except OSError:
        return False


def encoder_mark(source: bytes) -> str:
    """Return what an encoder compiled from that source says in its documentation."""
    return f"crc32 {crc32(source):08x}"


def is_encoder_compiled() -> bool:
    """Return whether a compiled encoder is there, fits its source and Python, and is wanted.

    One without its source beside it cannot have been overtaken by that.
    """
    if os.environ.get("ARENA_PURE"):
        return False
    encoder = f"{PACKAGE}/wire/_encoder"
    try:
        with open(f"{encoder}{EXTENSION_SUFFIXES[0]}", "rb") as file:  # noqa: PTH123 - likewise
            module = file.read()
    except OSError:
        return False
    try:
        with open(f"{encoder}.c", "rb") as file:  # noqa: PTH123 - likewise
            return encoder_mark(file.read()).encode() in module
    except OSError:
        return True


def load_compiled() -> None:
    """From now on, load the compiled modules where there are any."""
    if are_rules_compiled():
        files = {module: _file_of(module) for module in (*RULES, SHARED)}
        sys.meta_path.insert(0, CompiledFinder(files))


def _file_of(module: str) -> str:
    return f"{DIRECTORY}/{module.replace('.', '/')}{EXTENSION_SUFFIXES[0]}"
