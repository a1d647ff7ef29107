"""Matches in several processes on this machine: one Python process uses no more than one core."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.config.tournament import TournamentConfig
from arena.engines.pool import PoolEngine
from arena.engines.worker_messages import CLOSE_S
from arena.engines.worker_process import WorkerProcess
from arena.launch.build import BuildWatcher
from arena.server.gallery import Gallery

_MARGIN_S = 2.0  # for a worker that ends by itself in its time


class WorkersEngine(PoolEngine):
    """Plays in child processes (see pool.py). They end with this process, and so do their bots."""

    def __init__(
        self,
        config: TournamentConfig,
        count: int,
        *,
        inner: str = "arena",
        logs: Path | None = None,
        builds: BuildWatcher | None = None,
        hidden: Sequence[Path] = (),
        gallery: Gallery | None = None,
    ) -> None:
        """Prepare; `inner` is the engine in each worker, `arena` or `inline`."""
        super().__init__(
            config,
            count,
            inner=inner,
            logs=logs,
            builds=builds,
            hidden=hidden,
            gallery=gallery,
        )
        self._close_s = CLOSE_S[inner] + _MARGIN_S

    async def connect(self, number: int) -> WorkerProcess:
        return await WorkerProcess.start(number, self._close_s)
