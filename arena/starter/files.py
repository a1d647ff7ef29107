"""The files that projects are made of: templates, SDKs, sample messages and a whole game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from arena.starter.languages import CLIENTS, Language, languages

GAMES = ("byzanz", "schwarzmarkt")  # those that there are templates for

_GAME_PROJECT = Path(__file__).parent / "game"
_SAMPLES = ("match-started", "decisions")
_MADE = {"build", "target", "node_modules", "dist", "__pycache__", ".pytest_cache"}  # by builds


def template_files(language: Language, game: str | None) -> dict[str, Path]:
    """Return the files that become the author's own, by their places in the project."""
    template = language.directory / "template"
    variant = (game or "any") if language.has_sdk else language.name
    return dict(_tree(template / "common")) | dict(_tree(template / variant))


def library_files(language: Language) -> dict[str, Path]:
    """Return the files of the SDK, by their places in the project; links are followed."""
    return {
        str(PurePosixPath(language.library_directory, place)): path
        for pattern in language.library
        for place, path in _matching(language.directory, pattern)
    }


def sample_files(language: Language, game: str | None) -> dict[str, Path]:
    """Return messages to test a bot with, by their places in the project."""
    ending = "binpb" if language.has_sdk else "json"
    golden = CLIENTS / "conformance" / "golden"
    return {
        f"samples/{sample}.{ending}": golden / f"{game or GAMES[0]}-{sample}.{ending}"
        for sample in _SAMPLES
    }


def game_files() -> dict[str, Path]:
    """Return the files of a project for a game, by their places: all of High Card."""
    return dict(_tree(_GAME_PROJECT))


def shipped_files() -> dict[str, Path]:
    """Return all that making projects reads, by their places below `clients/`."""
    paths = set()
    for language in languages():
        if language.has_sdk:
            paths.add(language.directory / "sdk.toml")
        paths.update(library_files(language).values())
        for game in (None, *GAMES):
            paths.update(template_files(language, game).values())
            paths.update(sample_files(language, game).values())
    return {path.relative_to(CLIENTS).as_posix(): path for path in sorted(paths)}


def _matching(base: Path, pattern: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(base.glob(pattern)):
        place = path.relative_to(base).as_posix()
        if path.is_dir():
            yield from ((f"{place}/{inner}", file) for inner, file in _tree(path))
        else:
            yield place, path


def _tree(directory: Path) -> Iterator[tuple[str, Path]]:
    for place, directories, names in os.walk(directory, followlinks=True):
        directories[:] = sorted(name for name in directories if name not in _MADE)
        for name in sorted(names):
            path = Path(place, name)
            yield path.relative_to(directory).as_posix(), path
