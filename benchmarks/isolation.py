"""What a sandbox costs: `make bench WHAT=isolation`.

Four processes of the Python SDK's random example play Byzanz, without a sandbox and at each level
that works here. All bots are there all the time, and half a second of play at one level follows
half a second at the other, so that a noisy machine is noisy to all. Ratios are to no sandbox within
one turn, and their median counts. Beside them is the processor time of a decision, which other
programs on the machine hardly change: of the arena and all bots together, over all slices.

    one match: a decision a message
    32 matches: decisions come in batches
    ready: from the command to the hello, one process alone; levels take turns

Takes about three minutes. Exits with 1 if decisions in the strongest sandbox are more than 5 %
slower in the median.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.sandbox.isolation import Isolation
from arena.sandbox.level import Level
from arena.sandbox.probe import try_level
from arena.server.private import open_private
from arena.server.session import Session
from benchmarks.traffic import SEATS, Counted, Traffic, processor_time, random_bots

GAME = "byzanz"
MANY = 32
STARTS = 15
MOST_SLOWER = 0.05
START_LIMIT_S = 60.0
WARM_UP_S = 0.1


@dataclass(slots=True)
class Slices:
    """What was measured at one level."""

    rates: list[float] = field(default_factory=list)  # decisions a second
    decisions: int = 0
    cpu_s: float = 0.0  # of the arena and the bots

    @property
    def cpu_us(self) -> float:
        """Processor time of a decision."""
        return 1e6 * self.cpu_s / self.decisions


Measured = dict[Level, Slices]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=30)
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
    ready = asyncio.run(_starts(levels))
    print(f"{GAME}, 4 random bots of the Python SDK, medians of {args.turns} slices")
    print(f"{'':<11}{'one match':^33}{f'{MANY} matches':^33}{'ready':>8}")
    worst: dict[Level, float] = {}
    for level in levels:
        cells = []
        for measured in (one, many):
            mine, base = measured[level], measured[Level.NONE]
            pairs = zip(mine.rates, base.rates, strict=True)
            ratio = statistics.median(a / b for a, b in pairs if a and b)  # both had a processor
            worst[level] = min(ratio, worst.get(level, ratio))
            cells.append(
                f"{statistics.median(mine.rates):>7,.0f}/s{ratio:>6.2f}"
                f"{mine.cpu_us:>8.0f} µs{mine.cpu_us / base.cpu_us:>6.2f}"
            )
        took = statistics.median(ready[level]) * 1000
        print(f"{level.value:<11}{''.join(f'{cell:>33}' for cell in cells)}{took:>8.0f} ms")
    best = levels[-1]
    is_slow = worst[best] < 1 - MOST_SLOWER
    print(f"{best.value}: {worst[best]:.2f} of the decisions/s without a sandbox, at worst")
    return int(is_slow)


def _isolation(level: Level) -> Isolation:
    return Isolation(level, level)


async def _alternate(levels: Sequence[Level], matches: int, turns: int, seconds: float) -> Measured:
    """Return what each level does, slice by slice; all bots are there all the time."""
    counted = Counted()
    counted.install()
    measured: Measured = {level: Slices() for level in levels}
    async with contextlib.AsyncExitStack() as stack:
        traffics: dict[Level, Traffic] = {}
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
            traffics[level] = Traffic(private.arena, sessions, GAME)
        for turn in range(turns):
            for level in levels if turn % 2 else reversed(levels):
                traffic = traffics[level]
                traffic.start(matches)
                await asyncio.sleep(WARM_UP_S)
                # Only the bots of this level do anything now.
                before, cpu_s, started = counted.decisions, _cpu_s(), time.perf_counter()
                await asyncio.sleep(seconds)
                decisions, found = counted.decisions - before, measured[level]
                found.rates.append(decisions / (time.perf_counter() - started))
                found.decisions += decisions
                found.cpu_s += _cpu_s() - cpu_s
                traffic.pause()
                if traffic.faults:
                    raise RuntimeError(f"bots in {level.value} were at fault")
    return measured


def _cpu_s() -> float:
    return time.process_time() + processor_time()


async def _starts(levels: Sequence[Level]) -> dict[Level, list[float]]:
    """Return how many seconds a process takes to be ready, by level, several times."""
    [spec] = random_bots(1)
    took: dict[Level, list[float]] = {level: [] for level in levels}
    async with contextlib.AsyncExitStack() as stack:
        arenas = {}
        for level in levels:
            launcher = Launcher(confinement=Confinement(_isolation(level)))
            await stack.enter_async_context(launcher)
            arenas[level] = await stack.enter_async_context(open_private(launcher, [GAME]))
        for number in range(STARTS):
            for level, private in arenas.items():
                roster = private.roster([spec], f"/{number}")
                began = time.perf_counter()
                [seat] = await roster.ready_all([spec.name], GAME, START_LIMIT_S)
                if not isinstance(seat, Session):
                    raise RuntimeError(f"the bot is not ready: {seat}")
                took[level].append(time.perf_counter() - began)
                await roster.dismiss()
    return took


if __name__ == "__main__":
    sys.exit(main())
