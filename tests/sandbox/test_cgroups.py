from __future__ import annotations

import os
import subprocess
from pathlib import Path

from arena.sandbox.cgroups import BotGroup, Cgroups, find_cgroups
from arena.sandbox.limits import Limits
from tests.requirements import skip_lacking

LIMITS = Limits(memory_mb=64, cpus=0.5, processes=20)


def contents(place: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in place.iterdir()}


def test_limits_are_written_as_each_version_has_them(tmp_path: Path) -> None:
    """Version 2 has one directory, version 1 one for each controller."""
    Cgroups(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path)).make("x", LIMITS)
    assert contents(tmp_path / "arena-x") == {
        "memory.max": str(64 << 20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "20",
        "cpu.max": "50000 100000",
    }
    places = {name: tmp_path / name for name in ("memory", "cpu")}
    for place in places.values():
        place.mkdir()
    group = Cgroups(1, places).make("y", LIMITS)
    assert contents(places["memory"] / "arena-y") == {"memory.limit_in_bytes": str(64 << 20)}
    assert contents(places["cpu"] / "arena-y")["cpu.cfs_quota_us"] == "50000"
    assert len(group.entrances) == 2


def test_what_the_kernel_counts_is_read(tmp_path: Path) -> None:
    """Kills for memory and refused processes are found, in either version's files."""
    group = BotGroup({"memory": tmp_path, "pids": tmp_path})
    assert (group.memory_kills(), group.refused_processes()) == (0, 0)
    (tmp_path / "memory.oom_control").write_text("under_oom 0\noom_kill 3\n")
    (tmp_path / "pids.events").write_text("max 2\n")
    assert (group.memory_kills(), group.refused_processes()) == (3, 2)


def test_nothing_is_found_where_there_is_nothing(tmp_path: Path) -> None:
    """A machine without control groups, or where none can be made, has none."""
    assert find_cgroups(tmp_path) is None
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/user.slice\n")
    (tmp_path / "sys/fs/cgroup/user.slice").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/user.slice/cgroup.procs").touch()
    assert find_cgroups(tmp_path) is None


def test_a_group_holds_what_is_started_in_it() -> None:
    """On this machine, a process in a group and its children stay within its limits."""
    cgroups = find_cgroups()
    if cgroups is None or "pids" not in cgroups.places:
        skip_lacking("no control groups can be made here: run as root, or with systemd-run --scope")
    group = cgroups.make(f"test-{os.getpid()}", Limits(processes=4))
    script = (
        'for f; do echo 0 > "$f"; done; for i in 1 2 3 4 5 6; do sleep 9 >/dev/null 2>&1 & done'
    )
    try:
        done = subprocess.run(
            ["sh", "-c", script, "sh", *group.entrances],
            capture_output=True,
            check=False,
            start_new_session=True,
        )
        assert b"ork" in done.stderr
        assert group.refused_processes() >= 1
    finally:
        for pid in (group.places["pids"] / "cgroup.procs").read_text().split():
            os.kill(int(pid), 9)
        group.remove()
    assert not any(place.exists() for place in group.directories)
