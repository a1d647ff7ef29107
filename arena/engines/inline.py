"""Matches among built-in bots in this very process: no processes, no clocks, no faults."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from arena.bots.bot import Bot
from arena.bots.catalog import bot_class, make_bot
from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig
from arena.engines.report import make_report
from arena.errors import InputError
from arena.referee.fixture import Fixture
from arena.referee.match import play_match
from arena.schedule.deals import make_fixture
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, OnFault, Verdict, Void


class InlineEngine:
    """Plays one match after the other on a thread of its own, so that the loop stays awake."""

    addresses: Sequence[str] = ()

    def __init__(self, config: TournamentConfig) -> None:
        """Prepare; raises InputError unless all bots are built-in ones."""
        for spec in config.bots.values():
            if spec.builtin is None:
                raise InputError(
                    f"bot {spec.name} is a separate program: "
                    "the engine inline plays built-in bots only"
                )
        self._config = config
        self._game = config.configured_game()
        self._thread = ThreadPoolExecutor(1, "inline")
        self._is_aborted = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.abort()
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)

    async def preflight(self) -> Mapping[str, Verdict]:
        return {
            name: Entered(spec.version or bot_class(spec.builtin or "", self._game).version)
            for name, spec in self._config.bots.items()
        }

    async def play(
        self, fixture: FixtureRecord, versions: Mapping[str, str], on_fault: OnFault | None = None
    ) -> MatchReport | Void:
        planned = make_fixture(self._game, self._config.master, fixture, versions)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._play, planned)

    def abort(self) -> None:
        self._is_aborted = True

    def release(self, matches: Sequence[str]) -> None:
        """Do nothing: nobody watches."""

    def _play(self, fixture: Fixture) -> MatchReport | Void:
        if self._is_aborted:
            return Void("the arena was stopped")
        bots = [
            seat_bot(self._config.bots[entrant.bot], fixture, seat)
            for seat, entrant in enumerate(fixture.seats)
        ]
        return make_report(play_match(fixture, bots))


def seat_bot(spec: BotSpec, fixture: Fixture, seat: int) -> Bot:
    """Return a built-in bot for a seat of a match, with the seed that it has there."""
    seed = fixture.bot_seeds[seat] if spec.seed is None else spec.seed.encode()
    return make_bot(spec.builtin or "", fixture.game, seed)
