from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvloop

from arena.config.bot_spec import BotSpec
from tests.async_tests import LoopFactory
from tests.marks import left_behind

MARK = "LAUNCH_TEST_MARK"
LONG_S = 15.0


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest, mark: str) -> LoopFactory:
    """The standard event loop, and uvloop; nothing that a test starts may remain."""
    factory: LoopFactory = request.param
    return factory


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    yield mark
    left = left_behind(mark)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"left behind: {left}"
    assert not zombies(), "children that nobody has waited for"


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


def command(*words: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return BotSpec(name=name, command=words, memory_mb=memory_mb)


def shell(text: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return command("sh", "-c", text, name=name, memory_mb=memory_mb)


def python(text: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return command(sys.executable, "-S", "-c", text, name=name, memory_mb=memory_mb)


async def until(is_true: Callable[[], bool]) -> None:
    """Return once it is true; fails after a long time."""
    async with asyncio.timeout(LONG_S):
        while not is_true():  # noqa: ASYNC110 - it happens in other processes
            await asyncio.sleep(0.003)


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat[stat.rfind(b")") + 2 :][:1] not in b"ZX"
