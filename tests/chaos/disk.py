"""Disks that are full, over and over, or read-only: a tmpfs in a mount namespace of its own.

Nothing is mounted where anybody else could see it, and the machine's own disks are left alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from arena.cli import BAD_INPUT, DONE, STOPPED
from tests.chaos.scenario import Lacking, Run
from tests.e2e.command import arena
from tests.e2e.tournaments import (
    NAME,
    PATIENCE_S,
    check_calm,
    check_whole,
    complete,
    count_results,
    finish,
    resume,
    settings,
    to_end,
    tournament,
)
from tests.inside import run_inside

SMALLEST_KIB = 280
LARGE_KIB = 32 * 1024
MORE_KIB = (8, 48)  # that is freed each time
INLINE = ("--engine", "inline")
FULL = "the disk is full: free some space and run the command again"


def disk(run: Run) -> None:
    """Do it all in a process that has mounts of its own."""
    namespace = ["unshare", "--mount", "--propagation", "private"]
    if os.getuid() != 0:
        namespace[1:1] = ["--user", "--map-root-user"]
    if shutil.which("unshare") is None or not _can_mount(namespace, run.place):
        raise Lacking("full disks: no mount namespace can be had here")
    size = run.size(66, 12)
    words = (run.place, run.rng.random(), size, run.size(20, 2))
    found = run_inside("tests.chaos.disk", *words, before=namespace, limit_s=900)
    run.tell(
        f"{size} matches on a disk that was full {found['full']} times, from {SMALLEST_KIB} to "
        f"{found['kib']} KiB: each stop with exit code {STOPPED} and one line, no result lost, "
        "files as in a calm run"
    )
    run.tell("a disk that was full while files were written, and one that was read-only: the same")


def _can_mount(namespace: list[str], place: Path) -> bool:
    attempt = [*namespace, "mount", "-t", "tmpfs", "none", str(place)]
    return subprocess.run(attempt, capture_output=True, check=False).returncode == 0


def fill_again_and_again(place: Path, rng: Random, size: int, most: int) -> dict[str, int]:
    """Play on a disk that is too small; give it a little more each time.

    Each time it stops with one line; then it goes on, and nothing that was stored is lost.
    """
    directory = make_disk(place, SMALLEST_KIB)
    kib, full, stored = SMALLEST_KIB, 0, 0
    words = settings(rounds=size // 3)
    while True:
        what = [directory] if stored else ["--out", directory, *words]
        with arena("tournament", *what, *INLINE, place=place) as command:
            code = command.wait(PATIENCE_S)
        check_calm(command.err)
        if code == DONE:
            break
        assert code == STOPPED, f"exit code {code}: {command.err}"
        last = command.err.splitlines()[-1]
        assert last.startswith("arena: "), command.err
        assert FULL in command.err or "No space left on device" in last, command.err
        full += 1
        kib += rng.randint(*MORE_KIB) if full < most else LARGE_KIB
        remount(directory, f"size={kib}k")
        found = count_results(directory)
        assert found >= stored, f"{stored} results were stored, {found} are there"
        stored = found
    check_whole(directory, words)
    to_end("verify", directory)
    assert full, "the disk was never full"
    return {"full": full, "kib": kib - LARGE_KIB if full >= most else kib}


def fill_while_files_are_written(place: Path) -> None:
    """Files that cannot be written are named, and none is there by half."""
    directory = make_disk(place, LARGE_KIB)
    words = settings()
    to_end("tournament", "--out", directory, *words, *INLINE)
    shutil.rmtree(directory / "replays")
    (directory / "leaderboard.json").write_text("old")
    fill(directory / "filler", spare=150_000)  # the database can be opened, but no more
    stopped = complete(resume(place), STOPPED)
    assert "cannot be written: No space left on device" in stopped.err.splitlines()[-1]
    assert (directory / "leaderboard.json").read_text() == "old"
    (directory / "filler").unlink()
    finish(place)
    check_whole(directory, words)


def make_read_only(place: Path) -> None:
    """What cannot be written is refused with one line, before and after the first match."""
    directory = make_disk(place, LARGE_KIB)
    words = settings()
    remount(directory, "ro")
    refused = complete(tournament(place, *words, *INLINE), BAD_INPUT)
    assert len(refused.err.splitlines()) == 1
    remount(directory, "rw")
    failing = tournament(place, *words, *INLINE, ARENA_FAIL_POINT="after commit:3")
    complete(failing, -signal.SIGKILL)
    remount(directory, "ro")
    refused = complete(resume(place), BAD_INPUT)
    assert len(refused.err.splitlines()) == 1
    assert "cannot be" in refused.err
    remount(directory, "rw")
    finish(place)
    check_whole(directory, words)


def make_disk(place: Path, kib: int) -> Path:
    """Return the directory for results, on a disk of that size."""
    directory = place / NAME
    directory.mkdir(parents=True)
    _mount("-t", "tmpfs", "-o", f"size={kib}k", "none", str(directory))
    return directory


def remount(directory: Path, how: str) -> None:
    """Change its size, or whether it can be written."""
    _mount("-o", f"remount,{how}", str(directory))


def fill(path: Path, spare: int) -> None:
    """Fill the disk up but for a little."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    os.truncate(path, path.stat().st_size - spare)


def _mount(*words: str) -> None:
    ours, theirs = (Path(f"/proc/{pid}/ns/mnt").stat() for pid in ("self", os.getppid()))
    assert ours.st_ino != theirs.st_ino, "mounts only in a namespace of its own"
    subprocess.run(["mount", *words], check=True, capture_output=True)


if __name__ == "__main__":
    below, seed, size, most = sys.argv[1:]
    found = fill_again_and_again(Path(below) / "full", Random(seed), int(size), int(most))
    fill_while_files_are_written(Path(below) / "files")
    make_read_only(Path(below) / "read-only")
    print(json.dumps(found))
