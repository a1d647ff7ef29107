"""Finding and killing everything that a bot has started, whatever it did to hide.

Each bot is started with an id of its own in its environment, which all its descendants inherit;
a process belongs to a launch if it carries that id, if it is in the session the bot was started in,
or if it descends from one that does. A process that leaves the session, loses its parent
and has wiped its environment is not found: only a sandbox holds that one.

Run as a program, this is the keeper's process (see keeper.py): started with `python -I -S`, it
imports nothing but a little of the standard library, so that it costs next to nothing.
Without /proc nothing is found, and only process groups are killed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

LAUNCH_ID = "ARENA_LAUNCH_ID"
ID_LENGTH = 32  # hexadecimal digits

_MARK = LAUNCH_ID.encode() + b"="
_EMPTY_PASSES = 3  # a process between fork and exec carries nothing yet: look again
_PASS_S = 0.02
_LONGEST_SWEEP_S = 10.0
_CHUNK = 1 << 16


class _Stat(NamedTuple):
    parent: int
    group: int
    session: int
    started: bytes


class Found(NamedTuple):
    """A live process; its start time tells it from a later one with the same pid."""

    pid: int
    started: bytes
    group: int
    launch_id: str


def find_launched(
    groups: Mapping[str, int], known: AbstractSet[Found] = frozenset()
) -> list[Found]:
    """Return the live processes of these launches: id to process group, 0 where not known.

    Those already known to belong to them, and what descends from those, are found whatever they
    have done meanwhile. Takes some microseconds for each process of the machine.
    """
    owners = {group: launch_id for launch_id, group in groups.items() if group}
    earlier = {(process.pid, process.started): process.launch_id for process in known}
    ids = {launch_id.encode(): launch_id for launch_id in groups}
    stats = {pid: stat for pid in _pids() if (stat := _stat(pid)) is not None}
    owned: dict[int, str] = {}
    for pid, stat in stats.items():
        owner = earlier.get((pid, stat.started)) or _carried(pid, ids)
        # All that has not made a session of its own is in that of the process it was started by.
        owner = owner or owners.get(stat.session)
        if owner is not None:
            owned[pid] = owner
    if owned:
        _add_descendants(owned, stats)
    return [Found(pid, stats[pid].started, stats[pid].group, owned[pid]) for pid in sorted(owned)]


def find_session(leader: int, launch_id: str) -> list[Found]:
    """Return the live processes of a session whose leader, perhaps dead, is not reaped yet.

    That takes less time than `find_launched`, but finds nothing that has left the session.
    """
    stats = {pid: stat for pid in _pids() if (stat := _stat(pid)) is not None}
    return [
        Found(pid, stat.started, stat.group, launch_id)
        for pid, stat in stats.items()
        if stat.session == leader
    ]


def send(process: Found, number: int) -> None:
    """Send the signal to this process and no other; nothing happens if it is gone."""
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:
        return
    try:
        stat = _stat(process.pid)
        if stat is not None and stat.started == process.started:
            signal.pidfd_send_signal(handle, number)
    except OSError:
        pass  # gone in between, or it has become another user's
    finally:
        os.close(handle)


def send_group(group: int, number: int) -> None:
    """Send the signal to a process group; nothing happens if it is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _pids() -> list[int]:
    own = os.getpid()
    try:
        with os.scandir("/proc") as entries:
            pids = [int(entry.name) for entry in entries if entry.name.isdigit()]
    except OSError:
        return []
    return [pid for pid in pids if pid != own]


def _stat(pid: int) -> _Stat | None:
    """Return what /proc/PID/stat says, or None if the process is gone or a zombie."""
    text = _read(f"/proc/{pid}/stat")
    fields = text[text.rfind(b")") + 2 :].split()  # the name before may hold anything
    if len(fields) < 20 or fields[0] in b"ZX":
        return None
    return _Stat(int(fields[1]), int(fields[2]), int(fields[3]), fields[19])


def _carried(pid: int, ids: dict[bytes, str]) -> str | None:
    """Return which of the ids the process has in its environment."""
    text = _read(f"/proc/{pid}/environ")
    start = text.find(_MARK)
    while start >= 0:
        start += len(_MARK)
        launch_id = ids.get(text[start : start + ID_LENGTH])
        if launch_id is not None:
            return launch_id
        start = text.find(_MARK, start)
    return None


def _read(path: str) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    text = b""
    try:
        while chunk := os.read(file, _CHUNK):
            text += chunk
    except OSError:
        pass  # it ended while being read
    finally:
        os.close(file)
    return text


def _add_descendants(owned: dict[int, str], stats: dict[int, _Stat]) -> None:
    more = dict(owned)
    while more:
        more = {
            pid: owned[stat.parent]
            for pid, stat in stats.items()
            if pid not in owned and stat.parent in more
        }
        owned |= more


def sweep(groups: dict[str, int]) -> None:
    """Kill everything of these launches; returns when nothing is found any more."""
    for group in groups.values():
        if group:
            send_group(group, signal.SIGKILL)
    deadline = time.monotonic() + _LONGEST_SWEEP_S
    empty = 0
    while groups and empty < _EMPTY_PASSES and time.monotonic() < deadline:
        found = find_launched(groups)
        for process in found:
            send(process, signal.SIGKILL)
        empty = 0 if found else empty + 1
        time.sleep(_PASS_S)


def remove_directory(path: str) -> None:
    """Remove a directory, if it is there, with all that is in it.

    That of a control group is removed like an empty one, though it shows files.
    """
    try:
        os.rmdir(path)  # noqa: PTH106 - pathlib takes long to import
    except OSError as error:
        if error.errno == errno.ENOTEMPTY:
            from shutil import rmtree  # noqa: PLC0415 - not small, and seldom needed

            rmtree(path, ignore_errors=True)


class Registered(NamedTuple):
    """What the keeper knows of a launch."""

    group: int
    directories: tuple[str, ...]  # temporary ones, and those of control groups


def read_registrations(pipe: int, arena: int) -> dict[str, Registered]:
    """Return what is registered when the arena is gone: the pipe ends, or its process does.

    Lines are `+ID GROUP DIRECTORY...`, separated by tabs, and `-ID`. The pipe ends only when nobody
    holds its other end, so a process that the arena is just starting has come as far as its own
    program by then. The arena's process is watched as well, because a child it forked might hold
    the pipe open.
    """
    found: dict[str, Registered] = {}
    rest = b""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    with contextlib.suppress(OSError, AttributeError):  # not every system has it
        poll.register(os.pidfd_open(arena), select.POLLIN)
    is_over = os.getppid() != arena
    while True:
        ready = [] if is_over else [number for number, _ in poll.poll()]
        if any(number != pipe for number in ready) or is_over:
            is_over = True
            os.set_blocking(pipe, False)
        try:
            chunk = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return found
        if not chunk:
            return found
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            launch_id, *words = os.fsdecode(line[1:]).split("\t")
            if line.startswith(b"+"):
                found[launch_id] = Registered(int(words[0]), tuple(words[1:]))
            else:
                found.pop(launch_id, None)


def main() -> None:
    """Wait for the end of the arena whose pid is the argument, then remove what it left behind."""
    launches = read_registrations(0, int(sys.argv[1]))
    sweep({launch_id: launch.group for launch_id, launch in launches.items()})
    for launch in launches.values():
        for directory in launch.directories:
            remove_directory(directory)


if __name__ == "__main__":
    main()
