"""The program under test, and a process: started, watched, signalled, and ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, Self

from clients.conformance.scenario import Output

LOOK_S = 0.01  # between looks at what cannot be waited for

_KEPT = ("PATH", "HOME", "TMPDIR")  # variables of our own that every program gets
_LINGER_S = 2.0  # for what the program has started to end after it


class Program(Protocol):
    """The bot's program while it plays one scenario."""

    async def wait(self) -> int:
        """Wait until the program has ended; return its code."""

    async def settle(self) -> bool:
        """Read the rest of what the program wrote; return whether it left a process running."""

    async def has_written(self, output: Output, text: str) -> None:
        """Wait until the program has written a text."""

    def written(self, output: Output) -> str:
        """Return what the program has written so far."""

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program, if it still runs."""

    def release(self) -> None:
        """Say that it did all that was expected: its process may be used again, if it is shared."""


class Process(Program):
    """A program in a process group of its own. An async context manager; leaves nothing running.

    It reads nothing, or with `is_told` what tell() writes.
    """

    def __init__(
        self,
        command: Sequence[str],
        directory: Path,
        environment: Mapping[str, str],
        *,
        is_told: bool = False,
    ) -> None:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._command = command
        self._directory = directory
        self._environment = {**kept, "LANG": "C.UTF-8", **environment}
        self._stdin = asyncio.subprocess.PIPE if is_told else asyncio.subprocess.DEVNULL
        self._process: asyncio.subprocess.Process | None = None
        self._written = {output: bytearray() for output in Output}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.end()

    async def start(self) -> None:
        """Start the program."""
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            cwd=self._directory,
            env=self._environment,
            stdin=self._stdin,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        for output, stream in ((Output.STDOUT, process.stdout), (Output.STDERR, process.stderr)):
            assert stream is not None
            self._tasks.append(asyncio.ensure_future(self._collect(output, stream)))

    async def end(self) -> None:
        """End the program and all that it has started."""
        process = self._running
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await asyncio.wait(self._tasks)

    @property
    def code(self) -> int | None:
        """The code it has ended with; None if it still runs."""
        return self._running.returncode

    async def tell(self, line: str) -> None:
        """Write a line to the program's stdin; nothing happens if it has ended."""
        stdin = self._running.stdin
        assert stdin is not None, "the program is not to be told anything"
        with contextlib.suppress(ConnectionError):
            stdin.write(f"{line}\n".encode())
            await stdin.drain()

    def forget(self) -> None:
        """Forget what the program has written so far."""
        for written in self._written.values():
            written.clear()

    async def wait(self) -> int:
        process = self._running
        # Process.wait() would wait for all who have the program's pipes, too.
        while process.returncode is None:  # noqa: ASYNC110 - there is no other way to learn of it
            await asyncio.sleep(LOOK_S)
        return process.returncode

    async def settle(self) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + _LINGER_S
        while is_left := self._has_left_something():
            if loop.time() > until:
                break
            await asyncio.sleep(LOOK_S)
        await asyncio.wait(self._tasks, timeout=0 if is_left else None)
        return is_left

    async def has_written(self, output: Output, text: str) -> None:
        while text not in self.written(output):
            self._news.clear()
            await self._news.wait()

    def written(self, output: Output) -> str:
        return self._written[output].decode(errors="replace")

    def signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._running.send_signal(number)

    def release(self) -> None:
        pass  # nobody else uses it

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
