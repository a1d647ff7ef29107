"""Matches among the bots that wait in the lobby of a server."""

from __future__ import annotations

import asyncio
from typing import Self

from arena.config.tournament import TournamentConfig
from arena.engines.hall import HallEngine
from arena.errors import InputError
from arena.referee.faults import Fault
from arena.server.app import Arena
from arena.server.players import Absence
from arena.server.roster import Roster
from arena.server.session import Session
from arena.tournament.engine import Entered, Refused, Verdict


class LobbyEngine(HallEngine):
    """Plays among sessions by their names; others may play with them in the meantime.

    In the hall a match goes by TOURNAMENT/MATCH, so that several tournaments can run at once.
    """

    _stopped = "the tournament was stopped"

    def __init__(self, arena: Arena, config: TournamentConfig) -> None:
        """Prepare; raises InputError unless all bots are connected ones."""
        for spec in config.bots.values():
            if not spec.connected:
                raise InputError(
                    f"bot {spec.name} is not a connected one: a server starts no bots. "
                    f"Write --bot name={spec.name},connected and let it connect"
                )
        if config.fresh:
            raise InputError("a server starts no bots: leave out --fresh")
        super().__init__(config)
        self._arena = arena
        self._prefix = f"{config.name}/"
        self._roster = Roster(arena.lobby, tuple(config.bots.values()))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.abort()

    async def _examine(self, name: str) -> Verdict:
        """Say whether a bot is there; one that plays elsewhere just now need not be free."""
        try:
            async with asyncio.timeout(self._timeout_s):
                session = await self._arena.lobby.arrival(name)
        except TimeoutError:
            return Refused(f"not in the lobby within {self._timeout_s:g} s")
        if not session.profile.plays(self._game.name):
            return Refused(f"does not play {self._game.name}")
        return Entered(session.profile.version)

    def _judge(self, seat: Session | Absence, version: str) -> Session | Absence:
        """Return who sits there: nobody, if another version of the bot has come meanwhile."""
        if isinstance(seat, Absence) or not version or seat.profile.version == version:
            return seat
        there = seat.profile.version
        return Absence(Fault.NO_START, f"is version {there!r} now, but was entered as {version!r}")
