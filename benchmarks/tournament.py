"""How fast tournaments are, in process and over gRPC, and what storing and rating cost.

Eight cheap bots (random) at tables of four. In turns: the peer, in process, launched processes
with batches, the same with two workers; then again. Only play is timed: bots are started before.
The matches of the first case are stored once more, as they are in a tournament (those that end
meanwhile share a transaction) and in a transaction each.
With `--against DIR`, the command `arena tournament` of a checkout with a `.venv` of its own plays
the same launched tournament in the same turns.
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
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.config.tournament import RunSettings, TournamentConfig, with_chance
from arena.engines.making import make_engine
from arena.rating.ratings import Rater
from arena.server.loop import run_async
from arena.storage.opening import open_store
from arena.storage.records import Claim, MatchReport, StoredMatch
from arena.tournament.store_thread import StoreThread
from arena.tournament.tournament import open_tournament
from arena.tournament.watcher import Watcher

PEER = Path(sys.prefix, "kaggle", "bin", "python")
GOAL = 0.10  # of a launched match: storing and rating it
STORING_GOAL_S = 0.0003  # a match, with the most at once
AT_ONCE = (1, 32)
AGAINST_GOAL = 2.5  # times the rate of the other checkout
OWNER = "bench"

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


@dataclass
class Costs:
    """What a match costs besides play, in seconds; one figure for each turn."""

    rating: list[float] = field(default_factory=list)
    grouped: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in AT_ONCE})
    alone: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in AT_ONCE})


Finish = Callable[[StoreThread, Claim, MatchReport], Awaitable[bool]]


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    os.environ["GRPC_VERBOSITY"] = "NONE"  # its lines would stand between ours
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--game", default="byzanz")
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout")
    args = parser.parse_args()
    cases = {name: Case() for name in CASES}
    peer: list[float] = []
    costs = Costs()
    gains = []
    for turn in range(args.turns):
        if args.against is not None:
            there = _command_seconds(args.against.resolve() / ".venv/bin/arena", args.game)
            here = _command_seconds(Path(sys.prefix, "bin", "arena"), args.game)
            gains.append(there / here)
        if PEER.exists():
            peer.append(_peer(5.0))
        for name, run in CASES.items():
            with tempfile.TemporaryDirectory() as scratch:
                rounds = 1 if run.concurrency == 1 and run.engine == "arena" else 2
                config = _config(args.game, f"turn-{turn}", run, rounds)
                played = run_async(_play(config, Path(scratch), cases[name]))
                if name == "in process":
                    _add_costs(costs, played, config, Path(scratch))
    status = _report(args.game, cases, peer, costs)
    if gains:
        gain = statistics.median(gains)
        print(
            f"the command with its defaults plays launched processes {gain:.2f} "
            f"({min(gains):.2f} to {max(gains):.2f}) times as fast as that of the other checkout "
            f"(goal {AGAINST_GOAL})"
        )
        status = status if gain >= AGAINST_GOAL else 1
    return status


def _command_seconds(arena: Path, game: str) -> float:
    """Return how long one more round takes, without starting and ending anything."""
    seconds = []
    for rounds in (1, 2):
        with tempfile.TemporaryDirectory() as scratch:
            command = [str(arena), "tournament", "--game", game, "--players", "4"]
            command += [f"--bot=name=random-{n},builtin=random" for n in range(1, 9)]
            command += ["--rounds", str(rounds), "--seed", "bench", "--quiet"]
            start = time.perf_counter()
            subprocess.run(
                [*command, "--replays=none", f"--out={scratch}"],
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=600,
            )
            seconds.append(time.perf_counter() - start)
    return seconds[1] - seconds[0]


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
            await tournament.play(engine, run.concurrency * run.workers, Watcher())
            elapsed = time.perf_counter() - start
        played = await tournament.played()
    decisions = sum(seat.decisions for match in played for seat in match.report.times)
    case.matches.append(len(played) / elapsed)
    case.decisions.append(decisions / elapsed)
    return played


def _add_costs(
    costs: Costs, played: Sequence[StoredMatch], config: TournamentConfig, scratch: Path
) -> None:
    with open_store(scratch / "arena.db", config.name) as store:
        reports = [
            replace(match.report, replay=store.replay(match.fixture.match) or "")
            for match in played
        ]
    for at_once in AT_ONCE:
        for kind, finish, figures in (
            ("alone", _finish_alone, costs.alone),
            ("grouped", _finish_grouped, costs.grouped),
        ):
            storing = _time_storing(scratch / f"{kind}-{at_once}", config, reports, at_once, finish)
            figures[at_once].append(run_async(storing))
    rater = Rater()
    start = time.perf_counter()
    rater.add(played)
    rater.ratings()
    costs.rating.append((time.perf_counter() - start) / len(played))


async def _time_storing(
    directory: Path,
    config: TournamentConfig,
    reports: Sequence[MatchReport],
    at_once: int,
    finish: Finish,
) -> float:
    """Return the seconds it takes to store a match while so many wait for that at once."""
    await _prepare(config, directory)
    async with StoreThread(open_store(directory / "arena.db", config.name)) as thread:
        claims = iter(await thread.call(lambda store: store.claim(OWNER, len(reports))))

        async def store_some() -> None:
            for claim in claims:
                assert await finish(thread, claim, reports[claim.fixture.index])

        start = time.perf_counter()
        await asyncio.gather(*(store_some() for _ in range(at_once)))
        return (time.perf_counter() - start) / len(reports)


def _finish_grouped(thread: StoreThread, claim: Claim, report: MatchReport) -> Awaitable[bool]:
    return thread.finish(OWNER, claim, report)


def _finish_alone(thread: StoreThread, claim: Claim, report: MatchReport) -> Awaitable[bool]:
    return thread.call(lambda store: store.finish(OWNER, claim, report))


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


def _report(game: str, cases: dict[str, Case], peer: Sequence[float], costs: Costs) -> int:
    base = statistics.median(peer) if peer else 0.0
    print(
        f"tournament of 8 random bots, {game}, 4 at a table, medians of {len(costs.rating)} turns"
    )
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
    storing = _report_storing(costs)
    rating = statistics.median(costs.rating)
    shares = [
        (storing[at_once] + rating) * statistics.median(cases[name].matches)
        for name, at_once in (("launched processes, 32 at once", 32), ("in process", 1))
    ]
    print(
        f"a match takes {1000 * rating:.2f} ms to rate; storing and rating are "
        f"{shares[0]:.1%} of a launched match (goal {GOAL:.0%}), {shares[1]:.1%} of one in process"
    )
    return 0 if shares[0] < GOAL and storing[AT_ONCE[-1]] <= STORING_GOAL_S else 1


def _report_storing(costs: Costs) -> dict[int, float]:
    """Print and return the seconds that storing a match takes, by how many wait at once."""
    print(f"{'storing a match':<34}{'grouped':>10}{'one each':>13}{'ratio':>9}")
    medians = {at_once: statistics.median(costs.grouped[at_once]) for at_once in AT_ONCE}
    for at_once, grouped in medians.items():
        alone = statistics.median(costs.alone[at_once])
        pairs = zip(costs.grouped[at_once], costs.alone[at_once], strict=True)
        ratios = sorted(one / other for one, other in pairs)
        goal = f"  (goal {1000 * STORING_GOAL_S:.1f} ms)" if at_once == AT_ONCE[-1] else ""
        print(
            f"{f'{at_once} at once':<34}{1000 * grouped:>7.2f} ms{1000 * alone:>10.2f} ms"
            f"{statistics.median(ratios):>9.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f}){goal}"
        )
    return medians


if __name__ == "__main__":
    sys.exit(main())
