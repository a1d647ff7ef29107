"""Running coroutines: on uvloop where it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:  # pragma: no cover - only where it is not installed
    LOOP_FACTORY = asyncio.new_event_loop
else:
    LOOP_FACTORY = uvloop.new_event_loop

ResultT = TypeVar("ResultT")


def run_async(main: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run to the end and return the result. Ctrl-C cancels it and raises KeyboardInterrupt."""
    with asyncio.Runner(loop_factory=LOOP_FACTORY) as runner:
        return runner.run(main)
