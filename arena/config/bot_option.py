r"""The value of `--bot` in its long form: `name=mine,cmd="./mybot --level 3",version=2`.

Items are separated by commas. Quotation marks, single or double, protect commas; where they
enclose a whole value they are removed, and inside double ones \" and \\ stand for " and \.
Anywhere else they are left for the command's own splitting into words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from arena.config.bot_fields import (
    Fields,
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

_LONG_FORM = re.compile(r"\s*\w+\s*=|[^,]*,|\s*connected\s*$")
_UNQUOTED = r"[^,'\"\\]"
_ESCAPED = r"\\."
_DOUBLE = r'"(?:[^"\\]|\\.)*"'
_SINGLE = r"'[^']*'"
_ITEM = re.compile(rf"(?:{_UNQUOTED}|{_ESCAPED}|{_DOUBLE}|{_SINGLE})*", re.DOTALL)
_MOST_DIGITS = 12


def is_long_form(text: str) -> bool:
    """Return whether the text is meant as `key=value,…` and not as a built-in bot or a file."""
    return _LONG_FORM.match(text) is not None


def parse_option(text: str) -> Fields:
    """Return the fields that the text writes; raises InputError."""
    fields = Fields()
    for item in _split(text):
        key, equals, value = (part.strip() for part in item.partition("="))
        if key not in _READERS:
            known = ", ".join(_READERS)
            raise InputError(f"unknown key {key!r} (the keys are: {known})")
        if (key == "connected") == bool(equals):
            takes = "no value" if equals else "a value: write " + key + "=…"
            raise InputError(f"{key} takes {takes}")
        if ("command" if key == "cmd" else key) in fields:
            raise InputError(f"{key} is given twice")
        fields.update(_READERS[key](_unquote(value)))
    return fields


def _split(text: str) -> list[str]:
    items, start = [], 0
    while True:
        found = _ITEM.match(text, start)
        end = found.end() if found else start
        if end < len(text) and text[end] != ",":
            mark = "backslash" if text[end] == "\\" else "quotation mark"
            raise InputError(f"the {mark} at character {end + 1} stands open")
        items.append(text[start:end])
        if not items[-1].strip():
            raise InputError(
                f"nothing stands before character {end + 1}; is there a comma too many?"
            )
        if end >= len(text):
            return items
        start = end + 1


def _unquote(value: str) -> str:
    if re.fullmatch(_SINGLE, value, re.DOTALL):
        return value[1:-1]
    if re.fullmatch(_DOUBLE, value, re.DOTALL):
        return re.sub(r'\\(["\\])', r"\1", value[1:-1])
    return value


def _read_builtin(value: str) -> Fields:
    return Fields(builtin=value)


def _number(key: str, value: str, words: str = "") -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
        raise InputError(f"{key} must be a whole number{words}, not {value!r}")
    return int(value)


def _read_memory(value: str) -> Fields:
    return Fields(memory_mb=check_memory(_number("memory_mb", value, " of megabytes")))


def _read_disk(value: str) -> Fields:
    return Fields(disk_mb=check_disk(_number("disk_mb", value, " of megabytes")))


def _read_processes(value: str) -> Fields:
    return Fields(processes=check_processes(_number("processes", value)))


def _read_cpus(value: str) -> Fields:
    if not re.fullmatch(rf"[0-9]{{1,{_MOST_DIGITS}}}(\.[0-9]{{1,{_MOST_DIGITS}}})?", value):
        raise InputError(f"cpus must be a number, not {value!r}")
    return Fields(cpus=check_cpus(float(value)))


def _read_dir(value: str) -> Fields:
    if not value:
        raise InputError("dir is empty")
    return Fields(dir=Path(check_text(value, "dir")))


_READERS: dict[str, Callable[[str], Fields]] = {
    "name": lambda value: Fields(name=check_name(value)),
    "builtin": _read_builtin,
    "cmd": lambda value: Fields(command=split_command(value, "cmd")),
    "stdio": lambda value: Fields(stdio=split_command(value, "stdio")),
    "connected": lambda _: Fields(connected=True),
    "dir": _read_dir,
    "group": lambda value: Fields(group=check_name(value, "group")),
    "version": lambda value: Fields(version=check_version(value)),
    "seed": lambda value: Fields(seed=check_text(value, "seed")),
    "memory_mb": _read_memory,
    "cpus": _read_cpus,
    "processes": _read_processes,
    "disk_mb": _read_disk,
    "isolation": lambda value: Fields(isolation=parse_isolation(value)),
}
