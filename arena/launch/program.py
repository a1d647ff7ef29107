"""The program a bot runs: found, and found fit to run, before anything is started."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.config.bot_fields import Command
from arena.config.bot_spec import BotSpec
from arena.errors import InputError

_LIMITED = 'ulimit -d "$1" && shift && exec "$@"'


def bot_command(spec: BotSpec) -> Command:
    """Return the command that runs the bot.

    A built-in one is run by this very Python, and so is the bridge of one that speaks over stdio.
    """
    if spec.builtin is not None:
        return (sys.executable, "-m", "arena", "bot", spec.builtin)
    if spec.stdio is not None:
        # -P: the bot's directory, where it runs, may hold files that are named like ours.
        bridge = (sys.executable, "-P", "-m", "arena", "bridge")
        limit = () if spec.memory_mb is None else ("--memory-mb", str(spec.memory_mb))
        return (*bridge, *limit, "--", *spec.stdio)
    if spec.command is None:
        raise ValueError(f"{spec.name} is a connected bot: there is nothing to start")
    return spec.command


def find_program(spec: BotSpec, environment: Mapping[str, str] = os.environ) -> str:
    """Return the absolute path of the program that is started for the bot.

    Raises InputError, which does not name the bot, if its directory or program is missing or
    cannot be run; for one that speaks over stdio that is not the program started, which is the
    bridge.
    """
    place = Path.cwd() if spec.dir is None else spec.dir.absolute()
    if not place.is_dir():
        state = "is not a directory" if place.exists() else "does not exist"
        raise InputError(f"its directory {place} {state}")
    command = bot_command(spec)
    if spec.stdio is not None:
        locate_program(spec.stdio[0], place, environment)
    return locate_program(command[0], place, environment)


def locate_program(name: str, place: Path, environment: Mapping[str, str]) -> str:
    """Return the absolute path of a program; raises InputError if it cannot be run.

    A name with a slash is relative to the directory; any other is looked up in PATH.
    """
    path = place / name if "/" in name else _look_up(name, place, environment)
    _check_program(path)
    return str(path)


def limit_memory(
    program: str, arguments: Sequence[str], memory_mb: int | None
) -> tuple[str, list[str]]:
    """Return what to execute, with which arguments, so that the program has this limit.

    It is RLIMIT_DATA, which on Linux counts private writable memory: RLIMIT_AS would also count
    the address space that Java, Go and Node.js reserve without using it. It is set by a shell that
    then becomes the program, so that it is in force from the first instruction; `preexec_fn` is
    not safe in a process with threads.
    """
    if memory_mb is None:
        return program, list(arguments)
    kilobytes = str(memory_mb * 1024)
    return "/bin/sh", ["/bin/sh", "-c", _LIMITED, "arena", kilobytes, program, *arguments[1:]]


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
        raise InputError(f"{path} has Windows line endings, which do not work in a #! line")
    if not words or not Path(os.fsdecode(words[0])).exists():
        name = os.fsdecode(words[0]) if words else "nothing"
        raise InputError(f"{path} begins with #!{name}, which does not exist")
