"""Tournaments of simulated bots, whose strength is known, by real schedules."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Mapping, Sequence

from arena.referee.faults import Fault, SeatFault
from arena.schedule.plan import Deals, Rotation, SchedulePlan
from arena.schedule.schedule import make_schedule
from arena.storage.records import (
    BotRecord,
    FixtureRecord,
    MatchReport,
    SeatTimes,
    StoredMatch,
    TournamentRecord,
)

LUCK = 30.0
NOISE = 25.0
TIMES = SeatTimes(10, 0.5, 0.2, 0.01)


def rank(scores: Sequence[int]) -> tuple[int, ...]:
    ordered = sorted(scores, reverse=True)
    return tuple(1 + ordered.index(score) for score in scores)


def tournament_of(names: Iterable[str], players: int) -> TournamentRecord:
    return TournamentRecord(
        name="cup",
        config="",
        game="byzanz",
        options={},
        players=players,
        seed=bytes(32),
        seed_text="7",
        salt=bytes(32),
        bots=tuple(BotRecord(name, "1") for name in names),
        created="2026-01-01T00:00:00+00:00",
    )


def stored(
    fixture: FixtureRecord,
    scores: Sequence[int],
    forfeits: Sequence[Fault | None] = (),
    faults: Sequence[SeatFault] = (),
    ranks: Sequence[int] = (),
) -> StoredMatch:
    seats = len(fixture.bots)
    report = MatchReport(
        match=fixture.match,
        scores=tuple(scores),
        ranks=tuple(ranks) or rank(scores),
        forfeits=tuple(forfeits) or (None,) * seats,
        faults=tuple(faults),
        times=(TIMES,) * seats,
        moves=10 * seats,
        replay="",
    )
    return StoredMatch(fixture, report)


def plan_of(
    names: Iterable[str],
    players: int,
    rounds: int,
    rotation: Rotation = Rotation.CYCLIC,
    deals: Deals = Deals.SHARED,
) -> SchedulePlan:
    bots = tuple(BotRecord(name, "1") for name in names)
    return SchedulePlan(bots, players, rounds, rotation=rotation, deals=deals)


@functools.lru_cache(maxsize=8)
def fixtures_of(plan: SchedulePlan) -> tuple[FixtureRecord, ...]:
    return make_schedule(plan).fixtures


def simulate(
    strengths: Mapping[str, float],
    plan: SchedulePlan,
    seed: int,
    luck: float = LUCK,
    noise: float = NOISE,
) -> list[StoredMatch]:
    """Return what becomes of a schedule when a score is strength + luck of the deal + noise.

    A deal's luck has a part that all seats share and one for each seat.
    """
    chance = random.Random(seed)
    lots: dict[int, list[float]] = {}
    matches = []
    for fixture in fixtures_of(plan):
        if fixture.deal not in lots:
            shared = chance.gauss(100, luck)
            lots[fixture.deal] = [shared + chance.gauss(0, luck) for _ in fixture.bots]
        scores = [
            round(strengths[bot] + lot + chance.gauss(0, noise))
            for bot, lot in zip(fixture.bots, lots[fixture.deal], strict=True)
        ]
        matches.append(stored(fixture, scores))
    return matches
