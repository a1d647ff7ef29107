"""How the bots of a launcher are kept apart from everything but their arena.

`arena.sandbox` knows the means; here is what they are used for: which level each bot gets, what it
may see, and the command that starts it so.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import arena
from arena.config.bot_spec import BotSpec
from arena.errors import InputError, SandboxError
from arena.sandbox.bubblewrap import (
    HOME,
    PROGRAM,
    Enclosure,
    bubblewrap_command,
    find_bubblewrap,
)
from arena.sandbox.cgroups import BotGroup, Cgroups, find_cgroups
from arena.sandbox.isolation import Isolation
from arena.sandbox.level import Level
from arena.sandbox.limits import (
    BUILD_DISK_MB,
    BUILD_PROCESSES,
    DEFAULT_DISK_MB,
    DEFAULT_PROCESSES,
    Limits,
)
from arena.sandbox.namespaces import namespaces_command
from arena.sandbox.other_user import admit_user, next_user, other_user_command
from arena.sandbox.probe import choose_level
from arena.sandbox.visible import (
    exists,
    is_too_much,
    is_within,
    named_paths,
    toolchain,
    toolchains,
)

LOG = logging.getLogger("arena.launch")

_JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"'
BUILD_HOME = ".build-home"

_ADDRESS = "ARENA_ADDRESS"
_UNIX = "unix:"
# What the bridge of a program that speaks over stdio needs for itself. It has a dozen threads, and
# gRPC starts more the more processors there are.
_BRIDGE_MB, _BRIDGE_PROCESSES = 128, 64


@dataclass(frozen=True, slots=True)
class Start:
    """One program about to be started for a bot."""

    spec: BotSpec
    program: str  # its absolute path
    command: Sequence[str]
    environment: Mapping[str, str]
    launch_id: str
    is_build: bool = False


@dataclass(frozen=True, slots=True)
class ConfinedCommand:
    """What to execute instead, and the descriptors that it needs."""

    executable: str
    arguments: list[str]
    directory: Path | None
    files: tuple[int, ...] = ()
    group: BotGroup | None = None  # whose limits hold for the process and all it starts


class Confinement:
    """Decides for each bot of an arena how it is kept apart."""

    def __init__(self, isolation: Isolation = Isolation.NONE, hidden: Sequence[Path] = ()) -> None:
        """Prepare; `hidden` is what no bot may see: results, databases, logs, tokens."""
        self.isolation = isolation
        self._hidden = tuple(path.resolve() for path in hidden)

    def hide(self, *directories: Path) -> None:
        """Hide more from the bots that are started from now on; a socket in there is shown."""
        self._hidden += tuple(path.resolve() for path in directories)

    def level(self, spec: BotSpec) -> Level:
        """Return how a bot is kept apart; raises SandboxError if that is not possible here."""
        asked = spec.isolation or self.isolation
        chosen = choose_level(asked).level
        if chosen.strength < self.isolation.least.strength:
            raise SandboxError(
                f"its isolation is {asked.text}, which gives {chosen.value}, "
                f"but {self.isolation.text} is asked of all bots"
            )
        return chosen

    def weakest(self, specs: Sequence[BotSpec]) -> Level | None:
        """Return the weakest level among bots that are started here; None if there are none."""
        levels = [self.level(spec) for spec in specs if not spec.connected]
        return min(levels, key=lambda level: level.strength, default=None)

    def check(self, specs: Sequence[BotSpec]) -> None:
        """Raise InputError for a bot that cannot be kept from what it must not see."""
        for spec in specs:
            try:
                if not spec.connected and self.level(spec) is not Level.NONE:
                    self._check_places(spec)
            except InputError as error:
                raise InputError(f"bot {spec.name}: {error}") from None

    @contextlib.contextmanager
    def confine(self, start: Start) -> Iterator[ConfinedCommand]:
        """Give the command that starts a program at the bot's level; raises InputError, OSError.

        Whoever takes it is to remove its group in the end.
        """
        level, spec, rest = self.level(start.spec), start.spec, start.command[1:]
        if level is not Level.NONE:
            self._check_places(spec)
        with contextlib.ExitStack() as undo:
            files: tuple[int, ...] = ()
            executable, directory = start.program, spec.dir
            words = list(start.command)
            if level is Level.BUBBLEWRAP:
                executable, directory = find_bubblewrap() or PROGRAM, None
                wrapped = bubblewrap_command(
                    executable, self._enclosure(start), start.program, rest
                )
                words, files = undo.enter_context(wrapped)
            elif level is Level.NAMESPACES:
                hidden = [path for path in self._hidden if path.is_dir()]
                words = namespaces_command(hidden, _socket(start), start.program, rest)
                executable = words[0]
            elif level is Level.USER:
                socket, user = _socket(start), next_user()
                if socket is not None:
                    admit_user(socket, user)
                words = other_user_command(user, start.program, rest)
                executable = words[0]
            group = self._group(start)
            if group is not None:
                shell = "/bin/sh"
                words = [
                    shell,
                    "-c",
                    _JOIN,
                    "arena",
                    *group.entrances,
                    "--",
                    executable,
                    *words[1:],
                ]
                executable = shell
            try:
                yield ConfinedCommand(executable, words, directory, files, group)
            except BaseException:
                if group is not None:
                    group.remove()
                raise

    def group_directories(self, start: Start) -> list[Path]:
        """Return where the groups of a program will be, so that they can be removed."""
        cgroups = self._cgroups(start.spec)
        return [] if cgroups is None else cgroups.group(start.launch_id).directories

    def _cgroups(self, spec: BotSpec) -> Cgroups | None:
        if self.level(spec) is Level.NONE and not (spec.memory_mb or spec.cpus or spec.processes):
            return None  # nobody has asked for anything
        return _cgroups()

    def _group(self, start: Start) -> BotGroup | None:
        spec = start.spec
        cgroups = self._cgroups(spec)
        if cgroups is None:
            return None
        try:
            return cgroups.make(start.launch_id, bot_limits(spec, is_build=start.is_build))
        except OSError as error:
            LOG.warning("no control group", extra={"bot": spec.name, "detail": str(error)})
            return None

    def _check_places(self, spec: BotSpec) -> None:
        if spec.builtin is not None:
            return
        directory, home = _directory(spec), Path.home()
        if is_too_much(directory, home):
            raise InputError(
                f"it runs in {directory}, and would see all that is in there: put it into a "
                'directory of its own, or trust it with isolation = "none"'
            )
        for path in (directory, *(path.resolve() for path in (*spec.read, *spec.write))):
            for hidden in self._hidden:
                if is_within(path, hidden):
                    raise InputError(
                        f"{path} lies in {hidden}, which no bot may see: "
                        "keep bots and results in different directories"
                    )
        for path in (*spec.read, *spec.write):
            if not path.exists():
                raise InputError(f"{path}, which it may use, does not exist")

    def _enclosure(self, start: Start) -> Enclosure:
        spec, home = start.spec, Path.home()
        reads = [path.resolve() for path in spec.read]
        reads += toolchains(start.environment, home)
        reads += toolchain(Path(start.program), start.environment, home)
        directory = Path(HOME)
        writes = [path.resolve() for path in spec.write]
        if spec.builtin is not None or spec.stdio is not None:
            reads += _own_places(home)
        if spec.stdio is not None:
            reads += named_paths(spec.stdio, home)
        if spec.builtin is None:
            directory = _directory(spec)
            reads += named_paths(start.command[1:], home) if spec.stdio is None else []
            (writes if start.is_build else reads).append(directory)
        address = start.environment.get(_ADDRESS, _UNIX)
        has_network = spec.build_network if start.is_build else not address.startswith(_UNIX)
        return Enclosure(
            directory=directory,
            reads=reads,
            writes=writes,
            hidden=self._hidden,
            links=_links([*spec.read, *spec.write, *([spec.dir] if spec.dir else [])]),
            socket=_socket(start),
            has_network=has_network,
            limits=bot_limits(spec, is_build=start.is_build),
            # The bridge sets it for the program alone.
            process_memory_mb=spec.memory_mb if spec.stdio is None else None,
        )


def _socket(start: Start) -> Path | None:
    """Return the arena's socket, if the program is to dial one."""
    kind, unix, path = start.environment.get(_ADDRESS, "").partition(_UNIX)
    return Path(path) if unix and path and not kind else None


