"""The keeper: one tiny process beside the arena that outlives it and leaves nothing behind.

The arena tells it each launch and each temporary directory over a pipe. When the pipe ends, however
the arena ended (SIGKILL included), the keeper kills and removes all that is still registered, and
ends. It has a session of its own, so that Ctrl-C and signals to the arena's process group do not
reach it, and it hears nothing that asks it to end before its work is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.errors import LaunchError
from arena.launch import sweep
from arena.retry import pauses

_CLOSE_S = 10.0
_POLL_S = 0.002
_NAME_LENGTH = 16
_YOUNG_S = 1.0  # what ends sooner twice is not replaced at once: it might go on
_PAUSES_S = (0.1, 10.0)
_UNHEARD = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class Keeper:
    """The arena's end of the keeper. The process is started by the first registration.

    Within a running loop its end is noticed at once, and another process takes over.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._started_s = 0.0
        self._pauses = pauses(*_PAUSES_S, is_first_free=True)  # before it is replaced
        self._lines: dict[str, str] = {}  # what it was told of each launch

    @property
    def pid(self) -> int | None:
        """The pid of its process while it runs."""
        return None if self._process is None else self._process.pid

    def register(self, launch_id: str, group: int = 0, directories: Sequence[Path] = ()) -> None:
        """Have the launch killed with the arena, and its directories removed.

        To be called before the process is started, and again when its group is known. Raises
        LaunchError if the keeper cannot be started, or is closed.
        """
        if self._is_closed:
            raise LaunchError("the keeper is closed")
        line = "\t".join([f"+{launch_id}", str(group), *map(str, directories)])
        self._lines[launch_id] = f"{line}\n"
        self._tell(f"{line}\n")

    def forget(self, launch_id: str) -> None:
        """Let go of a launch of which nothing is left."""
        if self._lines.pop(launch_id, None) is not None:
            with contextlib.suppress(LaunchError):  # the next registration will tell
                self._tell(f"-{launch_id}\n")

    @contextlib.contextmanager
    def temporary_directory(self, prefix: str) -> Iterator[Path]:
        """Make a directory for the time of the context, which is gone with the arena at the latest.

        Raises LaunchError if the keeper cannot be started or is closed, OSError if the directory
        cannot be made.
        """
        entry = secrets.token_hex(sweep.ID_LENGTH // 2)
        path = Path(tempfile.gettempdir(), prefix + entry[:_NAME_LENGTH])
        # Before it is there: at no moment would it be left behind.
        self.register(entry, directories=[path])
        try:
            path.mkdir(mode=0o700)
            yield path
        finally:
            sweep.remove_directory(str(path))
            self.forget(entry)

    async def close(self) -> None:
        """End its process and wait for that; what is still registered goes with it. Idempotent."""
        self._is_closed = True
        process, self._process = self._process, None
        if process is None:
            return
        self._unwatch(process)
        os.close(self._pipe)
        deadline = asyncio.get_running_loop().time() + _CLOSE_S
        while process.poll() is None:
            if asyncio.get_running_loop().time() > deadline:
                process.kill()
            await asyncio.sleep(_POLL_S)

    def _tell(self, line: str) -> None:
        if self._process is not None:
            try:
                # Short enough to be written whole or not at all; never blocks.
                os.write(self._pipe, line.encode())
            except OSError:  # somebody killed or stopped it: another one takes over
                self._abandon()
            else:
                return
        if self._lines and not self._is_closed:
            self._start()

    def _abandon(self) -> None:
        if self._process is not None:
            self._unwatch(self._process)
            os.close(self._pipe)
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start(self) -> None:
        """Start the process and tell it everything anew; raises LaunchError."""
        lines = "".join(self._lines.values())
        try:
            reading, self._pipe = os.pipe()
            try:
                self._process = self._spawn(reading)
            except OSError:
                os.close(self._pipe)
                raise
            finally:
                os.close(reading)
            self._watch(self._process)
            os.write(self._pipe, lines.encode())
            os.set_blocking(self._pipe, False)
        except OSError as error:
            self._abandon()
            raise LaunchError(f"the keeper cannot be started: {error.strerror}") from error

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Hear of its end: it never writes, so that its output can be read only then."""
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:  # the next registration will tell
            return
        self._started_s = self._loop.time()
        assert process.stdout is not None
        self._loop.add_reader(process.stdout.fileno(), self._replace, self._loop, process)

    def _unwatch(self, process: subprocess.Popen[bytes]) -> None:
        loop, self._loop = self._loop, None
        assert process.stdout is not None
        if loop is not None and not loop.is_closed():
            loop.remove_reader(process.stdout.fileno())
        process.stdout.close()

    def _replace(self, loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes]) -> None:
        """Start another one: were the arena killed now, nobody would clear up after it."""
        if process is not self._process:
            return
        assert process.stdout is not None
        loop.remove_reader(process.stdout.fileno())
        if loop.time() >= self._started_s + _YOUNG_S:
            self._pauses = pauses(*_PAUSES_S, is_first_free=True)
        loop.call_later(next(self._pauses), self._replace_ended, process)

    def _replace_ended(self, process: subprocess.Popen[bytes]) -> None:
        if process is self._process:
            self._abandon()
            if self._lines and not self._is_closed:
                with contextlib.suppress(LaunchError):  # the next registration will tell
                    self._start()

    @staticmethod
    def _spawn(reading: int) -> subprocess.Popen[bytes]:
        others = {name: text for name, text in os.environ.items() if not name.startswith("ARENA_")}
        # Inherited, and so in force before its own first instruction.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _UNHEARD)
        try:
            return subprocess.Popen(
                # Nothing of the person's settings, and no site: quick, and always the same.
                [sys.executable, "-I", "-S", sweep.__file__, str(os.getpid())],
                stdin=reading,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",  # so that it holds no directory
                env=others,
                start_new_session=True,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
