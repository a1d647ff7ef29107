"""Tournaments of five bots with all that makes statistics hard, many at a time.

Four at a table, all five tables in all four seatings on each deal. What a bot scores is the luck of
its seat in the deal, and what the world adds to it; the truth is known or measured.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from arena.rating.comparisons import Comparisons
from arena.rating.estimates import Estimate, mean_rank_estimate
from arena.rating.mix import hardest_mix
from arena.rating.plackett_luce import fit
from arena.rating.statistics import Floats, Ints, OutcomeTable

BOTS, SEATS = 5, 4
TABLES = tuple(itertools.combinations(range(BOTS), SEATS))
SEATINGS = np.array([np.roll(table, -turn) for table in TABLES for turn in range(SEATS)])

WORLDS = {
    "equal": "five equal bots",
    "seats": "seats worth up to 1.6 standard deviations",
    "variances": "noise from 0.2 to 3 standard deviations, by bot",
    "heavy": "bot × deal effects with two degrees of freedom, rare and large",
    "skew": "exponential bot × deal effects, one bot up, one down",
    "bot × deal": "each bot likes some deals and not others",
    "close": "bots 0.1 standard deviations apart",
    "spread": "from 2 standard deviations above to 2 below",
    "dominant": "one bot that wins nearly everything",
    "all": "seats, variances, bot × deal effects and skew at once",
}
ALIKE = {"equal", "seats", "heavy", "bot × deal"}  # worlds with no better and no worse bots
HARD = {
    "collapse 8 %": "a bot that collapses in 8 % of deals, and is a little better in others",
    "collapse 20 %": "the same in 20 % of deals",
    "always first": "one bot that is not first in one match of a hundred",
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals contained the truth."""

    alone: float  # mean ranks
    pairs: float  # differences of two
    every: float  # all differences of a tournament at once, and so all rank sets


def play(world: str, chance: np.random.Generator, tournaments: int, deals: int) -> Ints:
    """Return ranks: tournaments x deals x matches x seats."""
    shape = tournaments, deals
    strength, noise = np.zeros(BOTS), np.ones(BOTS)
    effect = np.zeros((*shape, BOTS))
    seat = np.zeros(SEATS)
    match world:
        case "seats":
            seat = np.array([0.8, 0.3, -0.3, -0.8])
        case "variances":
            noise = np.geomspace(0.2, 3, BOTS)
        case "heavy":
            large = np.where(chance.random(effect.shape) < 0.15, 4, 0.05)
            effect = chance.standard_t(2, effect.shape) * large
        case "skew":
            effect[..., 0] = 1.5 - chance.exponential(1.5, shape)
            effect[..., 1] = chance.exponential(1.5, shape) - 1.5
        case "bot × deal":
            effect = chance.normal(0, 1.2, effect.shape)
        case "close":
            strength = np.linspace(0.2, -0.2, BOTS)
        case "spread":
            strength = np.array([2.0, 1.0, 0.0, 0.0, -2.0])
        case "dominant":
            strength = np.array([4.5, 0.3, 0.0, 0.0, -0.3])
        case "always first":
            strength = np.array([5.5, 0.3, 0.0, 0.0, -0.3])
        case "all":
            seat = np.array([0.8, 0.3, -0.3, -0.8])
            noise = np.geomspace(0.5, 2, BOTS)
            effect = chance.normal(0, 0.8, effect.shape)
            effect[..., 0] += 1 - chance.exponential(1.0, shape)
        case "collapse 8 %" | "collapse 20 %":
            share = 0.08 if world == "collapse 8 %" else 0.2
            effect[..., 0] = np.where(chance.random(shape) < share, -6, 0.25)
    lots = chance.normal(0, 1, (*shape, SEATS)) + seat
    ranks = np.empty((*shape, len(SEATINGS), SEATS), np.int64)
    for number, bots in enumerate(SEATINGS):
        luck = noise[bots] * chance.normal(size=lots.shape)
        scores = strength[bots] + lots + effect[..., bots] + luck
        # Nobody draws. Comparing with each of so few seats takes a third of the time of sorting.
        ranks[:, :, number] = sum(scores[..., [other]] >= scores for other in range(SEATS))
    return ranks


@functools.cache
def true_mean_ranks(world: str) -> Floats:
    """Return the mean ranks over very many deals."""
    if world in ALIKE:
        return np.full(BOTS, (SEATS + 1) / 2)
    sums, chance = np.zeros(BOTS), np.random.Generator(np.random.PCG64(99))
    for _ in range(10):
        ranks = play(world, chance, 1, 4000)
        sums += np.bincount(np.tile(SEATINGS.ravel(), 4000), ranks.ravel(), BOTS)
    return np.asarray(sums / (10 * 4000 * len(SEATINGS) * SEATS / BOTS))


