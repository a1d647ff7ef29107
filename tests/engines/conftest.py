from __future__ import annotations

import pytest
import uvloop

from tests.async_tests import LoopFactory


@pytest.fixture
def loop_factory(mark: str) -> LoopFactory:
    """Uvloop, as in production; nothing that a test starts may remain."""
    return uvloop.new_event_loop
