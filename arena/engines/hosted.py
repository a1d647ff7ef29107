"""Matches over gRPC: an arena in this process, and the bots as processes of their own."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from arena.config.tournament import TournamentConfig
from arena.engines.hall import HallEngine
from arena.launch.build import BuildWatcher
from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.server.dial_in import DialIn
from arena.server.players import Absence
from arena.server.private import open_private
from arena.server.roster import Roster
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void


class HostedEngine(HallEngine):
    """Keeps the bots ready and plays among them; with `fresh` each match has new ones."""

    def __init__(
        self,
        config: TournamentConfig,
        logs: Path | None = None,
        dial_in: DialIn | None = None,
        builds: BuildWatcher | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        """Prepare; entering opens the arena. What bots print goes to files in `logs`.

        No bot sees `hidden` places where it runs in a sandbox. Raises InputError if one cannot be
        kept apart as the config asks.
        """
        super().__init__(config)
        self._logs = logs
        self._dial_in = dial_in
        self._builds = builds
        self._confinement = Confinement(config.run.isolation, hidden)
        self._confinement.check(tuple(config.bots.values()))
        self._counter = itertools.count(1)

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as exits:
            launcher = await exits.enter_async_context(
                Launcher(self._logs, builds=self._builds, confinement=self._confinement)
            )
            opening = open_private(launcher, [self._game.name], self._dial_in)
            self._private = await exits.enter_async_context(opening)
            self._exits = exits.pop_all()
        self._arena = self._private.arena
        self._roster = self._private.roster(tuple(self._config.bots.values()))
        self.addresses = [address.text for address in self._private.bound]
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._exits.aclose()

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        if not self._config.fresh:
            return await super().play(fixture, versions, on_fault)
        specs = [self._config.bots[name] for name in fixture.bots]
        # A slash stands in no bot's name: no session of one bot is named like another bot.
        roster = self._private.roster(specs, f"/{next(self._counter)}")
        try:
            return await self._play(roster, fixture, versions, on_fault)
        finally:
            await roster.dismiss()

    async def _play(
        self,
        roster: Roster,
        fixture: FixtureRecord,
        versions: Mapping[str, str],
        on_fault: OnFault | None,
    ) -> MatchReport | Void:
        report = await super()._play(roster, fixture, versions, on_fault)
        if isinstance(report, Void):
            return report
        level = self._confinement.weakest([self._config.bots[name] for name in fixture.bots])
        return replace(report, isolation="" if level is None else level.value)

    async def _examine(self, name: str) -> Verdict:
        seat = await self._roster.ready(name, self._game.name, self._timeout_s)
        if isinstance(seat, Absence):
            return Refused(seat.detail)
        return Entered(self._roster.entrant(name).version)