def tables(world: str, tournaments: int, deals: int, seed: int) -> Iterator[OutcomeTable]:
    """Yield the outcomes of so many tournaments."""
    chance = np.random.Generator(np.random.PCG64(seed))
    size = len(SEATINGS)
    for ranks in play(world, chance, tournaments, deals):
        rows = ranks.reshape(-1, SEATS)
        yield OutcomeTable(
            tuple("abcde"),
            np.tile(SEATINGS, (deals, 1)),
            rows,
            -rows,
            np.repeat(np.arange(deals), size),
            np.arange(deals * size) // SEATS,
            np.tile(np.arange(size) // SEATS, deals),
        )


def own_deals(table: OutcomeTable) -> OutcomeTable:
    """Return of each deal one table in turn, as when every table has deals of its own."""
    rows = table.tables == table.deals % len(TABLES)
    names = ("bots", "ranks", "scores", "deals", "blocks", "tables")
    return replace(table, **{name: getattr(table, name)[rows] for name in names})


def measure_coverage(
    world: str, deals: int, tournaments: int, seed: int = 1, *, shared: bool = True
) -> Coverage:
    """Return how often the intervals of mean ranks contain the truth.

    Deals that all tables share, or so many of each table's own.
    """
    truth = true_mean_ranks(world)
    if shared:
        played = tables(world, tournaments, deals, seed)
    else:
        played = map(own_deals, tables(world, tournaments, len(TABLES) * deals, seed))
    found = [
        _covered(Comparisons(mean_rank_estimate(table), is_low_best=True), truth)
        for table in played
    ]
    return Coverage(*(float(share) for share in np.mean(found, axis=0)))


def measure_strengths(world: str, deals: int, tournaments: int, seed: int = 1) -> float:
    """Return how often intervals of differences in Plackett-Luce strength contain the truth."""
    return float(
        np.mean(
            [
                _covered(Comparisons(fit(table).strength, is_low_best=False), _strengths(world))[1]
                for table in tables(world, tournaments, deals, seed)
            ]
        )
    )


def measure_mix(world: str, deals: int, tournaments: int, seed: int = 1) -> float:
    """Return how often intervals of shares against the hardest mix contain the truth.

    The truth is what a bot's share against that mix is in the long run.
    """
    truth, covered = _shares(world), []
    for table in tables(world, tournaments, deals, seed):
        mix = sorted(hardest_mix(table).bots, key=lambda bot: bot.name)
        expected = truth @ [bot.weight for bot in mix]
        for bot, share in zip(mix, expected, strict=True):
            if bot.ci95 is not None:
                covered.append(bot.ci95[0] <= share <= bot.ci95[1])
    return float(np.mean(covered))


@functools.cache
def _shares(world: str) -> Floats:
    """Return the share of meetings in which one bot ends above another in the long run."""
    (table,) = tables(world, 1, 5000, 77)
    above, met = np.zeros(BOTS * BOTS), np.zeros(BOTS * BOTS)
    for a, b in itertools.permutations(range(SEATS), 2):
        cell = table.bots[:, a] * BOTS + table.bots[:, b]
        above += np.bincount(cell, table.ranks[:, a] < table.ranks[:, b], BOTS * BOTS)
        met += np.bincount(cell, minlength=BOTS * BOTS)
    return np.where(met > 0, above / np.maximum(met, 1), 0.5).reshape(BOTS, BOTS)


@functools.cache
def _strengths(world: str) -> Floats:
    """Return what the model's strengths are in the long run, whether it is true or not."""
    if world in ALIKE:
        return np.zeros(BOTS)
    (table,) = tables(world, 1, 5000, 77)
    return fit(table).strength.values


def _covered(comparisons: Comparisons, truth: Floats) -> tuple[float, float, bool]:
    estimate: Estimate = comparisons.estimate
    limit = comparisons.max_t(list(range(BOTS)))
    alone = [
        ends is not None and ends[0] <= truth[bot] <= ends[1]
        for bot in range(BOTS)
        for ends in [comparisons.interval(bot)]
    ]
    pairs, every = [], True
    for a, b in itertools.combinations(range(BOTS), 2):
        difference = comparisons.difference(a, b)
        assert difference is not None
        wrong = abs(estimate.values[a] - estimate.values[b] - truth[a] + truth[b])
        low, high = difference.interval
        pairs.append(wrong <= (high - low) / 2)
        every &= bool(wrong <= limit * difference.error)
    return float(np.mean(alone)), float(np.mean(pairs)), every
