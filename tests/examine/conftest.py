from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nothing_remains(mark: str) -> None:
    """No process is left by any of these tests."""
