"""Processes that a test has started, found by a mark in their environment."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

MARK = "TEST_MARK"
_PATIENCE_S = 5.0


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    yield mark
    left = left_behind(mark)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert not left, f"left behind: {left}"
    assert not zombies(), "children that nobody has waited for"


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


def zombies() -> list[int]:
    """Return the dead children of this process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (entry / "stat").read_bytes()
                state, parent = stat[stat.rfind(b")") + 2 :].split()[:2]
                if state == b"Z" and int(parent) == os.getpid():
                    found.append(int(entry.name))
    return found
