"""The leaderboard as a value: bots in order, with everything that is said about them."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

Interval = tuple[float, float]


class Order(enum.Enum):
    """What bots are ordered by, as it is called in files."""

    MEAN_RANK = "mean_rank"
    EXPECTED_RANK = "expected_rank"  # by Plackett-Luce: the mean rank if all met equally often
    RATING = "rating"  # of the model, for models other than the usual one


@dataclass(frozen=True, slots=True)
class FaultReason:
    """Why a bot failed, and how often so."""

    fault: str
    detail: str
    count: int


@dataclass(frozen=True, slots=True)
class Lead:
    """How far a bot is ahead of another, in what the leaderboard is ordered by."""

    of: str  # the other
    by: float  # ranks
    ci95: Interval | None  # for this pair alone; None: too few deals, or never met


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line. Numbers are rounded to 4 decimals already."""

    rank: int  # its place; `rank_set` is what can be claimed
    name: str
    version: str
    rating: float  # mu - 3 sigma for TrueSkill
    mu: float
    sigma: float
    matches: int
    wins: int  # matches with rank 1, shared or not
    mean_rank: float
    mean_rank_ci95: Interval | None  # None with fewer than 10 deals
    mean_score: float
    mean_score_ci95: Interval | None
    rank_counts: tuple[int, ...]  # how often rank 1, 2, …
    faults: Mapping[str, int]  # every kind of fault, those that did not happen too
    forfeits: int  # matches
    reasons: tuple[FaultReason, ...]  # the most frequent ones
    rank_set: tuple[int, int] | None = None  # its best and worst rank; None: too few deals
    ahead: Lead | None = None  # of the next bot; None for the last
    expected_rank: float | None = None  # the mean rank if all met equally often; None: no match
    expected_rank_ci95: Interval | None = None
    strength: float | None = None  # of Plackett-Luce; None: no match
    strength_ci95: Interval | None = None  # None, too, for a bot that won or lost everything
    order_spread: float | None = None  # by how much mu varies with the order of matches
    mix_weight: float | None = None  # in the hardest mix; None: no match, or too few meetings
    mix_share: float | None = None  # of meetings with the mix in which it ends above; likewise
    mix_share_ci95: Interval | None = None  # None, too, for a bot that is all of the mix


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often one bot ended above another in the matches in which they met."""

    above: int
    equal: int
    below: int
    probability: float | None = None  # how sure the first is the better; None: too few deals

    @property
    def matches(self) -> int:
        """How often they met."""
        return self.above + self.equal + self.below

    @property
    def share(self) -> float:
        """The share of meetings in which the first ended above, ties half."""
        return (self.above + self.equal / 2) / self.matches


@dataclass(frozen=True, slots=True)
class VarianceReduction:
    """What playing each deal several times was worth, for differences of mean ranks."""

    factor: float  # variance with independent deals over the one there was, per match played
    matches_saved: float  # the share of matches that independent deals would have needed on top
    ci95: Interval | None = None  # of the factor; None: written by an arena that did not know


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The leaderboard of a tournament, as far as it has been played."""

    tournament: str
    game: str
    players: int
    matches: int  # that count
    scheduled: int
    blocks: int
    deals: int
    seed: str  # the text that makes the master seed again; "" until the tournament is complete
    model: str  # trueskill, openskill, plackett-luce or score
    draw_probability: float | None  # of TrueSkill, from the ties observed
    bots: tuple[Standing, ...]  # by rank
    meetings: Mapping[tuple[str, str], Meeting]  # for each ordered pair that met
    variance: VarianceReduction | None
    parked: tuple[str, ...] = ()  # matches that could not be played; their blocks do not count
    settled_after: int | None = None  # rounds, if a stopping rule ended it
    is_complete: bool = True  # nothing more will be played: only then the seed is told
    order: Order = Order.RATING
    passes: int = 1  # orders of matches over which ratings are averaged


@dataclass(frozen=True, slots=True)
class BotTiming:
    """How long a bot thought. Not reproducible, and therefore no part of the leaderboard."""

    name: str
    decisions: int
    mean_ms: float
    slowest_ms: float
    delay_ms: float  # the arena's own, a decision on average
