"""Running coroutines: on uvloop where it is installed."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:  # pragma: no cover - only where it is not installed
    LOOP_FACTORY = asyncio.new_event_loop
else:
    LOOP_FACTORY = uvloop.new_event_loop

ResultT = TypeVar("ResultT")

_ALLOCATIONS = 100_000


def run_async(main: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run to the end and return the result. Ctrl-C cancels it and raises KeyboardInterrupt."""
    # Decisions make many objects and hardly any cycles: looking for cycles every 700 objects
    # takes a fifth of the arena's time, every 100,000 next to nothing.
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, 50, 50)
    # Until the loop handles SIGINT it would raise in the middle of making the loop or its first
    # task, and what has begun could not be ended: it waits until then.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    async def begin() -> ResultT:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return await main

    try:
        with asyncio.Runner(loop_factory=LOOP_FACTORY) as runner:
            return runner.run(begin())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
