"""Matches among the bots that wait in the lobby of a standing arena."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from arena.engines.field import Field, make_report
from arena.engines.hosted import START_ATTEMPTS
from arena.errors import ArenaError, InputError
from arena.referee.faults import Fault
from arena.server.app import Arena
from arena.server.players import Absence
from arena.server.roster import Roster
from arena.server.session import Session
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Refused, Verdict, Void

_STOPPED = "the tournament was stopped"


class LobbyEngine:
    """Plays among sessions by their names; others may play with them in the meantime.

    In the hall a match goes by TOURNAMENT/MATCH, so that several tournaments can run at once.
    """

    def __init__(self, arena: Arena, field: Field) -> None:
        """Prepare; raises InputError unless all bots are connected ones."""
        for spec in field.specs:
            if not spec.connected:
                raise InputError(
                    f"bot {spec.name} is not a connected one: a standing arena starts no bots, "
                    f"write --bot name={spec.name},connected and let it dial in"
                )
        if field.config.isolate:
            raise InputError("a standing arena starts no bots: --isolate cannot be had there")
        self._arena = arena
        self._field = field
        self._prefix = f"{field.config.name}/"
        self._roster = Roster(arena.lobby, field.specs)
        self._running: set[str] = set()  # as the hall knows them
        self._is_aborted = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.abort()

    async def preflight(self) -> Mapping[str, Verdict]:
        names = self._field.names
        verdicts = await asyncio.gather(*map(self._examine, names))
        return dict(zip(names, verdicts, strict=True))

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        timeout_s = self._field.conditions.control.start_timeout_s
        game = self._field.game.name
        found = await self._roster.ready_all(fixture.bots, game, timeout_s, START_ATTEMPTS)
        if self._is_aborted:
            return Void(_STOPPED)
        seats = [
            _check_version(seat, versions[bot])
            for seat, bot in zip(found, fixture.bots, strict=True)
        ]
        hosted = self._prefix + fixture.match
        try:
            playing = self._arena.hall.start(
                self._field.fixture(fixture, versions),
                seats,
                self._field.reporting(fixture, on_fault),
                key=hosted,
                is_released=False,
            )
        except ArenaError as error:
            return Void(str(error))
        self._running.add(hosted)
        try:
            return make_report(await playing)
        finally:
            self._running.discard(hosted)

    def release(self, matches: Sequence[str]) -> None:
        self._arena.hall.release([self._prefix + match for match in matches])

    def abort(self) -> None:
        self._is_aborted = True
        self._arena.hall.abort(self._running, _STOPPED)

    async def _examine(self, name: str) -> Verdict:
        """Say whether a bot is there; one that plays elsewhere just now need not be free."""
        timeout_s = self._field.conditions.control.start_timeout_s
        try:
            async with asyncio.timeout(timeout_s):
                session = await self._arena.lobby.arrival(name)
        except TimeoutError:
            return Refused(f"not in the lobby within {timeout_s:g} s")
        game = self._field.game.name
        if not session.profile.plays(game):
            return Refused(f"does not play {game}")
        return Entered(session.profile.version)


def _check_version(seat: Session | Absence, version: str) -> Session | Absence:
    """Return who sits there: nobody, if another version of the bot has come in the meantime."""
    if isinstance(seat, Absence) or not version or seat.profile.version == version:
        return seat
    return Absence(
        Fault.NO_START, f"is version {seat.profile.version!r} now, but was entered as {version!r}"
    )
