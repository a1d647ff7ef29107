from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import uvloop

MARK = "E2E_TEST_MARK"
TEST_S = 120.0

Run = Callable[[Awaitable[None]], None]


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)
    yield mark
    deadline = time.monotonic() + 5.0
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left, f"left behind: {left}"


def marked(mark: str) -> dict[int, str]:
    """Return pid and command line of every live process that carries the mark."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode()
        except OSError:
            continue
    return found


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as directory:
        yield Path(directory)


@pytest.fixture
def run() -> Run:
    """Return a function that runs a coroutine to its end."""

    def run_in_loop(work: Awaitable[None]) -> None:
        async def limited() -> None:
            async with asyncio.timeout(TEST_S):
                await work

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(limited())

    return run_in_loop
