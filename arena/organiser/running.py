"""One run of a tournament on a server: prepared, played, told to its followers."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path

from arena.config.tournament import TournamentConfig, Unfit, without_secrets, write_config
from arena.engines.lobby import LobbyEngine
from arena.errors import (
    ArenaError,
    StoppingError,
    StorageError,
)
from arena.organiser.directories import read_state, refresh_files
from arena.organiser.journal import (
    Event,
    Journal,
    MatchFault,
    Started,
    TournamentState,
    VoidMatch,
)
from arena.rating.tally import Tally
from arena.referee.faults import SeatFault
from arena.results.messages import TournamentPhase
from arena.schedule.balance import describe
from arena.server.app import Arena
from arena.signing import OrganiserKey
from arena.storage.records import FixtureRecord, MatchReport, StoredMatch
from arena.tournament.runner import EndReason, RunEnd, Runner
from arena.tournament.tournament import (
    Preparation,
    Tournament,
    check_same,
    open_tournament,
)
from arena.tournament.watcher import Watcher

LOG = logging.getLogger("arena.tournament")

_STANDINGS_EVERY_S = 5.0
_EXPORT_EVERY_S = 10.0

_PHASES = {
    EndReason.COMPLETE: TournamentPhase.COMPLETE,
    EndReason.SETTLED: TournamentPhase.SETTLED,
    EndReason.STOPPED: TournamentPhase.STOPPED,
}


class RunningTournament(Watcher):
    """Plays a tournament in a task of its own.

    `stop` may be called at any time. Whatever happens, what was stored stays stored.
    """

    def __init__(
        self,
        arena: Arena,
        directory: Path,
        config: TournamentConfig,
        unfit: Unfit,
        key: OrganiserKey | None = None,
    ) -> None:
        """Begin: the task runs from now on. Needs a running loop."""
        self._arena = arena
        self._directory = directory
        self._asked = config
        self._unfit = unfit
        self._key = key
        self._tournament: Tournament | None = None  # once it is open
        self._state = TournamentState(
            config.name,
            config.game,
            config.players,
            config.entrants(),
            TournamentPhase.PREPARING,
            hides_names=not config.shows_names,
        )
        self._tally = Tally()
        self._told_at = time.monotonic()
        self._exporting = asyncio.Lock()
        self._exported_at: float | None = None
        self._is_stopped = False
        self.journal = Journal(lambda: self._state)
        self._started: asyncio.Future[Started] = asyncio.get_running_loop().create_future()
        self.task = asyncio.ensure_future(self._run())

    @property
    def state(self) -> TournamentState:
        """How it stands."""
        return self._state

    @property
    def is_over(self) -> bool:
        """Whether the task has nothing more to do."""
        return self._state.phase.is_final

    async def started(self) -> Started:
        """Return what is known once the bots have been checked; raises why it cannot begin."""
        return await asyncio.shield(self._started)

    def check_same(self, asked: TournamentConfig, unfit: Unfit) -> None:
        """Raise TournamentExistsError unless the config asked for is that of this tournament."""
        stored = self._tournament.config if self._tournament is not None else self._asked
        check_same(asked, stored, unfit)

    def stop(self, *, at_once: bool) -> None:
        """Begin no more matches; at once: give up those that run."""
        if self.is_over:
            return
        self._is_stopped = True
        runner = self._runner
        if runner is None:
            self.task.cancel()
            return
        if self._state.phase is TournamentPhase.RUNNING:
            self._change(phase=TournamentPhase.STOPPING)
        if at_once:
            runner.abort()
        else:
            runner.stop()

    @property
    def _runner(self) -> Runner | None:
        return None if self._tournament is None else self._tournament.runner

    async def export(self) -> None:
        """Write the results so far, unless that was done a moment ago."""
        async with self._exporting:
            now = time.monotonic()
            is_due = self._exported_at is None or now - self._exported_at > _EXPORT_EVERY_S
            if is_due and self._state.played and not self.is_over and self._tournament:
                await self._tournament.export()
                self._exported_at = time.monotonic()

    # The task.

    async def _run(self) -> None:
        try:
            await self._prepare_and_play()
        except asyncio.CancelledError:
            self._end(TournamentPhase.STOPPED, "it was stopped before it began")
        except ArenaError as error:
            self._fail(error)
        except OSError as error:
            self._fail(StorageError(f"{self._directory}: {error.strerror or error}"))
        except Exception as error:  # one tournament must not end the arena
            LOG.exception("tournament failed", extra={"tournament": self._state.name})
            self._fail(ArenaError(f"the arena failed: {type(error).__name__}"))
        finally:
            self.journal.close()

    async def _prepare_and_play(self) -> None:
        opening = open_tournament(self._asked, self._directory, unfit=self._unfit, key=self._key)
        async with opening as tournament:
            self._tournament = tournament
            if tournament.is_stored and await self._is_done_already(tournament):
                return
            engine = LobbyEngine(self._arena, tournament.config)
            async with engine:
                preparation = await tournament.prepare(engine)
                await self._begin(tournament, preparation)
                end = await tournament.play(engine, tournament.config.run.concurrency, self)
            await self._finish(tournament, end)

    async def _is_done_already(self, tournament: Tournament) -> bool:
        """Return whether nothing is left to play; then whoever asks is told so."""
        await tournament.read(lambda store: refresh_files(store, self._directory, self._key))
        state = await tournament.read(lambda store: read_state(store, self._directory))
        if not state.phase.is_done:
            return False
        self._state = state
        self._started.set_result(Started(state, _open_config(tournament), True, {}, ()))
        self._note(state)
        return True

    async def _begin(self, tournament: Tournament, preparation: Preparation) -> None:
        schedule = preparation.schedule
        for match in await tournament.played():
            self._tally.add(match.fixture.bots, match.report.ranks, match.report.scores)
        self._state = await tournament.read(lambda store: read_state(store, self._directory))
        self._change(phase=TournamentPhase.RUNNING)
        if not self._started.done():
            self._started.set_result(
                Started(
                    self._state,
                    _open_config(tournament),
                    is_resumed=schedule is None,
                    refused=preparation.refused,
                    notes=() if schedule is None else tuple(describe(schedule.balance)),
                )
            )
        LOG.info(
            "tournament resumed" if schedule is None else "tournament started",
            extra={"tournament": self._state.name, "commitment": self._state.commitment},
        )

    async def _finish(self, tournament: Tournament, end: RunEnd) -> None:
        async with self._exporting:
            await tournament.export()
        stored = await tournament.progress()
        self._state = replace(self._state, played=stored.results, parked=stored.parked)
        if self._tally.matches:
            self._note(self._tally.standings())
        self._end(_PHASES[end.ending])

    def _fail(self, error: ArenaError) -> None:
        if not self._started.done():
            self._started.set_exception(error)
            self._started.exception()  # it may be that nobody waits for it any more
        self._end(TournamentPhase.FAILED, str(error))

    def _end(self, phase: TournamentPhase, reason: str = "") -> None:
        if not self._started.done():
            self._started.set_exception(StoppingError(f"{self._state.name}: {reason}"))
            self._started.exception()
        self._change(phase=phase, reason=reason)
        LOG.info(
            "tournament ended",
            extra={"tournament": self._state.name, "phase": phase.name.lower(), "detail": reason},
        )

    # What the run tells.

    def begun(self, done: int, total: int) -> None:
        """Play begins."""
        self._state = replace(self._state, played=done - self._state.parked, scheduled=total)
        if self._is_stopped and self._runner is not None:
            self._runner.stop()

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has ended and its result is stored."""
        self._state = replace(self._state, played=self._state.played + 1)
        match = StoredMatch(fixture, replace(report, replay=""))
        self._tally.add(fixture.bots, report.ranks, report.scores)
        self._note(match)
        now = time.monotonic()
        if now - self._told_at > _STANDINGS_EVERY_S:
            self._told_at = now
            self._note(self._tally.standings())

    def fault(self, fixture: FixtureRecord, fault: SeatFault) -> None:
        """A seat has misbehaved."""
        self._note(MatchFault(fixture, fault))

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished."""
        self._note(VoidMatch(fixture, reason))

    def parked(self, fixture: FixtureRecord) -> None:
        """A match was given up."""
        self._state = replace(self._state, parked=self._state.parked + 1)

    def _change(self, **changes: object) -> None:
        self._state = replace(self._state, **changes)  # type: ignore[arg-type]
        self._note(self._state)

    def _note(self, event: Event) -> None:
        self.journal.add(event)


def _open_config(tournament: Tournament) -> str:
    """Return the config without what is still a secret."""
    return write_config(without_secrets(tournament.config), tournament.directory)
