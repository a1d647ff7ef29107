"""The leaderboard of a tournament, made from its outcomes."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arena.rating.blocks import measure_reduction
from arena.rating.comparisons import Comparisons
from arena.rating.estimates import mean_rank_estimate, mean_score_estimate
from arena.rating.leaderboard import (
    BotTiming,
    FaultReason,
    Interval,
    Lead,
    Leaderboard,
    Meeting,
    Order,
    Standing,
)
from arena.rating.mix import MixShare, hardest_mix
from arena.rating.ordering import Ordering, order_bots
from arena.rating.ratings import Progress, ShuffledRatings, make_model, rate_shuffled
from arena.rating.statistics import (
    OutcomeTable,
    counting_matches,
    sum_deals,
    sum_pairs,
    tabulate,
)
from arena.referee.faults import Fault
from arena.storage.records import FixtureRecord, StoredMatch, TournamentRecord

MAX_REASONS = 3
"""So many reasons for faults are listed of a bot, the most frequent ones."""


DEFAULT_MODEL = "trueskill"
"""The rating of the project; bots are not ordered by it, but by how they finish."""


def make_leaderboard(
    tournament: TournamentRecord,
    matches: Sequence[StoredMatch],
    *,
    scheduled: int,
    parked: Sequence[FixtureRecord] = (),
    model: str = DEFAULT_MODEL,
    settled_after: int | None = None,
    on_progress: Progress | None = None,
) -> Leaderboard:
    """Return the leaderboard after these matches, which are in canonical order.

    A pure function of its arguments. `scheduled` is the number of matches of the whole schedule;
    `parked` are the matches that were given up: their blocks do not count. Raises InputError for a
    model that is unknown or not installed.

    Ordered as `order_bots` says, with another model than the usual one by its rating; then by
    name. Bots with exactly the same number share a rank. Bots without a match come last, with the
    ratings that the model starts with and means of 0.
    """
    counting = counting_matches(matches, parked)
    key = hashlib.sha256(tournament.salt + tournament.seed).digest()  # published before play
    ratings = rate_shuffled(counting, model, key, on_progress)
    table = tabulate(counting, [bot.name for bot in tournament.bots])
    ordering = order_bots(table)
    order = ordering.order if ordering is not None else Order.MEAN_RANK
    if model != DEFAULT_MODEL:
        order = Order.RATING
    unordered = _make_standings(tournament, counting, table, ratings, ordering, model)
    mix = {bot.name: bot for bot in hardest_mix(table).bots}
    unordered = [_add_mix(bot, mix[bot.name]) if bot.name in mix else bot for bot in unordered]
    return Leaderboard(
        tournament=tournament.name,
        game=tournament.game,
        players=tournament.players,
        matches=len(counting),
        scheduled=scheduled,
        blocks=table.block_count,
        deals=table.deal_count,
        seed=tournament.seed_text,
        model=model,
        draw_probability=ratings.draw_probability,
        bots=_rank(unordered, order, ordering),
        meetings=make_meetings(table, ordering),
        variance=measure_reduction(table),
        parked=tuple(fixture.match for fixture in parked),
        settled_after=settled_after,
        order=order,
        passes=ratings.passes,
    )


def make_meetings(
    table: OutcomeTable, ordering: Ordering | None
) -> Mapping[tuple[str, str], Meeting]:
    """Return how each bot did against each other bot it met, by names."""
    sums = sum_pairs(table)
    meetings = {}
    for place, pair in enumerate(sums.pairs):
        first, second = (table.names[bot] for bot in pair)
        above, equal, below = (int(count[place]) for count in (sums.above, sums.equal, sums.below))
        difference = ordering.comparisons.difference(*pair) if ordering is not None else None
        sure = None if difference is None else round(difference.probability, 4)
        meetings[first, second] = Meeting(above, equal, below, sure)
        other = None if sure is None else round(1 - sure, 4)
        meetings[second, first] = Meeting(below, equal, above, other)
    return dict(sorted(meetings.items()))


@dataclass(slots=True)
class _Misdeeds:
    """What a bot did wrong, as far as it has been counted."""

    faults: Counter[Fault] = field(default_factory=Counter)
    details: Counter[tuple[str, str]] = field(default_factory=Counter)
    forfeits: int = 0

    def by_fault(self) -> dict[str, int]:
        """Return how often each kind of fault happened, those that did not happen too."""
        return {fault.value: self.faults[fault] for fault in Fault}

    def reasons(self) -> tuple[FaultReason, ...]:
        """Return the most frequent reasons; of equally frequent ones the first by name."""
        ordered = sorted(self.details.items(), key=lambda item: (-item[1], item[0]))
        return tuple(FaultReason(*reason, count) for reason, count in ordered[:MAX_REASONS])


def _make_standings(
    tournament: TournamentRecord,
    matches: Sequence[StoredMatch],
    table: OutcomeTable,
    ratings: ShuffledRatings,
    ordering: Ordering | None,
    model: str,
) -> list[Standing]:
    """Return the lines in no order, all with rank 0."""
    misdeeds = _count_misdeeds(matches)
    rank_counts = _count_ranks(table, tournament.players)
    sums = sum_deals(table)
    start = make_model(model)
    beginner = start.rating(start.start())
    by_rank = Comparisons(mean_rank_estimate(table), is_low_best=True)
    by_score = Comparisons(mean_score_estimate(table), is_low_best=False)
    add_strength = _strengths(ordering, tournament.players) if ordering is not None else None
    standings = []
    for entrant in tournament.bots:
        bot = table.names.index(entrant.name)
        rating = ratings.ratings.get(entrant.name, beginner)
        wrong = misdeeds.get(entrant.name, _Misdeeds())
        count = int(sums.matches[:, bot].sum())
        standing = Standing(
            rank=0,  # until they are in order
            name=entrant.name,
            version=entrant.version,
            rating=round(rating.rating, 4),
            mu=round(rating.mu, 4),
            sigma=round(rating.sigma, 4),
            matches=count,
            wins=rank_counts[bot][0],
            mean_rank=round(float(sums.ranks[:, bot].sum()) / max(count, 1), 4),
            mean_rank_ci95=_of_ranks(by_rank.interval(bot), tournament.players),
            mean_score=round(float(sums.scores[:, bot].sum()) / max(count, 1), 4),
            mean_score_ci95=_rounded(by_score.interval(bot)),
            rank_counts=rank_counts[bot],
            faults=wrong.by_fault(),
            forfeits=wrong.forfeits,
            reasons=wrong.reasons(),
        )
        if add_strength is not None and count:
            standing = add_strength(standing, bot)
        if ratings.passes > 1 and count:
            standing = replace(standing, order_spread=round(ratings.spread[entrant.name], 4))
        standings.append(standing)
    return standings


def _strengths(ordering: Ordering, players: int) -> Callable[[Standing, int], Standing]:
    """Return what adds the rank set to a line, and what Plackett-Luce says."""
    model = ordering.model
    by_rank = Comparisons(model.expected_rank, is_low_best=True)
    by_strength = Comparisons(model.strength, is_low_best=False)

    def add(standing: Standing, bot: int) -> Standing:
        bounded = bool(model.is_bounded[bot])
        return replace(
            standing,
            rank_set=ordering.comparisons.rank_sets[bot],
            expected_rank=round(float(model.expected_rank.values[bot]), 4),
            expected_rank_ci95=_of_ranks(by_rank.interval(bot), players),
            strength=round(float(model.strength.values[bot]), 4),
            strength_ci95=_rounded(by_strength.interval(bot)) if bounded else None,
        )

    return add


def _add_mix(standing: Standing, mix: MixShare) -> Standing:
    return replace(standing, mix_weight=mix.weight, mix_share=mix.share, mix_share_ci95=mix.ci95)


def _of_ranks(interval: Interval | None, players: int) -> Interval | None:
    """Return what of an interval can be a mean rank, rounded."""
    if interval is None:
        return None
    return _rounded((max(interval[0], 1.0), min(interval[1], float(players))))


def _rounded(interval: Interval | None) -> Interval | None:
    return None if interval is None else (round(interval[0], 4), round(interval[1], 4))


def _rank(
    standings: Iterable[Standing], order: Order, ordering: Ordering | None
) -> tuple[Standing, ...]:
    """Return the standings in order, with their ranks and how far each is ahead of the next."""

    def key(bot: Standing) -> tuple[bool, float]:
        match order:
            case Order.MEAN_RANK:
                return not bot.matches, bot.mean_rank
            case Order.EXPECTED_RANK:
                return not bot.matches, bot.expected_rank or 0.0
        return not bot.matches, -bot.rating

    ranked: list[Standing] = []
    ordered = sorted(standings, key=lambda bot: (*key(bot), bot.mean_rank, bot.name))
    for place, bot in enumerate(ordered, start=1):
        last = ranked[-1] if ranked else None
        ties = last is not None and key(last) == key(bot)
        ahead = _lead(bot, ordered[place], ordering) if place < len(ordered) else None
        rank = last.rank if last is not None and ties else place
        ranked.append(replace(bot, rank=rank, ahead=ahead))
    return tuple(ranked)


def _lead(bot: Standing, other: Standing, ordering: Ordering | None) -> Lead | None:
    """Return how far a bot is ahead of another; None if one has not played."""
    if ordering is None or not other.matches:
        return None
    estimate = ordering.comparisons.estimate
    first, second = estimate.names.index(bot.name), estimate.names.index(other.name)
    difference = ordering.comparisons.difference(first, second)
    by = float(estimate.values[second] - estimate.values[first])
    ends = None if difference is None else _rounded(difference.interval)
    return Lead(other.name, round(by, 4), ends)


def _count_ranks(table: OutcomeTable, players: int) -> list[tuple[int, ...]]:
    """Return by bot how often it had each rank."""
    bots = len(table.names)
    cell = (table.bots * players + table.ranks - 1).ravel()
    counts = np.bincount(cell, minlength=bots * players).reshape(bots, players)
    return [tuple(int(count) for count in row) for row in counts]


def _count_misdeeds(matches: Iterable[StoredMatch]) -> Mapping[str, _Misdeeds]:
    misdeeds: defaultdict[str, _Misdeeds] = defaultdict(_Misdeeds)
    for match in matches:
        bots, report = match.fixture.bots, match.report
        for fault in report.faults:
            wrong = misdeeds[bots[fault.seat]]
            wrong.faults[fault.fault] += 1
            wrong.details[fault.fault.value, fault.detail] += 1
        for bot, forfeit in zip(bots, report.forfeits, strict=True):
            if forfeit is not None:
                misdeeds[bot].forfeits += 1
    return misdeeds


def timings(matches: Iterable[StoredMatch]) -> tuple[BotTiming, ...]:
    """Return how long each bot thought, by name. The means are over decisions."""
    decisions: Counter[str] = Counter()
    used: defaultdict[str, float] = defaultdict(float)
    delay: defaultdict[str, float] = defaultdict(float)
    slowest: defaultdict[str, float] = defaultdict(float)
    for match in matches:
        for bot, seat in zip(match.fixture.bots, match.report.times, strict=True):
            decisions[bot] += seat.decisions
            used[bot] += seat.used_s
            delay[bot] += seat.delay_s
            slowest[bot] = max(slowest[bot], seat.slowest_s)
    return tuple(
        BotTiming(
            bot,
            count,
            round(1000 * used[bot] / max(count, 1), 4),
            round(1000 * slowest[bot], 4),
            round(1000 * delay[bot] / max(count, 1), 4),
        )
        for bot, count in sorted(decisions.items())
    )
