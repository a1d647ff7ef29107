"""What a bot prints: drained without end, kept within limits."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
from pathlib import Path
from typing import BinaryIO

from arena.errors import InputError

LOG_BYTES = 1 << 20
TAIL_BYTES = 4096
LAST_WORDS_BYTES = 1 << 16  # where a cause of death is looked for; stack traces are long
_PIPE_BYTES = 1 << 18  # larger than usual: fewer, cheaper reads when a bot prints a lot
_PAUSE_S = 0.002  # after a read that found the pipe full: a flood gets a few per cent of the loop
_MOST_READS = 64  # of what is left in a pipe whose writers may still write


class BotLog:
    """The log of one bot: its first half and its last half when there is too much.

    Several processes of the bot may write to it, one after the other or at once. The file holds
    everything as it comes up to the limit; from there on it stays as it is, the latest half is
    kept in memory, and `close` puts it in its place behind a line that says how much is missing.
    A file that is there already is continued.
    """

    def __init__(self, path: Path | None, limit: int = LOG_BYTES) -> None:
        self.path = path
        self._half = limit // 2
        self._limit = 2 * self._half
        self._total = 0
        self._head = bytearray()  # only without a file
        self._late = bytearray()  # what came after the first half; its end is what counts
        self._file: BinaryIO | None = None
        if path is not None:
            self._open(path)

    def write(self, chunk: bytes) -> None:
        """Add what a process printed. A full disk loses it, and disturbs nothing else."""
        before = self._total
        self._total += len(chunk)
        early = max(0, self._half - before)
        if self._file is None and early:
            self._head += chunk[:early]
        elif self._file is not None and before < self._limit:
            with contextlib.suppress(OSError):
                self._file.write(chunk[: self._limit - before])
                self._file.flush()
        self._late += chunk[early:]
        if len(self._late) > self._limit:
            del self._late[: -self._half]

    def contents(self) -> bytes:
        """Return what is kept, with the line about what is not. For a log without a file."""
        return bytes(self._head) + self._ending()

    def close(self) -> None:
        """Put the end in its place and close the file. Idempotent."""
        file, self._file = self._file, None
        if file is None:
            return
        with contextlib.suppress(OSError), file:
            if self._total > self._limit:
                file.truncate(self._half)
                file.seek(self._half)
                file.write(self._ending())

    def _ending(self) -> bytes:
        if self._total <= self._limit:
            return bytes(self._late)
        missing = self._total - self._limit
        note = f"\n[arena: {missing} bytes were left out here]\n"
        return note.encode() + self._late[-self._half :]

    def _open(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            earlier = b""
            if path.exists():
                with path.open("rb") as file:
                    earlier = file.read(2 * self._limit)
            self._file = path.open("wb")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        if earlier:
            self.write(earlier)


class OutputPipe:
    """The pipe into which one process prints, read by the event loop as it comes."""

    def __init__(self, log: BotLog | None) -> None:
        """Open the pipe; raises OSError if there are too many open files."""
        self._log = log
        self._last = bytearray()
        self._reading, self.writing = os.pipe()
        os.set_blocking(self._reading, False)
        self._size = 1 << 16
        self._timer: asyncio.TimerHandle | None = None
        with contextlib.suppress(OSError, AttributeError):  # refused to some users, absent on some
            self._size = fcntl.fcntl(self._reading, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    @property
    def last_words(self) -> bytes:
        """The end of what was printed, up to 64 KiB."""
        return bytes(self._last[-LAST_WORDS_BYTES:])

    def start(self) -> None:
        """Begin to read; to be called when the process has the writing end."""
        self.close_writing()
        self._resume()

    def drain(self) -> None:
        """Read what is there now, so that nothing is missed that a dead process has printed."""
        for _ in range(_MOST_READS):
            if not self._read():
                return

    def close_writing(self) -> None:
        """Close this process's copy of the writing end. Idempotent."""
        if self.writing >= 0:
            os.close(self.writing)
            self.writing = -1

    def close(self) -> None:
        """Stop reading. Whoever still prints gets an error. Idempotent."""
        self.close_writing()
        if self._timer is not None:
            self._timer.cancel()
        if self._reading >= 0:
            asyncio.get_running_loop().remove_reader(self._reading)
            os.close(self._reading)
            self._reading = -1

    def _resume(self) -> None:
        if self._reading >= 0:
            asyncio.get_running_loop().add_reader(self._reading, self._on_readable)

    def _on_readable(self) -> None:
        """Take one chunk and, if the pipe was about full, leave the loop to others for a while."""
        if self._read() >= self._size // 2:
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._reading)
            self._timer = loop.call_later(_PAUSE_S, self._resume)

    def _read(self) -> int:
        """Take one chunk and return its size, 0 if there is none now or no more at all."""
        if self._reading < 0:
            return 0
        try:
            chunk = os.read(self._reading, _PIPE_BYTES)
        except BlockingIOError:
            return 0
        if not chunk:
            self.close()
            return 0
        if self._log is not None:
            self._log.write(chunk)
        self._last += chunk[-LAST_WORDS_BYTES:]
        if len(self._last) > 2 * LAST_WORDS_BYTES:
            del self._last[:-LAST_WORDS_BYTES]
        return len(chunk)
