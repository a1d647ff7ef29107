"""The command line of bubblewrap: a bot that sees its arena, its toolchain and itself."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.sandbox.limits import OPEN_FILES, SHARED_MEMORY_MB, Limits
from arena.sandbox.seccomp import make_filter
from arena.sandbox.visible import (
    JAVA_SETTINGS,
    NETWORK_SETTINGS,
    SETTINGS,
    SYSTEM,
    exists,
    is_within,
    smallest,
)

PROGRAM = "bwrap"
HOME = "/tmp"  # in there it is the bot's own
USER_ID = 1000

_PASSWD = f"bot:x:{USER_ID}:{USER_ID}:bot:{HOME}:/bin/sh\n"
_GROUP = f"bot:x:{USER_ID}:\n"
_MB = 1 << 20

# Set inside, where they count for this bot alone. Shells disagree on how to call processes; the
# limit on the size of files is in blocks of 512 bytes.
_LIMITED = (
    'ulimit -c 0; ulimit -n "$1"; ulimit -f "$2"; '
    'ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null; '
    '[ "$4" = 0 ] || ulimit -d "$4"; '
    'shift 4; exec "$@"'
)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What one process needs to see and may use. All paths are absolute."""

    directory: Path  # where it runs
    reads: Sequence[Path] = ()
    writes: Sequence[Path] = ()
    hidden: Sequence[Path] = ()  # never seen, wherever they lie
    links: Sequence[tuple[Path, Path]] = ()  # other names of what is seen
    socket: Path | None = None  # of the arena
    has_network: bool = False
    limits: Limits = field(default_factory=Limits)
    process_memory_mb: int | None = None  # of each process by itself


def find_bubblewrap() -> str | None:
    """Return where bubblewrap is installed."""
    return shutil.which(PROGRAM)


@contextlib.contextmanager
def bubblewrap_command(
    bubblewrap: str, enclosure: Enclosure, program: str, arguments: Sequence[str]
) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Give the words that run a program in the enclosure, and the descriptors to pass on.

    Raises OSError if there are too many open files.
    """
    with contextlib.ExitStack() as undo:
        files = {
            name: undo.enter_context(_readable(content)) for name, content in _contents().items()
        }
        # By a descriptor as well: a bot can read the command line of the first process it sees.
        options = "\0".join(_options(enclosure, files)).encode("utf-8", "surrogateescape")
        files["options"] = undo.enter_context(_readable(options))
        yield (
            [
                *(bubblewrap, "--args", str(files["options"]), "--"),
                *limited_command(enclosure.limits, enclosure.process_memory_mb, program, arguments),
            ],
            tuple(files.values()),
        )


def _options(enclosure: Enclosure, files: Mapping[str, int]) -> list[str]:
    limits = enclosure.limits
    return [
        *"--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try".split(),
        *(() if enclosure.has_network else ("--unshare-net",)),
        *("--disable-userns", "--uid", str(USER_ID), "--gid", str(USER_ID), "--hostname", "bot"),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *_system(enclosure.has_network),
        # As root outside, a bot without any capability could still write what root owns in there.
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"),
        *("--dev", "/dev", "--size", str(SHARED_MEMORY_MB * _MB), "--tmpfs", "/dev/shm"),
        *("--remount-ro", "/dev"),
        *("--size", str(limits.disk_mb * _MB), "--tmpfs", HOME),
        *("--file", str(files["passwd"]), "/etc/passwd"),
        *("--file", str(files["group"]), "/etc/group"),
        *_binds(enclosure),
        *("--remount-ro", "/"),
        *(("--seccomp", str(files["seccomp"])) if "seccomp" in files else ()),
        *("--chdir", str(enclosure.directory)),
    ]


def _contents() -> dict[str, bytes]:
    """Return what bubblewrap reads from descriptors, by name."""
    contents = {"passwd": _PASSWD.encode(), "group": _GROUP.encode()}
    program = make_filter()
    return contents if program is None else contents | {"seccomp": program}


@contextlib.contextmanager
def _readable(content: bytes) -> Iterator[int]:
    """Give a descriptor from which the content can be read once."""
    file = os.memfd_create("arena")
    try:
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)


def limited_command(
    limits: Limits, process_memory_mb: int | None, program: str, arguments: Sequence[str]
) -> list[str]:
    """Return a command that sets the limits of each process and becomes the program."""
    numbers = (
        OPEN_FILES,
        limits.disk_mb * _MB // 512,
        limits.processes,
        (process_memory_mb or 0) * 1024,
    )
    return ["/bin/sh", "-c", _LIMITED, "arena", *map(str, numbers), program, *arguments]


def _system(has_network: bool) -> Iterator[str]:
    for place in SYSTEM:
        path = Path(place)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), place)
        elif exists(path):
            yield from ("--ro-bind", place, place)
    java = [str(path) for path in Path("/etc").glob(JAVA_SETTINGS)]
    for place in (*SETTINGS, *java, *(NETWORK_SETTINGS if has_network else ())):
        if exists(Path(place)):
            yield from ("--ro-bind", place, place)


def _binds(enclosure: Enclosure) -> Iterator[str]:
    writes = smallest(enclosure.writes)
    reads = smallest(enclosure.reads)
    shown = [(path, "--bind") for path in writes]
    shown += [(path, "--ro-bind") for path in reads if not any(is_within(path, w) for w in writes)]
    for path, how in sorted(shown):  # what lies deeper comes later, and on top
        yield from (how, str(path), str(path))
    seen = [path for path, _ in shown]
    for path, target in enclosure.links:
        if not any(is_within(path, other) for other in seen):
            yield from ("--symlink", str(target), str(path))
            seen.append(path)
    covered = [path for path in enclosure.hidden if _is_shown(path, (*reads, *writes))]
    for path in covered:
        yield from _cover(path, writes)
    if enclosure.socket is not None:  # it may lie in a hidden place
        yield from ("--ro-bind", str(enclosure.socket), str(enclosure.socket))
    for path in covered:
        if path.is_dir():
            yield from ("--remount-ro", str(path))


def _is_shown(path: Path, places: Iterable[Path]) -> bool:
    return path.exists() and any(is_within(path, place) for place in places)


def _cover(path: Path, writes: Iterable[Path]) -> Iterator[str]:
    """Hide a path."""
    for place in writes:
        if is_within(path, place):
            # A directory on the way there that is a mount of its own cannot be moved away.
            between = [parent for parent in path.parents if place in parent.parents]
            for parent in reversed(between):
                yield from ("--bind", str(parent), str(parent))
    if path.is_dir():
        yield from ("--perms", "0111", "--tmpfs", str(path))
    else:
        yield from ("--ro-bind", "/dev/null", str(path))
