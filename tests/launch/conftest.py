from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
import uvloop

from arena.config.bot_spec import BotSpec
from tests.async_tests import LoopFactory


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest, mark: str) -> LoopFactory:
    """The standard event loop, and uvloop; nothing that a test starts may remain."""
    factory: LoopFactory = request.param
    return factory


def command(*words: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return BotSpec(name=name, command=words, memory_mb=memory_mb)


def shell(text: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return command("sh", "-c", text, name=name, memory_mb=memory_mb)


def python(text: str, name: str = "mine", memory_mb: int | None = None) -> BotSpec:
    return command(sys.executable, "-S", "-c", text, name=name, memory_mb=memory_mb)


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat[stat.rfind(b")") + 2 :][:1] not in b"ZX"
