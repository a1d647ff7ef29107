"""What of the file system a bot needs to run: the system, its toolchain, its own directory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
"""Programs and libraries. Links are kept as links."""

SETTINGS = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/mime.types",
    "/etc/maven",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
    "/etc/ca-certificates",
    "/etc/crypto-policies",
)
"""Of /etc only what programs need to start: there are secrets beside it."""
JAVA_SETTINGS = "java*"
"""The same of Java, whose directory in /etc has its version in its name."""

NETWORK_SETTINGS = ("/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf")

TOOLCHAIN_VARIABLES = (
    "VIRTUAL_ENV",
    "PYENV_ROOT",
    "JAVA_HOME",
    "MAVEN_HOME",
    "GOROOT",
    "RUSTUP_HOME",
    "NVM_BIN",
    "CONDA_PREFIX",
)
"""Variables that name a directory of programs, which bots may read."""
SEARCH_VARIABLES = (
    "PYTHONPATH",
    "NODE_PATH",
    "LD_LIBRARY_PATH",
    "CLASSPATH",
    "PERL5LIB",
    "LUA_PATH",
)
"""Variables that name directories, separated by colons."""

_PROGRAM_DIRECTORIES = {"bin", "sbin", "shims"}
_OWN_PLACE = Path(__file__).parents[2]
_PREFIX_MARKS = ("pyvenv.cfg", "lib", "lib64", "libexec")


def exists(path: Path) -> bool:
    """Return whether it is there and can be reached: PATH may name somebody else's home."""
    return os.path.exists(path)  # noqa: PTH110 - which does not raise PermissionError


def is_within(path: Path, place: Path) -> bool:
    """Return whether a path is the place or lies below it; both absolute."""
    return path == place or place in path.parents


def is_system(path: Path) -> bool:
    """Return whether every bot sees the path anyway."""
    return any(is_within(path, Path(place)) for place in (*SYSTEM, *SETTINGS))


def is_too_much(path: Path, home: Path) -> bool:
    """Return whether showing this directory would show everything a person has."""
    return is_within(home, path) or path == home / ".local" or len(path.parts) <= 1


def toolchain(program: Path, environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return what must be seen outside the system to run a program.

    That is the program itself, each place that links lead over, its interpreter if it is a script,
    and the installation that each of them belongs to (a virtual environment, a JDK).
    """
    found: list[Path] = []
    for hop in _hops(program):
        found += _installation(hop, home)
    for interpreter in _interpreters(program, environment):
        for hop in _hops(interpreter):
            found += _installation(hop, home)
    if any(part == ".cargo" for path in found for part in path.parts):
        # What cargo installs as programs are signs that point there.
        found.append(Path(environment.get("RUSTUP_HOME") or home / ".rustup"))
    return [path for path in dict.fromkeys(found) if not is_system(path) and exists(path)]


def toolchains(environment: Mapping[str, str], home: Path) -> list[Path]:
    """Return the installations that an environment names: in PATH, JAVA_HOME and the like."""
    found: list[Path] = []
    for name in (*TOOLCHAIN_VARIABLES, "PATH", *SEARCH_VARIABLES):
        for text in environment.get(name, "").split(":"):
            path = Path(text)
            if not path.is_absolute() or is_system(path) or not exists(path):
                continue
            if path.name in _PROGRAM_DIRECTORIES:
                found += _installation(path / "any", home)
            elif not is_too_much(path, home):
                found.append(path)
    return list(dict.fromkeys(found))


def named_paths(words: Sequence[str], home: Path) -> list[Path]:
    """Return what the arguments of a command name by absolute paths: `python /bots/mine/bot.py`.

    Of a file its directory is meant, in which there is more that belongs to it.
    """
    found = []
    for word in words:
        path = Path(word)
        if not path.is_absolute() or is_system(path) or not exists(path):
            continue
        place = path if path.is_dir() or is_too_much(path.parent, home) else path.parent
        if not (place.is_dir() and is_too_much(place, home)):
            found.append(place)
    return found


def smallest(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those that lie below another one."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(is_within(path, other) for other in kept):
            kept.append(path)
    return kept


def _installation(program: Path, home: Path) -> list[Path]:
    directory = program.parent
    if directory.name not in _PROGRAM_DIRECTORIES:
        return [program]
    prefix = directory.parent
    if not is_too_much(prefix, home) and any(exists(prefix / mark) for mark in _PREFIX_MARKS):
        return [prefix, *_editable_packages(prefix, home)]
    return [] if is_too_much(directory, home) else [directory]


def _editable_packages(prefix: Path, home: Path) -> Iterator[Path]:
    """Yield what is installed into a virtual environment by its place: `pip install -e`.

    But not arena itself: beside its sources there may be results of other tournaments.
    """
    for path in sorted(prefix.glob("lib/python*/site-packages/*.pth")):
        for line in path.read_text(errors="replace").splitlines():
            place = Path(line)
            is_package = place.is_absolute() and place != _OWN_PLACE and os.path.isdir(place)  # noqa: PTH112
            if is_package and not is_too_much(place, home):
                yield place


def _hops(path: Path) -> Iterator[Path]:
    """Yield the path and every path that it leads to as a link, then where it really is."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield path.resolve()


def _interpreters(script: Path, environment: Mapping[str, str]) -> list[Path]:
    try:
        with script.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return []
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    found = [Path(word) for word in words[:1]]
    if found and found[0].name == "env":
        names = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        for directory in environment.get("PATH", os.defpath).split(":"):
            path = Path(directory, names[0]) if names and directory.startswith("/") else None
            if path is not None and path.is_file():
                return [*found, path]
    return found
