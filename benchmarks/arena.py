"""How fast the arena is, against bare gRPC streams in the same run: `make bench`.

Everything is measured in processes of its own, on unix sockets, in turns: a baseline, then the
arena, and again. Ratios are of the rates within one turn; the median is printed with the range.

BASE is one bare grpc.aio stream to one process: a question, an answer, no game, the same number of
bytes as a real decision. The relay passes such a message round four processes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

GAMES = ("byzanz", "schwarzmarkt")
ONE_GOAL = 0.8
MANY_GOAL = 8.0
MANY = 64


@dataclass
class Series:
    """The rates of one case, a figure for each turn."""

    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def add(self, rate: float, base: float) -> None:
        self.rates.append(rate)
        self.ratios.append(rate / base)

    def __str__(self) -> str:
        middle, low, high = _spread(self.ratios)
        return (
            f"{statistics.median(self.rates):>9,.0f}/s  {middle:>5.2f}  ({low:.2f} to {high:.2f})"
        )


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(values), min(values), max(values)


def _run(module: str, *arguments: object) -> dict[str, float]:
    command = [sys.executable, "-m", module, *map(str, arguments)]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
    result: dict[str, float] = json.loads(output)
    return result


def _bare(bots: int, sizes: tuple[int, int], seconds: float, loop: str, *more: str) -> float:
    arguments = ["--bots", bots, "--question-bytes", sizes[0], "--answer-bytes", sizes[1]]
    result = _run("benchmarks.bare", *arguments, "--seconds", seconds, "--loop", loop, *more)
    return result["decisions"] / result["seconds"]


def _arena(game: str, matches: int, seconds: float) -> dict[str, float]:
    arguments = ["--game", game, "--matches", matches, "--seconds", seconds]
    result = _run("benchmarks.traffic", *arguments)
    result["rate"] = result["decisions"] / result["seconds"]
    return result


def compare(game: str, turns: int, seconds: float) -> bool:
    """Print one match and many matches against the baselines; return whether goals are met."""
    first = _arena(game, MANY, seconds)
    sizes = (round(first["question_bytes"]), round(first["answer_bytes"]))
    one, many, fast_base = Series(), Series(), Series()
    relay = Series()
    batches, cpu = [], []
    for _ in range(turns):
        base = _bare(1, sizes, seconds, "asyncio")
        fast_base.add(_bare(1, sizes, seconds, "uvloop"), base)
        round_rate = _bare(4, sizes, seconds, "uvloop")
        relay.add(round_rate, base)
        one.add(_arena(game, 1, seconds)["rate"], round_rate)
        result = _arena(game, MANY, seconds)
        many.add(result["rate"], base)
        batches.append(result["batch"])
        cpu.append(result["arena_cpu_us"])
    print(f"\n{game}, 4 players: decisions of {sizes[0]} bytes, answers of {sizes[1]}")
    print(f"  {'case':<42} {'rate':>11}  ratio")
    base_rate = statistics.median(fast_base.rates) / statistics.median(fast_base.ratios)
    print(f"  {'BASE: bare stream to one process':<42} {base_rate:>9,.0f}/s   1.00")
    print(f"  {'the same on uvloop':<42} {fast_base}  of BASE")
    print(f"  {'bare relay round four processes, uvloop':<42} {relay}  of BASE")
    print(f"  {'arena, one match':<42} {one}  of the relay (goal {ONE_GOAL})")
    print(f"  {f'arena, {MANY} matches at once':<42} {many}  of BASE (goal {MANY_GOAL:g})")
    print(
        f"  {'':<42} batches of {statistics.median(batches):.1f}, "
        f"{statistics.median(cpu):.0f} µs of the arena's processor time a decision"
    )
    met = statistics.median(one.ratios) >= ONE_GOAL and statistics.median(many.ratios) >= MANY_GOAL
    print(f"  goals {'met' if met else 'MISSED'}", flush=True)
    return met


def latency(game: str, seconds: float) -> None:
    """Print the arena's own delay: answer read to next question written."""
    print(f"\n{game}: the arena's own time per decision, answer read to next question written")
    for matches in (1, 16, 64):
        arguments = ["--game", game, "--matches", matches, "--seconds", seconds, "--latency"]
        result = _run("benchmarks.traffic", *arguments)
        print(
            f"  {matches:>3} matches: p50 {result['p50_us']:>7,.0f} µs, "
            f"p99 {result['p99_us']:>7,.0f} µs",
            flush=True,
        )


def growth(game: str, seconds: float) -> None:
    """Print how the cost of a decision changes with the number of matches at once."""
    print(f"\n{game}: cost of a decision by matches at once")
    for matches in (1, 4, 16, 64, 256):
        result = _arena(game, matches, seconds)
        print(
            f"  {matches:>3} matches: {result['rate']:>7,.0f}/s, "
            f"batches of {result['batch']:>5.1f}, {result['arena_cpu_us']:>4.0f} µs of the arena's "
            "processor time",
            flush=True,
        )


def main() -> int:
    """Measure; the exit code says whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    parser.add_argument("--games", default=",".join(GAMES))
    args = parser.parse_args()
    games = args.games.split(",")
    met = [compare(game, args.turns, args.seconds) for game in games]
    latency(games[0], args.seconds)
    growth(games[0], args.seconds)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
