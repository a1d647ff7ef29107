"""How fast the arena is, against bare gRPC streams in the same run: `make bench`.

Everything is measured in processes of its own, on unix sockets, in turns: a baseline, then the
arena, and again. Ratios are of the figures within one turn; the median is printed with the range.

BASE is one bare grpc.aio stream to one process: a question, an answer, no game, the same number of
bytes as a real decision. The relay passes such a message round four processes; with as many
questions on their way as the arena has matches, it shows what gRPC alone allows.
With `--against DIR`, a checkout with a `.venv` of its own is measured in the same turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clients.conformance import sdks

GAMES = ("byzanz", "schwarzmarkt")
MANY = 64
WORKERS = 2  # arenas side by side: one runs on one core
DELAY_GOAL_US = 3_000  # p99 with 16 matches
SDK_BATCH, SDK_GOAL_US = 12, 40  # processor time of the Python SDK for a decision in such batches

Figures = dict[str, float]


@dataclass
class Case:
    """One line of the table: a figure for each turn, as a ratio to a baseline."""

    name: str
    baseline: str
    goal: float | None = None
    is_cost: bool = False  # less is better
    values: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def add(self, value: float, base: float) -> None:
        self.values.append(value)
        self.ratios.append(value / base)

    @property
    def is_met(self) -> bool:
        middle = statistics.median(self.ratios)
        if self.goal is None:
            return True
        return middle <= self.goal if self.is_cost else middle >= self.goal

    def __str__(self) -> str:
        middle, low, high = _spread(self.ratios)
        value = statistics.median(self.values)
        shown = f"{value:>9,.0f} µs" if self.is_cost else f"{value:>9,.0f}/s"
        verdict = f" (goal {self.goal:g}{'' if self.is_met else ' MISSED'})" if self.goal else ""
        ratio = f"{middle:>5.2f}  ({low:.2f} to {high:.2f})"
        return f"  {self.name:<34} {shown:>12}  {ratio}  of {self.baseline}{verdict}"


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    return statistics.median(values), min(values), max(values)


class Bench:
    """Runs the measurements, each in processes of its own."""

    def __init__(self, seconds: float, against: Path | None) -> None:
        self._seconds = seconds
        self._python = sys.executable if against is None else str(against / ".venv/bin/python")
        self._directory = against

    def base(self, sizes: tuple[int, int]) -> Figures:
        """Measure one bare stream."""
        return self._bare(1, sizes, "asyncio")

    def relay(self, sizes: tuple[int, int], *more: object) -> Figures:
        """Measure bare streams to four processes."""
        return self._bare(4, sizes, "uvloop", *more)

    def _bare(self, bots: int, sizes: tuple[int, int], loop: str, *more: object) -> Figures:
        arguments = ["--bots", bots, "--question-bytes", sizes[0], "--answer-bytes", sizes[1]]
        return self._run("benchmarks.bare", *arguments, "--loop", loop, *more)

    def arena(self, game: str, matches: int, *more: object) -> Figures:
        """Measure an arena with so many matches at once."""
        return self._run("benchmarks.traffic", "--game", game, "--matches", matches, *more)

    def workers(self, game: str, matches: int, count: int, *more: object) -> float:
        """Measure as many arenas side by side, each with its part of the matches; return the rate.

        Each has bots of its own, as workers of a tournament have.
        """
        command = self._command("benchmarks.traffic", "--game", game, *more)
        command += ["--matches", str(matches // count)]
        started = [
            subprocess.Popen(command, cwd=self._directory, stdout=subprocess.PIPE)
            for _ in range(count)
        ]
        return sum(_figures(one.communicate(timeout=300)[0])["rate"] for one in started)

    def _run(self, module: str, *arguments: object) -> Figures:
        done = subprocess.run(
            self._command(module, *arguments),
            cwd=self._directory,
            stdout=subprocess.PIPE,
            check=True,
            timeout=300,
        )
        return _figures(done.stdout)

    def _command(self, module: str, *arguments: object) -> list[str]:
        return [self._python, "-m", module, *map(str, ("--seconds", self._seconds, *arguments))]


def _figures(printed: bytes) -> Figures:
    figures: Figures = json.loads(printed)
    figures["rate"] = figures["decisions"] / figures["seconds"]
    return figures


def _build_rust() -> bool:
    """Build the SDK of Rust, whose bots cost the least; return whether it can be built here."""
    (rust,) = sdks.chosen(["rust"])
    lacking = sdks.missing(rust)
    if lacking is None:
        sdks.build(rust)
    else:
        print(f"skipped {lacking}")
    return lacking is None


def compare(game: str, turns: int, here: Bench, there: Bench | None) -> bool:
    """Print one match and many matches against the baselines; return whether goals are met."""
    sizes = _sizes(game, here)
    one = Case("one match", "the relay", 0.77)
    one_alike = Case("one match", "the relay with the arena's settings", 0.65)
    limit = Case(f"{MANY} questions, no game", "BASE")
    many = Case(f"{MANY} matches, Python bots", "BASE", 5.0)
    many_rust = Case(f"{MANY} matches, Rust bots", "BASE", 8.0)
    rust_workers = Case(f"{MANY} matches, Rust bots, {WORKERS} workers", "BASE", 8.0)
    bare_cost = Case(f"gRPC's part of {MANY} questions", "BASE's server", is_cost=True)
    cost = Case(f"the arena's part of {MANY} matches", "BASE's server", 0.17, is_cost=True)
    one_before = Case("one match", "that of the other checkout", 1.5)
    many_before = Case(f"{MANY} matches", "those of the other checkout", 1.0)
    is_rust_there = _build_rust()
    rates, batches, sdk = [], [], []
    for _ in range(turns):
        base = here.base(sizes)
        relay = here.relay(sizes)
        alone, together = here.arena(game, 1), here.arena(game, MANY)
        bare = here.relay(sizes, "--questions", MANY, "--as-arena")
        rates.append(base["rate"])
        batches.append(together["batch"])
        one.add(alone["rate"], relay["rate"])
        one_alike.add(alone["rate"], here.relay(sizes, "--as-arena")["rate"])
        limit.add(bare["rate"], base["rate"])
        bare_cost.add(bare["cpu_us"], base["cpu_us"])
        many.add(together["rate"], base["rate"])
        cost.add(together["arena_cpu_us"], base["cpu_us"])
        sdk.append(here.arena(game, SDK_BATCH, "--bots", 1)["bots_cpu_us"])
        if is_rust_there:
            many_rust.add(here.arena(game, MANY, "--sdk", "rust")["rate"], base["rate"])
            rate = here.workers(game, MANY, WORKERS, "--sdk", "rust")
            rust_workers.add(rate, base["rate"])
        if there is not None:
            one_before.add(alone["rate"], there.arena(game, 1)["rate"])
            many_before.add(together["rate"], there.arena(game, MANY)["rate"])
    print(f"\n{game}, 4 players: decisions of {sizes[0]} bytes, answers of {sizes[1]}")
    print(f"  {'BASE: bare stream to one process':<34} {statistics.median(rates):>10,.0f}/s")
    cases = [one, one_alike, limit, many, many_rust, rust_workers, bare_cost, cost]
    measured = [case for case in [*cases, one_before, many_before] if case.values]
    print("\n".join(map(str, measured)))
    print(f"  batches of {statistics.median(batches):.1f}")
    middle, low, high = _spread(sdk)
    is_quick = middle <= SDK_GOAL_US
    print(
        f"  Python SDK, batches of {SDK_BATCH}: {middle:.0f} µs of processor time a decision "
        f"({low:.0f} to {high:.0f}) (goal {SDK_GOAL_US}{'' if is_quick else ' MISSED'})",
        flush=True,
    )
    return is_quick and all(case.is_met for case in measured)


def _sizes(game: str, here: Bench) -> tuple[int, int]:
    """Return the bytes of a decision and of an answer, on average."""
    figures = here.arena(game, MANY)
    return round(figures["question_bytes"]), round(figures["answer_bytes"])


def latency(game: str, here: Bench) -> bool:
    """Print the arena's own delay, and gRPC's alone.

    The goal is for a bot that waits for nothing else: until gRPC, which sends at once, has the
    message. What comes after that, until the write returns, delays the arena and not the bot.
    """
    print(f"\n{game}: from an answer read to the next question, µs (p50, p99)")
    print("              handed to gRPC  from when the bot owes nothing  write returned     bare")
    sizes = _sizes(game, here)
    tails = {}
    for matches in (1, 16, 64):
        figures = here.arena(game, matches, "--latency")
        bare = here.relay(sizes, "--questions", matches, "--as-arena")
        tails[matches] = figures["idle_p99_us"]
        shown = [
            f"{figures[f'{kind}p50_us']:>6,.0f} {figures[f'{kind}p99_us']:>6,.0f}"
            for kind in ("handed_", "idle_", "")
        ]
        last = f"{bare['p50_us']:>6,.0f} {bare['p99_us']:>6,.0f}"
        print(
            f"  {matches:>3} matches {shown[0]:>15} {shown[1]:>31} {shown[2]:>15} {last}",
            flush=True,
        )
    is_met = tails[16] <= DELAY_GOAL_US
    print(f"  goal: p99 of {DELAY_GOAL_US:,} µs with 16 matches{'' if is_met else ': MISSED'}")
    return is_met


def growth(game: str, here: Bench) -> None:
    """Print how the cost of a decision changes with the number of matches at once."""
    print(f"\n{game}: cost of a decision by matches at once")
    for matches in (1, 4, 16, 64, 256):
        figures = here.arena(game, matches)
        print(
            f"  {matches:>3} matches: {figures['rate']:>7,.0f}/s, "
            f"batches of {figures['batch']:>5.1f}, processor time: arena "
            f"{figures['arena_cpu_us']:>4.0f} µs, bots {figures['bots_cpu_us']:>4.0f} µs",
            flush=True,
        )


def main() -> int:
    """Measure; the exit code says whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    args = parser.parse_args()
    games = args.games.split(",")
    here = Bench(args.seconds, None)
    there = Bench(args.seconds, args.against.resolve()) if args.against else None
    met = [compare(game, args.turns, here, there) for game in games]
    met.append(latency(games[0], here))
    growth(games[0], here)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
