"""The file `bots.toml`: one table `[bots.NAME]` for each bot.

    [bots.mine]
    run = "./mybot --level 3"       # or a list of words
    build = ["make", ["cp", "a b", "c"]]
    dir = "mine"                    # relative to the file
    env = { LEVEL = "3" }
    version = "2"
    memory_mb = 512                 # limits of all its processes together:
    cpus = 1.5                      # processors
    processes = 64                  # processes and threads
    disk_mb = 100                   # what it writes
    isolation = "require"           # or auto, none
    read = ["../data"]              # what else it may read, and write
    write = ["scratch"]
    build_network = true            # its build commands may use the network

    [bots.plain]
    stdio = "awk -f bot.awk"        # reads and writes lines: bridged

    [bots.p2]
    builtin = "planner"
    seed = "4"

    [bots.far]
    connected = true
    group = "guests"

Whatever is not understood is refused, and its place named.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.config.bot_fields import (
    Command,
    Fields,
    check_command,
    check_cpus,
    check_disk,
    check_memory,
    check_name,
    check_processes,
    check_text,
    check_version,
    split_command,
)
from arena.errors import InputError
from arena.sandbox.isolation import parse_isolation


def read_bots_file(path: Path) -> list[tuple[str, Fields]]:
    """Return each bot's place in the file, for errors, and its fields, in the file's order.

    Raises InputError that names the file, the line where it is known, the table and the key.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        document = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        # ValueError covers wrong TOML, which names its line, and text that is not UTF-8.
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{path}: cannot be read: {reason}") from None
    for key in document:
        if key != "bots":
            raise InputError(
                f"{path}{_line(text, None, key)}: unknown key {key!r}: bots are tables [bots.NAME]"
            )
    tables = document.get("bots")
    if not isinstance(tables, dict) or not tables:
        raise InputError(f"{path}: has no bots: write a table [bots.NAME] for each")
    return read_bot_tables(str(path), text, tables, path.parent)


def read_bot_tables(
    file: str, text: str, tables: Mapping[str, object], base: Path
) -> list[tuple[str, Fields]]:
    """Return the same of the tables `[bots.NAME]` in the text of any file.

    `file` is what errors call it, `base` what directories are relative to.
    """
    return [_read_table(file, text, name, table, base) for name, table in tables.items()]


def _read_table(file: str, text: str, name: str, table: object, base: Path) -> tuple[str, Fields]:
    where = f"{file}{_line(text, name, None)}: [bots.{name}]"
    if not isinstance(table, dict):
        raise InputError(f"{where}: must be a table, not {_kind(table)}")
    try:
        fields = Fields(name=check_name(name))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    for key, value in table.items():
        try:
            if key not in _READERS:
                raise InputError(f"unknown key {key!r} (the keys are: {', '.join(_READERS)})")
            fields.update(_READERS[key](value))
        except InputError as error:
            place = f"{file}{_line(text, name, key)}: [bots.{name}]"
            raise InputError(f"{place}: {error}") from None
    if fields.keys() & {"dir", "command", "stdio"}:
        fields["dir"] = base / fields.get("dir", ".")
    if "read" in fields:
        fields["read"] = tuple(base / path.expanduser() for path in fields["read"])
    if "write" in fields:
        fields["write"] = tuple(base / path.expanduser() for path in fields["write"])
    return where, fields


def _line(text: str, name: str | None, key: str | None) -> str:
    """Return `:LINE` where the table, or the key in it, plainly begins, else nothing."""
    lines = text.splitlines()
    start = 0
    if name is not None:
        header = re.compile(rf"\s*\[\s*bots\s*\.\s*[\"']?{re.escape(name)}[\"']?\s*[\].]")
        found = [number for number, line in enumerate(lines) if header.match(line)]
        if not found:
            return ""
        start = found[0]
        if key is None:
            return f":{start + 1}"
    begins = re.compile(rf"\s*(\[+\s*)?[\"']?{re.escape(key or '')}[\"']?\s*[=.\]]")
    for number in range(start, len(lines)):
        if begins.match(lines[number]):
            return f":{number + 1}"
        if number > start and name is not None and lines[number].lstrip().startswith("["):
            break
    return f":{start + 1}" if name is not None else ""


