"""The languages that a bot's project can be made in."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from arena.errors import InputError
from arena.starter.toolchain import Need

STDIO = "stdio"  # below clients/: the languages without an SDK, which speak JSON over pipes


@dataclass(frozen=True, slots=True)
class Language:
    """One language, and what the author of a bot in it is told."""

    name: str
    title: str
    edit: str  # the one file to edit
    test: str  # runs the project's own tests; {{python}} as in templates
    sdk: str  # its directory below clients/
    needs: tuple[Need, ...] = ()  # without an SDK, whose sdk.toml says it

    @property
    def has_sdk(self) -> bool:
        """Whether its bots speak gRPC, by an SDK that the project carries along."""
        return self.sdk != STDIO


def _with_sdk(name: str, title: str, edit: str, test: str) -> Language:
    return Language(name, title, edit, test, sdk=name)


def _by_stdio(name: str, title: str, edit: str, need: Need) -> Language:
    return Language(name, title, edit, "./test", STDIO, (need,))


def _need(program: str, at_least: str, install: str, flag: str = "--version") -> Need:
    return Need(program, (program, flag), at_least, install)


LANGUAGES = (
    _with_sdk("python", "Python", "my_bot.py", "{{python}} -m unittest"),
    _with_sdk("go", "Go", "my_bot.go", "go test ./..."),
    _with_sdk("rust", "Rust", "src/my_bot.rs", "cargo test --release"),
    _with_sdk("java", "Java", "bot/src/main/java/MyBot.java", "mvn -q test"),
    _with_sdk("typescript", "TypeScript", "my_bot.ts", "npm test"),
    _with_sdk("cpp", "C++", "my_bot.h", "cmake --build build && ctest --test-dir build"),
    _by_stdio("bash", "Bash", "my_bot.sh", _need("bash", "4.0", "Bash 4 or newer")),
    _by_stdio("awk", "AWK", "my_bot.awk", _need("gawk", "4.0", "GNU awk 4 or newer")),
    _by_stdio("perl", "Perl", "my_bot.pl", _need("perl", "5.14", "Perl 5.14 or newer")),
    _by_stdio("ruby", "Ruby", "my_bot.rb", _need("ruby", "2.7", "Ruby 2.7 or newer")),
    _by_stdio("lua", "Lua", "my_bot.lua", _need("lua", "5.3", "Lua 5.3 or newer", "-v")),
    _by_stdio("javascript", "JavaScript", "my_bot.js", _need("node", "18.0", "Node 18 or newer")),
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


def get_language(name: str) -> Language:
    """Return the language of that name; raises InputError that names the nearest, and all."""
    by_name = {language.name: language for language in LANGUAGES}
    if name in by_name:
        return by_name[name]
    folded = name.casefold()
    near = difflib.get_close_matches(folded, by_name, n=1)
    meant = _ALSO_CALLED.get(folded) or (near[0] if near else None)
    hint = f": did you mean {meant}?" if meant else ""
    raise InputError(
        f"there is no project in the language {name!r}{hint} (there are: {', '.join(by_name)})"
    )
