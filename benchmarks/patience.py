"""Is a bot ever charged for the arena's own load? `make bench`.

One bot uses 90 % of its move time on purpose, without a bank, while 64 other matches run beside it
as fast as they can. Not one of its decisions may be a timeout.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions
from arena.referee.replay import Entrant
from arena.server.app import Arena
from arena.server.loop import run_async
from arena.server.session import Session
from benchmarks.traffic import Traffic, random_bots, with_arena

SLOW_BOT = Path(__file__).parent / "slow_bot.py"
GAME = "byzanz"
OTHERS = 64
SHARE = 0.9


class _SlowMatches:
    """Matches of the slow bot: what became of its decisions."""

    def __init__(self, arena: Arena, seats: list[Session], rules: Conditions) -> None:
        self.decisions = 0
        self.timeouts = 0
        self._arena = arena
        self._seats = seats  # the slow bot's first
        self._rules = rules
        self._started = 0

    async def play(self, decisions: int) -> None:
        """Play one match after the other until there have been so many decisions."""
        while self.decisions < decisions:
            self._started += 1
            name = f"slow-{self._started}"
            entrants = [Entrant(session.bot, "1") for session in self._seats]
            fixture = plan_match(get_game(GAME), b"patience", name, self._started, entrants)
            played = await self._arena.hall.start(fixture, self._seats, self._rules)
            self.decisions += played.clocks[0].decisions
            self.timeouts += sum(fault.seat == 0 for fault in played.faults)


async def _measure(decisions: int, move_time_s: float, at_once: int) -> bool:
    slow = BotSpec(
        name="slow",
        command=(sys.executable, "-P", str(SLOW_BOT)),  # beside it are names of the library
        env={"SLOW_BOT_SECONDS": str(SHARE * move_time_s)},
    )
    rules = Conditions(TimeControl(move_time_s, 0.0, 60.0), FaultPolicy(max_faults=1_000_000))
    timeouts = 0

    async def play(arena: Arena, sessions: list[Session]) -> None:
        nonlocal timeouts
        patient, *others = sessions
        traffic = Traffic(arena, others[:4], GAME)
        traffic.start(OTHERS)
        matches = _SlowMatches(arena, [patient, *others[4:]], rules)
        started = time.perf_counter()
        await asyncio.gather(*(matches.play(decisions) for _ in range(at_once)))
        seconds = time.perf_counter() - started
        await traffic.stop()
        print(
            f"patience: {matches.decisions:,} decisions at {SHARE:.0%} of {move_time_s:g} s "
            f"each, beside {OTHERS} matches at once ({traffic.ended} ended in {seconds:.0f} s): "
            f"{matches.timeouts} false timeouts",
            flush=True,
        )
        timeouts = matches.timeouts

    await with_arena([slow, *random_bots(7)], GAME, play)
    return timeouts == 0


def main() -> int:
    """Measure; the exit code says whether there was no false timeout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000)
    parser.add_argument("--move-time", type=float, default=0.5)
    parser.add_argument("--at-once", type=int, default=8, help="matches of the slow bot")
    args = parser.parse_args()
    is_fair = run_async(_measure(args.decisions, args.move_time, args.at_once))
    return 0 if is_fair else 1


if __name__ == "__main__":
    sys.exit(main())
