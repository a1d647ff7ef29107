"""How often the stopping rules err, and how many rounds they take: both rules on the same leads.

    python -m benchmarks.stopping --fields DIR

Simulated: the leads of two equally good bots, round by round; whoever calls them settled is wrong.
With `--fields`, the matches that benchmarks.fields has played into DIR: their deals are drawn again
and again, with the lead taken out of them (then a stop is wrong) and as they are (then it counts
how many rounds it takes). Three figures each: the first rule and the latest on shared deals, and
the latest on deals of each table's own. The first rule is asked by the normal approximation of its
count of signs.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np

from arena.rating import boundaries, sign_rule
from arena.rating.boundaries import look_boundary
from arena.rating.settling import Leads, lead_scores
from arena.rating.statistics import Floats, Ints, OutcomeTable
from benchmarks.fields import PLAYERS, load_field

LEVEL = 0.95
UNBOUNDED = {"log-normal losses", "log-normal gains"}


def stops(leads: Floats, least: float, version: int, level: float = LEVEL) -> Floats:
    """Return by tournament the round at which a rule stops, NaN if it never does.

    `leads` are rounds x tournaments; `least` is the variance of a round of pure chance.
    """
    rule = sign_rule if version == 1 else boundaries
    found = np.full(leads.shape[1], np.nan)
    for look in itertools.count(1):
        rounds = rule.look_rounds(look)
        if rounds > len(leads):
            return found
        part = leads[:rounds]
        if version == 1:
            spread = np.sqrt((part**2).sum(axis=0))
            scores = np.abs(part.sum(axis=0)) / np.maximum(spread, 1e-9)
            boundary = _two_sided((1 - level) * sign_rule.look_share(look))
        else:
            side = np.where(part.sum(axis=0) < 0, -part, part)
            scores = lead_scores(Leads(side, np.full(leads.shape[1], least)))
            boundary = look_boundary(level, look)
        found[np.isnan(found) & (scores > boundary)] = rounds
    raise AssertionError("looks have no end")


def _two_sided(chance: float) -> float:
    return -NormalDist().inv_cdf(chance / 2)


def chance_variance(seats: int, matches: int, deals: int) -> float:
    """Return what `neighbour_leads` takes for the variance of a round of pure chance."""
    return seats * (seats + 1) / 6 / math.sqrt(matches * deals)


def simulated(rounds: int, tournaments: int) -> dict[str, tuple[Floats, int, int, int]]:
    """Return leads of equally good bots, with seats, and matches and deals of a round."""
    rng = np.random.default_rng(2)
    shape = (rounds, tournaments)

    def rare(loss: float, matches: int = 1, size: int = 0) -> Floats:
        """Gains of one rank, and as rarely as it takes a loss of several, in each match."""
        cut = loss / (1 + loss)
        drawn = rng.random((*shape, size or matches))
        return np.asarray(np.where(drawn < cut, 1.0, -loss).mean(axis=2))

    return {
        "normal": (rng.standard_normal(shape) * 1.3, 4, 1, 1),
        "heavy tails (t, 3 degrees of freedom)": (rng.standard_t(3, shape), 4, 1, 1),
        "exponential": (rng.exponential(1.0, shape) - 1, 4, 1, 1),
        "two bots, one match": (rng.choice([-1.0, 1.0], shape), 2, 1, 1),
        "gains of 1, losses of 2, one match": (rare(2), 4, 1, 1),
        "gains of 1, losses of 3, one match": (rare(3), 4, 1, 1),
        "gains of 1, losses of 5, one match": (rare(5), 6, 1, 1),
        "gains of 1, losses of 3, 4 matches": (rare(3, 4), 4, 4, 1),
        "gains of 1, losses of 3, 16 matches": (rare(3, 16), 4, 16, 4),
        "gains of 1, losses of 3, 4 matches with the same end": (rare(3, 4, 1), 4, 4, 1),
    }


def fresh(rounds: int, tournaments: int) -> dict[str, tuple[Floats, int, int, int]]:
    """Return the same for cases that nothing was tuned on, with other seeds and shapes."""
    rng = np.random.default_rng(20_261_117)
    shape = (rounds, tournaments)

    def collapses(share: float, depth: float) -> Floats:
        """Normal leads, but in some rounds one bot collapses; the mean is 0."""
        fallen = np.where(rng.random(shape) < share, -depth, share * depth / (1 - share))
        return np.asarray(fallen + rng.standard_normal(shape) * 0.3)

    def ranked(effect: Floats, matches: int) -> Floats:
        """The ranks of two of four bots in some matches; one has an effect by round, mean 0.

        What ranks make of the effect is not 0, so that its mean is taken out.
        """
        leads = np.zeros(shape)
        for _ in range(matches):
            scores = rng.standard_normal((*shape, 4))
            scores[..., 0] += effect
            places = np.argsort(np.argsort(-scores, axis=-1), axis=-1)
            leads += (places[..., 1] - places[..., 0]) / matches
        return np.asarray(leads - leads.mean())

    def bounded() -> Floats:
        losses = np.minimum(rng.lognormal(0, 1, shape), 3.0)
        return np.asarray(losses.mean() - losses)

    return {
        "uniform": (rng.uniform(-1.5, 1.5, shape), 4, 4, 1),
        "Laplace": (rng.laplace(0, 1, shape), 4, 4, 1),
        "log-normal losses": (math.exp(0.5) - rng.lognormal(0, 1, shape), 4, 4, 1),
        "log-normal gains": (rng.lognormal(0, 1, shape) - math.exp(0.5), 4, 4, 1),
        "Gumbel losses": (np.euler_gamma - rng.gumbel(0, 1, shape), 4, 4, 1),
        "two humps": (rng.choice([-1.0, 1.0], shape) + rng.normal(0, 0.2, shape), 4, 4, 1),
        "collapse of 2 ranks in 8 % of rounds": (collapses(0.08, 2), 4, 4, 1),
        "collapse of 3 ranks in 3 % of rounds": (collapses(0.03, 3), 4, 4, 1),
        "collapse of 3 ranks in 1 % of rounds": (collapses(0.01, 3), 4, 4, 1),
        "ranks, normal effect, one match": (ranked(rng.normal(0, 1, shape), 1), 4, 1, 1),
        "ranks, exponential losses, 4 matches": (
            ranked(1 - rng.exponential(1, shape), 4),
            4,
            4,
            1,
        ),
        "ranks, exponential gains, 16 matches": (
            ranked(rng.exponential(1, shape) - 1, 16),
            4,
            16,
            4,
        ),
        "log-normal losses of at most 3 ranks": (bounded(), 4, 4, 1),
    }


def measure_errors(rounds: int, tournaments: int) -> bool:
    """Print how often equally good bots are called settled.

    Return whether it is 5 % at most, or more by no more than chance explains, where leads have
    bounds, as those of ranks have.
    """
    highest = 0.0
    for title, cases in (("as tuned", simulated), ("fresh", fresh)):
        print(f"| leads of a round, {title} | first rule | latest |\n|---|---|---|")
        for name, (leads, seats, matches, deals) in cases(rounds, tournaments).items():
            least = chance_variance(seats, matches, deals)
            wrong = [float(np.mean(~np.isnan(stops(leads, least, v)))) for v in (1, 2)]
            print(f"| {name} | {wrong[0]:.1%} | {wrong[1]:.1%} |", flush=True)
            highest = max(highest, wrong[1] if name not in UNBOUNDED else 0.0)
    return highest <= 1 - LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / tournaments)


def measure_rounds(rounds: int, tournaments: int) -> None:
    """Print how many rounds both rules take for the same leads, a few sizes of them."""
    print("| mean lead, in standard deviations of a round | first rule | latest | times fewer |")
    print("|---|---|---|---|")
    noise = np.random.default_rng(4).standard_normal((rounds, tournaments))
    for size in (0.15, 0.2, 0.3, 0.5, 1.0):
        least = chance_variance(PLAYERS, 16, 4) * 0.1
        taken = [
            float(np.nan_to_num(stops(noise + size, least, version), nan=rounds).mean())
            for version in (1, 2)
        ]
        print(f"| {size} | {taken[0]:.0f} | {taken[1]:.0f} | {taken[0] / taken[1]:.2f} |")


def deal_leads(table: OutcomeTable, pair: Sequence[int]) -> tuple[Floats, Floats]:
    """Return by deal and table the sums of both bots' ranks: where they met, and in all matches.

    Deals x tables x 2; each bot plays four matches of a deal at each of its tables.
    """
    sums = np.zeros((2, table.deal_count, 5))
    for place, bot in enumerate(pair):
        ranks = np.where(table.bots == bot, table.ranks, 0).sum(axis=1)
        np.add.at(sums[place], (table.deals, table.tables), ranks)
    played = np.moveaxis(sums, 0, 2)
    return played * (played > 0).all(axis=2, keepdims=True), played


def round_leads(played: Floats, drawn: Ints) -> Floats:
    """Return leads by round and tournament. `drawn`: the deal of each, or of each at each table."""
    if drawn.ndim == 2:
        drawn = drawn[:, :, None]
    picked = played[drawn, np.arange(played.shape[1])]
    counts = PLAYERS * (played[0] > 0).sum(axis=0)
    totals = picked.sum(axis=2) / counts
    return np.asarray(totals[..., 1] - totals[..., 0])


def measure_fields(fields: Path, rounds: int, tournaments: int) -> None:
    """Print errors and rounds for all pairs of bots of the fields that were played."""
    print("| field, bots | lead | wrong, centred | rounds | fewer |\n|---|---|---|---|---|")
    for path in sorted(fields.glob("*.npz")):
        table = load_field(path)
        for pair in itertools.combinations(range(len(table.names)), 2):
            rng = np.random.default_rng(3)
            shared = rng.integers(0, table.deal_count, (rounds, tournaments))
            own = rng.integers(0, table.deal_count, (rounds, tournaments, 5))
            met, everything = deal_leads(table, pair)
            lead = round_leads(everything, np.arange(table.deal_count)[:, None]).mean()
            met_lead = round_leads(met, np.arange(table.deal_count)[:, None]).mean()
            wrong, taken = [], []
            for version, played, drawn, truth, deals in (
                (1, met, shared, met_lead, 1),
                (2, everything, shared, lead, 1),
                (2, everything, own, lead, 4),
            ):
                leads, least = round_leads(played, drawn), chance_variance(PLAYERS, 16, deals)
                wrong.append(np.mean(~np.isnan(stops(leads - truth, least, version))))
                stopped = stops(leads, least, version)
                taken.append(float(np.nan_to_num(stopped, nan=rounds).mean()))
            names = " – ".join(table.names[bot] for bot in pair)
            print(
                f"| {path.stem}, {names} | {lead:+.2f} | {' '.join(f'{w:.1%}' for w in wrong)} "
                f"| {' '.join(f'{t:.0f}' for t in taken)} "
                f"| {taken[0] / taken[1]:.2f} {taken[0] / taken[2]:.2f} |",
                flush=True,
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 if a rule errs more often than it may."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stopping", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=2000, metavar="N")
    parser.add_argument("--rounds", type=int, default=640, metavar="N")
    parser.add_argument("--fields", type=Path, metavar="DIR")
    args = parser.parse_args(arguments)
    is_met = measure_errors(args.rounds, args.tournaments)
    measure_rounds(args.rounds, args.tournaments)
    if args.fields is not None:
        measure_fields(args.fields, args.rounds, args.tournaments)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
