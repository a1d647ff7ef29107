from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator

import pytest
import uvloop

from tests.marks import left_behind

MARK = "ENGINE_TEST_MARK"
TEST_S = 120.0

Run = Callable[[Awaitable[None]], None]


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    yield mark
    left = left_behind(mark)
    assert not left, f"left behind: {left}"


@pytest.fixture
def run(mark: str) -> Run:
    """Return a function that runs a coroutine to its end, which leaves nothing behind."""

    def run_in_loop(work: Awaitable[None]) -> None:
        async def limited() -> None:
            async with asyncio.timeout(TEST_S):
                await work

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(limited())

    return run_in_loop
