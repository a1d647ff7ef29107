"""Matches over gRPC: an arena in this process, and the bots as processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.engines.field import Field, make_report
from arena.errors import ArenaError
from arena.launch.launcher import Launcher
from arena.server.address import Address
from arena.server.players import Absence
from arena.server.private import Doors, open_private
from arena.server.roster import Roster
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void

START_ATTEMPTS = 3
"""A bot that fails to start so often forfeits the match."""


class HostedEngine:
    """Keeps the bots ready and plays among them; with `isolate` each match has fresh ones."""

    def __init__(self, field: Field, logs: Path | None = None, doors: Doors | None = None) -> None:
        """Prepare; entering opens the arena. What bots print goes to files in `logs`."""
        self._field = field
        self._logs = logs
        self._doors = doors
        self._is_aborted = False
        self._counter = itertools.count(1)
        self.bound: Sequence[Address] = ()  # where bots may dial in

    async def __aenter__(self) -> Self:
        games = [self._field.game.name]
        async with contextlib.AsyncExitStack() as exits:
            launcher = await exits.enter_async_context(Launcher(self._logs))
            opening = open_private(launcher, games, self._doors)
            self._private = await exits.enter_async_context(opening)
            self._exits = exits.pop_all()
        self._hall = self._private.arena.hall
        self.bound = self._private.bound
        self._roster = self._private.roster(self._field.specs)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._exits.aclose()

    async def preflight(self) -> Mapping[str, Verdict]:
        names = self._field.names
        verdicts = await asyncio.gather(*map(self._examine, names))
        return dict(zip(names, verdicts, strict=True))

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        if not self._field.config.isolate:
            return await self._play(self._roster, fixture, versions, on_fault)
        specs = [spec for spec in self._field.specs if spec.name in fixture.bots]
        # A slash stands in no bot's name: no session of one bot is named like another bot.
        roster = self._private.roster(specs, f"/{next(self._counter)}")
        try:
            return await self._play(roster, fixture, versions, on_fault)
        finally:
            await roster.dismiss()

    def release(self, matches: Sequence[str]) -> None:
        self._hall.release(matches)

    def abort(self) -> None:
        self._is_aborted = True
        self._hall.abort_all()

    async def _examine(self, name: str) -> Verdict:
        timeout_s = self._field.conditions.control.start_timeout_s
        seat = await self._roster.ready(name, self._field.game.name, timeout_s)
        if isinstance(seat, Absence):
            return Refused(seat.detail)
        return Entered(self._roster.entrant(name).version)

    async def _play(
        self,
        roster: Roster,
        fixture: FixtureRecord,
        versions: Mapping[str, str],
        on_fault: OnFault | None,
    ) -> MatchReport | Void:
        timeout_s = self._field.conditions.control.start_timeout_s
        seats = await roster.ready_all(
            fixture.bots, self._field.game.name, timeout_s, START_ATTEMPTS
        )
        if self._is_aborted:
            return Void("the arena was stopped")
        try:
            played = await self._hall.start(
                self._field.fixture(fixture, versions),
                seats,
                self._field.reporting(fixture, on_fault),
                is_released=False,
            )
        except ArenaError as error:
            return Void(str(error))
        return make_report(played)
