"""What a machine may lack: its tests are skipped, or fail where everything is required."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

from arena.sandbox.bubblewrap import find_bubblewrap
from arena.sandbox.level import Level
from arena.sandbox.probe import try_level

IS_EVERYTHING_REQUIRED = bool(os.environ.get("ARENA_REQUIRE_ALL"))  # tests clear the environment


def skip_lacking(reason: str) -> NoReturn:
    """Skip the test; with ARENA_REQUIRE_ALL in the environment, fail it."""
    assert not IS_EVERYTHING_REQUIRED, reason
    pytest.skip(reason)


def require_level(level: Level) -> None:
    """Skip the test where a level of isolation does not work.

    Bubblewrap can be installed and is required like other programs. A kernel or a container that
    forbids namespaces is not a program that is missing.
    """
    attempt = try_level(level)
    if not attempt.works:
        is_missing = level is Level.BUBBLEWRAP and find_bubblewrap() is None
        (skip_lacking if is_missing else pytest.skip)(
            f"{level.value} does not work here: {attempt.reason}"
        )
