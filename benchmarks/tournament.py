"""How fast tournaments are, in process and over gRPC, and what storing and rating cost.

Eight cheap bots (random) at tables of four. In turns: the peer, in process, launched processes
with batches, the same with two workers; then again. Only play is timed: bots are started before.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.config.tournament import RunSettings, TournamentConfig, with_chance
from arena.engines.making import make_engine
from arena.rating.ratings import Rater
from arena.server.loop import run_async
from arena.storage.opening import open_store
from arena.storage.records import StoredMatch
from arena.tournament.tournament import open_tournament
from arena.tournament.watcher import Unwatched

PEER = Path(sys.prefix, "kaggle", "bin", "python")
GOAL = 0.10

CASES = {
    "in process": RunSettings(concurrency=1, engine="inline"),
    "launched processes, 32 at once": RunSettings(concurrency=32),
    "the same, one at a time": RunSettings(concurrency=1),
    "two workers, 16 at once each": RunSettings(concurrency=16, workers=2),
    "two workers in process": RunSettings(concurrency=2, workers=2, engine="inline"),
}


@dataclass
class Case:
    """The figures of one case, one for each turn."""

    matches: list[float] = field(default_factory=list)  # per second
    decisions: list[float] = field(default_factory=list)  # per second


def main() -> int:
    """Measure and print; return 1 if the goal is missed."""
    os.environ["GRPC_VERBOSITY"] = "NONE"  # its lines would stand between ours
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--game", default="byzanz")
    args = parser.parse_args()
    cases = {name: Case() for name in CASES}
    peer: list[float] = []
    costs: list[tuple[float, float]] = []
    for turn in range(args.turns):
        if PEER.exists():
            peer.append(_peer(5.0))
        for name, run in CASES.items():
            with tempfile.TemporaryDirectory() as scratch:
                rounds = 1 if run.concurrency == 1 and run.engine == "arena" else 2
                config = _config(args.game, f"turn-{turn}", run, rounds)
                played = run_async(_play(config, Path(scratch), cases[name]))
                if name == "in process":
                    costs.append(_costs(played, config, Path(scratch)))
    return _report(args.game, cases, peer, costs)


def _config(game: str, seed: str, run: RunSettings, rounds: int) -> TournamentConfig:
    names = [f"random-{number}" for number in range(1, 9)]
    bots = {name: BotSpec(name, builtin="random") for name in names}
    config = TournamentConfig(
        name="bench", game=game, players=4, bots=bots, rounds=rounds, seed=seed, run=run
    )
    return with_chance(config)


async def _play(config: TournamentConfig, directory: Path, case: Case) -> list[StoredMatch]:
    run = config.run
    async with open_tournament(config, directory) as tournament:
        async with make_engine(config, run) as engine:
            await tournament.prepare(engine)
            start = time.perf_counter()
            await tournament.play(engine, run.concurrency * run.workers, Unwatched())
            elapsed = time.perf_counter() - start
        played = await tournament.played()
    decisions = sum(seat.decisions for match in played for seat in match.report.times)
    case.matches.append(len(played) / elapsed)
    case.decisions.append(decisions / elapsed)
    return played


def _costs(
    played: Sequence[StoredMatch], config: TournamentConfig, scratch: Path
) -> tuple[float, float]:
    """Return the seconds that claiming and storing, and rating, take for a match."""
    with open_store(scratch / "arena.db", config.name) as store:
        reports = [
            replace(match.report, replay=store.replay(match.fixture.match) or "")
            for match in played
        ]
    again = scratch / "again"
    asyncio.run(_prepare(config, again))
    with open_store(again / "arena.db", config.name) as store:
        start = time.perf_counter()
        for _ in range(len(played) // 16):
            for claim in store.claim("bench", 16):
                store.finish("bench", claim, reports[claim.fixture.index])
        storing = (time.perf_counter() - start) / (len(played) // 16 * 16)
    rater = Rater()
    start = time.perf_counter()
    rater.add(played)
    rater.ratings()
    return storing, (time.perf_counter() - start) / len(played)


async def _prepare(config: TournamentConfig, directory: Path) -> None:
    run = RunSettings(engine="inline")
    async with (
        open_tournament(config, directory) as tournament,
        make_engine(config, run) as engine,
    ):
        await tournament.prepare(engine)


def _peer(seconds: float) -> float:
    command = [str(PEER), "-W", "ignore", str(Path(__file__).with_name("peer.py")), str(seconds)]
    with contextlib.suppress(subprocess.CalledProcessError):
        output = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, timeout=120
        ).stdout
        result = json.loads(output.splitlines()[-1])
        return float(result["decisions"] / result["seconds"])
    return 0.0


def _report(
    game: str,
    cases: dict[str, Case],
    peer: Sequence[float],
    costs: Sequence[tuple[float, float]],
) -> int:
    base = statistics.median(peer) if peer else 0.0
    print(f"tournament of 8 random bots, {game}, 4 at a table, medians of {len(costs)} turns")
    print(f"{'':<34}{'matches/s':>10}{'decisions/s':>13}{'× peer':>9}")
    for name, case in cases.items():
        decisions = statistics.median(case.decisions)
        ratio = f"{decisions / base:.1f}" if base else "–"
        matches = statistics.median(case.matches)
        print(f"{name:<34}{matches:>10.1f}{decisions:>13,.0f}{ratio:>9}")
    if base:
        print(f"{'kaggle-environments, rps, in process':<34}{'':>8}{base:>13,.0f}{'1.0':>9}")
    else:
        print("kaggle-environments is not installed: make bench does it")
    launched = 1 / statistics.median(cases["launched processes, 32 at once"].matches)
    inline = 1 / statistics.median(cases["in process"].matches)
    storing, rating = (statistics.median(column) for column in zip(*costs, strict=True))
    both = storing + rating
    print(
        f"a match takes {1000 * storing:.2f} ms to store and {1000 * rating:.2f} ms to rate: "
        f"{both / launched:.1%} of a launched match, {both / inline:.1%} of one in process"
    )
    return 0 if both / launched < GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
