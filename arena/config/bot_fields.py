"""What a person may write about a bot, wherever it is written, before it is judged as a whole."""

from __future__ import annotations

import os
import shlex
import unicodedata
from typing import TYPE_CHECKING, TypedDict

from arena.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from arena.sandbox.isolation import Isolation

Command = tuple[str, ...]


class Fields(TypedDict, total=False):
    """The fields that were written; each has been checked by itself, but not against the others."""

    name: str
    command: Command
    stdio: Command
    builtin: str
    connected: bool
    dir: Path
    env: dict[str, str]
    version: str
    build: tuple[Command, ...]
    seed: str
    group: str
    memory_mb: int
    cpus: float
    processes: int
    disk_mb: int
    isolation: Isolation
    read: tuple[Path, ...]
    write: tuple[Path, ...]
    build_network: bool


LONGEST_NAME = 64
_LONGEST_NAME_BYTES = 200  # with an ending it must fit into a file name of 255
_MOST_MEMORY_MB = 2**30
_MOST_CPUS = 4096
_MOST_PROCESSES = 2**22  # the kernel has no higher numbers for them
_LEAST_CPUS = 0.01
_LONGEST_VERSION = 64


def check_name(text: str, what: str = "name") -> str:
    """Return the text if it can be a bot's name and a file's; raises InputError."""
    if not 1 <= len(text) <= LONGEST_NAME:
        raise InputError(f"{what} must have 1 to {LONGEST_NAME} characters, not {len(text)}")
    if not text.isprintable():
        raise InputError(f"{what} {text!r} has characters that cannot be printed")
    if "/" in text or "\\" in text:
        raise InputError(f"{what} {text!r} must not contain / or \\: files are named after it")
    if text.startswith("."):
        raise InputError(f"{what} {text!r} must not begin with a dot: files are named after it")
    if text != text.strip():
        raise InputError(f"{what} {text!r} must not begin or end with a space")
    if len(text.encode()) > _LONGEST_NAME_BYTES:
        raise InputError(f"{what} {text!r} is longer than {_LONGEST_NAME_BYTES} bytes in UTF-8")
    return text


def fold_name(name: str) -> str:
    """Return what names have in common that differ only in case or in how accents are written.

    Files are named after bots, and some file systems take such names for the same.
    """
    return unicodedata.normalize("NFC", name).casefold()


def check_version(text: str) -> str:
    """Return the text if it can be a version; raises InputError."""
    if len(text) > _LONGEST_VERSION or not text.isprintable():
        raise InputError(f"version must be at most {_LONGEST_VERSION} printable characters")
    return text


def check_memory(megabytes: int) -> int:
    """Return the number if it can be a memory limit; raises InputError."""
    if not 1 <= megabytes <= _MOST_MEMORY_MB:
        raise InputError(f"memory_mb must be 1 to {_MOST_MEMORY_MB}, not {megabytes}")
    return megabytes


def check_disk(megabytes: int) -> int:
    """Return the number if it can be a limit of files; raises InputError."""
    if not 1 <= megabytes <= _MOST_MEMORY_MB:
        raise InputError(f"disk_mb must be 1 to {_MOST_MEMORY_MB}, not {megabytes}")
    return megabytes


def check_processes(number: int) -> int:
    """Return the number if it can be a limit of processes; raises InputError."""
    if not 1 <= number <= _MOST_PROCESSES:
        raise InputError(f"processes must be 1 to {_MOST_PROCESSES}, not {number}")
    return number


def check_cpus(number: float) -> float:
    """Return the number if it can be a share of processors; raises InputError."""
    if not _LEAST_CPUS <= number <= _MOST_CPUS:  # which also refuses nan
        raise InputError(f"cpus must be {_LEAST_CPUS} to {_MOST_CPUS}, not {number:g}")
    return number


def check_text(text: str, what: str) -> str:
    """Return the text if the system can take it as an argument; raises InputError."""
    if "\0" in text:
        raise InputError(f"{what} must not contain a zero byte")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError(f"{what} {text!r} cannot be written in this system's encoding") from None
    return text


def check_command(words: list[str], what: str) -> Command:
    """Return the words if they can be a command; raises InputError."""
    if not words or not words[0].strip():
        raise InputError(f"{what} is empty: write the program and its arguments")
    return tuple(check_text(word, what) for word in words)


def split_command(text: str, what: str) -> Command:
    """Return the words of a command, split as a shell does; nothing is expanded."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"{what} {text!r} cannot be split into words: {error}") from None
    return check_command(words, what)
