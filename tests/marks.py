"""Processes that a test has started, found by a mark in their environment."""

from __future__ import annotations

import os
import time
from pathlib import Path

_PATIENCE_S = 5.0


def marked(mark: str) -> dict[int, str]:
    """Return pid and command line of every live process that carries the mark, but this one."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode()
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


def left_behind(mark: str) -> dict[int, str]:
    """Return what still carries the mark after a while in which it may end by itself."""
    deadline = time.monotonic() + _PATIENCE_S
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left
