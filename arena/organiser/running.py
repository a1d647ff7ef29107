"""One run of a tournament in a standing arena: prepared, played, told to its followers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from arena.config.tournament import TournamentConfig, differences, with_chance, write_config
from arena.engines.field import make_field
from arena.engines.lobby import LobbyEngine
from arena.errors import (
    ArenaError,
    InputError,
    StoppingError,
    StorageError,
    TournamentExistsError,
    UnfitError,
)
from arena.organiser.shelf import ResultsShelf
from arena.organiser.tally import Tally
from arena.schedule.balance import describe
from arena.schedule.deals import commitment
from arena.schedule.schedule import make_schedule
from arena.server.app import Arena
from arena.server.tournaments import (
    Event,
    Journal,
    MatchFault,
    Phase,
    Started,
    TournamentState,
    VoidMatch,
)
from arena.storage.records import FaultRecord, FixtureRecord, MatchReport, StoredMatch
from arena.storage.store import MAX_VOID
from arena.tournament.competition import Competition, Outlook, Unfit
from arena.tournament.runner import Ending, RunEnd

LOG = logging.getLogger("arena.tournament")

_STANDINGS_EVERY_S = 5.0
_EXPORT_EVERY_S = 10.0

_PHASES = {
    Ending.COMPLETE: Phase.COMPLETE,
    Ending.SETTLED: Phase.SETTLED,
    Ending.STOPPED: Phase.STOPPED,
}


class RunningTournament:
    """Plays a tournament in a task of its own; implements Watcher for it.

    `stop` may be called at any time. Whatever happens, what was stored stays stored.
    """

    def __init__(
        self, arena: Arena, shelf: ResultsShelf, config: TournamentConfig, unfit: Unfit
    ) -> None:
        """Begin: the task runs from now on. Needs a running loop."""
        self._arena = arena
        self._shelf = shelf
        self._asked = config
        self._unfit = unfit
        self._directory: Path = shelf.place(config.name)
        self._competition = Competition(config, self._directory)
        self._state = TournamentState(
            config.name, config.game, config.players, config.entrants(), Phase.PREPARING
        )
        self._tally = Tally()
        self._told_at = time.monotonic()
        self._voids: Counter[str] = Counter()
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
        _check_same(asked, self._competition.config, unfit)

    def stop(self, *, at_once: bool) -> None:
        """Begin no more matches; at once: give up those that run."""
        if self.is_over:
            return
        self._is_stopped = True
        runner = self._competition.runner
        if runner is None:
            self.task.cancel()
            return
        if self._state.phase is Phase.RUNNING:
            self._change(phase=Phase.STOPPING)
        if at_once:
            runner.abort()
        else:
            runner.stop()

    async def export(self) -> None:
        """Write the results so far, unless that was done a moment ago."""
        async with self._exporting:
            now = time.monotonic()
            is_due = self._exported_at is None or now - self._exported_at > _EXPORT_EVERY_S
            if is_due and self._state.played and not self.is_over:
                await self._competition.export()
                self._exported_at = time.monotonic()

    # The task.

    async def _run(self) -> None:
        try:
            await self._prepare_and_play()
        except asyncio.CancelledError:
            self._end(Phase.STOPPED, "it was stopped before it began")
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
        competition = self._competition
        stored = await asyncio.to_thread(competition.find_stored)
        if stored is not None:
            _check_same(self._asked, stored, self._unfit)
            competition.config = replace(stored, run=self._asked.run)
            if await self._is_done_already():
                return
        else:
            competition.config = with_chance(self._asked)
            # Before the bots are checked: what no bot can mend is told at once.
            await asyncio.to_thread(make_schedule, competition.config.plan())
        engine = LobbyEngine(self._arena, make_field(competition.config, self._directory))
        async with engine:
            try:
                outlook = await competition.prepare(engine, self._unfit)
            except InputError as error:
                raise UnfitError(str(error)) from None
            await self._begin(outlook)
            end = await competition.play(engine, competition.config.run.concurrency, self)
        await self._finish(end)

    async def _is_done_already(self) -> bool:
        """Return whether nothing is left to play; then whoever asks is told so."""
        name = self._state.name
        await asyncio.to_thread(self._shelf.refresh, name)
        state = await asyncio.to_thread(self._shelf.state, name)
        if not state.phase.is_done:
            return False
        self._state = state
        self._started.set_result(Started(state, self._open_config(), True, {}, ()))
        self._note(state)
        return True

    async def _begin(self, outlook: Outlook) -> None:
        config, name = self._competition.config, self._state.name
        stored = await asyncio.to_thread(self._shelf.state, name)
        if outlook.is_resumed:
            self._tally = await asyncio.to_thread(self._shelf.tally, name)
        self._state = replace(stored, phase=Phase.PREPARING)
        self._change(
            phase=Phase.RUNNING,
            commitment=commitment(config.master, bytes.fromhex(config.salt)),
        )
        notes = () if outlook.schedule is None else tuple(describe(outlook.schedule.balance))
        if not self._started.done():
            self._started.set_result(
                Started(
                    self._state, self._open_config(), outlook.is_resumed, outlook.refused, notes
                )
            )
        LOG.info(
            "tournament resumed" if outlook.is_resumed else "tournament started",
            extra={"tournament": name, "commitment": self._state.commitment},
        )

    async def _finish(self, end: RunEnd) -> None:
        name = self._state.name
        async with self._exporting:
            await self._competition.export()
        stored = await asyncio.to_thread(self._shelf.state, name)
        self._state = replace(self._state, played=stored.played, parked=stored.parked)
        if self._tally.matches:
            self._note(self._tally.standings())
        self._end(_PHASES[end.ending])

    def _open_config(self) -> str:
        """Return the config without what is still a secret."""
        return write_config(replace(self._competition.config, seed="", salt=""))

    def _fail(self, error: ArenaError) -> None:
        if not self._started.done():
            self._started.set_exception(error)
            self._started.exception()  # it may be that nobody waits for it any more
        self._end(Phase.FAILED, str(error))

    def _end(self, phase: Phase, reason: str = "") -> None:
        if not self._started.done():
            self._started.set_exception(StoppingError(f"{self._state.name}: {reason}"))
            self._started.exception()
        self._change(phase=phase, reason=reason)
        LOG.info(
            "tournament ended",
            extra={"tournament": self._state.name, "phase": phase.value, "detail": reason},
        )

    # What the run tells.

    def begun(self, done: int, total: int) -> None:
        """Play begins."""
        self._state = replace(self._state, played=done - self._state.parked, scheduled=total)
        if self._is_stopped and self._competition.runner is not None:
            self._competition.runner.stop()

    def ended(self, fixture: FixtureRecord, report: MatchReport) -> None:
        """A match has ended and its result is stored."""
        self._state = replace(self._state, played=self._state.played + 1)
        match = StoredMatch(fixture, replace(report, replay=""))
        self._tally.add(match)
        self._note(match)
        now = time.monotonic()
        if now - self._told_at > _STANDINGS_EVERY_S:
            self._told_at = now
            self._note(self._tally.standings())

    def fault(self, fixture: FixtureRecord, fault: FaultRecord) -> None:
        """A seat has misbehaved."""
        self._note(MatchFault(fixture, fault))

    def void(self, fixture: FixtureRecord, reason: str) -> None:
        """A match could not be finished."""
        self._voids[fixture.match] += 1
        if self._voids[fixture.match] == MAX_VOID:
            self._state = replace(self._state, parked=self._state.parked + 1)
        self._note(VoidMatch(fixture, reason))

    def waiting(self, matches: int) -> None:
        """Say nothing: no other arena plays here."""

    def _change(self, **changes: object) -> None:
        self._state = replace(self._state, **changes)  # type: ignore[arg-type]
        self._note(self._state)

    def _note(self, event: Event) -> None:
        self.journal.add(event)


def _check_same(asked: TournamentConfig, stored: TournamentConfig, unfit: Unfit) -> None:
    """Raise TournamentExistsError if the two would not give the same results."""
    if unfit is Unfit.LEAVE_OUT:  # so it may have been begun without some of them
        kept = {name: bot for name, bot in asked.bots.items() if name in stored.bots}
        asked = replace(asked, bots=kept)
    found = differences(with_chance(asked, stored), stored)
    if found:
        raise TournamentExistsError(
            f"there is another tournament {stored.name!r} here: {'; '.join(_open(found)[:3])}"
            f"{'; …' if len(found) > 3 else ''}. Ask for that one, or choose another name"
        )


def _open(found: list[str]) -> list[str]:
    """Return the differences without the values of what is a secret."""
    return [
        f"{key} is another" if (key := line.partition(" ")[0]) in ("seed", "salt") else line
        for line in found
    ]
