"""Fields of bots for measuring schedules and statistics: close ones and spread ones.

A field has five bots, four at a table. A close one is the planner and four variants of it, a spread
one goes from the planner down to random moves. Each deal is played at all five tables in the four
turns of one circle: 20 matches, from which every schedule's variance can be estimated.

    python -m benchmarks.fields --deals 100 --out DIR    plays them all into DIR/GAME-FIELD.npz
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from arena.bots import byzanz_planner, schwarzmarkt_planner
from arena.bots.catalog import make_bot
from arena.games.game import AnyGame, Move
from arena.games.registry import get_game
from arena.games.shuffle import bot_seed, deal_seed
from arena.rating.statistics import OutcomeTable

PLAYERS = 4
FIELDS: Mapping[tuple[str, str], Sequence[str]] = {
    ("byzanz", "close"): ("planner", "no-envy", "more-envy", "late", "planner~3"),
    ("schwarzmarkt", "close"): ("planner", "bolder", "luckier", "planner~3", "planner~6"),
    ("byzanz", "spread"): ("planner", "planner~15", "greedy", "greedy~30", "random"),
    ("schwarzmarkt", "spread"): ("planner", "planner~15", "greedy", "greedy~30", "random"),
}
"""The bots of each field by game and name. A bot `x~P` makes a random move P times in a hundred."""

_VARIANTS: Mapping[str, tuple[ModuleType, Mapping[str, float]]] = {
    "no-envy": (byzanz_planner, {"_ENVY": 0.0}),
    "more-envy": (byzanz_planner, {"_ENVY": 0.3}),
    "late": (byzanz_planner, {"_LATE_PICK": 0.5, "_FIRST_PICK": 1.0}),
    "bolder": (schwarzmarkt_planner, {"RANK_VALUE": 100.0}),
    "luckier": (schwarzmarkt_planner, {"LUCK": 0.4}),
}

Decide = Callable[[Any, Sequence[Move]], Move]


def seat_bot(name: str, game: AnyGame, seed: bytes) -> Decide:
    """Return how a bot of a field decides in one match."""
    base, _, percent = name.partition("~")
    module, settings = _VARIANTS.get(base, (byzanz_planner, {}))
    bot = make_bot("planner" if settings else base, game, seed)
    random = Random(seed + b"random")

    def decide(observation: Any, legal: Sequence[Move]) -> Move:
        if percent and random.random() < int(percent) / 100:
            return random.choice(legal)
        with _set(module, settings):
            return bot.decide(observation, legal)

    return decide


@contextmanager
def _set(module: ModuleType, settings: Mapping[str, float]) -> Iterator[None]:
    before = {name: getattr(module, name) for name in settings}
    vars(module).update(settings)
    try:
        yield
    finally:
        vars(module).update(before)


def play_deal(job: tuple[str, str, int, bytes]) -> list[tuple[list[int], list[int], list[int]]]:
    """Return bots, ranks and scores by seat of the 20 matches on one deal, table by table."""
    name, field, deal, master = job
    game, bots = get_game(name), FIELDS[name, field]
    played: list[tuple[list[int], list[int], list[int]]] = []
    for table in combinations(range(len(bots)), PLAYERS):
        for turn in range(PLAYERS):
            seated = [table[(seat + turn) % PLAYERS] for seat in range(PLAYERS)]
            match = f"{deal}/{len(played)}"
            state = game.deal(deal_seed(master, deal), PLAYERS)
            seats = [
                seat_bot(bots[bot], game, bot_seed(master, match, seat))
                for seat, bot in enumerate(seated)
            ]
            while (seat := state.to_act) is not None:
                legal = state.legal_moves()
                move = legal[0] if len(legal) == 1 else seats[seat](state.observe(seat), legal)
                state.apply(move)
            outcome = state.outcome()
            played.append((seated, list(outcome.ranks), list(outcome.scores)))
    return played


def load_field(path: Path) -> OutcomeTable:
    """Return what was played of a field: in each deal table by table, four seatings each."""
    with np.load(path) as stored:
        bots, ranks, scores, names = (stored[key] for key in ("bots", "ranks", "scores", "names"))
    number = np.arange(len(bots))
    return OutcomeTable(
        tuple(str(name) for name in names),
        bots,
        ranks,
        scores,
        deals=number // 20,
        blocks=number // PLAYERS,
        tables=number // PLAYERS % 5,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the fields that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fields", description=__doc__)
    parser.add_argument("--deals", type=int, default=100, metavar="N")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--seed", default="fields", metavar="TEXT", help="master seed")
    args = parser.parse_args(arguments)
    args.out.mkdir(parents=True, exist_ok=True)
    master = hashlib.sha256(args.seed.encode()).digest()
    with ProcessPoolExecutor(args.processes) as executor:
        for (game, field), names in FIELDS.items():
            path = args.out / f"{game}-{field}.npz"
            if path.exists():
                continue
            jobs = [(game, field, deal, master) for deal in range(1, args.deals + 1)]
            played = [match for deal in executor.map(play_deal, jobs) for match in deal]
            bots, ranks, scores = (np.array(values) for values in zip(*played, strict=True))
            np.savez_compressed(path, bots=bots, ranks=ranks, scores=scores, names=np.array(names))
            means = [float(ranks[bots == bot].mean()) for bot in range(len(names))]
            said = ", ".join(f"{name} {mean:.2f}" for name, mean in zip(names, means, strict=True))
            print(f"{game} {field}: {len(bots)} matches; mean ranks {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
