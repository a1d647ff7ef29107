"""The process of a worker, and the pipe to it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Protocol

from arena.engines.worker_messages import READ_BYTES, frame, read_frame
from arena.errors import LaunchError
from arena.launch.exits import Exit

LOG = logging.getLogger("arena.workers")

_CLOSED_S = 1.0  # for the loop to notice that the pipe to a process that has ended is closed
_LAST_WORDS = 300


class Link(Protocol):
    """A way to a worker, on this machine or another."""

    def send(self, text: bytes) -> None:
        """Send without waiting; what goes to a lost worker is lost."""
        ...

    async def receive(self) -> bytes | None:
        """Return what the worker says next, None when it is lost."""
        ...

    async def close(self) -> None:
        """Have the worker end, and see that it does. Idempotent."""
        ...

    @property
    def ending(self) -> str:
        """How the worker ended, to stand behind its name; only once `receive` has returned None."""
        ...


class WorkerProcess:
    """A worker's process on this machine; a link to it. It ends when this process does."""

    def __init__(self, process: asyncio.subprocess.Process, number: int, close_s: float) -> None:
        """Made by `start`."""
        self._process = process
        self._close_s = close_s
        self._last_words = ""
        self._was_asked = False
        self._listening = asyncio.ensure_future(self._listen(number))

    @classmethod
    async def start(cls, number: int, close_s: float, place: Path | None = None) -> WorkerProcess:
        """Start the worker of that number in the directory; raises LaunchError.

        When it is closed it may take so long to end by itself. It has a session of its own: what
        the terminal sends to the arena does not reach it.
        """
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "arena.engines.worker_program"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=READ_BYTES,
                cwd=place,
                env=worker_environment(),
                start_new_session=True,
            )
        )
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # Half a start cannot be undone: the loop would keep a handle that nobody closes.
            process = await starting
            process.kill()
            await process.communicate()
            raise
        except OSError as error:
            raise LaunchError(f"worker {number} cannot be started: {error.strerror}") from error
        return cls(process, number, close_s)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def ending(self) -> str:
        status = self._process.returncode
        said = f"; last output: {self._last_words[:_LAST_WORDS]}" if self._last_words else ""
        return Exit.from_status(status, was_asked=self._was_asked).describe() + said

    def send(self, text: bytes) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(frame(text))

    async def receive(self) -> bytes | None:
        assert self._process.stdout is not None
        text = await read_frame(self._process.stdout)
        if text is None:
            await self._end()
        return text

    async def close(self) -> None:
        self._was_asked = True
        await self._end()

    async def _end(self) -> None:
        """Close the pipe, which tells the worker to end, and wait for that."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(self._close_s):
                await self._drain()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()  # its keeper ends the bots
            await self._drain()

    async def _drain(self) -> None:
        """Read the rest, without which the process might never end, and wait for the end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        while await self._process.stdout.read(READ_BYTES):
            pass
        await asyncio.shield(self._listening)
        await self._process.wait()
        # That it did not read everything is known; Python before 3.11.4 reports who does not ask.
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_CLOSED_S):
                await self._process.stdin.wait_closed()

    async def _listen(self, number: int) -> None:
        """Pass on what the worker prints: troubles of the arena, nothing of its bots."""
        assert self._process.stderr is not None
        while line := await _read_line(self._process.stderr):
            text = line.decode(errors="replace").rstrip()
            if text:
                self._last_words = text
                LOG.warning("a worker printed", extra={"worker": number, "detail": text})


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ValueError:  # far longer than a line: some of it is gone
        return b"[arena: a line too long to be kept]\n"


def worker_environment() -> dict[str, str]:
    """Return this process's environment without what its bots must not inherit, such as tokens."""
    own = ("ARENA_", "RAY_")
    others = {name: text for name, text in os.environ.items() if not name.startswith(own)}
    return {"GRPC_VERBOSITY": "NONE"} | others  # its lines would stand between ours
