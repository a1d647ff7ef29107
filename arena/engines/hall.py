"""What the engines have in common whose matches are played in the hall of an arena."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.config.tournament import TournamentConfig
from arena.engines.report import make_report
from arena.errors import ArenaError, LaunchError, SocketLostError
from arena.referee.match import Conditions
from arena.schedule.deals import make_fixture
from arena.server.app import Arena
from arena.server.players import Absence
from arena.server.roster import Roster
from arena.server.session import Session
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import OnFault, Verdict, Void

START_ATTEMPTS = 3
"""A bot that fails to start so often forfeits the match."""

SHORTAGE_S = 5.0
"""How long a match is held that the machine was too short of something to start bots for.

Others end meanwhile and give back what they hold; without a pause it would be parked at once.
"""


class HallEngine:
    """Plays among the sessions of an arena; where that and its bots come from, subclasses say."""

    addresses: Sequence[str] = ()

    _arena: Arena
    _roster: Roster
    _prefix = ""  # of the names of its matches in the hall
    _stopped = "the arena was stopped"

    def __init__(self, config: TournamentConfig) -> None:
        """Prepare; raises InputError for a game that cannot be played so."""
        self._config = config
        self._game = config.configured_game()
        self._conditions = Conditions(config.control, config.policy, config.shows_names)
        self._timeout_s = config.control.start_timeout_s
        self._running: set[str] = set()  # as the hall knows them
        self._is_aborted = False

    async def preflight(self) -> Mapping[str, Verdict]:
        verdicts = await asyncio.gather(*map(self._examine, self._config.bots))
        return dict(zip(self._config.bots, verdicts, strict=True))

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        return await self._play(self._roster, fixture, versions, on_fault)

    def release(self, matches: Sequence[str]) -> None:
        self._arena.hall.release([self._prefix + match for match in matches])

    def abort(self) -> None:
        self._is_aborted = True
        self._arena.hall.abort(self._running, self._stopped)

    async def _examine(self, name: str) -> Verdict:
        """Return whether a bot can play."""
        raise NotImplementedError

    def _judge(self, seat: Session | Absence, version: str) -> Session | Absence:
        """Return who sits where a bot of that version was to sit."""
        return seat

    async def _play(
        self,
        roster: Roster,
        fixture: FixtureRecord,
        versions: Mapping[str, str],
        on_fault: OnFault | None,
    ) -> MatchReport | Void:
        game, timeout_s = self._game, self._timeout_s
        try:
            seats = await roster.ready_all(fixture.bots, game.name, timeout_s, START_ATTEMPTS)
        except SocketLostError as error:
            return Void(str(error))
        except LaunchError as error:
            if not self._is_aborted:
                await asyncio.sleep(SHORTAGE_S)
            return Void(str(error))
        if self._is_aborted:
            return Void(self._stopped)
        key = self._prefix + fixture.match
        try:
            playing = self._arena.hall.start(
                make_fixture(game, self._config.master, fixture, versions),
                [self._judge(s, versions[bot]) for s, bot in zip(seats, fixture.bots, strict=True)],
                replace(self._conditions, on_fault=on_fault and partial(on_fault, fixture)),
                key=key,
                is_released=False,
            )
        except ArenaError as error:
            return Void(str(error))
        self._running.add(key)
        try:
            return make_report(await playing)
        finally:
            self._running.discard(key)
