"""What schedules are worth: the variance of differences of mean ranks, for the same matches.

    python -m benchmarks.schedules --fields DIR    of what benchmarks.fields has played into DIR

Each figure is the variance on independent deals over that of the schedule, with as many matches:
above 1 a schedule needs fewer matches, below 1 more. In brackets its 95 % interval, by drawing the
deals again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena.rating.blocks import pair_squares, residuals, sum_by
from arena.rating.statistics import Floats, OutcomeTable
from benchmarks.fields import PLAYERS, load_field

RESAMPLES = 2000


def variances(table: OutcomeTable) -> dict[str, Floats]:
    """Return by schedule and deal what the 20 matches of a deal add to the variance."""
    deals, number = table.deal_count, np.arange(len(table.bots))
    apart = residuals(table, table.tables)
    turn = number % PLAYERS
    clusters = {
        "cyclic, shared": table.deals,
        "cyclic, per-table": table.blocks,
        "none, shared": table.deals * PLAYERS + turn,
        "none, per-table": number,
    }
    found = {}
    for name, cluster in clusters.items():
        count = int(cluster.max()) + 1
        squares = pair_squares(sum_by(cluster, apart, count))
        found[name] = squares.reshape(deals, -1).sum(axis=1)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each field."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.schedules", description=__doc__)
    parser.add_argument("--fields", type=Path, required=True, metavar="DIR")
    args = parser.parse_args(arguments)
    print("| field | cyclic, shared | cyclic, per-table | none, shared |\n|---|---|---|---|")
    for path in sorted(args.fields.glob("*.npz")):
        found = variances(load_field(path))
        alone = found.pop("none, per-table")
        drawn = np.random.default_rng(1).integers(0, len(alone), (RESAMPLES, len(alone)))
        cells = []
        for together in found.values():
            ratios = alone[drawn].sum(axis=1) / together[drawn].sum(axis=1)
            low, high = np.quantile(ratios, [0.025, 0.975])
            cells.append(f"{alone.sum() / together.sum():.2f} ({low:.2f}–{high:.2f})")
        print(f"| {path.stem} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
