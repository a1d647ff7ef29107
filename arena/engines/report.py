"""What is stored of a match that an engine has played."""

from __future__ import annotations

from arena.referee.match import PlayedMatch
from arena.storage.records import MatchReport, SeatTimes
from arena.tournament.engine import Void


def make_report(played: PlayedMatch) -> MatchReport | Void:
    """Return what is stored of a match."""
    if played.outcome is None:
        return Void(played.void_reason or "the match was not finished")
    return MatchReport(
        match=played.fixture.match,
        scores=played.outcome.scores,
        ranks=played.outcome.ranks,
        forfeits=played.forfeits,
        faults=played.faults,
        times=tuple(
            SeatTimes(
                clock.decisions,
                round(clock.used_s, 6),
                round(clock.slowest_s, 6),
                round(clock.delay_s, 6),
            )
            for clock in played.clocks
        ),
        moves=played.moves,
        replay=played.replay,
    )
