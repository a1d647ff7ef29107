"""An engine that has its matches played by workers, wherever those are."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from arena.config.tournament import TournamentConfig, write_config
from arena.engines.worker_calls import Lost, RemoteWorker
from arena.engines.worker_messages import Open
from arena.engines.worker_process import Link
from arena.errors import ArenaError, InputError, LaunchError
from arena.launch.build import BuildWatcher
from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.retry import pauses
from arena.server.gallery import Gallery
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void

LOG = logging.getLogger("arena.workers")

ATTEMPTS = 3
"""A match that has lost so many workers is void; bots get as many chances to be started."""
MOST_LOSSES = 3
"""So many times the number of workers may be lost before one of them finishes a match."""

_STOPPED = Void("the arena was stopped")
_PAUSES_S = (0.1, 5.0)  # before a lost worker is replaced: the first, the longest


@dataclass(slots=True)
class _Place:
    """A number that a worker has. When the worker is lost, another one takes its place."""

    number: int  # from 1
    worker: RemoteWorker | None = None
    filling: asyncio.Task[None] | None = None


class PoolEngine(ABC):
    """Spreads matches over workers, each of which has bots of its own.

    A match goes to the worker that has the fewest. When a worker is lost, its matches are played
    again by others, and its place is filled anew: nothing is lost but time, and faults that were
    told already are told again. A bot is built once, here, and started in every worker.

    What bots print is in `logs` for the first worker, in `logs/worker-N` for the others: two
    processes never write to one file. Kinds of workers derive from this and connect to them.
    """

    addresses: Sequence[str] = ()

    def __init__(
        self,
        config: TournamentConfig,
        count: int,
        *,
        inner: str,
        logs: Path | None,
        builds: BuildWatcher | None,
        hidden: Sequence[Path] = (),
        gallery: Gallery | None = None,
    ) -> None:
        """Prepare; `inner` is the engine in each worker, `arena` or `inline`."""
        self._asked = config
        self._inner = inner
        self._logs = logs
        self._builds = builds
        self._hidden = tuple(path.absolute() for path in hidden)
        self._gallery = gallery
        self._places = [_Place(number) for number in range(1, count + 1)]
        self._unbuilt: dict[str, str] = {}
        self._config = ""
        self._is_aborted = False
        self._is_closed = False
        self._closings: list[asyncio.Future[None]] = []  # of workers that could not be opened
        self._losses = 0  # since a match was finished
        self._failure: ArenaError | None = None
        self._news = asyncio.Event()  # replaced whenever it is set

    @abstractmethod
    async def connect(self, number: int) -> Link:
        """Start the worker of that number and return the link to it; raises LaunchError."""

    async def __aenter__(self) -> Self:
        await self._build()
        opening = [asyncio.ensure_future(self._fill(place)) for place in self._places]
        try:
            await asyncio.gather(*opening)
        except BaseException:
            for task in opening:
                task.cancel()
            await asyncio.gather(*opening, return_exceptions=True)
            await self._close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._close()

    async def preflight(self) -> Mapping[str, Verdict]:
        found = await asyncio.gather(*map(self._examine, self._places))
        return {
            name: Refused(self._unbuilt[name])
            if name in self._unbuilt
            else _agree([verdicts[name] for verdicts in found])
            for name in self._asked.bots
        }

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        """Play one match, again if need be.

        Raises the error because of which there are no workers any more.
        """
        reasons: list[str] = []
        while len(reasons) < ATTEMPTS:
            worker = await self._choose()
            if worker is None:
                return _STOPPED
            report = await worker.play(fixture, versions, on_fault)
            if isinstance(report, MatchReport):
                self._losses = 0
            if not isinstance(report, Lost):
                return report
            reasons.append(report.reason)
        return Void(f"its worker was lost {len(reasons)} times: {reasons[-1]}")

    def release(self, matches: Sequence[str]) -> None:
        for worker in self._live():
            worker.release(matches)

    def abort(self) -> None:
        self._is_aborted = True
        for worker in self._live():
            worker.abort()
        self._notify()

    def _live(self) -> list[RemoteWorker]:
        return [place.worker for place in self._places if place.worker is not None]

    async def _choose(self) -> RemoteWorker | None:
        """Return the worker with the fewest matches, None if there is nothing more to play.

        While there is no worker, one is waited for; raises the error if none will come.
        """
        while not self._is_aborted and not self._is_closed:
            if self._failure is not None:
                raise self._failure
            if live := self._live():
                return min(live, key=lambda worker: worker.running)
            await self._news.wait()
        return None

    def _notify(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    # Bots.

    async def _build(self) -> None:
        """Build the bots, so that no two workers do it in one directory at the same time."""
        confinement = Confinement(self._asked.run.isolation, self._hidden)
        confinement.check(tuple(self._asked.bots.values()))
        async with Launcher(builds=self._builds, confinement=confinement) as launcher:
            for spec in self._asked.bots.values():
                try:
                    await launcher.build(spec)
                except (InputError, LaunchError) as error:
                    self._unbuilt[spec.name] = str(error)
        config = self._asked
        bots = {
            # One that could not be built must not play in an old state.
            name: spec if name in self._unbuilt else replace(spec, build=())
            for name, spec in config.bots.items()
        }
        self._config = write_config(replace(config, bots=bots))

    async def _examine(self, place: _Place) -> Mapping[str, Verdict]:
        reason = ""
        for _ in range(ATTEMPTS):
            while place.worker is None:
                if self._failure is not None:
                    raise self._failure
                await self._news.wait()
            verdicts = await place.worker.preflight()
            if not isinstance(verdicts, Lost):
                return verdicts
            reason = verdicts.reason
        raise LaunchError(f"{reason} while bots started; tried {ATTEMPTS} times")

    # Workers.

    async def _fill(self, place: _Place) -> None:
        """Put a new worker into the place; raises InputError or LaunchError."""
        logs = self._logs
        if logs is not None and place.number > 1:
            logs = logs / f"worker-{place.number}"
        order = Open(
            config=self._config,
            base=str(Path.cwd()),
            engine=self._inner,
            logs=None if logs is None else str(logs.absolute()),
            hidden=tuple(map(str, self._hidden)),
            gallery=None if self._gallery is None else str(self._gallery.directory),
            organiser="" if self._gallery is None else self._gallery.sha256,
            number=place.number,
        )
        link = await self.connect(place.number)
        worker = RemoteWorker(place.number, link, lambda: self._notice_loss(place))
        try:
            await worker.open(order)
        except BaseException:
            # A task of its own: whoever cancels this one must not leave a process behind.
            closing = asyncio.ensure_future(worker.close())
            self._closings.append(closing)
            await asyncio.shield(closing)
            raise
        place.worker = worker
        self._notify()

    def _notice_loss(self, place: _Place) -> None:
        worker, place.worker = place.worker, None
        if worker is None or self._is_aborted or self._is_closed:
            return
        assert worker.lost is not None
        LOG.warning("a worker was lost", extra={"detail": worker.lost.reason})
        self._losses += 1
        if self._losses > MOST_LOSSES * len(self._places):
            self._fail(
                LaunchError(
                    f"{self._losses} workers were lost, and no match was finished in between; "
                    f"the last: {worker.lost.reason}"
                )
            )
        else:
            place.filling = asyncio.ensure_future(self._refill(place, worker))

    async def _refill(self, place: _Place, lost: RemoteWorker) -> None:
        """Fill the place again. While there are other workers it may take any time."""
        await lost.close()
        failures = 0
        for pause_s in pauses(*_PAUSES_S):
            await asyncio.sleep(pause_s)
            try:
                await self._fill(place)
            except InputError as error:
                self._fail(error)
            except LaunchError as error:
                failures += 1
                LOG.warning("a worker cannot be replaced", extra={"detail": str(error)})
                if failures < MOST_LOSSES or self._live():
                    continue
                self._fail(error)
            return

    def _fail(self, failure: ArenaError) -> None:
        self._failure = self._failure or failure
        self._notify()

    async def _close(self) -> None:
        self._is_closed = True
        filling = [place.filling for place in self._places if place.filling is not None]
        for task in filling:
            task.cancel()
        await asyncio.gather(*filling, return_exceptions=True)
        await asyncio.gather(*self._closings, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._live()))
        self._notify()


def _agree(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what holds for a bot in all workers."""
    refused = [each for each in verdicts if isinstance(each, Refused)]
    if refused:
        number = next(n for n, each in enumerate(verdicts, 1) if isinstance(each, Refused))
        where = "" if len(refused) == len(verdicts) else f"in worker {number}, not in all: "
        return Refused(where + refused[0].reason)
    versions = [each.version for each in verdicts if isinstance(each, Entered)]
    for number, version in enumerate(versions, 1):
        if version != versions[0]:
            return Refused(
                f"is version {versions[0]!r} in worker 1, but {version!r} in worker {number}"
            )
    return verdicts[0]
