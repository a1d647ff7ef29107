"""What a sandbox costs: `make bench WHAT=isolation`.

Four processes of the Python SDK's random example play Byzanz, without a sandbox and at each level
that works here, in turns and each time in another order, so that a noisy machine is noisy to all.
Ratios are to no sandbox within one turn; the median of the turns counts, and its range is printed.

    one match: a decision a message; the way there and back, as the arena's clock sees it
    32 matches: decisions come in batches
    processor: what a decision costs bots and arena together
    ready: from the command to the hello, one process alone

Exits with 1 if decisions in the strongest sandbox are more than 5 % slower in the median.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict

from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.sandbox.isolation import Isolation
from arena.sandbox.level import Level
from arena.sandbox.probe import try_level
from arena.server.private import open_private
from arena.server.session import Session
from benchmarks.traffic import random_bots

GAME = "byzanz"
MANY = 32
STARTS = 5
MOST_SLOWER = 0.05
START_LIMIT_S = 60.0

Figures = dict[str, list[float]]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    args = parser.parse_args()
    levels = []
    for level in reversed(Level):
        attempt = try_level(level)
        if attempt.works and level is not Level.USER:  # it costs nothing that could be measured
            levels.append(level)
        elif not attempt.works:
            print(f"skipped {level.value}: {attempt.reason}")
    figures: dict[Level, Figures] = {level: defaultdict(list) for level in levels}
    for turn in range(args.turns):
        shift = turn % len(levels)
        for level in (*levels[shift:], *levels[:shift]):
            _measure(level, args.seconds, figures[level])
    print(f"\n{GAME}, 4 random bots of the Python SDK, medians of {args.turns} turns")
    print(f"{'':<12}{'one match':^36}{f'{MANY} matches':^31}{'processor':>11}{'ready':>9}")
    for level in levels:
        print(_row(level.value, figures[level], figures[Level.NONE]), flush=True)
    best = levels[-1]
    slower = 1 - min(_ratio(figures[best], figures[Level.NONE], key) for key in ("one", "many"))
    print(f"{best.value}: decisions/s {-slower:+.1%} of those without a sandbox, at worst")
    return int(slower > MOST_SLOWER)


def _isolation(level: Level) -> Isolation:
    return Isolation(level, level)


def _measure(level: Level, seconds: float, figures: Figures) -> None:
    one = _traffic(level, 1, seconds, "--latency")
    many = _traffic(level, MANY, seconds)
    if one["faults"] or many["faults"]:
        raise RuntimeError(f"bots in {level.value} were at fault")
    figures["one"].append(one["decisions"] / one["seconds"])
    figures["p50"].append(one["bot_p50_us"])
    figures["many"].append(many["decisions"] / many["seconds"])
    figures["cpu"].append(many["bots_cpu_us"] + many["arena_cpu_us"])
    figures["ready"].append(statistics.median(asyncio.run(_starts(level))))


def _traffic(level: Level, matches: int, seconds: float, *more: str) -> dict[str, float]:
    text = "none" if level is Level.NONE else f"require:{level.value}"
    command = [sys.executable, "-m", "benchmarks.traffic", "--game", GAME, "--isolation", text]
    command += ["--matches", str(matches), "--seconds", str(seconds), *more]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
    result: dict[str, float] = json.loads(output)
    return result


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


def _ratio(mine: Figures, base: Figures, key: str) -> float:
    return statistics.median(a / b for a, b in zip(mine[key], base[key], strict=True))


def _row(title: str, figures: Figures, base: Figures) -> str:
    middle = {key: statistics.median(values) for key, values in figures.items()}
    ratios = [a / b for a, b in zip(figures["one"], base["one"], strict=True)]
    return (
        f"{title:<12}{middle['one']:>8,.0f}/s{_ratio(figures, base, 'one'):>6.2f}"
        f" ({min(ratios):.2f}–{max(ratios):.2f}){middle['p50'] / 1000:>6.2f} ms"
        f"{middle['many']:>12,.0f}/s{_ratio(figures, base, 'many'):>6.2f}"
        f"{middle['cpu']:>15.0f} µs{middle['ready'] * 1000:>6.0f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
