"""Making a project: all files of it, or nothing at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from google.protobuf import json_format

from arena.bridge.lines import write_line
from arena.errors import InputError
from arena.starter.files import GAMES, game_files, library_files, sample_files, template_files
from arena.starter.languages import Language
from arena.v1 import play_pb2

_NAMED = 5  # of the files that are in the way


@dataclass(frozen=True, slots=True)
class Project:
    """One project to be made."""

    language: Language
    directory: Path
    game: str | None  # None: its bot plays every game
    values: Mapping[str, str]  # what `{{name}}` and the like stand for in templates

    @property
    def plays(self) -> str:
        """What its bot plays, in words; those without an SDK have one bot for all games."""
        return self.game if self.game and self.language.has_sdk else "every game"

    @property
    def sample_game(self) -> str:
        """The game of its samples, and of the commands that its author is shown."""
        return self.game or GAMES[0]


def make_project(project: Project) -> None:
    """Write the project's files into its directory, which must be new or empty.

    Raises InputError that says what is in the way; nothing is left behind then.
    """
    _make_files(project.directory, _bot_files(project))


def make_game_project(directory: Path, name: str) -> None:
    """Write a project for a game of that name, as `make_project` does: High Card, renamed."""
    words = [word.capitalize() for word in name.split("_")]
    names = {"highcard": name, "HighCard": "".join(words), "High Card": " ".join(words)}
    if name == "highcard":  # the example itself
        names = {}

    def rename(text: str) -> str:
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    files = game_files().items()
    _make_files(
        directory, ((rename(p), rename(f.read_text("utf-8")).encode(), f) for p, f in files)
    )


_Files: TypeAlias = "Iterable[tuple[str, bytes, Path]]"
"""What goes into a project: place, content, and the file that it is made of."""


def _bot_files(project: Project) -> _Files:
    language, game = project.language, project.game
    values = {**project.values, "game": project.sample_game, "plays": project.plays}
    for place, path in template_files(language, game).items():
        yield place, fill(path.read_bytes(), values), path
    for place, path in library_files(language).items():
        yield place, path.read_bytes(), path
    for place, path in sample_files(language, game).items():
        yield place, _sample(path), path


def _make_files(directory: Path, files: _Files) -> None:
    _refuse_occupied(directory)
    try:
        with _staged(directory) as stage:
            for place, content, source in files:
                _write(stage / place, content, source)
    except OSError as error:
        raise InputError(f"{directory}: cannot be written: {error.strerror or error}") from None


def fill(text: bytes, values: Mapping[str, str]) -> bytes:
    """Return the text of a template with each `{{key}}` replaced by its value."""
    for key, value in values.items():
        text = text.replace(b"{{%s}}" % key.encode(), os.fsencode(value))
    return text


def _refuse_occupied(directory: Path) -> None:
    try:
        found = sorted(path.name for path in directory.iterdir())
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise InputError(f"{directory}: a file of that name exists") from None
    except OSError as error:
        raise InputError(f"{directory}: cannot be read: {error.strerror}") from None
    if found:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise InputError(
            f"{directory}: is not empty ({', '.join(found[:_NAMED])}{more}): choose a new directory"
        )


@contextlib.contextmanager
def _staged(directory: Path) -> Iterator[Path]:
    """Give a directory to write to, which becomes the wanted one when all went well.

    A directory that exists, perhaps the one a shell is in, is filled instead of replaced.
    """
    is_there = directory.is_dir()
    place = directory if is_there else directory.parent
    place.mkdir(parents=True, exist_ok=True)
    stage = place / f".arena-init-{secrets.token_hex(8)}"
    stage.mkdir()
    try:
        yield stage
        if is_there:
            _move_up(stage, directory)
        else:
            stage.rename(directory)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _move_up(stage: Path, directory: Path) -> None:
    names = [path.name for path in stage.iterdir()]
    try:
        for name in names:
            (stage / name).rename(directory / name)
    except BaseException:
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # not moved yet
                (directory / name).rename(stage / name)
        raise


def _write(target: Path, content: bytes, source: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    if source.stat().st_mode & 0o100:
        mode = target.stat().st_mode
        target.chmod(mode | (mode & 0o444) >> 2)  # whoever may read it may run it


def _sample(path: Path) -> bytes:
    """Return a message as a bot gets it: in JSON, as the line that `arena bridge` writes."""
    content = path.read_bytes()
    if path.suffix != ".json":
        return content
    return write_line(json_format.Parse(content, play_pb2.PlayResponse())).encode() + b"\n"
