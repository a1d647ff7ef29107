"""The chain over finished matches: each link covers a match and, by the link before, all before it.

Whoever has kept one link can tell later whether any of those matches was changed, dropped or put in
another order. Nothing in a chain tells of a deal: results go in under the master seed as key, which
is told when the tournament is complete, and a replay holds the seed of its deal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.referee.faults import ended_by
from arena.storage.records import MatchReport, TournamentRecord

_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One finished match in the order in which they were stored. Digests are hexadecimal."""

    place: int  # from 1
    match: str
    result: str  # HMAC-SHA-256 of the result under the master seed
    replay: str  # SHA-256 of the replay
    link: str  # SHA-256 of the link before and all of the above


def first_link(tournament: TournamentRecord) -> str:
    """Return what the first match is linked to: the tournament as it was settled before play."""
    settled = {
        "name": tournament.name,
        "game": tournament.game,
        "options": dict(tournament.options),
        "players": tournament.players,
        "commitment": hashlib.sha256(tournament.salt + tournament.seed).hexdigest(),
        "bots": [[bot.name, bot.version, bot.group] for bot in tournament.bots],
    }
    return hashlib.sha256(_json(settled).encode()).hexdigest()


def next_link(before: str, place: int, match: str, result: str, replay: str) -> ChainLink:
    """Return the link of a match behind another."""
    covered = _json([before, place, match, result, replay]).encode()
    return ChainLink(place, match, result, replay, hashlib.sha256(covered).hexdigest())


def result_digest(seed: bytes, report: MatchReport) -> str:
    """Return what stands for a result: all of it that is reproducible, but for the replay."""
    result = [
        report.match,
        report.scores,
        report.ranks,
        [*map(ended_by, report.forfeits)],
        [(f.seat, f.move, f.fault.value, f.detail, f.forfeited) for f in report.faults],
        report.moves,
    ]
    return hmac.new(seed, b"chain/" + _json(result).encode(), hashlib.sha256).hexdigest()


def replay_digest(replay: bytes) -> str:
    """Return what stands for a replay."""
    return hashlib.sha256(replay).hexdigest()


def broken_links(first: str, chain: Iterable[ChainLink]) -> Iterator[int]:
    """Yield the places at which a chain does not follow from what stands before."""
    before = first
    for place, link in enumerate(chain, start=1):
        if link != next_link(before, place, link.match, link.result, link.replay):
            yield place
        before = link.link
