"""How fast the rules are: `make bench`.

Random play in one process, one core. For every decision the legal moves and the acting seat's
observation are built, one move is chosen and made. OpenSpiel's card games are played the same way
through its Python API, in the same run: figures are compared as ratios, because machines differ and
are noisy, and taken in processor time, so that other work on the machine counts less. Repetitions
are interleaved; the median is printed with the range.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from arena.games.game import AnyGame, AnyState
from arena.games.registry import get_game

GAMES = ("byzanz", "schwarzmarkt")
PEERS = ("gin_rummy", "hearts", "euchre")
YARDSTICK = "gin_rummy"
GOALS = {"byzanz": 3.0, "schwarzmarkt": 6.0}  # × the yardstick, with four players
SAMPLE_GOAL_US = 15.0  # determinize, at every table


@dataclass
class Case:
    """One thing that is measured: `run` plays for about that long and counts decisions."""

    name: str
    run: Callable[[float, int], tuple[int, float]]
    rates: list[float] = field(default_factory=list)


def arena_case(game: AnyGame, seats: int) -> Case:
    """Return random play of one of our games."""

    def run(seconds: float, repetition: int) -> tuple[int, float]:
        rng = Random(repetition)
        decisions = 0
        started = time.process_time()
        while (elapsed := time.process_time() - started) < seconds:
            state = game.deal(rng.randbytes(32), seats)
            while state.to_act is not None:
                moves = state.legal_moves()
                state.observe(state.to_act)
                state.apply(moves[int(rng.random() * len(moves))])
                decisions += 1
        return decisions, elapsed

    return Case(f"{game.name}, {seats} players", run)


def peer_case(name: str) -> Case | None:
    """Return random play of an OpenSpiel game; None where OpenSpiel is not installed."""
    try:
        import pyspiel  # noqa: PLC0415 - optional, and slow to load
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    if game.get_type().provides_observation_string:
        look = "observation_string"
    elif game.get_type().provides_information_state_string:
        look = "information_state_string"
    else:
        look = "information_state_tensor"

    def run(seconds: float, repetition: int) -> tuple[int, float]:
        rng = Random(repetition)
        decisions = 0
        started = time.process_time()
        while (elapsed := time.process_time() - started) < seconds:
            state = game.new_initial_state()
            observe = getattr(state, look)
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(actions, weights)[0])
                    continue
                moves = state.legal_actions()
                observe(state.current_player())
                state.apply_action(moves[int(rng.random() * len(moves))])
                decisions += 1
        return decisions, elapsed

    return Case(f"OpenSpiel {name} ({look})", run)


def measure(cases: Sequence[Case], seconds: float, repetitions: int) -> None:
    """Run every case in turn, again and again, so that all share the machine's moods."""
    for repetition in range(repetitions):
        for case in cases:
            gc.collect()
            decisions, elapsed = case.run(seconds, repetition)
            case.rates.append(decisions / elapsed)


def print_rates(cases: Sequence[Case]) -> None:
    """Print decisions per second and the ratio to the yardstick."""
    yardstick = next(
        (statistics.median(case.rates) for case in cases if YARDSTICK in case.name), None
    )
    width = max(len(case.name) for case in cases)
    print(f"{'decisions per second, random play':<{width}}   median        range     × {YARDSTICK}")
    for case in cases:
        median = statistics.median(case.rates)
        span = f"{min(case.rates):,.0f}-{max(case.rates):,.0f}"
        ratio = f"{median / yardstick:8.2f}" if yardstick else "       -"
        print(f"{case.name:<{width}} {median:>8,.0f} {span:>16} {ratio}")


def print_costs(game: AnyGame, seats: int) -> float:
    """Print what a match weighs and what copying and sampling cost, averaged over a match.

    Return what sampling costs.
    """
    rng = Random(0)
    state = game.deal(rng.randbytes(32), seats)
    positions: list[AnyState] = []
    while state.to_act is not None:
        positions.append(state.copy())
        state.apply(rng.choice(state.legal_moves()))
    copy_us = _cost_us(lambda: [position.copy() for position in positions], len(positions))
    observations = [position.observe(position.to_act) for position in positions]
    sample_us = _cost_us(
        lambda: [game.determinize(seen, rng) for seen in observations], len(positions)
    )
    look_us = _cost_us(lambda: [p.observe(p.to_act) for p in positions], len(positions))
    moves_us = _cost_us(lambda: [p.legal_moves() for p in positions], len(positions))
    gc.collect()
    tracemalloc.start()
    kept = [game.deal(rng.randbytes(32), seats) for _ in range(200)]
    weight = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    print(
        f"{game.name + f', {seats} players':<24} {weight / 1024:7.1f} KiB {copy_us:10.1f} "
        f"{sample_us:12.1f} {look_us:9.1f} {moves_us:13.1f}"
    )
    return sample_us


def _cost_us(work: Callable[[], object], times: int) -> float:
    """Return the cost of one of `times` pieces of work in microseconds, the best of several."""
    best = float("inf")
    for _ in range(7):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best / times * 1e6


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print, with a line for each goal that is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="per case and repetition")
    parser.add_argument("--repetitions", type=int, default=5)
    args = parser.parse_args(argv)
    cases = [
        arena_case(get_game(name), seats) for name in GAMES for seats in get_game(name).table_sizes
    ]
    peers = [case for name in PEERS if (case := peer_case(name)) is not None]
    if not peers:
        print("OpenSpiel is not installed: no comparison (pip install 'arena-server[bench]')")
    cases += peers
    measure(cases, args.seconds, args.repetitions)
    print_rates(cases)
    print()
    print(
        "one state                a fresh match    copy() µs  determinize µs  observe µs  legal µs"
    )
    slow = [
        f"{name}, {seats} players"
        for name in GAMES
        for seats in get_game(name).table_sizes
        if print_costs(get_game(name), seats) > SAMPLE_GOAL_US
    ]
    for table in slow:
        print(f"above the goal of {SAMPLE_GOAL_US:g} µs a sample: {table}")
    for name, goal in GOALS.items() if peers else ():
        case = next(case for case in cases if case.name == f"{name}, 4 players")
        if statistics.median(case.rates) < goal * statistics.median(peers[0].rates):
            print(f"below the goal of {goal:g} × {YARDSTICK}: {case.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
