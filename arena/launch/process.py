"""One bot's process, from its start until nothing of it is left.

The process leads a session and process group of its own. It reads nothing (/dev/null), and what it
prints goes to a log. When it ends by itself the rest of its group is killed with it; `stop` ends
it and whatever it has started, wherever that has gone.

A memory limit (see `limit_memory`) holds for each of the bot's processes by itself. The bridge of
a bot that speaks over stdio has none; it sets that of the program. What holds for all of them
together, and how far the bot is kept apart, is the confinement's.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.errors import InputError, LaunchError
from arena.launch.child import Child
from arena.launch.confinement import (
    ConfinedCommand,
    Confinement,
    Start,
    bot_limits,
    make_build_home,
)
from arena.launch.environment import bot_environment
from arena.launch.exits import Exit, Shortage, judge_exit, oom_kills, unwrap_status
from arena.launch.keeper import Keeper
from arena.launch.log import TAIL_BYTES, BotLog, OutputPipe
from arena.launch.process_table import ProcessTable
from arena.launch.program import bot_command, find_program, limit_memory
from arena.launch.sweep import ID_LENGTH, Found, find_session, send, send_group
from arena.launch.usage import tree_usage
from arena.referee.faults import Fault, fault_of_failure
from arena.sandbox.bubblewrap import HOME
from arena.sandbox.cgroups import BotGroup
from arena.sandbox.level import Level
from arena.sandbox.limits import Limits

GRACE_S = 2.0

_SHORT_OF = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
_POLL_S = 0.01
_WATCH_S = 0.25
_INNER_POLL_S = 0.05
_LONGEST_KILL_S = 5.0  # for processes that not even SIGKILL ends at once

OnExit = Callable[[Exit], None]


@dataclass(frozen=True, slots=True)
class _Launch:
    """What surrounds one process."""

    id: str
    keeper: Keeper | None
    process_table: ProcessTable
    own_log: BotLog | None  # to be closed with the process
    kills_before: int  # for memory, by the kernel
    level: Level
    limits: Limits
    group: BotGroup | None  # which keeps the limits


class BotProcess:
    """A running bot. Made by `start`; whoever starts it must `stop` it, even when it has ended."""

    def __init__(self, spec: BotSpec, child: Child, output: OutputPipe, launch: _Launch) -> None:
        self.spec = spec
        self.pid = child.pid  # of the outermost process
        self.level = launch.level
        self.launch_id = launch.id
        self.exit: Exit | None = None
        loop = asyncio.get_running_loop()
        self.started_s = loop.time()
        self.ended_s: float | None = None
        self._child = child
        self._output = output
        self._launch = launch
        self._was_asked = False
        self._exited: asyncio.Future[Exit] = loop.create_future()
        self._hooks: list[OnExit] = []
        self._known: set[Found] = set()  # all that was ever seen to belong to it
        self._stopping: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._excess: Fault | None = None  # of using more than one of its limits

    @classmethod
    async def start(
        cls,
        spec: BotSpec,
        environment: Mapping[str, str],
        log: Path | BotLog | None = None,
        *,
        keeper: Keeper | None = None,
        process_table: ProcessTable | None = None,
        confinement: Confinement | None = None,
        is_build: bool = False,
    ) -> BotProcess:
        """Start the bot and return at once; it has then begun to run its program.

        `environment` is added to the bot's (see `bot_environment`). A log given as a path is
        closed by `stop`. With a keeper, nothing of the bot outlives the arena. Bots that are
        stopped together do well to share a table of processes. Without a confinement nothing
        keeps the bot apart. A build may write to the bot's directory.

        Raises InputError if the program cannot be run, LaunchError if the system is short of
        something.
        """
        launch_id = secrets.token_hex(ID_LENGTH // 2)
        confinement = confinement or Confinement()
        level = confinement.level(spec)
        whole = bot_environment(
            spec,
            environment,
            launch_id,
            level=level,
            has_network=is_build and spec.build_network,
            home=make_build_home(spec) if is_build and level is Level.BUBBLEWRAP else HOME,
        )
        program = find_program(spec, whole)
        start = Start(spec, program, bot_command(spec), whole, launch_id, is_build)
        with contextlib.ExitStack() as undo:
            own_log = BotLog(log) if isinstance(log, Path) else None
            if own_log is not None:
                undo.callback(own_log.close)
            try:
                output = OutputPipe(own_log if isinstance(log, Path) else log)
                undo.callback(output.close)
                if keeper is not None:
                    undo.callback(keeper.forget, launch_id)
                    keeper.register(launch_id, 0, confinement.group_directories(start))
                with confinement.confine(start) as confined:
                    popen = _spawn(start, confined, output.writing, level)
            except OSError as error:
                raise _start_error(program, error) from error
            launch = _Launch(
                launch_id,
                keeper,
                process_table or ProcessTable(),
                own_log,
                oom_kills(),
                level,
                bot_limits(spec, is_build=is_build),
                confined.group,
            )
            process = cls(spec, Child(popen), output, launch)
            undo.pop_all()
        await process._begin()
        return process

    @property
    def tail(self) -> bytes:
        """The last 4 KiB of what the bot printed."""
        return self._output.last_words[-TAIL_BYTES:]

    @property
    def is_running(self) -> bool:
        """Whether the bot's first process still runs."""
        return self.exit is None

    def on_exit(self, hook: OnExit) -> None:
        """Have the hook called from the event loop, once, when the process has ended."""
        if self.exit is None:
            self._hooks.append(hook)
        else:
            asyncio.get_running_loop().call_soon(hook, self.exit)

    async def wait(self) -> Exit:
        """Return how the process ended, once it has; the processes it started may remain."""
        return await asyncio.shield(self._exited)

    def find_shortage(self) -> Shortage | None:
        """Return what a bot has run out of that says that it has failed, and runs on for a moment.

        That is how the bridge of a program that speaks over stdio tells of the program's end. It
        knows neither what the program wrote last nor what the kernel has refused.
        """
        self._output.drain()
        fault = Fault.OUT_OF_MEMORY if self._was_limit_exceeded() else self._reached()
        fault = fault or fault_of_failure(self._output.last_words)
        return None if fault is Fault.CRASH else Shortage(fault, self._limits().get(fault))

    async def stop(self, grace_s: float = GRACE_S) -> None:
        """End the bot and everything it has started; returns when nothing is left.

        SIGTERM to its process group, the grace, then SIGKILL to all that is found. If the bot has
        ended by itself, its leftovers get no grace. May be called any number of times; the first
        call's grace counts. Cancelling the caller does not cancel the stopping.
        """
        if self._stopping is None:
            self._stopping = asyncio.get_running_loop().create_task(self._stop(grace_s))
        await asyncio.shield(self._stopping)

    def kill(self) -> None:
        """Kill the bot's process group now, without waiting for anything."""
        if not self._child.is_reaped:
            self._was_asked = True
            send_group(self.pid, signal.SIGKILL)

    async def _begin(self) -> None:
        self._output.start()
        self._child.watch(self._notice_exit)
        if self._must_be_watched():
            self._watching = asyncio.get_running_loop().create_task(self._watch())
        try:
            if self._launch.keeper is not None:
                group = self._launch.group
                directories = () if group is None else group.directories
                self._launch.keeper.register(self.launch_id, self.pid, directories)
        except LaunchError:
            await self.stop(0.0)
            raise

    def _notice_exit(self) -> None:
        """Record the end of the first process, if it has come."""
        if self.exit is not None or not self._child.has_ended():
            return
        self._child.unwatch()
        self.ended_s = asyncio.get_running_loop().time()
        if self._was_asked:
            # All of its group has the grace; until it is over, the pid stays taken.
            self.exit = Exit.from_status(self._status, was_asked=True)
        else:
            self._kill_session()
            peak_kb = self._child.reap()
            self._output.drain()
            self.exit = judge_exit(
                self._status,
                last_words=self._output.last_words,
                limits=self._limits(),
                peak_kb=peak_kb,
                oom_killed=self._was_memory_exceeded(),
                reached=self._reached(),
            )
        self._exited.set_result(self.exit)
        for hook in self._hooks:
            asyncio.get_running_loop().call_soon(hook, self.exit)

    def _kill_session(self) -> None:
        """Kill what the ended process has left in its session.

        Once it is reaped, they cannot be told from others: a bridge's program leads a group of its
        own, and what that has started may have wiped its environment.
        """
        send_group(self.pid, signal.SIGKILL)
        if self.level in (Level.USER, Level.NONE):  # in a sandbox they have ended with it
            left = find_session(self.pid, self.launch_id)
            self._known.update(left)
            for process in left:
                send(process, signal.SIGKILL)

    @property
    def _status(self) -> int | None:
        """How the bot ended, whatever stands between it and us."""
        status = self._child.status
        if self.level is Level.BUBBLEWRAP and status is not None:
            return unwrap_status(status)
        return status

    async def _stop(self, grace_s: float) -> None:
        is_clear = False
        try:
            self._notice_exit()  # it may have ended by itself just now
            if self.exit is None:
                self._was_asked = True
                found = (
                    await self._find()
                )  # while parents live: they show what wiped its environment
                if self.level is Level.BUBBLEWRAP:
                    is_clear = await self._await_inner_end(grace_s, found)
                else:
                    send_group(self.pid, signal.SIGTERM)
                    send_group(self.pid, signal.SIGCONT)  # a stopped one must be able to end, too
                    is_clear = await self._await_end(grace_s)
            if not is_clear:
                self.kill()
                is_clear = await self._kill_all()
            if self._watching is not None:
                self._watching.cancel()
            if self._launch.group is not None:
                await asyncio.to_thread(self._launch.group.remove)
        finally:
            self._finish(is_clear)

    # Limits.

    def _must_be_watched(self) -> bool:
        """Return whether there is a limit that the kernel does not keep for us, or not wholly.

        At the limit of memory it may end one process of several, and leave the bot crippled.
        """
        return self._launch.limits.memory_mb is not None or self._must_be_counted()

    def _must_be_counted(self) -> bool:
        """Return whether somebody must look what all its processes use."""
        kept = () if self._launch.group is None else self._launch.group.places
        has_memory_limit = self._launch.limits.memory_mb is not None
        # Of processes the kernel counts those of a user, and root's not at all.
        is_counted = self.level is Level.BUBBLEWRAP and os.geteuid() != 0
        has_process_limit = Fault.OUT_OF_PROCESSES in self._limits()
        return (has_memory_limit and "memory" not in kept) or (
            has_process_limit and not is_counted and "pids" not in kept
        )

    async def _watch(self) -> None:
        must_count = self._must_be_counted()
        while self.exit is None and not self._was_asked and not self._excess:
            await asyncio.sleep(_WATCH_S)
            group = self._launch.group
            if group is not None and group.memory_kills():
                self._excess = Fault.OUT_OF_MEMORY
            elif must_count:
                await self._count()
        if self._excess and self.exit is None:
            send_group(self.pid, signal.SIGKILL)

    async def _count(self) -> None:
        limits = self._launch.limits
        used = await asyncio.to_thread(tree_usage, await self._find(), limits.memory_mb)
        if limits.memory_mb is not None and used.memory_mb > limits.memory_mb:
            self._excess = Fault.OUT_OF_MEMORY
        elif used.processes > limits.processes and Fault.OUT_OF_PROCESSES in self._limits():
            self._excess = Fault.OUT_OF_PROCESSES

    def _was_memory_exceeded(self) -> bool:
        """Return whether it was ended for its memory, if it was killed at all."""
        if self._has_memory_group():
            return self._was_limit_exceeded()
        return self._was_limit_exceeded() or oom_kills() > self._launch.kills_before

    def _was_limit_exceeded(self) -> bool:
        """Return whether one of its processes was ended at the limit of memory."""
        if self._excess is Fault.OUT_OF_MEMORY:
            return True
        group = self._launch.group if self._has_memory_group() else None
        return group is not None and group.memory_kills() > 0

    def _has_memory_group(self) -> bool:
        return self._launch.group is not None and self._launch.limits.memory_mb is not None

    def _limits(self) -> dict[Fault, int]:
        """Return the limits in force, by the fault of using more."""
        limits, found = self._launch.limits, {}
        if self.spec.memory_mb is not None:
            found[Fault.OUT_OF_MEMORY] = self.spec.memory_mb
        if self.spec.processes is not None or self.level is not Level.NONE:
            found[Fault.OUT_OF_PROCESSES] = limits.processes - limits.bridge_processes
        if self.level is Level.BUBBLEWRAP:
            found[Fault.OUT_OF_DISK] = limits.disk_mb
        return found

    def _reached(self) -> Fault | None:
        """Return which limit the bot is known to have run into, other than that of memory."""
        group = self._launch.group
        if self._excess is Fault.OUT_OF_PROCESSES or (
            group is not None and group.refused_processes()
        ):
            return Fault.OUT_OF_PROCESSES
        return None

    async def _await_end(self, grace_s: float) -> bool:
        """Return True when everything has ended, False when the grace has."""
        told: set[Found] = set()
        try:
            async with asyncio.timeout(grace_s):
                await self.wait()
                while found := await self._find():
                    for process in set(found) - told:
                        if process.group != self.pid:  # it has left the group that was told
                            send(process, signal.SIGTERM)
                    told.update(found)
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            return False
        return True

    async def _await_inner_end(self, grace_s: float, found: list[Found]) -> bool:
        """Do the same for a bot in a sandbox, which ends with the first of its processes.

        The signals are for those inside: the sandbox would end at once, and all in it with no
        grace.
        """
        told: set[Found] = set()
        try:
            async with asyncio.timeout(grace_s):
                while self.exit is None:
                    for process in set(found) - told:
                        if process.pid != self.pid:
                            send(process, signal.SIGTERM)
                            send(process, signal.SIGCONT)
                    told.update(found)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(_INNER_POLL_S):
                            await self.wait()
                    found = await self._find()
        except TimeoutError:
            return False
        return not await self._find()

    async def _kill_all(self) -> bool:
        """Return True when nothing is left, False if something does not even die of SIGKILL."""
        try:
            async with asyncio.timeout(_LONGEST_KILL_S):
                await self.wait()
                while found := await self._find():
                    for process in found:
                        send(process, signal.SIGKILL)
                    await asyncio.sleep(_POLL_S)
        except TimeoutError:
            return False
        return True

    async def _find(self) -> list[Found]:
        # The number of a group whose leader is reaped may be somebody else's by now.
        group = 0 if self._child.is_reaped else self.pid
        found = await self._launch.process_table.find(self.launch_id, group, self._known)
        self._known.update(found)
        return found

    def _finish(self, is_clear: bool) -> None:
        if not is_clear:
            self.kill()  # the stopping was itself cut short; the keeper does the rest
        self._child.unwatch()
        if self.exit is not None:
            self._child.reap()
        self._output.drain()
        self._output.close()
        if self._launch.own_log is not None:
            self._launch.own_log.close()
        if self._launch.keeper is not None and is_clear:
            self._launch.keeper.forget(self.launch_id)


def _spawn(
    start: Start, confined: ConfinedCommand, output: int, level: Level
) -> subprocess.Popen[bytes]:
    executable, arguments = confined.executable, confined.arguments
    if level is not Level.BUBBLEWRAP:  # which does that inside
        limit_mb = None if start.spec.stdio is not None else start.spec.memory_mb
        executable, arguments = limit_memory(executable, arguments, limit_mb)
    return subprocess.Popen(
        arguments,
        executable=executable,
        cwd=confined.directory,
        env=start.environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        pass_fds=confined.files,
    )


def _start_error(program: str, error: OSError) -> InputError | LaunchError:
    if error.errno in _SHORT_OF:
        return LaunchError(f"cannot be started: {error.strerror}")
    if error.errno == errno.ENOEXEC:
        return InputError(
            f"{program} is neither a program for this machine nor a script with a #! line"
        )
    return InputError(f"{program} cannot be run: {error.strerror}")
