"""Building a bot before its first start."""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import dataclass, replace

from arena.config.bot_fields import Command
from arena.config.bot_spec import BotSpec
from arena.errors import BuildError
from arena.launch.confinement import Confinement
from arena.launch.keeper import Keeper
from arena.launch.log import BotLog
from arena.launch.process import BotProcess

BUILD_LIMIT_S = 600.0
_LINES_SHOWN = 30  # a compiler's first error and what follows from it


class BuildWatcher:
    """Is told, on the loop, how builds go on; must not block or raise. This one ignores it."""

    def begun(self, spec: BotSpec) -> None:
        """The bot's first build command is about to run."""

    def printed(self, spec: BotSpec, chunk: bytes) -> None:
        """A build command has printed something; it may end in the middle of a line."""

    def ended(self, spec: BotSpec, elapsed_s: float, *, is_built: bool) -> None:
        """The build is over, well or not."""


class _WatchedLog(BotLog):
    """Keeps what a build prints, and passes it on."""

    def __init__(self, spec: BotSpec, watcher: BuildWatcher) -> None:
        super().__init__(None)
        self._spec = spec
        self._watcher = watcher

    def write(self, chunk: bytes) -> None:
        super().write(chunk)
        self._watcher.printed(self._spec, chunk)


async def build_bot(
    spec: BotSpec,
    *,
    limit_s: float = BUILD_LIMIT_S,
    keeper: Keeper | None = None,
    watcher: BuildWatcher | None = None,
    confinement: Confinement | None = None,
) -> str:
    """Run the bot's build commands, one after the other, in its directory and environment.

    Returns what they printed, within the limits of a log. Raises BuildError, with the last lines
    of it, if one fails or all together take longer than `limit_s`; InputError if a program is
    missing. Errors do not name the bot. Nothing that they started is left behind.
    """
    watcher = watcher or BuildWatcher()
    log = _WatchedLog(spec, watcher)
    loop = asyncio.get_running_loop()
    started, is_built = loop.time(), False
    watcher.begun(spec)
    try:
        await _run_all(spec, log, limit_s, _Means(keeper, confinement))
        is_built = True
    finally:
        watcher.ended(spec, loop.time() - started, is_built=is_built)
    return log.contents().decode(errors="replace")


@dataclass(frozen=True, slots=True)
class _Means:
    """What every command of a build is started with."""

    keeper: Keeper | None
    confinement: Confinement | None


async def _run_all(spec: BotSpec, log: BotLog, limit_s: float, means: _Means) -> None:
    deadline_s = asyncio.get_running_loop().time() + limit_s
    for command in spec.build:
        log.write(f"$ {shlex.join(command)}\n".encode())
        failure = await _run(spec, command, log, means, deadline_s)
        if failure is not None:
            output = log.contents().decode(errors="replace").splitlines()
            reason = failure or f"took longer than the limit of {limit_s:g} seconds"
            what = f"building it failed: `{shlex.join(command)}` {reason}"
            raise BuildError(what, output[1:][-_LINES_SHOWN:])


async def _run(
    spec: BotSpec, command: Command, log: BotLog, means: _Means, deadline_s: float
) -> str | None:
    """Return how the command failed, nothing if it took too long, None if it did well."""
    alone = replace(spec, command=command, builtin=None, stdio=None, build=(), memory_mb=None)
    process = await BotProcess.start(
        alone, {}, log, keeper=means.keeper, confinement=means.confinement, is_build=True
    )
    try:
        async with asyncio.timeout_at(deadline_s):
            end = await process.wait()
    except TimeoutError:
        return ""
    finally:
        await process.stop(grace_s=0.0)
    return None if end.code == 0 else end.describe()
