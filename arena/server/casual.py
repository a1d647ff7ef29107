"""Casual tables: as soon as enough bots wait in the lobby, they play a match, again and again."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from arena.games.game import AnyGame
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.replay import Entrant
from arena.server.app import Arena
from arena.server.session import Session


@dataclass(frozen=True, slots=True)
class CasualTable:
    """A game and how many play it."""

    game: AnyGame
    players: int


class CasualHost:
    """Seats waiting bots, those first that have played least."""

    def __init__(
        self,
        arena: Arena,
        tables: list[CasualTable],
        conditions: Conditions,
        on_end: Callable[[PlayedMatch], None],
        pause_s: float = 1.0,
    ) -> None:
        """Prepare; `pause_s` passes before a bot is seated again."""
        self._arena = arena
        self._tables = tables
        self._conditions = conditions
        self._on_end = on_end
        self._pause_s = pause_s
        self._played: Counter[str] = Counter()
        self._busy: set[str] = set()
        self._count = 0
        self._run = secrets.token_hex(3)
        self._master = secrets.token_bytes(32)

    async def run(self) -> None:
        """Play until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                change = asyncio.ensure_future(self._arena.lobby.change())
                for table in self._tables:
                    seats = self._seat(table)
                    if seats is not None:
                        group.create_task(self._play(table, seats))
                await asyncio.wait({change}, timeout=self._pause_s)
                change.cancel()

    def _seat(self, table: CasualTable) -> list[Session] | None:
        waiting = [
            session
            for session in self._arena.lobby.sessions()
            if session.free > 0
            and session.bot not in self._busy
            and not self._arena.lobby.is_reserved(session.bot)
            and session.profile.plays(table.game.name)
        ]
        if len(waiting) < table.players or self._arena.lobby.is_stopping:
            return None
        waiting.sort(key=lambda session: self._played[session.bot])
        seats = waiting[: table.players]
        secrets.SystemRandom().shuffle(seats)
        self._busy.update(session.bot for session in seats)
        return seats

    async def _play(self, table: CasualTable, seats: list[Session]) -> None:
        self._count += 1
        match_id = f"casual-{self._run}-{self._count}"
        entrants = [Entrant(session.bot, session.profile.version) for session in seats]
        fixture = plan_match(table.game, self._master, match_id, self._count, entrants)
        try:
            self._on_end(await self._arena.hall.start(fixture, seats, self._conditions))
            await asyncio.sleep(self._pause_s)
        finally:
            for session in seats:
                self._played[session.bot] += 1
                self._busy.discard(session.bot)
