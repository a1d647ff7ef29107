from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from tests.async_tests import LoopFactory


@pytest.fixture(autouse=True)
def _nothing_comes_in_or_remains(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the person who runs the tests counts, and no process is left."""
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ARENA_ISOLATION", "none")


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as directory:
        yield Path(directory)


@pytest.fixture
def loop_factory() -> LoopFactory:
    """Uvloop, as in production."""
    return uvloop.new_event_loop
