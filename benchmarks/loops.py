"""Event loops by name."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import uvloop


def run_on(loop: str, main: Coroutine[Any, Any, None]) -> None:
    """Run to the end on the named loop."""
    factory = uvloop.new_event_loop if loop == "uvloop" else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)
