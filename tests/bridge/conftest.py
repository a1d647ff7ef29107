from __future__ import annotations

import os
import secrets
import signal

import pytest

from tests.marks import left_behind


@pytest.fixture
def mark(monkeypatch):
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv("BRIDGE_TEST_MARK", mark)
    yield mark
    left = left_behind(mark)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"left behind: {left}"
