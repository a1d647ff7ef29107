"""Whether the numbers of a leaderboard keep what they claim, and what they cost.

Coverage of 95 % intervals in simulated tournaments whose truth is known: goal 94 to 96 % for one
pair, 93 to 97 % for all pairs at once. Then a made-up tournament of 100,000 matches and 40 bots:
goal under 120 s for everything, under 90 s for TrueSkill, under 50 ms for one more block.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random

from arena.cli.meter import Meter
from arena.games.game import ranks_of
from arena.rating.ratings import Rater, rate_shuffled
from arena.rating.standings import make_leaderboard
from arena.storage.records import FixtureRecord, StoredMatch
from tests.simulated_tournament import stored, tournament_of
from tests.simulated_worlds import HARD, WORLDS, measure_coverage, measure_strengths

DEALS = (10, 20, 50)
SEATS = 4
BLOCK = 4


def main() -> int:
    """Print the tables; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=2000, help="for each row (2000)")
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--bots", type=int, default=40)
    args = parser.parse_args()
    is_met = _print_coverage(args.tournaments)
    is_met &= _print_times(args.matches, args.bots)
    return 0 if is_met else 1


def _print_coverage(tournaments: int) -> bool:
    is_met = True
    print("| world | deals | single | pair | all |\n|---|---|---|---|---|")
    for world in [*WORLDS, *HARD]:
        for deals in DEALS:
            found = measure_coverage(world, deals, tournaments)
            shares = f"{found.alone:.1%} | {found.pairs:.1%} | {found.every:.1%}"
            print(f"| {world} | {deals} | {shares} |", flush=True)
            if world in WORLDS:
                is_met &= 0.94 <= found.pairs <= 0.96 and 0.93 <= found.every <= 0.97
    print("\nDifferences of Plackett-Luce strength, 20 deals:")
    for world in ("equal", "close", "spread", "all"):
        print(
            f"{world}: {measure_strengths(world, 20, max(10, tournaments // 10)):.1%}", flush=True
        )
    return is_met


def _print_times(count: int, bots: int) -> bool:
    names = [f"bot-{number:02}" for number in range(bots)]
    matches = _make_up(names, count)
    with Meter(is_shown=sys.stderr.isatty()) as meter:
        began = time.perf_counter()
        rate_shuffled(matches, "trueskill", b"", lambda done, total: meter("rating", done, total))
        rating_s = time.perf_counter() - began
        make_leaderboard(
            tournament_of(names, SEATS),
            matches,
            scheduled=count,
            on_progress=lambda done, total: meter("rating", done, total),
        )
        board_s = time.perf_counter() - began - rating_s
    rater = Rater()
    rater.add(matches[:-BLOCK])
    rater.ratings()
    began = time.perf_counter()
    rater.add(matches[-BLOCK:])
    rater.ratings()
    more_s = time.perf_counter() - began
    print(f"\n{count:,} matches, {bots} bots: TrueSkill {rating_s:.1f} s (goal: 90)")
    print(f"the whole leaderboard {board_s:.1f} s (goal: 120)")
    print(f"ratings after one more block {1000 * more_s:.1f} ms (goal: 50)")
    return rating_s < 90 and board_s < 120 and more_s < 0.05


def _make_up(names: list[str], count: int) -> list[StoredMatch]:
    chance = Random(1)
    matches: list[StoredMatch] = []
    table: list[int] = []
    for index in range(count):
        block, seating = divmod(index, BLOCK)
        if not seating:
            table = chance.sample(range(len(names)), SEATS)
        bots = table[seating:] + table[:seating]
        scores = [round(chance.gauss(3 * bot, 40)) for bot in bots]
        fixture = FixtureRecord(
            index,
            f"{block + 1}-{seating + 1}",
            block + 1,
            block // 10 + 1,
            block % 10 + 1,
            block + 1,
            seating,
            tuple(names[bot] for bot in bots),
        )
        matches.append(stored(fixture, scores, ranks=ranks_of(scores)))
    return matches


if __name__ == "__main__":
    sys.exit(main())
