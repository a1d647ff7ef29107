"""Ctrl-C and SIGTERM, for commands that wind up before they end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def handled(interrupt: Callable[[int], None]) -> Iterator[None]:
    """Have SIGINT and SIGTERM call this with their number, instead of cutting anything short."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt, number)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
