from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from tests.async_tests import LoopFactory
from tests.marks import left_behind

MARK = "E2E_TEST_MARK"


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(MARK, mark)
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)
    yield mark
    left = left_behind(mark)
    assert not left, f"left behind: {left}"


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as directory:
        yield Path(directory)


@pytest.fixture
def loop_factory() -> LoopFactory:
    """Uvloop, as in production."""
    return uvloop.new_event_loop
