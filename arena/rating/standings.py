"""The leaderboard of a tournament, made from its outcomes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arena.rating.blocks import measure_reduction
from arena.rating.bootstrap import lead_probabilities, mean_intervals
from arena.rating.leaderboard import (
    BotTiming,
    FaultReason,
    Leaderboard,
    Meeting,
    Standing,
)
from arena.rating.models import Rating
from arena.rating.ratings import Progress, Rater
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


def make_leaderboard(  # noqa: PLR0913 - all but two are named, and have defaults
    tournament: TournamentRecord,
    matches: Sequence[StoredMatch],
    *,
    scheduled: int,
    parked: Sequence[FixtureRecord] = (),
    model: str = "trueskill",
    settled_after: int | None = None,
    rater: Rater | None = None,
    on_progress: Progress | None = None,
) -> Leaderboard:
    """Return the leaderboard after these matches, which are in canonical order.

    A pure function of its arguments, whatever `rater` has seen: one that lives as long as its
    tournament only saves time, and brings its own model. `scheduled` is the number of matches of
    the whole schedule; `parked` are the matches that were given up: their blocks do not
    count. Raises InputError for a model that is unknown or not installed.

    Ordered by rating, then mean rank, then name; bots that have exactly the same rating, rounded,
    share a rank. Bots without a match come last, with the ratings that the model starts with and
    means of 0.
    """
    rater = rater or Rater(model)
    counting = counting_matches(matches, parked)
    rater.replace(counting)
    ratings = rater.ratings(on_progress)
    table = tabulate(counting, [bot.name for bot in tournament.bots])
    return Leaderboard(
        tournament=tournament.name,
        game=tournament.game,
        players=tournament.players,
        matches=len(counting),
        scheduled=scheduled,
        blocks=table.block_count,
        deals=table.deal_count,
        seed=tournament.seed_text,
        model=rater.model,
        draw_probability=rater.draw_probability,
        bots=_make_standings(tournament, counting, table, ratings, rater.start()),
        meetings=make_meetings(table),
        variance=measure_reduction(table),
        parked=tuple(fixture.match for fixture in parked),
        settled_after=settled_after,
    )


def make_meetings(table: OutcomeTable) -> Mapping[tuple[str, str], Meeting]:
    """Return how each bot did against each other bot it met, by names."""
    sums = sum_pairs(table)
    meetings = {}
    for place, probability in enumerate(lead_probabilities(sums)):
        first, second = (table.names[bot] for bot in sums.pairs[place])
        above, equal, below = (int(count[place]) for count in (sums.above, sums.equal, sums.below))
        meetings[first, second] = Meeting(above, equal, below, probability)
        other = None if probability is None else round(1 - probability, 4)
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
    ratings: Mapping[str, Rating],
    start: Rating,
) -> tuple[Standing, ...]:
    misdeeds = _count_misdeeds(matches)
    rank_counts = _count_ranks(table, tournament.players)
    sums = sum_deals(table)
    intervals = mean_intervals(sums)
    standings = []
    for entrant in tournament.bots:
        bot = table.names.index(entrant.name)
        rating = ratings.get(entrant.name, start)
        wrong = misdeeds.get(entrant.name, _Misdeeds())
        count = int(sums.matches[:, bot].sum())
        standings.append(
            Standing(
                rank=0,  # until they are in order
                name=entrant.name,
                version=entrant.version,
                rating=round(rating.rating, 4),
                mu=round(rating.mu, 4),
                sigma=round(rating.sigma, 4),
                matches=count,
                wins=rank_counts[bot][0],
                mean_rank=round(float(sums.ranks[:, bot].sum()) / max(count, 1), 4),
                mean_rank_ci95=intervals[bot][0],
                mean_score=round(float(sums.scores[:, bot].sum()) / max(count, 1), 4),
                mean_score_ci95=intervals[bot][1],
                rank_counts=rank_counts[bot],
                faults=wrong.by_fault(),
                forfeits=wrong.forfeits,
                reasons=wrong.reasons(),
            )
        )
    return _rank(standings)


def _rank(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Return the standings in order and with their ranks."""

    def key(bot: Standing) -> tuple[bool, float, float, str]:
        return not bot.matches, -bot.rating, bot.mean_rank, bot.name

    ranked: list[Standing] = []
    for place, bot in enumerate(sorted(standings, key=key), start=1):
        last = ranked[-1] if ranked else None
        ties = last is not None and key(last)[:2] == key(bot)[:2]
        ranked.append(replace(bot, rank=last.rank if last is not None and ties else place))
    return tuple(ranked)


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
