from __future__ import annotations

import asyncio
import signal
import threading

import pytest

from arena.server import loop


def test_an_interrupt_before_the_first_task_reaches_that_task(monkeypatch):
    """Ctrl-C while the loop is being made cancels what runs on it, which can then wind up."""
    wound_up = []

    def make_interrupted_loop():
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        return asyncio.new_event_loop()

    async def work():
        try:
            await asyncio.sleep(60)
        finally:
            wound_up.append(True)

    monkeypatch.setattr(loop, "LOOP_FACTORY", make_interrupted_loop)
    with pytest.raises(KeyboardInterrupt):
        loop.run_async(work())

    assert wound_up == [True]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
