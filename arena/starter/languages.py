"""The languages that a bot's project can be made in.

Those with an SDK are described by its `sdk.toml`, which clients/conformance/sdks.py explains. They
lie in `clients/` of a checkout. The installed package carries what is needed of that below its own
directory, put there when the wheel is built.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.errors import InputError
from arena.starter.toolchain import Need

_SHIPPED = Path(__file__).parent / "clients"
CLIENTS = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).resolve().parents[2] / "clients"

STDIO = "stdio"  # below CLIENTS: the languages without an SDK, which speak JSON over pipes


@dataclass(frozen=True, slots=True)
class Language:
    """One language, and what the author of a bot in it is told."""

    name: str
    title: str
    edit: str  # the one file to edit
    test: str  # runs the project's own tests; {{python}} as in templates
    needs: tuple[Need, ...]  # must be on the machine to build and run a project
    library: tuple[str, ...] = ()  # files and directories of its SDK, if it has one
    library_directory: str = ""  # where in a project they lie

    @property
    def has_sdk(self) -> bool:
        """Whether its bots speak gRPC, by an SDK that the project carries along."""
        return bool(self.library)

    @property
    def directory(self) -> Path:
        """Where its template and its SDK are."""
        return CLIENTS / (self.name if self.has_sdk else STDIO)


def _by_stdio(
    name: str, title: str, edit: str, program: str, at_least: str, flag: str = "--version"
) -> Language:
    need = Need(program, (program, flag), at_least, f"{program} {at_least} or newer")
    return Language(name, title, edit, "./test", (need,))


_BY_STDIO = (
    _by_stdio("bash", "Bash", "my_bot.sh", "bash", "4.0"),
    _by_stdio("awk", "AWK", "my_bot.awk", "gawk", "4.0"),
    _by_stdio("perl", "Perl", "my_bot.pl", "perl", "5.14"),
    _by_stdio("ruby", "Ruby", "my_bot.rb", "ruby", "2.7"),
    _by_stdio("lua", "Lua", "my_bot.lua", "lua", "5.3", "-v"),
    _by_stdio("javascript", "JavaScript", "my_bot.js", "node", "18.0"),
)

_ALSO_CALLED = {
    "c++": "cpp",
    "cxx": "cpp",
    "gawk": "awk",
    "golang": "go",
    "js": "javascript",
    "node": "javascript",
    "py": "python",
    "rs": "rust",
    "sh": "bash",
    "ts": "typescript",
}


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages: Python, those with an SDK by name, and the others."""
    with_sdk = [_read_sdk(path) for path in sorted(CLIENTS.glob("*/sdk.toml"))]
    return (*sorted(with_sdk, key=lambda language: language.name != "python"), *_BY_STDIO)


def get_language(name: str) -> Language:
    """Return the language of that name; raises InputError that names the nearest, and all."""
    by_name = {language.name: language for language in languages()}
    if name in by_name:
        return by_name[name]
    folded = name.casefold()
    near = difflib.get_close_matches(folded, by_name, n=1)
    meant = _ALSO_CALLED.get(folded) or (near[0] if near else None)
    hint = f": did you mean {meant}?" if meant else ""
    raise InputError(
        f"there is no project in the language {name!r}{hint} (there are: {', '.join(by_name)})"
    )


def _read_sdk(path: Path) -> Language:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Language(
        name=path.parent.name,
        title=table["title"],
        edit=table["project"]["edit"],
        test=table["project"]["test"],
        needs=tuple(
            Need(need["program"], tuple(need["version"]), need["at_least"], need["install"])
            for need in table.get("needs", [])
        ),
        library=tuple(table["library"]["files"]),
        library_directory=table["library"]["directory"],
    )
