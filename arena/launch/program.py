"""The program a bot runs: found, and found fit to run, before anything is started."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from arena.errors import InputError
from arena.launch.fields import Command
from arena.launch.spec import BotSpec


def bot_command(spec: BotSpec) -> Command:
    """Return the command that runs the bot; a built-in one is run by this very Python."""
    if spec.builtin is not None:
        return (sys.executable, "-m", "arena", "bot", spec.builtin)
    if spec.command is None:
        raise ValueError(f"{spec.name} is a connected bot: there is nothing to start")
    return spec.command


def find_program(spec: BotSpec, environment: Mapping[str, str] = os.environ) -> str:
    """Return the absolute path of the program that the bot's command names.

    A name with a slash is relative to the bot's directory; any other is looked up in PATH.
    Raises InputError if the directory or the program is missing or cannot be run.
    """
    place = Path.cwd() if spec.dir is None else spec.dir.absolute()
    if not place.is_dir():
        state = "is not a directory" if place.exists() else "does not exist"
        raise InputError(f"bot {spec.name}: its directory {place} {state}")
    name = bot_command(spec)[0]
    try:
        path = place / name if "/" in name else _look_up(name, place, environment)
        _check_program(path)
    except InputError as error:
        raise InputError(f"bot {spec.name}: {error}") from None
    return str(path)


def _look_up(name: str, place: Path, environment: Mapping[str, str]) -> Path:
    found = shutil.which(name, path=environment.get("PATH", os.defpath))
    if found is not None:
        return Path(found).absolute()
    hint = f"; write ./{name} for the one in {place}" if (place / name).exists() else ""
    raise InputError(f"there is no program {name} in PATH{hint}")


def _check_program(path: Path) -> None:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a directory, not a program")
        if not path.exists():
            raise InputError(f"there is no program {path}")
        if not os.access(path, os.X_OK):
            raise InputError(f"{path} is not executable: chmod +x it, or name its interpreter")
        with path.open("rb") as file:
            first = file.read(256)
    except PermissionError:  # a program may be run but not read; or its directory is closed
        return
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if first.startswith(b"#!"):
        _check_interpreter(path, first[2:].partition(b"\n")[0])


def _check_interpreter(path: Path, line: bytes) -> None:
    words = line.split(maxsplit=1)
    if line.endswith(b"\r"):
        raise InputError(f"{path} has line ends of Windows, which its #! line cannot have")
    if not words or not Path(os.fsdecode(words[0])).exists():
        name = os.fsdecode(words[0]) if words else "nothing"
        raise InputError(f"{path} begins with #!{name}, which does not exist")
