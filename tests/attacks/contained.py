"""Runs a command where attacks can hurt nobody: `contained.py REPORT PLACE MARK COMMAND...`.

To be started by `unshare` in mount and pid namespaces of its own, as their first process. The disk
becomes read-only except for PLACE, and shared places for temporary files are small and its own.
Writes what the command left behind to REPORT: its exit code, the processes that carry MARK and the
mounts that were not there before. HIDDEN_PROGRAMS cannot be run. OPEN_PLACES can be read by every
user, though they may lie in somebody's home. It ends at once in the mount
namespace of the machine itself, whose name is in MACHINE_MNT.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

OWN = ("/var/tmp", "/dev/shm", "/run")


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def mounts() -> list[str]:
    return Path("/proc/self/mountinfo").read_text().splitlines()


def open_places(paths: list[str], aside: Path) -> None:
    """Put a directory that all may enter in the place of each closed one that leads to them."""
    for path in paths:
        closed = [each for each in Path(path).parents if not each.stat().st_mode & 0o001]
        if closed:
            aside.mkdir(exist_ok=True)
            mount("--bind", path, str(aside))
            mount("-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", str(closed[-1]))
            Path(path).mkdir(parents=True)
            mount("--move", str(aside), path)
    if aside.exists():
        aside.rmdir()


def marked(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if mark in line and int(entry.name) != os.getpid():
                found.append(f"{entry.name} {line}")
    return found


def require_containment() -> None:
    """End at once if a mount could reach the machine."""
    own = str(Path("/proc/self/ns/mnt").readlink())
    if os.getpid() != 1 or own == os.environ["MACHINE_MNT"]:
        sys.exit("not started: these are not namespaces of its own")


def main() -> None:
    require_containment()
    report, place, mark, *command = sys.argv[1:]
    mount("--bind", place, place)
    open_places(list(filter(None, os.environ.get("OPEN_PLACES", "").split(":"))), Path(place, "x"))
    for path in OWN:
        mount("-t", "tmpfs", "-o", "size=64m", "tmpfs", path)
    for path in filter(None, os.environ.get("HIDDEN_PROGRAMS", "").split(":")):
        mount("--bind", "/dev/null", path)
    mount("-o", "remount,bind,ro", "/")
    before = mounts()
    code = subprocess.run(command, check=False).returncode
    left = {
        "code": code,
        "processes": marked(mark),
        "mounts": [line for line in mounts() if line not in before],
        "files": [str(path) for own in OWN for path in Path(own).glob(f"*{mark}*")],
    }
    Path(report).write_text(json.dumps(left))


if __name__ == "__main__":
    main()
