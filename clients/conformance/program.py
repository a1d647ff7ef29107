"""The program under test: started, watched, signalled, and ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from clients.conformance.scenario import Output

_KEPT = ("PATH", "HOME", "TMPDIR")  # variables of our own that every program gets
_LOOK_S = 0.01  # between looks at what cannot be waited for
_LINGER_S = 2.0  # for what the program has started to end after it


class Program:
    """A program in a process group of its own. An async context manager; leaves nothing running."""

    def __init__(
        self, command: Sequence[str], directory: Path, environment: Mapping[str, str]
    ) -> None:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._command = command
        self._directory = directory
        self._environment = {**kept, "LANG": "C.UTF-8", **environment}
        self._process: asyncio.subprocess.Process | None = None
        self._written = {output: bytearray() for output in Output}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            cwd=self._directory,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        for output, stream in ((Output.STDOUT, process.stdout), (Output.STDERR, process.stderr)):
            assert stream is not None
            self._tasks.append(asyncio.ensure_future(self._collect(output, stream)))
        return self

    async def __aexit__(self, *_error: object) -> None:
        process = self._running
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await asyncio.wait(self._tasks)

    async def wait(self) -> int:
        """Wait until the program has ended; return its code."""
        process = self._running
        # Process.wait() would wait for all who have the program's pipes, too.
        while process.returncode is None:  # noqa: ASYNC110 - there is no other way to learn of it
            await asyncio.sleep(_LOOK_S)
        return process.returncode

    async def settle(self) -> bool:
        """Read the rest of what the program wrote; return whether it left a process running."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LINGER_S
        while is_left := self._has_left_something():
            if loop.time() > until:
                break
            await asyncio.sleep(_LOOK_S)
        await asyncio.wait(self._tasks, timeout=0 if is_left else None)
        return is_left

    async def has_written(self, output: Output, text: str) -> None:
        """Wait until the program has written a text."""
        while text not in self.written(output):
            self._news.clear()
            await self._news.wait()

    def written(self, output: Output) -> str:
        """Return what the program has written so far."""
        return self._written[output].decode(errors="replace")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program, if it still runs."""
        with contextlib.suppress(ProcessLookupError):
            self._running.send_signal(number)

    def _has_left_something(self) -> bool:
        try:
            os.killpg(self._running.pid, 0)
        except ProcessLookupError:
            return False
        return True

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "the program has not been started"
        return self._process

    async def _collect(self, output: Output, stream: asyncio.StreamReader) -> None:
        while data := await stream.read(1 << 16):
            self._written[output] += data
            self._news.set()
        self._news.set()
