"""What a sandbox costs: `make bench WHAT=isolation`.

Four processes of the Python SDK's random example play Byzanz, without a sandbox and at each level
that works here. All bots are there all the time, and half a second of play at one level follows
half a second at the other, so that a noisy machine is noisy to all. Ratios are to no sandbox within
one turn, and their median counts.

    one match: a decision a message
    32 matches: decisions come in batches
    ready: from the command to the hello, one process alone

Exits with 1 if decisions in the strongest sandbox are more than 5 % slower in the median.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import sys
import time
from collections.abc import Sequence

from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.sandbox.isolation import Isolation
from arena.sandbox.level import Level
from arena.sandbox.probe import try_level
from arena.server.private import open_private
from arena.server.session import Session
from benchmarks.traffic import SEATS, Counted, Traffic, random_bots

GAME = "byzanz"
MANY = 32
STARTS = 15
MOST_SLOWER = 0.05
START_LIMIT_S = 60.0
WARM_UP_S = 0.1

Rates = dict[Level, list[float]]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each slice")
    args = parser.parse_args()
    levels = []
    for level in reversed(Level):
        attempt = try_level(level)
        if not attempt.works:
            print(f"skipped {level.value}: {attempt.reason}")
        elif level is not Level.USER:  # it changes who a process is, and nothing else
            levels.append(level)
    one = asyncio.run(_alternate(levels, 1, args.turns, args.seconds))
    many = asyncio.run(_alternate(levels, MANY, args.turns, args.seconds))
    ready = {level: asyncio.run(_starts(level)) for level in levels}
    print(f"{GAME}, 4 random bots of the Python SDK, medians of {args.turns} slices")
    print(f"{'':<12}{'one match':^20}{f'{MANY} matches':^22}{'ready':>8}")
    worst = {}
    for level in levels:
        ratios = [_ratio(rates[level], rates[Level.NONE]) for rates in (one, many)]
        worst[level] = min(ratios)
        print(
            f"{level.value:<12}{statistics.median(one[level]):>10,.0f}/s{ratios[0]:>7.2f}"
            f"{statistics.median(many[level]):>11,.0f}/s{ratios[1]:>7.2f}"
            f"{statistics.median(ready[level]) * 1000:>8.0f} ms"
        )
    best = levels[-1]
    is_slow = worst[best] < 1 - MOST_SLOWER
    print(f"{best.value}: {worst[best]:.2f} of the decisions/s without a sandbox, at worst")
    return int(is_slow)


def _isolation(level: Level) -> Isolation:
    return Isolation(level, level)


async def _alternate(levels: Sequence[Level], matches: int, turns: int, seconds: float) -> Rates:
    """Return decisions a second by level, slice by slice; all bots are there all the time."""
    counted = Counted()
    counted.install()
    rates: Rates = {level: [] for level in levels}
    async with contextlib.AsyncExitStack() as stack:
        halls = {}
        for level in levels:
            launcher = Launcher(confinement=Confinement(_isolation(level)))
            await stack.enter_async_context(launcher)
            private = await stack.enter_async_context(open_private(launcher, [GAME]))
            specs = random_bots(SEATS)
            names = [spec.name for spec in specs]
            seats = await private.roster(specs).ready_all(names, GAME, START_LIMIT_S)
            sessions = [seat for seat in seats if isinstance(seat, Session)]
            if len(sessions) != len(specs):
                raise RuntimeError(f"not all bots are ready: {seats}")
            halls[level] = (private.arena, sessions)
        for turn in range(turns):
            for level in levels if turn % 2 else reversed(levels):
                traffic = Traffic(*halls[level], GAME)
                traffic.start(matches)
                await asyncio.sleep(WARM_UP_S)
                before, started = counted.decisions, time.perf_counter()
                await asyncio.sleep(seconds)
                decisions = counted.decisions - before
                rates[level].append(decisions / (time.perf_counter() - started))
                await traffic.stop()
                if traffic.faults:
                    raise RuntimeError(f"bots in {level.value} were at fault")
    return rates


async def _starts(level: Level) -> list[float]:
    """Return how many seconds a process takes to be ready, several times."""
    [spec] = random_bots(1)
    took = []
    async with (
        Launcher(confinement=Confinement(_isolation(level))) as launcher,
        open_private(launcher, [GAME]) as private,
    ):
        for number in range(STARTS):
            roster = private.roster([spec], f"/{number}")
            began = time.perf_counter()
            [seat] = await roster.ready_all([spec.name], GAME, START_LIMIT_S)
            if not isinstance(seat, Session):
                raise RuntimeError(f"the bot is not ready: {seat}")
            took.append(time.perf_counter() - began)
            await roster.dismiss()
    return took


def _ratio(mine: Sequence[float], base: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(mine, base, strict=True))


if __name__ == "__main__":
    sys.exit(main())
