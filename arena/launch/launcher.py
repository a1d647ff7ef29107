"""All the bot processes of an arena, from the first start to the last end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from arena.config.bot_spec import BotSpec
from arena.errors import BuildError, LaunchError
from arena.launch.build import BUILD_LIMIT_S, BuildWatcher, build_bot
from arena.launch.confinement import Confinement
from arena.launch.keeper import Keeper
from arena.launch.log import BotLog
from arena.launch.process import GRACE_S, BotProcess
from arena.launch.process_table import ProcessTable
from arena.retry import pauses

_PAUSES_S = (0.1, 0.5)  # the next match need never wait 2 s for its bots
_STABLE_S = 30.0  # a bot that has run for so long is not one that keeps crashing


class Launcher:
    """Starts bots and leaves none behind.

    Leaving the context stops all bots at once, each within the grace, and then the keeper. Should
    the arena not come to that, the keeper ends them for it. A bot's log, `BOT.stderr` in the
    directory of logs, is shared by all processes started under its name.
    """

    def __init__(
        self,
        logs: Path | None = None,
        *,
        grace_s: float = GRACE_S,
        build_limit_s: float = BUILD_LIMIT_S,
        builds: BuildWatcher | None = None,
        confinement: Confinement | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.confinement = confinement or Confinement()
        self.keeper = keeper or Keeper()
        self._process_table = ProcessTable()
        self._logs_dir = logs
        self._grace_s = grace_s
        self._build_limit_s = build_limit_s
        self._build_watcher = builds
        self._is_open = False
        self._processes: dict[str, BotProcess] = {}  # by launch id
        self._logs: dict[str, BotLog] = {}
        self._pauses: dict[str, Iterator[float]] = {}  # before restarts, by the names of bots
        self._builds: dict[object, asyncio.Lock] = {}
        self._built: dict[object, BuildError | None] = {}  # how a build failed, if it did

    async def __aenter__(self) -> Self:
        self._is_open = True
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._is_open = False
        processes = list(self._processes.values())
        try:
            await asyncio.gather(*(self.stop(process) for process in processes))
        finally:
            # If even this was cut short, no grace is left, and the keeper finds the rest.
            for process in self._processes.values():
                process.kill()
            for log in self._logs.values():
                log.close()
            await self.keeper.close()

    @property
    def processes(self) -> tuple[BotProcess, ...]:
        """All that were started and not yet stopped, those that ended by themselves included."""
        return tuple(self._processes.values())

    async def build(self, spec: BotSpec) -> None:
        """Run the bot's build commands unless they have been run; raises BuildError.

        Bots with the same directory, commands and environment are built once for all. A build that
        has failed is not run again: it would fail before every match.
        """
        key = (spec.dir, spec.build, tuple(sorted(spec.env.items())))
        async with self._builds.setdefault(key, asyncio.Lock()):
            if spec.build and key not in self._built:
                try:
                    await build_bot(
                        spec,
                        limit_s=self._build_limit_s,
                        keeper=self.keeper,
                        watcher=self._build_watcher,
                        confinement=self.confinement,
                    )
                except BuildError as error:
                    self._built[key] = error
                else:
                    self._built[key] = None
            if (failure := self._built.get(key)) is not None:
                raise BuildError(failure.reason, failure.printed)

    async def start(self, spec: BotSpec, environment: Mapping[str, str]) -> BotProcess:
        """Build the bot if need be, start it, and return as soon as its program runs.

        `environment` carries what is this process's alone: ARENA_ADDRESS, and ARENA_TOKEN with a
        token that nobody else has. Raises InputError, BuildError or LaunchError.
        """
        await self.build(spec)
        if not self._is_open:
            raise LaunchError("cannot be started: the launcher is closed")
        process = await BotProcess.start(
            spec,
            environment,
            self._log(spec),
            keeper=self.keeper,
            process_table=self._process_table,
            confinement=self.confinement,
        )
        self._processes[process.launch_id] = process
        return process

    async def restart(self, process: BotProcess, environment: Mapping[str, str]) -> BotProcess:
        """Stop what is left of the process and start its bot again, not too soon.

        A bot that keeps ending by itself waits longer from time to time, counted from its last
        end: a match played meanwhile counts. One that was stopped does not wait.
        """
        loop = asyncio.get_running_loop()
        await self.stop(process)
        if process.exit is not None and not process.exit.was_asked and process.ended_s is not None:
            wait_s = self._wait_s(process.spec.name, process.ended_s - process.started_s)
            await asyncio.sleep(process.ended_s + wait_s - loop.time())
        return await self.start(process.spec, environment)

    async def stop(self, process: BotProcess, grace_s: float | None = None) -> None:
        """End one bot and everything it has started. Idempotent."""
        await process.stop(self._grace_s if grace_s is None else grace_s)
        self._processes.pop(process.launch_id, None)

    def _wait_s(self, bot: str, ran_s: float) -> float:
        """Return how long after its end the bot may start again that has now run for `ran_s`."""
        if bot not in self._pauses or ran_s >= _STABLE_S:
            self._pauses[bot] = pauses(*_PAUSES_S, is_first_free=True)
        return next(self._pauses[bot])

    def _log(self, spec: BotSpec) -> BotLog | None:
        if self._logs_dir is None:
            return None
        if spec.name not in self._logs:
            self._logs[spec.name] = BotLog(self._logs_dir / f"{spec.name}.stderr")
        return self._logs[spec.name]
