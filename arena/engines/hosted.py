"""Matches over gRPC: an arena in this process, and the bots as processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.config.bot_spec import BotSpec
from arena.engines.field import Field, make_report
from arena.errors import ArenaError
from arena.launch.launcher import Launcher
from arena.server.address import Address, Tls
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import OpenGate, Tickets, TicketsFirst, TokenFile
from arena.server.hall import Absence
from arena.server.roster import Roster
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void

START_ATTEMPTS = 3
"""A bot that fails to start so often forfeits the match."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Where bots that dial in by themselves may come in; launched ones use a private socket."""

    addresses: Sequence[Address] = ()
    tokens: TokenFile | None = None
    tls: Tls | None = None


class HostedEngine:
    """Keeps the bots ready and plays among them; with `isolate` each match has fresh ones."""

    def __init__(self, field: Field, logs: Path | None = None, doors: Doors | None = None) -> None:
        """Prepare; entering opens the arena. What bots print goes to files in `logs`."""
        self._field = field
        self._logs = logs
        self._doors = doors or Doors()
        self._exits = contextlib.AsyncExitStack()
        self._is_aborted = False
        self._counter = itertools.count(1)
        self.bound: list[Address] = []  # where bots may dial in

    async def __aenter__(self) -> Self:
        doors = self._doors
        directory = self._exits.enter_context(tempfile.TemporaryDirectory(prefix="arena-"))
        self._private = Address(f"unix:{directory}/arena.sock")
        self._tickets = Tickets()
        others = (doors.tokens or OpenGate()) if doors.addresses else None
        options = ArenaOptions(
            games=[self._field.game.name],
            gate=TicketsFirst(self._tickets, others),
            has_tokens=doors.tokens is not None,
            tls=doors.tls,
            # Else a bot could follow another match on its deal by the socket it was given.
            has_spectators=bool(doors.addresses),
        )
        try:
            self._launcher = await self._exits.enter_async_context(Launcher(self._logs))
            self._arena = await self._exits.enter_async_context(Arena(options))
            bound = await self._arena.listen([self._private, *doors.addresses])
        except BaseException:
            await self._exits.aclose()
            raise
        self.bound = bound[1:]
        self._roster = self._make_roster(self._field.specs)
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
        roster = self._make_roster(specs, f"/{next(self._counter)}")
        try:
            return await self._play(roster, fixture, versions, on_fault)
        finally:
            await roster.dismiss()

    def release(self, matches: Sequence[str]) -> None:
        self._arena.hall.release(matches)

    def abort(self) -> None:
        self._is_aborted = True
        self._arena.hall.abort_all()

    def _make_roster(self, specs: Sequence[BotSpec], suffix: str = "") -> Roster:
        return Roster(
            self._arena, self._launcher, self._tickets, self._private, specs, suffix=suffix
        )

    async def _examine(self, name: str) -> Verdict:
        timeout_s = self._field.rules.control.start_timeout_s
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
        timeout_s = self._field.rules.control.start_timeout_s
        seats = await roster.ready_all(
            fixture.bots, self._field.game.name, timeout_s, START_ATTEMPTS
        )
        if self._is_aborted:
            return Void("the arena was stopped")
        try:
            played = await self._arena.hall.start(
                self._field.fixture(fixture, versions),
                seats,
                self._field.rules,
                on_fault=on_fault and partial(on_fault, fixture),
                is_released=False,
            )
        except ArenaError as error:
            return Void(str(error))
        return make_report(played)
