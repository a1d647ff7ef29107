from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest
import uvloop

from tests.async_tests import LoopFactory
from tests.marks import left_behind

MARK = "ENGINE_TEST_MARK"


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    yield mark
    left = left_behind(mark)
    assert not left, f"left behind: {left}"


@pytest.fixture
def loop_factory(mark: str) -> LoopFactory:
    """Uvloop, as in production; nothing that a test starts may remain."""
    return uvloop.new_event_loop
