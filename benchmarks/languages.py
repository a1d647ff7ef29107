"""How fast bots are in each language: `make bench WHAT=languages`.

Four processes of each SDK's random example play Byzanz: the same logic, which looks at nothing but
the number of legal moves, so that what is measured is the SDK, its gRPC library and its runtime. In
turns, so that a noisy machine is noisy to all; ratios are to Python's within one turn.

    one match: a decision a message; the way there and back, as the arena's clock sees it
    32 matches: decisions come in batches
    processor: what a decision costs the four bots together, and what it costs the arena
    ready: from the command to the hello, one process alone

A language whose toolchain is missing is passed over with a line that says what to install.
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

from arena.launch.launcher import Launcher
from arena.server.private import open_private
from arena.server.session import Session
from benchmarks.traffic import random_bots
from clients.conformance import sdks

GAME = "byzanz"
MANY = 32
START_LIMIT_S = 60.0

Figures = dict[str, list[float]]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    args = parser.parse_args()
    found = list(_built())
    figures: dict[str, Figures] = {sdk.name: defaultdict(list) for sdk in found}
    for _ in range(args.turns):
        for sdk in found:
            _measure(sdk.name, args.seconds, figures[sdk.name])
    print(f"\n{GAME}, 4 random bots of one language, medians of {args.turns} turns")
    print(f"{'':<12}{'one match':^32}{f'{MANY} matches':^31}{'processor/decision':^22}{'ready':>8}")
    print(
        f"{'':<12}{'decisions/s':>12}{'ratio':>7}{'p50':>6}{'p99':>7}"
        f"{'decisions/s':>15}{'ratio':>7}{'batch':>7}{'bots':>12}{'arena':>9}{'':>9}"
    )
    for sdk in found:
        print(_row(sdk.title, figures[sdk.name], figures[found[0].name]), flush=True)
    return 0


def _built() -> list[sdks.Sdk]:
    """Return the SDKs that can be built here; Python's, the measure of the rest, first."""
    found = []
    for sdk in sdks.read_sdks():
        lacking = sdks.missing(sdk)
        if lacking is None:
            sdks.build(sdk)
            found.append(sdk)
        else:
            print(f"skipped {lacking}")
    return found


def _measure(name: str, seconds: float, figures: Figures) -> None:
    one = _traffic(name, 1, seconds, "--latency")
    many = _traffic(name, MANY, seconds)
    figures["one"].append(one["decisions"] / one["seconds"])
    figures["many"].append(many["decisions"] / many["seconds"])
    for source, keys in ((one, ("bot_p50_us", "bot_p99_us")), (many, ("batch", "arena_cpu_us"))):
        for key in keys:
            figures[key].append(source[key])
    figures["bots_cpu_us"].append(many["bots_cpu_us"])
    figures["ready_s"].append(asyncio.run(_start(name)))
    if one["faults"] or many["faults"]:
        raise RuntimeError(f"bots in {name} were at fault {one['faults'] + many['faults']} times")


def _traffic(name: str, matches: int, seconds: float, *more: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.traffic", "--game", GAME, "--sdk", name, *more]
    command += ["--matches", str(matches), "--seconds", str(seconds)]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
    result: dict[str, float] = json.loads(output)
    return result


async def _start(name: str) -> float:
    """Return how many seconds one process takes to be ready."""
    [spec] = random_bots(1, name)
    async with Launcher() as launcher, open_private(launcher, [GAME]) as private:
        roster = private.roster([spec])
        began = time.perf_counter()
        [seat] = await roster.ready_all([spec.name], GAME, START_LIMIT_S)
        if not isinstance(seat, Session):
            raise RuntimeError(f"the bot in {name} is not ready: {seat}")
        return time.perf_counter() - began


def _row(title: str, figures: Figures, base: Figures) -> str:
    middle = {key: statistics.median(values) for key, values in figures.items()}

    def ratio(key: str) -> float:
        return statistics.median(
            mine / theirs for mine, theirs in zip(figures[key], base[key], strict=True)
        )

    return (
        f"{title:<12}{middle['one']:>10,.0f}/s{ratio('one'):>7.2f}"
        f"{middle['bot_p50_us'] / 1000:>6.2f}{middle['bot_p99_us'] / 1000:>5.1f}ms"
        f"{middle['many']:>13,.0f}/s{ratio('many'):>7.2f}{middle['batch']:>7.1f}"
        f"{middle['bots_cpu_us']:>9.0f} µs{middle['arena_cpu_us']:>6.0f} µs"
        f"{middle['ready_s']:>7.2f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
