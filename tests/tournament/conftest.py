from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    """Every store's thread has ended with its run."""
    yield
    assert not [each for each in threading.enumerate() if each.name.startswith("store")]
