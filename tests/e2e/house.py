"""An arena in this process with bots that are processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.config.bot_spec import BotSpec
from arena.games.game import AnyState, Event
from arena.games.registry import get_game
from arena.launch.launcher import Launcher
from arena.launch.process import BotProcess
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy, SeatFault
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.replay import Entrant
from arena.server.address import Address
from arena.server.dial_in import DialIn
from arena.server.limits import SessionLimits
from arena.server.players import Absence
from arena.server.private import PrivateArena, open_private
from arena.server.roster import Roster
from arena.server.session import Session
from tests.waiting import LONG_S, until

BOTS = Path(__file__).parent / "bots"

OnMove = Callable[[AnyState, int], None]


def script(file: str, name: str, memory_mb: int | None = None, /, **env: object) -> BotSpec:
    """Return a bot that is one of the scripts, run by this Python."""
    return BotSpec(
        name=name,
        command=(sys.executable, str(BOTS / file)),
        env={key: str(value) for key, value in env.items()},
        memory_mb=memory_mb,
    )


def honest(name: str, **env: object) -> BotSpec:
    """Return a well-behaved bot."""
    return script("honest.py", name, None, **env)


def rules(
    move_time_s: float = 10.0,
    bank_s: float = 0.0,
    *,
    start_timeout_s: float = LONG_S,
    max_faults: int = 3,
) -> Conditions:
    """Return what a match is played under; without a bank unless asked for."""
    return Conditions(TimeControl(move_time_s, bank_s, start_timeout_s), FaultPolicy(max_faults))


class House:
    """The arena, its launcher, and the bots that it knows."""

    def __init__(self, private: PrivateArena) -> None:
        self.arena = private.arena
        self.launcher = private.launcher
        self.bound = private.bound
        self._private = private
        self._rosters: dict[str, Roster] = {}
        self._numbers = itertools.count(1)

    def hire(self, specs: Sequence[BotSpec]) -> None:
        """Take bots on; they are started when they are first needed."""
        roster = self._private.roster(specs)
        self._rosters.update({spec.name: roster for spec in specs})

    async def ready(self, name: str, timeout_s: float = LONG_S) -> Session | Absence:
        """Return the bot's session; it is started if need be."""
        return await self._rosters[name].ready(name, "byzanz", timeout_s)

    async def play(
        self,
        names: Sequence[str],
        table: Conditions | None = None,
        *,
        on_move: OnMove | None = None,
        on_fault: Callable[[SeatFault], None] | None = None,
    ) -> PlayedMatch:
        """Play a match of Byzanz among these bots."""
        table = table or rules()
        number = next(self._numbers)
        limit = table.control.start_timeout_s
        seats = await asyncio.gather(*(self.ready(name, limit) for name in names))
        entrants = [Entrant(name, "") for name in names]
        fixture = plan_match(get_game("byzanz"), b"e2e", f"m{number}", number, entrants)
        moves = itertools.count()

        def follow(state: AnyState, _events: Sequence[Event]) -> None:
            if on_move is not None:
                on_move(state, next(moves))

        table = replace(table, on_events=follow, on_fault=on_fault)
        return await self.arena.hall.start(fixture, seats, table)

    def session(self, name: str) -> Session | None:
        """Return the bot's session."""
        return self.arena.lobby.find(name)

    def process(self, name: str) -> BotProcess:
        """Return the bot's newest process."""
        return [each for each in self.launcher.processes if each.spec.name == name][-1]

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to the bot's process, if it still runs."""
        process = self.process(name)
        if process.is_running:  # not reaped yet: the pid is its own
            os.kill(process.pid, number)


@contextlib.asynccontextmanager
async def open_house(
    directory: Path,
    *,
    limits: SessionLimits | None = None,
    listen: Sequence[str] = (),
    grace_s: float = 2.0,
) -> AsyncIterator[House]:
    """Open an arena on a private socket and on the other addresses; logs go to the directory."""
    dial_in = DialIn([Address(text) for text in listen])
    async with (
        Launcher(directory / "logs", grace_s=grace_s) as launcher,
        open_private(launcher, ["byzanz"], dial_in, limits) as private,
    ):
        yield House(private)


class Diary:
    """What an honest bot wrote down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def page(self, match: str) -> dict[str, Any]:
        """Return what it wrote about a match, once it is there."""
        await until(lambda: match in self._pages())
        return self._pages()[match]

    def _pages(self) -> dict[str, dict[str, Any]]:
        if not self.path.exists():
            return {}
        text = self.path.read_text(encoding="utf-8")
        lines = [json.loads(line) for line in text.splitlines(keepends=True) if line[-1:] == "\n"]
        return {line["match"]: line for line in lines}
