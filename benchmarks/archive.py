"""A tournament of 100,000 stored matches: rating and writing it anew, and going on with it.

The matches are made up (eight bots of known strength) and stored as real ones are, with a short
replay each. Goals: a full re-rating with all exports under 90 s, ready to go on under 5 s. Some
more matches are really played, and their replays verified. Goal: 3 ms a match on each core.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from arena import cli
from arena.cli.meter import Meter
from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig, with_chance, write_config
from arena.games.game import ranks_of
from arena.processes import count_cores
from arena.rating.ratings import Rater
from arena.results.archive import read_files
from arena.results.audit.replays import check_replays
from arena.results.audit.report import AuditReport
from arena.results.export import export_results, release_of
from arena.schedule.schedule import make_schedule
from arena.storage.opening import open_store
from arena.storage.records import (
    FixtureRecord,
    MatchReport,
    SeatTimes,
    TournamentRecord,
)
from arena.storage.store import Store

EXPORT_GOAL_S = 90.0
RESUME_GOAL_S = 5.0
VERIFY_GOAL_MS = 3.0
NAME = "large"
BOTS = 8
BLOCK = 4  # matches

ResultT = TypeVar("ResultT")


def main() -> int:
    """Measure and print; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--replays", type=int, default=0, help="write so many replays as files")
    parser.add_argument("--verified", type=int, default=1000, help="play and verify so many")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        count = _fill(directory, args.matches)
        with open_store(directory / "arena.db", NAME) as store, Meter(is_shown=True) as meter:
            exported, _ = _timed(
                lambda: export_results(store, directory, replays=args.replays, on_progress=meter)
            )
        print(f"full re-rating and all exports:            {exported:6.1f} s")
        with open_store(directory / "arena.db", NAME) as store:
            played = list(store.matches())
            rater = Rater()
            rater.add(played[:-BLOCK])
            rating, _ = _timed(rater.ratings)
            rater.add(played[-BLOCK:])
            more, _ = _timed(rater.ratings)
        print(f"rating alone:                              {rating:6.1f} s")
        print(f"standings after one more block:            {1000 * more:6.1f} ms")
        resumed, _ = _timed(lambda: _resume(directory))
        print(f"open, find and claim what is missing:      {resumed:6.1f} s")
    print(f"({count:,} matches of {BOTS} bots)")
    verified = [_verify(game, args.verified) for game in ("byzanz", "schwarzmarkt")]
    is_met = exported < EXPORT_GOAL_S and resumed < RESUME_GOAL_S
    return 0 if is_met and max(verified) <= VERIFY_GOAL_MS else 1


def _verify(game: str, matches: int) -> float:
    """Print what verifying a replay takes; return the milliseconds of a core with all of them."""
    with tempfile.TemporaryDirectory() as scratch:
        bots = [flag for name in "abcd" for flag in ("--bot", f"name={name},builtin=random")]
        rounds = str(-(-matches // BLOCK))
        table = ["--game", game, *bots, "--rounds", rounds, "--engine", "inline", "--quiet"]
        with contextlib.redirect_stdout(io.StringIO()):
            assert cli.main(["tournament", *table, "--out", scratch]) == 0
        directory = Path(scratch)
        cores = count_cores()
        rows = {
            "one core": _verified(directory, 1),
            f"{cores} cores": _verified(directory, cores),
        }
        for path in (directory / "replays").iterdir():  # in words that are not recognised
            path.write_bytes(path.read_bytes().replace(b'{"type":"move"', b'{ "type":"move"'))
        rows["one core, every line decoded"] = _verified(directory, 1)
    print(f"verifying {game}, ms a match   of a core (goal {VERIFY_GOAL_MS:.0f})   waited for")
    for what, (core_ms, waited_ms) in rows.items():
        print(f"  {what:<32} {core_ms:9.2f}   {waited_ms:17.2f}")
    return rows[f"{cores} cores"][0]


def _verified(directory: Path, processes: int) -> tuple[float, float]:
    """Measure in a process of its own: those that it starts would load this module, too."""
    code = f"import {__spec__.name} as it; print(*it.verify_ms({str(directory)!r}, {processes}))"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    core_ms, waited_ms = map(float, done.stdout.split())
    return core_ms, waited_ms


def verify_ms(place: str, processes: int) -> tuple[float, float]:
    """Return the milliseconds a match, of processor time and waited for.

    The start of the processes is included.
    """
    directory = Path(place)
    archive, report = read_files(directory), AuditReport(directory)
    release = release_of(archive)
    before = os.times()
    check_replays(report, None, archive, release, processes=processes)
    after = os.times()
    assert report.is_ok
    used_s = sum(after[:4]) - sum(before[:4])  # user and system, of this process and its children
    each_ms = 1000 / report.from_files
    return each_ms * used_s, each_ms * (after.elapsed - before.elapsed)


def _timed(work: Callable[[], ResultT]) -> tuple[float, ResultT]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def _fill(directory: Path, matches: int) -> int:
    """Store a tournament that is complete but for its last block; return its matches."""
    names = [f"bot-{number}" for number in range(1, BOTS + 1)]
    bots = {name: BotSpec(name, builtin="random") for name in names}
    config = with_chance(
        TournamentConfig(
            name=NAME, game="byzanz", players=4, bots=bots, rounds=10_000, max_matches=matches
        )
    )
    entrants = config.entrants(dict.fromkeys(bots, "1"))
    schedule = make_schedule(config.plan(entrants))
    text = write_config(config)
    (directory / "tournament.toml").write_text(text, encoding="utf-8")
    record = TournamentRecord(
        name=NAME,
        config=text,
        game="byzanz",
        options={},
        players=4,
        seed=config.master,
        seed_text=config.seed,
        salt=bytes.fromhex(config.salt),
        bots=entrants,
        created="2026-01-01T00:00:00+00:00",
    )
    rng = Random(7)
    with open_store(directory / "arena.db", NAME) as store:
        creating, _ = _timed(lambda: store.create(record, schedule.fixtures))
        print(f"storing a schedule of {len(schedule.fixtures):,} matches: {creating:15.1f} s")
        storing, _ = _timed(lambda: _play(store, len(schedule.fixtures) - BLOCK, rng))
        print(f"storing the results, one transaction each: {storing:6.1f} s")
    return len(schedule.fixtures)


def _play(store: Store, count: int, rng: Random) -> None:
    left = count
    while left:
        claims = store.claim("bench", min(left, 500))
        for claim in claims:
            store.finish("bench", claim, _report(claim.fixture, rng))
        left -= len(claims)


def _report(fixture: FixtureRecord, rng: Random) -> MatchReport:
    scores = tuple(int(rng.gauss(20 + 2 * int(bot[4:]), 8)) for bot in fixture.bots)
    return MatchReport(
        match=fixture.match,
        scores=scores,
        ranks=ranks_of(scores),
        forfeits=(None,) * len(scores),
        faults=(),
        times=(SeatTimes(40, 0.02, 0.002, 0.0),) * len(scores),
        moves=170,
        replay=f'{{"match":"{fixture.match}"}}\n',
    )


def _resume(directory: Path) -> None:
    """Do what a tournament does before it plays on."""
    with open_store(directory / "arena.db", NAME) as store:
        store.tournament()
        missing = store.missing()
        store.progress()
        claims = store.claim("again", 16)
        assert len(missing) == len(claims) == BLOCK


if __name__ == "__main__":
    sys.exit(main())
