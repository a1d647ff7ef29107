"""Control groups: limits that the kernel keeps for all processes of a bot together.

They can be had with version 2 where a part of the tree is ours (`systemd-run --scope -p
Delegate=yes`, some containers), and with version 1 as root. A group is made for each process that
is started for a bot, below the group that this process is in, and removed when nothing of it is
left.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.limits import Limits

PREFIX = "arena-"
_OWN = "arena.self"  # where version 2 wants this process to be, beside the groups of bots
_CONTROLLERS = ("memory", "pids", "cpu")
_PERIOD_US = 100_000
_MB = 1 << 20
_REMOVE_S = 1.0


@dataclass(frozen=True, slots=True)
class BotGroup:
    """The groups of one bot: one directory, or one for each controller."""

    places: Mapping[str, Path]  # by controller

    @property
    def directories(self) -> list[Path]:
        """Each directory once."""
        return list(dict.fromkeys(self.places.values()))

    @property
    def entrances(self) -> list[str]:
        """The files to which a process writes 0 to come in."""
        return [str(place / "cgroup.procs") for place in self.directories]

    def memory_kills(self) -> int:
        """How many of its processes the kernel has ended at the limit of memory."""
        return self._count("memory", ("memory.events", "memory.oom_control"), "oom_kill")

    def refused_processes(self) -> int:
        """How often it was refused another process or thread."""
        return self._count("pids", ("pids.events",), "max")

    def remove(self) -> None:
        """Remove the groups, as soon as the kernel has let go of their processes."""
        deadline = time.monotonic() + _REMOVE_S
        for place in self.directories:
            while place.exists() and time.monotonic() < deadline:
                try:
                    place.rmdir()
                except OSError:
                    time.sleep(0.002)

    def _count(self, controller: str, files: Sequence[str], key: str) -> int:
        for name in files if controller in self.places else ():
            try:
                text = (self.places[controller] / name).read_text()
            except OSError:
                continue
            if found := re.search(rf"^{key} (\d+)$", text, re.MULTILINE):
                return int(found[1])
        return 0


@dataclass(frozen=True, slots=True)
class Cgroups:
    """Where groups can be made, for which controllers."""

    version: int
    places: Mapping[str, Path]  # by controller

    def group(self, name: str) -> BotGroup:
        """Return the group of that name, made or not."""
        return BotGroup({c: place / f"{PREFIX}{name}" for c, place in self.places.items()})

    def make(self, name: str, limits: Limits) -> BotGroup:
        """Make a bot's group with its limits; raises OSError."""
        group = self.group(name)
        try:
            for place in group.directories:
                place.mkdir()
            for controller, file, text in self._settings(limits):
                if controller in group.places:
                    (group.places[controller] / file).write_text(text)
        except OSError:
            group.remove()
            raise
        return group

    def _settings(self, limits: Limits) -> Iterator[tuple[str, str, str]]:
        is_new = self.version == 2
        yield "pids", "pids.max", str(limits.processes)
        if limits.memory_mb is not None:
            most = str(limits.memory_mb * _MB)
            yield "memory", "memory.max" if is_new else "memory.limit_in_bytes", most
            swap = "memory.swap.max" if is_new else "memory.memsw.limit_in_bytes"
            if (self.places.get("memory", Path()) / swap).exists() or (
                is_new and "memory" in self.places
            ):
                yield "memory", swap, "0" if is_new else most
            if is_new:
                yield "memory", "memory.oom.group", "1"
        if limits.cpus is not None:
            quota = max(1000, int(limits.cpus * _PERIOD_US))
            if is_new:
                yield "cpu", "cpu.max", f"{quota} {_PERIOD_US}"
            else:
                yield "cpu", "cpu.cfs_period_us", str(_PERIOD_US)
                yield "cpu", "cpu.cfs_quota_us", str(quota)


def find_cgroups(root: Path = Path("/")) -> Cgroups | None:
    """Return where groups can be made, None if nowhere. Found out by making one."""
    own = _own_groups(root)
    places: dict[str, Path] = {}
    for controller in _CONTROLLERS:
        if controller in own:
            place = _mounted(root / "sys/fs/cgroup" / controller, own[controller])
            if place is not None and _can_make(place, ("cgroup.procs",)):
                places[controller] = place
    if places:
        return Cgroups(1, places)
    if "" in own:
        return _find_version_2(root / "sys/fs/cgroup", own[""])
    return None


def _own_groups(root: Path) -> dict[str, str]:
    """Return this process's group by controller; that of version 2 by an empty name."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            found[controller] = path
    return found


def _mounted(mount: Path, path: str) -> Path | None:
    """Return the directory of a group; in a container, whose root it may be, the root."""
    for place in (mount / path.lstrip("/"), mount):
        if (place / "cgroup.procs").exists():
            return place
    return None


def _can_make(place: Path, files: Sequence[str]) -> bool:
    trial = place / f"{PREFIX}{secrets.token_hex(8)}"
    try:
        trial.mkdir()
    except OSError:
        return False
    try:
        return all(os.access(trial / file, os.W_OK) for file in files)
    finally:
        with contextlib.suppress(OSError):
            trial.rmdir()


def _find_version_2(mount: Path, path: str) -> Cgroups | None:
    place = _mounted(mount, path)
    if place is None:
        return None
    if place.name == _OWN:  # a worker of an arena that has been here
        place = place.parent
    try:
        offered = (place / "cgroup.controllers").read_text().split()
        wanted = [controller for controller in _CONTROLLERS if controller in offered]
        enabled = (place / "cgroup.subtree_control").read_text().split()
        if not wanted or not _can_make(place, ("cgroup.procs",)):
            return None
        if not set(wanted) <= set(enabled):
            _move_in(place)
            text = " ".join(f"+{controller}" for controller in wanted)
            (place / "cgroup.subtree_control").write_text(text)
    except OSError:
        return None
    return Cgroups(2, dict.fromkeys(wanted, place))


def _move_in(place: Path) -> None:
    """Move this process and what it has started one level down: groups with limits are leaves.

    Raises OSError if somebody else's process is here too.
    """
    pids = [int(pid) for pid in (place / "cgroup.procs").read_text().split()]
    if not all(map(_is_ours, pids)):
        raise OSError("processes of others are in this group")
    own = place / _OWN
    own.mkdir(exist_ok=True)
    for pid in pids:
        (own / "cgroup.procs").write_text(str(pid))


def _is_ours(pid: int) -> bool:
    while pid > 1 and pid != os.getpid():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True  # gone
        pid = int(stat[stat.rfind(")") + 2 :].split()[1])
    return pid == os.getpid()