@cache
def _cgroups() -> Cgroups | None:
    return find_cgroups()


def bot_limits(spec: BotSpec, *, is_build: bool = False) -> Limits:
    """Return the limits of all the bot's processes together."""
    if is_build:
        return Limits(None, spec.cpus, BUILD_PROCESSES, max(BUILD_DISK_MB, spec.disk_mb or 0))
    bridge_mb, bridge = (0, 0) if spec.stdio is None else (_BRIDGE_MB, _BRIDGE_PROCESSES)
    return Limits(
        memory_mb=None if spec.memory_mb is None else spec.memory_mb + bridge_mb,
        cpus=spec.cpus,
        processes=(spec.processes or DEFAULT_PROCESSES) + bridge,
        disk_mb=spec.disk_mb or DEFAULT_DISK_MB,
        bridge_processes=bridge,
    )


def make_build_home(spec: BotSpec) -> str:
    """Return the home of a bot's builds, in its own directory.

    What a package manager has fetched and compiled is still there at the next build, and no other
    bot's build has touched it.
    """
    home = _directory(spec) / BUILD_HOME
    home.mkdir(exist_ok=True)
    return str(home)


def _directory(spec: BotSpec) -> Path:
    return (spec.dir or Path.cwd()).resolve()


def _links(paths: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Return the absolute paths that lead over links, each with where it leads.

    Paths that a worker is told are relative to its tournament, and may lead up and down again.
    """
    pairs = ((Path(os.path.normpath(path.absolute())), path.resolve()) for path in paths)
    return [(path, target) for path, target in pairs if path != target == path.resolve()]


@cache
def _own_places(home: Path) -> tuple[Path, ...]:
    """Return where this Python and arena are, for built-in bots and bridges."""
    package = Path(arena.__file__).parent
    links = [path.resolve().parent for path in package.glob("*/*.py") if path.is_symlink()]
    here = Path.cwd()
    searched = [Path(place) for place in sys.path if place]
    return (
        *toolchain(Path(sys.executable), os.environ, home),
        *(Path(prefix) for prefix in {sys.prefix, sys.base_prefix} if Path(prefix).is_absolute()),
        package,
        *links,
        *(
            place
            for place in searched
            if exists(place) and place != here and not is_too_much(place, home)
        ),
    )
