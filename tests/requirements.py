"""What a machine may lack: its tests are skipped, or fail where everything is required."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

IS_EVERYTHING_REQUIRED = bool(os.environ.get("ARENA_REQUIRE_ALL"))  # tests clear the environment


def skip_lacking(reason: str) -> NoReturn:
    """Skip the test; with ARENA_REQUIRE_ALL in the environment, fail it."""
    assert not IS_EVERYTHING_REQUIRED, reason
    pytest.skip(reason)
