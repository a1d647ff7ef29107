"""Documents about tournaments: how they stand, their matches, their bots.

Made from what a host has been given to show; what the reader may not know never comes here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import fmean

from arena.games.game import Json
from arena.inert import inert
from arena.referee.clock import TimeControl
from arena.referee.faults import SeatFault, ended_by
from arena.results.profile import FaultSummary, make_profile
from arena.storage.records import BotRecord, StoredMatch
from arena.web import FORMAT

PAGE = 1_000
"""How many places of the canonical order a page of matches covers."""

_PARTS = 40
_NEWEST = 20
_DEALS = 5


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """What is known of a tournament besides its matches."""

    name: str  # in addresses
    title: str
    game: str
    players: int
    phase: str
    bots: Sequence[BotRecord]
    played: int = 0
    scheduled: int = 0
    parked: int = 0
    reason: str = ""
    created: datetime | None = None
    commitment: str = ""
    seed: str | None = None
    salt: str | None = None
    verify: str = ""
    control: TimeControl | None = None
    max_faults: int | None = None
    leaderboard: Mapping[str, Json] | None = None
    rate_per_min: float | None = None
    running: Sequence[Mapping[str, Json]] = ()


@dataclass(slots=True)
class ShownMatches:
    """The matches of a tournament as far as its reader may know them, in canonical order."""

    bots: Sequence[str]
    by_index: dict[int, StoredMatch] = field(default_factory=dict)
    by_name: dict[str, StoredMatch] = field(default_factory=dict)
    open_deals: frozenset[int] = frozenset()
    without_replay: frozenset[str] = frozenset()
    newest: list[StoredMatch] = field(default_factory=list)  # the last that ended, oldest first
    _by_bot: dict[str, list[StoredMatch]] = field(default_factory=dict)  # until there are more
    _above: Counter[tuple[str, str]] = field(default_factory=Counter)
    _equal: Counter[tuple[str, str]] = field(default_factory=Counter)
    _ranks: defaultdict[int, dict[str, list[int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def add(self, matches: Iterable[StoredMatch]) -> None:
        """Add matches that are new."""
        for match in matches:
            if match.fixture.index in self.by_index:
                continue
            self.by_index[match.fixture.index] = self.by_name[match.fixture.match] = match
            self._by_bot.clear()
            self.newest = [*self.newest[1 - _NEWEST :], match]
            self._count(match)

    def _count(self, match: StoredMatch) -> None:
        bots, ranks = match.fixture.bots, match.report.ranks
        block = self._ranks[match.fixture.block]
        for bot, rank in zip(bots, ranks, strict=True):
            sums = block.setdefault(bot, [0, 0])
            sums[0] += rank
            sums[1] += 1
            for other, rank_of_other in zip(bots, ranks, strict=True):
                if bot != other and rank <= rank_of_other:
                    (self._above if rank < rank_of_other else self._equal)[bot, other] += 1

    def in_order(self) -> list[StoredMatch]:
        """Return all of them."""
        return [self.by_index[index] for index in sorted(self.by_index)]

    def page(self, number: int, pages: int) -> dict[str, Json]:
        """Return a page of matches."""
        places = range(number * PAGE, (number + 1) * PAGE)
        found = [self.by_index[index] for index in places if index in self.by_index]
        return self._page(number, pages, found)

    def bot_page(self, bot: str, number: int) -> dict[str, Json]:
        """Return a page of one bot's matches."""
        own = self.of_bot(bot)
        return self._page(number, pages_of(len(own)), own[number * PAGE : (number + 1) * PAGE])

    def of_bot(self, bot: str) -> list[StoredMatch]:
        """Return the matches of a bot."""
        if bot not in self._by_bot:
            own = [match for match in self.in_order() if bot in match.fixture.bots]
            self._by_bot[bot] = own
        return self._by_bot[bot]

    def _page(self, number: int, pages: int, matches: Sequence[StoredMatch]) -> dict[str, Json]:
        rows = [self.row(match) for match in matches]
        return {"format": FORMAT, "page": number, "pages": pages, "matches": rows}

    def row(self, match: StoredMatch) -> dict[str, Json]:
        """Return a match as a line of a list."""
        fixture, report = match.fixture, match.report
        row: dict[str, Json] = {
            "match": fixture.match,
            "deal": fixture.deal,
            "seats": [self.bots.index(bot) for bot in fixture.bots],
            "scores": report.scores,
            "ranks": report.ranks,
        }
        if any(report.forfeits):
            row["ended"] = [*map(ended_by, report.forfeits)]
        if fixture.deal in self.open_deals:
            row["open"] = True
        else:
            row["moves"] = report.moves
            if report.faults:
                row["faults"] = [fault_to_json(fault) for fault in report.faults]
            if fixture.match in self.without_replay:
                row["no_replay"] = True
        return row

    def trend(self, bots: Sequence[str]) -> dict[str, Json]:
        """Return the mean ranks of bots in parts of the tournament, whole blocks each."""
        blocks = sorted(self._ranks)
        parts = min(_PARTS, len(blocks))
        cuts = [len(blocks) * part // parts for part in range(1, parts + 1)] if parts else []
        ends = [blocks[cut - 1] for cut in cuts]
        means: list[list[Json]] = [[] for _ in bots]
        for first, last in zip([0, *cuts], cuts, strict=False):
            for mean, bot in zip(means, bots, strict=True):
                sums = [s for block in blocks[first:last] if (s := self._ranks[block].get(bot))]
                number = sum(count for _, count in sums)
                total = sum(ranks for ranks, _ in sums)
                mean.append(round(total / number, 3) if number else None)
        return {"blocks": ends, "mean_rank": means}

    def crosstable(self) -> list[Json]:
        """Return how often each bot ended above, equal to and below each other."""
        return [
            [
                None
                if bot == other
                else [self._above[bot, other], self._equal[bot, other], self._above[other, bot]]
                for other in self.bots
            ]
            for bot in self.bots
        ]


def tournament_summary(facts: TournamentFacts) -> dict[str, Json]:
    """Return a tournament as a line of the home page."""
    board = facts.leaderboard
    leader = None
    if board is not None and isinstance(standings := board.get("bots"), list) and standings:
        leader = standings[0]["name"]
    return {**_head(facts), "bots": len(facts.bots), "leader": leader}


def tournament_document(facts: TournamentFacts, matches: ShownMatches) -> dict[str, Json]:
    """Return everything about a tournament but the list of its matches."""
    left = facts.scheduled - facts.played - facts.parked
    rate = facts.rate_per_min
    control = facts.control
    rules: dict[str, Json] = {}
    if control is not None:
        rules = {
            "move_time_s": control.move_time_s,
            "bank_s": control.bank_s,
            "max_faults": facts.max_faults,
        }
    return {
        "format": FORMAT,
        **_head(facts),
        "reason": inert(facts.reason),
        "parked": facts.parked,
        "rate_per_min": None if rate is None else round(rate, 1),
        "left_s": round(60 * left / rate) if rate else None,
        "bots": [
            {"name": inert(bot.name), "version": inert(bot.version), "group": inert(bot.group)}
            for bot in facts.bots
        ],
        "commitment": facts.commitment,
        "seed": facts.seed,
        "salt": facts.salt,
        "verify": facts.verify,
        "rules": rules,
        "leaderboard": facts.leaderboard,
        "trend": matches.trend(matches.bots),
        "crosstable": matches.crosstable(),
        "faults": _faults(matches),
        "running": [*facts.running],
        "newest": [matches.row(match) for match in reversed(matches.newest)],
        "pages": pages_of(facts.scheduled),
    }


def bot_document(
    facts: TournamentFacts,
    matches: ShownMatches,
    name: str,
    *,
    notes: Sequence[Mapping[str, Json]] = (),
    log: str = "",
) -> dict[str, Json]:
    """Return everything about one bot of a tournament but the list of its matches."""
    index = [bot.name for bot in facts.bots].index(name)
    bot = facts.bots[index]
    own = matches.of_bot(name)
    profile = make_profile(own, name)
    closed = make_profile([m for m in own if m.fixture.deal not in matches.open_deals], name)
    seats = []
    for seat in range(facts.players):
        here = [match for match in profile.matches if match.seat == seat]
        seats.append(
            {
                "matches": len(here),
                "mean_rank": round(fmean(m.rank for m in here), 3) if here else None,
                "mean_score": round(fmean(m.score for m in here), 2) if here else None,
            }
        )
    ranks = Counter(match.rank for match in profile.matches)
    return {
        "format": FORMAT,
        "tournament": facts.name,
        "index": index,
        "name": inert(name),
        "version": inert(bot.version),
        "group": inert(bot.group),
        "standing": _standing(facts.leaderboard, name),
        "places": [ranks[rank] for rank in range(1, facts.players + 1)],
        "seats": seats,
        "others": [
            {
                "bot": matches.bots.index(other),
                "above": meeting.above,
                "equal": meeting.equal,
                "below": meeting.below,
            }
            for other, meeting in profile.others
        ],
        "deals": {
            side: [
                {
                    "deal": deal.deal,
                    "matches": deal.matches,
                    "mean_rank": deal.mean_rank,
                    "mean_lead": deal.mean_lead,
                }
                for deal in deals
            ]
            for side, deals in (
                ("best", profile.deals[:_DEALS]),
                ("worst", profile.deals[: -_DEALS - 1 : -1]),
            )
        },
        "faults": [_fault_summary(fault) for fault in closed.faults],
        "times": _times(own, name),
        "trend": {**(trend := matches.trend([name])), "mean_rank": _first(trend["mean_rank"])},
        "notes": [*notes],
        "log": log_text(log),
        "pages": pages_of(len(own)),
    }


def log_text(log: str) -> str | None:
    """Return what a bot printed, harmless; None if that is nothing."""
    return "\n".join(map(inert, log.splitlines())) or None


def rating_pause_s(cost_s: float) -> float:
    """Return after how long a leaderboard that cost so much is made anew, while matches are played.

    It takes a hundredth of the time; more where it would be older than a minute, at most a
    twentieth.
    """
    return max(min(100 * cost_s, 60.0), 20 * cost_s)


def pages_of(places: int) -> int:
    """Return how many pages so many places take; an empty list has one."""
    return max(1, -(-places // PAGE))


def fault_to_json(fault: SeatFault) -> dict[str, Json]:
    """Return a fault; its detail may quote the bot."""
    return {
        "seat": fault.seat,
        "move": fault.move,
        "fault": fault.fault.value,
        "detail": inert(fault.detail),
        "forfeited": fault.forfeited,
    }


def moment(time: datetime | None) -> str | None:
    """Return a time of day as documents write it."""
    if time is None:
        return None
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _head(facts: TournamentFacts) -> dict[str, Json]:
    return {
        "name": facts.name,
        "title": inert(facts.title),
        "game": facts.game,
        "players": facts.players,
        "phase": facts.phase,
        "played": facts.played,
        "scheduled": facts.scheduled,
        "created": moment(facts.created),
    }


def _faults(matches: ShownMatches) -> list[Json]:
    """Return the faults of all bots; of an open deal only its forfeits are known, not told here."""
    counts: Counter[tuple[int, str, str]] = Counter()
    forfeits: Counter[tuple[int, str, str]] = Counter()
    first: dict[tuple[int, str, str], tuple[str, int]] = {}
    numbers = {bot: number for number, bot in enumerate(matches.bots)}
    for match in matches.in_order():
        if match.fixture.deal in matches.open_deals:
            continue
        for fault in match.report.faults:
            bot = match.fixture.bots[fault.seat]
            kind = (numbers[bot], fault.fault.value, fault.detail)
            counts[kind] += 1
            forfeits[kind] += fault.forfeited
            first.setdefault(kind, (match.fixture.match, fault.move))
    return [
        {
            "bot": kind[0],
            "fault": kind[1],
            "detail": inert(kind[2]),
            "count": count,
            "forfeits": forfeits[kind],
            "match": first[kind][0],
            "move": first[kind][1],
        }
        for kind, count in counts.most_common(100)
    ]


def _fault_summary(fault: FaultSummary) -> dict[str, Json]:
    return {
        "fault": fault.fault.value,
        "detail": inert(fault.detail),
        "count": fault.count,
        "forfeits": fault.forfeits,
        "match": fault.match,
        "move": fault.move,
    }


def _times(matches: Sequence[StoredMatch], bot: str) -> Json:
    times = [
        match.report.times[match.fixture.bots.index(bot)]
        for match in matches
        if len(match.report.times) == len(match.fixture.bots)
    ]
    decisions = sum(time.decisions for time in times)
    if not decisions:
        return None
    return {
        "decisions": decisions,
        "mean_ms": round(1000 * sum(time.used_s for time in times) / decisions, 3),
        "slowest_ms": round(1000 * max(time.slowest_s for time in times), 3),
        "delay_ms": round(1000 * sum(time.delay_s for time in times) / decisions, 3),
    }


def _standing(board: Mapping[str, Json] | None, name: str) -> Json:
    bots = board.get("bots") if board is not None else None
    if not isinstance(bots, list):
        return None
    return next((bot for bot in bots if bot["name"] == name), None)


def _first(values: Json) -> Json:
    return values[0] if isinstance(values, list) else None
