"""Which language a program is written in, as far as its command tells."""

from __future__ import annotations

import re
from pathlib import Path

from arena.config.bot_fields import Command

_INTERPRETERS = {
    "awk": "awk",
    "bash": "bash",
    "gawk": "awk",
    "julia": "julia",
    "lua": "lua",
    "luajit": "lua",
    "mawk": "awk",
    "node": "javascript",
    "perl": "perl",
    "php": "php",
    "python": "python",
    "raku": "raku",
    "rscript": "r",
    "ruby": "ruby",
    "sh": "sh",
    "tclsh": "tcl",
}
_UNKNOWN = "unknown"


def language_of(command: Command) -> str:
    """Return the language of the interpreter that the command, or its file's #! line, names."""
    return _of_words(command) or _of_words(_first_line(command[0])) or _UNKNOWN


def _of_words(words: Command) -> str | None:
    for word in words[:2]:  # the second one for #!/usr/bin/env perl
        name = re.sub(r"[\d.-]*$", "", Path(word).name).lower()  # lua5.4, python3.11
        if name in _INTERPRETERS:
            return _INTERPRETERS[name]
        if name != "env":
            break
    return None


def _first_line(path: str) -> Command:
    try:
        with Path(path).open("rb") as file:
            first = file.readline(256)
    except OSError:
        return ()
    return tuple(first[2:].decode(errors="replace").split()) if first.startswith(b"#!") else ()
