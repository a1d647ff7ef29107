"""The bridged program: a child process that reads lines and writes lines.

It leads a process group of its own, so that Ctrl-C in a terminal reaches the bridge alone, and the
bridge can end it in order. Its stderr is the bridge's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from pathlib import Path

from arena.config.bot_fields import Command
from arena.errors import InputError, LaunchError, ProgramError
from arena.grpc_settings import forget_settings
from arena.launch.child import Child
from arena.launch.exits import Exit, judge_exit, oom_kills
from arena.launch.program import limit_memory, locate_program
from arena.launch.sweep import send_group
from arena.referee.faults import Fault

LONGEST_LINE = 1 << 20  # bytes; many answers with notes fit in, and are sent in several messages
MOST_UNREAD = 1 << 22  # bytes that wait for a program that does not read
_CHUNK = 1 << 16  # bytes read at once

_TOKEN = "ARENA_TOKEN"  # the bridge proves who the bot is; a program might print what it is given
_LAST_OUTPUT_S = 0.2  # for what an ended program wrote, if another process holds its output open
_EXIT_S = 0.5  # the end of the output and of the process are seen one shortly after the other
_TERM_S = 0.5  # between SIGTERM and SIGKILL


class _Input(asyncio.BaseProtocol):
    """Knows whether the program's input can still be written to, or closed."""

    is_lost = False

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True


class Program:
    """A running program. Made by `start`; whoever starts it must `end` it, even if it has ended."""

    def __init__(
        self,
        child: Child,
        reader: asyncio.StreamReader,
        output: asyncio.ReadTransport,
        to_program: tuple[asyncio.WriteTransport, _Input],
        memory_mb: int | None,
    ) -> None:
        """Watch a child."""
        self.exit: Exit | None = None
        self.lines = 0  # the number of the line that was read last
        self._unread = b""
        self._child = child
        self._reader = reader
        self._output = output
        self._input, self._input_state = to_program
        self._memory_mb = memory_mb
        self._kills_before = oom_kills()
        self._exited = asyncio.Event()
        self._hurry = asyncio.Event()
        self._ending: asyncio.Task[None] | None = None
        child.watch(self._notice_exit)

    @classmethod
    async def start(cls, command: Command, memory_mb: int | None = None) -> Program:
        """Start a command; raises InputError if there is no such program, or LaunchError."""
        popen = _spawn(command, memory_mb)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        output, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), popen.stdout
        )
        to_program = await loop.connect_write_pipe(_Input, popen.stdin)
        return cls(Child(popen), reader, output, to_program, memory_mb)

    async def read_line(self) -> bytes | None:
        """Return the next line that is not empty; None when there will be no more.

        Raises ProgramError for one that is too long.
        """
        while True:
            rest = self._unread.lstrip()  # a flood of empty lines costs no more than its bytes
            self.lines += self._unread.count(b"\n", 0, len(self._unread) - len(rest))
            line, newline, self._unread = rest.partition(b"\n")
            if len(line) > LONGEST_LINE:
                raise self._too_long()
            data = b"" if newline else await self._reader.read(_CHUNK)
            if data:
                self._unread = line + data
            elif line:  # the last one may lack its end
                self.lines += 1
                return line
            else:
                return None

    async def drain(self) -> None:
        """Read and drop what the program still writes, so that it can go on to its end."""
        while await self._reader.read(LONGEST_LINE):
            pass

    def write_line(self, text: str) -> None:
        """Have a line written as soon as the program reads; raises ProgramError if it does not."""
        if self._input.is_closing():
            return  # it has ended, or is about to
        if self._input.get_write_buffer_size() > MOST_UNREAD:  # this line itself may be as long
            raise ProgramError(
                f"the program does not read: {MOST_UNREAD >> 20} MiB of lines wait for it"
            )
        self._input.write(f"{text}\n".encode())

    async def how_it_ended(self) -> str:
        """Return why there are no more lines, to stand behind `the program`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_S):
                await self._exited.wait()
        return "closed its output" if self.exit is None else self.exit.describe()

    async def end(self, grace_s: float) -> None:
        """End the program: its input ends, then it has the grace, then SIGTERM, then SIGKILL.

        May be called again, to cut the grace short with 0.
        """
        if grace_s <= 0:
            self._hurry.set()
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._end(grace_s))
        await asyncio.shield(self._ending)

    async def _end(self, grace_s: float) -> None:
        self._input.close()
        try:
            if not await self._exits_within(grace_s, may_hurry=True):
                send_group(self._child.pid, signal.SIGTERM)
                send_group(self._child.pid, signal.SIGCONT)  # a stopped one must be able to end
                await self._exits_within(_TERM_S)
        finally:
            if not self._child.is_reaped:
                send_group(self._child.pid, signal.SIGKILL)
        await self._exited.wait()
        if not self._input_state.is_lost:
            self._input.abort()  # what it has not read, nobody will
        self._output.close()

    async def _exits_within(self, limit_s: float, *, may_hurry: bool = False) -> bool:
        events = (self._exited, self._hurry) if may_hurry else (self._exited,)
        waiting = [asyncio.ensure_future(event.wait()) for event in events]
        await asyncio.wait(waiting, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        return self.exit is not None

    def _notice_exit(self) -> None:
        self._child.unwatch()
        send_group(self._child.pid, signal.SIGKILL)  # what it has left behind
        was_asked = self._ending is not None
        peak_kb = self._child.reap()
        self.exit = judge_exit(
            self._child.status,
            last_words=b"",
            limits={} if self._memory_mb is None else {Fault.OUT_OF_MEMORY: self._memory_mb},
            peak_kb=peak_kb,
            oom_killed=not was_asked and oom_kills() > self._kills_before,
        )
        self._exited.set()
        asyncio.get_running_loop().call_later(_LAST_OUTPUT_S, self._output.close)

    def _too_long(self) -> ProgramError:
        return ProgramError(
            f"line {self.lines + 1} of the program's output is longer than "
            f"{LONGEST_LINE} bytes: write shorter lines, with fewer answers each"
        )


def _spawn(command: Command, memory_mb: int | None) -> subprocess.Popen[bytes]:
    path = locate_program(command[0], Path.cwd(), os.environ)
    executable, arguments = limit_memory(path, command, memory_mb)
    environment = {name: value for name, value in os.environ.items() if name != _TOKEN}
    forget_settings(environment)
    try:
        return subprocess.Popen(
            arguments,
            executable=executable,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
        )
    except BlockingIOError as error:
        raise LaunchError(f"{path} cannot be started: {error.strerror}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be run: {error.strerror}") from None
