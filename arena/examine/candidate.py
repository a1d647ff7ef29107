"""The bot under examination: one process at a time, started as often as the exam needs it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from arena.config.bot_spec import BotSpec
from arena.errors import ShortcomingError
from arena.launch.exits import Exit
from arena.launch.launcher import Launcher
from arena.launch.process import BotProcess
from arena.launch.sweep import find_launched

_LAST_LINES = 12
_LONGEST_LINE = 200
_LAST_WORDS_S = 0.4  # a bot may tell the arena of its failure first, and then its author
_EXIT_S = 1.0  # a lost stream and the end of the process are seen one shortly after the other

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Usage:
    """What the bot's processes have used so far."""

    memory_mb: float  # the most at once, summed over its processes
    cpu_s: float


class Candidate:
    """The bot's process. The launcher, which outlives it, leaves nothing behind."""

    def __init__(self, launcher: Launcher, spec: BotSpec) -> None:
        """Prepare; nothing runs yet."""
        self.spec = spec
        self.process: BotProcess | None = None
        self.launcher = launcher

    @property
    def name(self) -> str:
        """The name it is entered under."""
        return self.spec.name

    @property
    def is_running(self) -> bool:
        """Whether its process runs."""
        return self.process is not None and self.process.is_running

    @property
    def exit(self) -> Exit | None:
        """How its process ended; None while it runs or none was started."""
        return None if self.process is None else self.process.exit

    async def start(self, address: str, token: str) -> BotProcess:
        """Start it anew for an arena; raises InputError, BuildError or LaunchError."""
        await self.stop()
        environment = {"ARENA_ADDRESS": address, "ARENA_TOKEN": token}
        self.process = await self.launcher.start(self.spec, environment)
        return self.process

    async def stop(self) -> None:
        """End it at once, with everything it has started."""
        if self.process is not None:
            await self.launcher.stop(self.process, 0.0)

    async def ends(self, within_s: float) -> Exit | None:
        """Return how it ended by itself; None if it did not in time."""
        if self.process is None:
            return None
        try:
            async with asyncio.timeout(within_s):
                return await self.process.wait()
        except TimeoutError:
            return None

    async def during(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Return what the work gives; raises ShortcomingError if the process ends before."""
        assert self.process is not None
        working = asyncio.ensure_future(work)
        ending = asyncio.ensure_future(self.process.wait())
        try:
            await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            raise ShortcomingError(f"the process {ending.result().describe()}")
        finally:
            working.cancel()
            ending.cancel()
            await asyncio.gather(working, ending, return_exceptions=True)

    async def describe_loss(self) -> str:
        """Return why a stream of it may have been lost."""
        end = await self.ends(_EXIT_S)
        return f"the process {end.describe()}" if end else "the bot closed its stream"

    async def last_words(self) -> tuple[str, ...]:
        """Return the last lines it printed; one that is about to end may finish first."""
        if self.process is None:
            return ()
        await self.ends(_LAST_WORDS_S)
        lines = self.process.tail.decode(errors="replace").splitlines()
        said = [line.expandtabs(4)[:_LONGEST_LINE] for line in lines if line.strip()]
        return tuple(said[-_LAST_LINES:])

    async def usage(self) -> Usage | None:
        """Return what it has used; None where not available on this system."""
        process = self.process
        if process is None or not process.is_running:
            return None
        found = await asyncio.to_thread(find_launched, {process.launch_id: process.pid})
        each = [used for other in found if (used := _read_usage(other.pid)) is not None]
        if not each:
            return None
        return Usage(sum(used.memory_mb for used in each), sum(used.cpu_s for used in each))


def _read_usage(pid: int) -> Usage | None:
    try:
        status = Path(f"/proc/{pid}/status").read_text(errors="replace")
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    ticks = stat[stat.rfind(")") + 2 :].split()[11:13]
    cpu_s = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return Usage(int(peaks[0]) / 1024 if peaks else 0.0, cpu_s)