def _kind(value: object) -> str:
    kinds = {dict: "a table", list: "a list", str: "a text", bool: "true or false"}
    return kinds.get(type(value), f"{value!r}")


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} must be a text in quotation marks, not {_kind(value)}")
    return check_text(value, key)


def _command(key: str, value: object) -> Command:
    if isinstance(value, str):
        return split_command(value, key)
    if isinstance(value, list):
        return check_command([_text(f"each word of {key}", word) for word in value], key)
    raise InputError(f"{key} must be a text or a list of texts, not {_kind(value)}")


def _read_build(value: object) -> Fields:
    if not isinstance(value, list):
        raise InputError(f'build must be a list of commands such as ["make"], not {_kind(value)}')
    return Fields(build=tuple(_command("a command of build", command) for command in value))


def _read_env(value: object) -> Fields:
    if not isinstance(value, dict):
        raise InputError(f"env must be a table of texts, not {_kind(value)}")
    for key, text in value.items():
        if not key or "=" in key:
            raise InputError(f"env: {key!r} cannot be the name of a variable")
        if key.startswith("ARENA_"):
            raise InputError(f"env: {key}: names that begin with ARENA_ are reserved")
        check_text(key, "the name of a variable in env")
        _text(f"env: {key}", text)
    return Fields(env=dict(value))


def _read_dir(value: object) -> Fields:
    if not _text("dir", value):
        raise InputError("dir is empty")
    return Fields(dir=Path(str(value)))


def _number(key: str, value: object, words: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{key} must be a whole number{words}, not {_kind(value)}")
    return value


def _read_memory(value: object) -> Fields:
    return Fields(memory_mb=check_memory(_number("memory_mb", value, " of megabytes")))


def _read_disk(value: object) -> Fields:
    return Fields(disk_mb=check_disk(_number("disk_mb", value, " of megabytes")))


def _read_processes(value: object) -> Fields:
    return Fields(processes=check_processes(_number("processes", value, "")))


def _read_cpus(value: object) -> Fields:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError(f"cpus must be a number, not {_kind(value)}")
    return Fields(cpus=check_cpus(float(value)))


def _paths(key: str, value: object) -> tuple[Path, ...]:
    if not isinstance(value, list):
        raise InputError(f'{key} must be a list of paths such as ["data"], not {_kind(value)}')
    texts = [_text(f"each path of {key}", path) for path in value]
    if not all(texts):
        raise InputError(f"{key} has an empty path")
    return tuple(map(Path, texts))


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise InputError(f"{key} must be true or false, not {_kind(value)}")
    return value


def _read_seed(value: object) -> Fields:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return Fields(seed=str(value) if is_number else _text("seed", value))


_READERS: dict[str, Callable[[Any], Fields]] = {
    "run": lambda value: Fields(command=_command("run", value)),
    "stdio": lambda value: Fields(stdio=_command("stdio", value)),
    "build": _read_build,
    "dir": _read_dir,
    "env": _read_env,
    "version": lambda value: Fields(version=check_version(_text("version", value))),
    "builtin": lambda value: Fields(builtin=_text("builtin", value)),
    "connected": lambda value: Fields(connected=_flag("connected", value)),
    "group": lambda value: Fields(group=check_name(_text("group", value), "group")),
    "memory_mb": _read_memory,
    "cpus": _read_cpus,
    "processes": _read_processes,
    "disk_mb": _read_disk,
    "isolation": lambda value: Fields(isolation=parse_isolation(_text("isolation", value))),
    "read": lambda value: Fields(read=_paths("read", value)),
    "write": lambda value: Fields(write=_paths("write", value)),
    "build_network": lambda value: Fields(build_network=_flag("build_network", value)),
    "seed": _read_seed,
}
