"""The files that projects are made of: templates, SDKs and sample messages.

They lie in `clients/` of a checkout. The installed package carries the same below its own
directory: what `shipped_files` names, put there when the wheel is built.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from arena.starter.languages import LANGUAGES, Language
from arena.starter.toolchain import Need

GAMES = ("byzanz", "schwarzmarkt")  # those that there are templates for

_SHIPPED = Path(__file__).parent / "clients"
CLIENTS = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).resolve().parents[2] / "clients"

_SAMPLES = ("match-started", "decisions")
_MADE = {"build", "target", "node_modules", "dist", "__pycache__"}  # directories of build products


def needs_of(language: Language) -> tuple[Need, ...]:
    """Return what must be on the machine to build and run a project in the language."""
    if not language.has_sdk:
        return language.needs
    return tuple(
        Need(need["program"], tuple(need["version"]), need["at_least"], need["install"])
        for need in _sdk_table(language).get("needs", [])
    )


def template_files(language: Language, game: str | None) -> dict[str, Path]:
    """Return the files that become the author's own, by their places in the project."""
    template = CLIENTS / language.sdk / "template"
    variant = (game or "any") if language.has_sdk else language.name
    return dict(_tree(template / "common")) | dict(_tree(template / variant))


def library_files(language: Language) -> dict[str, Path]:
    """Return the files of the SDK, by their places in the project."""
    if not language.has_sdk:
        return {}
    library = _sdk_table(language)["library"]
    base = CLIENTS / language.sdk
    return {
        str(PurePosixPath(library["directory"], place)): path
        for pattern in library["files"]
        for place, path in _matching(base, pattern)
    }


def sample_files(language: Language, game: str | None) -> dict[str, Path]:
    """Return messages to test a bot with, by their places in the project."""
    ending = "binpb" if language.has_sdk else "json"
    golden = CLIENTS / "conformance" / "golden"
    return {
        f"samples/{sample}.{ending}": golden / f"{game or GAMES[0]}-{sample}.{ending}"
        for sample in _SAMPLES
    }


def shipped_files() -> dict[str, Path]:
    """Return all that projects are made of, by their places below `clients/`."""
    paths = set()
    for language in LANGUAGES:
        if language.has_sdk:
            paths.add(CLIENTS / language.sdk / "sdk.toml")
        paths.update(library_files(language).values())
        for game in (None, *GAMES):
            paths.update(template_files(language, game).values())
            paths.update(sample_files(language, game).values())
    return {path.relative_to(CLIENTS).as_posix(): path for path in sorted(paths)}


def _sdk_table(language: Language) -> dict[str, Any]:
    return tomllib.loads((CLIENTS / language.sdk / "sdk.toml").read_text(encoding="utf-8"))


def _matching(base: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(base.glob(pattern)):
        place = path.relative_to(base).as_posix()
        if path.is_dir():
            yield from ((f"{place}/{inner}", file) for inner, file in _tree(path))
        else:
            yield place, path


def _tree(directory: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files below a directory by their places in it; links are followed."""
    for place, directories, names in os.walk(directory, followlinks=True):
        directories[:] = sorted(name for name in directories if name not in _MADE)
        for name in sorted(names):
            path = Path(place, name)
            yield path.relative_to(directory).as_posix(), path
