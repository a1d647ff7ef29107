"""The SDKs of this repository, as their `sdk.toml` describe them: found, built and run.

    title = "Go"                                  # as people write it

    [[needs]]                                     # what must be on the machine; may be repeated
    program = "go"
    version = ["go", "version"]                   # prints it; the first number with a dot counts
    at_least = "1.23"
    install = "Go 1.23 or newer"                  # what a person is told to install

    [commands]                                    # lists of commands, run in the SDK's directory
    build = [["go", "build", "-o", "build/", "./examples/...", "./conformance/..."]]
    test = [["go", "test", "./..."]]              # runs the tests of what has been built
    lint = [["go", "vet", "./..."]]
    generate = [["./generate"]]                   # writes `generated` again

    [generated]                                   # stubs that are kept in the repository
    files = ["v1/*.go"]

    [programs]                                    # commands, run in the SDK's directory
    random_bot = ["build/random_bot"]
    ...
    conformance_series = ["…"]                    # may be left out; for programs slow to start

    [library]                                     # what a project of `arena init` carries along
    directory = "sdk"                             # where in the project
    files = ["go.mod", "go.sum", "*.go", "v1"]

    [project]                                     # such a project; read by arena.starter
    edit = "my_bot.go"                            # the one file to edit
    test = "go test ./..."                        # runs its own tests

`{python}` in a command stands for the Python that runs this.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.starter.toolchain import Need, find_lack, find_version

CLIENTS = Path(__file__).resolve().parent.parent
PROTO = CLIENTS.parent / "proto"
PROGRAMS = (
    "random_bot",
    "byzanz_sensible_bot",
    "schwarzmarkt_sensible_bot",
    "conformance_bot",
    "golden_codec",
)
SERIES = "conformance_series"
COMMANDS = ("build", "test", "lint", "generate")
_STAMP = Path("build", ".built")

_MADE = {"build", "target", "node_modules", "dist", "__pycache__"}  # directories of build products

Command = tuple[str, ...]


class SdkError(Exception):
    """An SDK cannot be described, built or tested; the text says why."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """One SDK."""

    name: str
    title: str
    directory: Path
    needs: tuple[Need, ...]
    commands: Mapping[str, tuple[Command, ...]]
    programs: Mapping[str, Command]
    generated: tuple[str, ...]
    library_directory: str
    library_files: tuple[str, ...]


def read_sdks(clients: Path = CLIENTS) -> list[Sdk]:
    """Return all SDKs, that of Python first, the others by name; raises SdkError."""
    found = [_read(path) for path in sorted(clients.glob("*/sdk.toml"))]
    return sorted(found, key=lambda sdk: sdk.name != "python")


def chosen_names(environment: Mapping[str, str] = os.environ) -> set[str] | None:
    """Return the SDKs that LANGS names, separated by spaces; None if it says nothing.

    Raises SdkError for a name that is none.
    """
    names = environment.get("LANGS", "").replace(",", " ").split()
    known = [sdk.name for sdk in read_sdks()]
    for name in names:
        if name not in known:
            raise SdkError(f"LANGS: there is no SDK {name!r} (there are: {' '.join(known)})")
    return set(names) or None


def chosen(names: Sequence[str]) -> list[Sdk]:
    """Return the SDKs of these names, or if there are none those of LANGS, or all.

    Raises SdkError for a name that is none.
    """
    wanted = chosen_names({"LANGS": " ".join(names)} if names else os.environ)
    return [sdk for sdk in read_sdks() if wanted is None or sdk.name in wanted]


def missing(sdk: Sdk) -> str | None:
    """Return one line that says what is to be installed first; None if nothing is."""
    for need in sdk.needs:
        lack = find_lack(need)
        if lack is not None:
            return f"{sdk.title}: {lack}: install {need.install}"
    return None


def build(sdk: Sdk) -> bool:
    """Build the library and all programs; return False if they are up to date.

    Several processes may call it at once: one of them builds. Raises SdkError with the output.
    """
    with _locked(sdk):
        tools = _tools(sdk)
        if _stamp(sdk) == [_sources(sdk), tools]:
            return False
        run(sdk, "build")
        lines = f"{_sources(sdk)}\n{tools}\n"
        (sdk.directory / _STAMP).write_text(lines, encoding="utf-8")
    return True


def is_built(sdk: Sdk) -> bool:
    """Return whether it was built of these sources, by whichever tools: to ask them takes long."""
    with _locked(sdk):
        return _stamp(sdk)[:1] == [_sources(sdk)]


def run(sdk: Sdk, what: str, *, shown: bool = False) -> str:
    """Run the commands of one kind; return their output, or show it instead of keeping it.

    Raises SdkError, with the output, for one that fails.
    """
    output = []
    for command in sdk.commands[what]:
        done = subprocess.run(
            resolve(command),
            cwd=sdk.directory,
            stdin=subprocess.DEVNULL,
            stdout=None if shown else subprocess.PIPE,
            stderr=None if shown else subprocess.STDOUT,
            check=False,
            text=True,
            errors="replace",
        )
        output.append(done.stdout or "")
        if done.returncode:
            raise SdkError(
                f"{sdk.title}: `{shlex.join(command)}` in clients/{sdk.name} "
                f"failed with {done.returncode}\n{''.join(output)}"
            )
    return "".join(output)


def is_stale(sdk: Sdk) -> list[str]:
    """Return the generated files that are not what proto/ says; leaves all of them as they are."""
    with _locked(sdk):
        before = _generated(sdk)
        times = {path: path.stat().st_mtime_ns for path in before}  # build tools go by them
        run(sdk, "generate")
        after = _generated(sdk)
        for path in after.keys() - before.keys():
            path.unlink()
        for path, content in before.items():
            path.write_bytes(content)
            os.utime(path, ns=(times[path], times[path]))
    differing = {
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    }
    return sorted(f"clients/{sdk.name}/{path.relative_to(sdk.directory)}" for path in differing)


def resolve(command: Command) -> list[str]:
    """Return a command of `sdk.toml` as it can be run."""
    return [word.replace("{python}", sys.executable) for word in command]


def _read(path: Path) -> Sdk:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        commands, programs = table["commands"], table["programs"]
        return Sdk(
            name=path.parent.name,
            title=table["title"],
            directory=path.parent,
            needs=tuple(
                Need(need["program"], tuple(need["version"]), need["at_least"], need["install"])
                for need in table.get("needs", [])
            ),
            commands={kind: tuple(map(tuple, commands[kind])) for kind in COMMANDS},
            programs={
                program: tuple(programs[program])
                for program in (*PROGRAMS, *({SERIES} & programs.keys()))
            },
            generated=tuple(table.get("generated", {}).get("files", [])),
            library_directory=table["library"]["directory"],
            library_files=tuple(table["library"]["files"]),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SdkError(f"{path}: {error!r}") from None


@contextmanager
def _locked(sdk: Sdk) -> Iterator[None]:
    (sdk.directory / "build").mkdir(exist_ok=True)
    with (sdk.directory / "build" / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # let go when the file is closed
        yield


def _stamp(sdk: Sdk) -> list[str]:
    """Return what it was built of last: the digests of its sources and of its tools."""
    stamp = sdk.directory / _STAMP
    return stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() else []


def _tools(sdk: Sdk) -> str:
    versions = repr([find_version(need.version) for need in sdk.needs])
    return hashlib.sha256(versions.encode()).hexdigest()


def _sources(sdk: Sdk) -> str:
    digest = hashlib.sha256()
    for directory in (sdk.directory, PROTO):
        for path in _files(directory):
            digest.update(f"{path.relative_to(directory)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(directory: Path) -> Iterator[Path]:
    for place, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if name not in _MADE)
        yield from (Path(place, name) for name in sorted(files))


def _generated(sdk: Sdk) -> dict[Path, bytes]:
    paths = (path for pattern in sdk.generated for path in sdk.directory.glob(pattern))
    return {path: path.read_bytes() for path in paths if path.is_file()}
