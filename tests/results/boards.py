"""Leaderboards to show: ordinary ones and those with texts that mean harm."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.rating.leaderboard import (
    BotTiming,
    FaultReason,
    Lead,
    Leaderboard,
    Meeting,
    Order,
    Standing,
    VarianceReduction,
)
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault
from arena.results.page import PageFacts
from arena.storage.records import FixtureRecord, MatchReport, StoredMatch

HOSTILE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "abc\u202edcba\u2066",
    "W" * 64,
    "漢" * 64,
    "=HYPERLINK(1)",
    "`a|b` [x](y) www.example.com",
    "line\nbreak\x1b[31m\x00",
)

FACTS = PageFacts(
    created="2031-02-03T04:05:06+00:00",
    arena="1.2.3",
    commitment="ab" * 32,
    salt="cd" * 32,
    config='[tournament]\nname = "cup"  # <b>\n\trounds = 50\n',
    parked={"17-3": "the <i>arena</i> failed"},
    ended="2031-02-03T05:25:41+00:00",
    control=TimeControl(),
)


def make_board(
    names: Sequence[str] | int = 4,
    *,
    players: int = 4,
    deals: int = 50,
    idle: int | None = None,
    parked: tuple[str, ...] = (),
) -> Leaderboard:
    """Return a leaderboard; the bot at place `idle` never played."""
    if isinstance(names, int):
        names = [f"bot-{n}" for n in range(names)]
    matches = deals * 12
    bots = tuple(
        _standing(place, name, 0 if place == idle else matches, players, deals)
        for place, name in enumerate(names)
    )
    total = matches * len(bots) // players
    return Leaderboard(
        tournament="cup",
        game="byzanz",
        players=players,
        matches=total,
        scheduled=total + len(parked),
        blocks=total // 12,
        deals=deals,
        seed="7",
        model="trueskill",
        draw_probability=0.0213,
        bots=bots,
        meetings={
            (a.name, b.name): _meeting(a, b, deals)
            for a in bots
            for b in bots
            if a is not b and a.matches and b.matches
        },
        variance=VarianceReduction(2.31, 1.31, (1.9, 2.8)) if deals >= 10 else None,
        parked=parked,
        order=Order.MEAN_RANK,
        passes=8,
    )


def make_timings(board: Leaderboard) -> list[BotTiming]:
    return [
        BotTiming(bot.name, bot.matches * 20, 1.5 * bot.rank, 90.0 * bot.rank, 0.21)
        for bot in board.bots
        if bot.matches
    ]


def make_replays(board: Leaderboard, count: int = 12) -> list[StoredMatch]:
    """Return matches in which the bots, four deals each, sit down and finish in turn."""
    names = [bot.name for bot in board.bots if bot.matches]
    players = min(board.players, len(names))
    return [
        _match(n, tuple(names[(n + k) % len(names)] for k in range(players))) for n in range(count)
    ]


def _match(index: int, bots: tuple[str, ...]) -> StoredMatch:
    block, seating = divmod(index, 4)
    fixture = FixtureRecord(
        index, f"{block + 1}-{seating + 1}", block + 1, 1, 1, block + 1, seating, bots
    )
    scores = tuple(10 - 7 * seat + index for seat in range(len(bots)))
    ranks = tuple(range(1, len(bots) + 1))
    forfeits = (None,) * len(bots)
    return StoredMatch(fixture, MatchReport(fixture.match, scores, ranks, forfeits, (), (), 99, ""))


def _standing(place: int, name: str, matches: int, players: int, deals: int) -> Standing:
    counts = [matches // players] * players
    counts[place % players] += matches % players
    mean_rank = 1.5 + 0.01 * place if matches else 0.0
    mean_score = 20.25 - 7 * place if matches else 0.0
    mu, sigma = (round(30 - 1.25 * place, 4), 1.0625) if matches else (25.0, 8.3333)
    has_interval = deals >= 10 and matches
    fails = place % 3 == 1 and matches
    return Standing(
        rank=place + 1,
        name=name,
        version=("1.0", "", "<i>2</i>")[place % 3],
        rating=round(mu - 3 * sigma, 4),
        mu=mu,
        sigma=sigma,
        matches=matches,
        wins=counts[0],
        mean_rank=mean_rank,
        mean_rank_ci95=(mean_rank - 0.05, mean_rank + 0.07) if has_interval else None,
        mean_score=mean_score,
        mean_score_ci95=(mean_score - 1.5, mean_score + 2.5) if has_interval else None,
        rank_counts=tuple(counts),
        faults={fault.value: 3 if fails and fault is Fault.TIMEOUT else 0 for fault in Fault},
        forfeits=1 if fails else 0,
        reasons=(FaultReason("timeout", "no <b>answer</b>\x1b[0m" + "!" * 300, 3),)
        if fails
        else (),
        rank_set=(max(1, place), place + 2) if has_interval else None,
        ahead=Lead("bot-1", 0.01, (-0.02, 0.04) if has_interval else None) if matches else None,
        expected_rank=mean_rank if matches else None,
        expected_rank_ci95=(mean_rank - 0.05, mean_rank + 0.07) if has_interval else None,
        strength=1.5 - place if matches else None,
        strength_ci95=(1.25 - place, 1.75 - place) if has_interval and place else None,
        order_spread=0.125 if matches else None,
        mix_weight=float(place == 0) if has_interval else None,
        mix_share=round(0.5 - place / 100, 4) if has_interval else None,
        mix_share_ci95=(0.25, 0.75) if has_interval and place else None,
    )


def _meeting(a: Standing, b: Standing, deals: int) -> Meeting:
    share = 1 / (1 + math.exp((b.mu - a.mu) / 4))
    above = round(38 * share) if a.rank < b.rank else 38 - round(38 * (1 - share))
    sure = min(1.0, max(0.0, 0.5 + (a.mu - b.mu) / 4))
    return Meeting(above, 2, 38 - above, round(sure, 4) if deals >= 10 else None)
