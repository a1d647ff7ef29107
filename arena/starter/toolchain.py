"""What must be on the machine to build and run a bot in a language, and whether it is."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_VERSION = re.compile(r"\d+(?:\.\d+)+")
_LONGEST_S = 20.0  # a tool that does not print its version by then is as good as missing


@dataclass(frozen=True, slots=True)
class Need:
    """A program that must be on the machine."""

    program: str
    version: tuple[str, ...]  # a command that prints it; the first number with a dot counts
    at_least: str
    install: str  # what a person is told to install


def find_lack(need: Need) -> str | None:
    """Return what is wrong with the program on this machine; None if it will do."""
    if shutil.which(need.program) is None:
        return f"{need.program} is missing"
    found = find_version(need.version)
    if found is None:
        return f"{need.program} does not print its version"
    if _numbers(found) < _numbers(need.at_least):
        return f"{need.program} is {found}, too old"
    return None


@cache
def find_version(command: tuple[str, ...]) -> str | None:
    """Return the version that a command prints; None if it does not tell. Asked once."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout.decode(errors="replace"))
    return found[0] if found and not done.returncode else None


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def python_command(library: Path) -> str:
    """Return what starts a Python that can import the SDK in this directory, for a shell.

    That is python3, or else the Python that runs this: arena may have been started from a virtual
    environment that is not activated.
    """
    probe = "import sys, arena_client; sys.exit(sys.version_info < (3, 11))"
    with contextlib.suppress(OSError):
        done = subprocess.run(
            ["python3", "-B", "-c", probe],
            cwd=library,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            return "python3"
    return shlex.quote(sys.executable)


def arena_command() -> str:
    """Return what starts arena, for a shell: the one in PATH, or else the one that runs this."""
    if shutil.which("arena"):
        return "arena"
    beside = Path(sys.executable).with_name("arena")
    if beside.is_file():
        return shlex.quote(str(beside))
    return f"{shlex.quote(sys.executable)} -m arena"
