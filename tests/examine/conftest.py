from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from tests.marks import left_behind

_MARK = "EXAMINE_TEST_MARK"


@pytest.fixture(autouse=True)
def _nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Mark all that the test starts through its environment; nothing of it may remain."""
    mark = secrets.token_hex(16)
    monkeypatch.setenv(_MARK, mark)
    yield
    left = left_behind(mark)
    assert not left, f"left behind: {left}"
