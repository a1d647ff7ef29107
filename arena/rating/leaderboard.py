"""The leaderboard as a value: bots in order, with everything that is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FaultReason:
    """Why a bot failed, and how often so."""

    fault: str
    detail: str
    count: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line. Numbers are rounded to 4 decimals already."""

    rank: int
    name: str
    version: str
    rating: float  # mu - 3 sigma for TrueSkill; what the model orders by
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


@dataclass(frozen=True, slots=True)
class Meeting:
    """How often one bot ended above another in the matches in which they met."""

    above: int
    equal: int
    below: int
    probability: float | None = None  # that the first is really the better; None: too few deals

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


@dataclass(frozen=True, slots=True)
class BotTiming:
    """How long a bot thought. Not reproducible, and therefore no part of the leaderboard."""

    name: str
    decisions: int
    mean_ms: float
    slowest_ms: float
    delay_ms: float  # the arena's own, a decision on average
