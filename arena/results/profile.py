"""One bot's tournament: its matches, its faults, its best and worst deals, and against whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from arena.rating.leaderboard import Meeting
from arena.referee.faults import Fault, SeatFault
from arena.storage.records import StoredMatch


@dataclass(frozen=True, slots=True)
class BotMatch:
    """One match as it went for the bot."""

    match: str
    deal: int
    bots: tuple[str, ...]  # by seat
    seat: int
    score: int
    rank: int
    forfeit: Fault | None
    faults: tuple[SeatFault, ...]
    lead: float  # its score above the average of the table


@dataclass(frozen=True, slots=True)
class DealSummary:
    """How the bot did on one deal, over all its seatings and tables."""

    deal: int
    matches: int
    mean_rank: float
    mean_lead: float


@dataclass(frozen=True, slots=True)
class FaultSummary:
    """A kind of fault with its reason, how often, and where it happened first."""

    fault: Fault
    detail: str
    count: int
    forfeits: int
    match: str
    move: int


@dataclass(frozen=True, slots=True)
class BotProfile:
    """Everything about one bot that its matches tell."""

    name: str
    matches: tuple[BotMatch, ...]  # in canonical order
    deals: tuple[DealSummary, ...]  # best first: by mean rank, then lead
    faults: tuple[FaultSummary, ...]  # most frequent first
    others: tuple[tuple[str, Meeting], ...]  # by name, those it does best against first


def make_profile(matches: Iterable[StoredMatch], bot: str) -> BotProfile:
    """Return a bot's profile; `matches` are all of the tournament, in canonical order."""
    own = [stored for stored in matches if bot in stored.fixture.bots]
    played = [_bot_match(stored, bot) for stored in own]
    return BotProfile(bot, tuple(played), _deals(played), _faults(played), _others(own, bot))


def _bot_match(stored: StoredMatch, bot: str) -> BotMatch:
    fixture, report = stored.fixture, stored.report
    seat = fixture.bots.index(bot)
    return BotMatch(
        match=fixture.match,
        deal=fixture.deal,
        bots=fixture.bots,
        seat=seat,
        score=report.scores[seat],
        rank=report.ranks[seat],
        forfeit=report.forfeits[seat],
        faults=tuple(fault for fault in report.faults if fault.seat == seat),
        lead=report.scores[seat] - fmean(report.scores),
    )


def _deals(played: Iterable[BotMatch]) -> tuple[DealSummary, ...]:
    by_deal: defaultdict[int, list[BotMatch]] = defaultdict(list)
    for match in played:
        by_deal[match.deal].append(match)
    summaries = [
        DealSummary(
            deal=deal,
            matches=len(matches),
            mean_rank=round(fmean(match.rank for match in matches), 4),
            mean_lead=round(fmean(match.lead for match in matches), 4),
        )
        for deal, matches in by_deal.items()
    ]
    return tuple(sorted(summaries, key=lambda deal: (deal.mean_rank, -deal.mean_lead, deal.deal)))


def _faults(played: Iterable[BotMatch]) -> tuple[FaultSummary, ...]:
    counts: Counter[tuple[Fault, str]] = Counter()
    forfeits: Counter[tuple[Fault, str]] = Counter()
    first: dict[tuple[Fault, str], tuple[str, int]] = {}
    for match in played:
        for fault in match.faults:
            kind = (fault.fault, fault.detail)
            counts[kind] += 1
            forfeits[kind] += fault.forfeited
            first.setdefault(kind, (match.match, fault.move))
    summaries = [
        FaultSummary(*kind, count, forfeits[kind], *first[kind]) for kind, count in counts.items()
    ]
    return tuple(sorted(summaries, key=lambda kind: (-kind.count, kind.fault.value, kind.detail)))


def _others(matches: Iterable[StoredMatch], bot: str) -> tuple[tuple[str, Meeting], ...]:
    above: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for stored in matches:
        bots, ranks = stored.fixture.bots, stored.report.ranks
        mine = ranks[bots.index(bot)]
        for name, rank in zip(bots, ranks, strict=True):
            if name != bot:
                count = above if mine < rank else below if mine > rank else equal
                count[name] += 1
    names = {*above, *equal, *below}
    found = [(name, Meeting(above[name], equal[name], below[name])) for name in names]
    return tuple(sorted(found, key=lambda other: (-other[1].share, other[0])))
