"""Matches and phases of tournaments as protobuf messages, and read from them."""

from __future__ import annotations

import enum

from google.protobuf.duration_pb2 import Duration

from arena.config.tournament import Unfit
from arena.errors import FormatError
from arena.referee.faults import SeatFault
from arena.storage.records import FixtureRecord, MatchReport, SeatTimes, StoredMatch
from arena.v1 import results_pb2, tournament_pb2
from arena.wire.faults import TO_WIRE, forfeit_numbers, read_fault
from arena.wire.play import NANOS, duration

UNFIT = {
    Unfit.STOP: tournament_pb2.UNFIT_POLICY_STOP,
    Unfit.LEAVE_OUT: tournament_pb2.UNFIT_POLICY_LEAVE_OUT,
    Unfit.ENTER: tournament_pb2.UNFIT_POLICY_ENTER,
}


class TournamentPhase(enum.Enum):
    """Where a tournament stands, by its number in the protocol."""

    PREPARING = results_pb2.TOURNAMENT_PHASE_PREPARING
    RUNNING = results_pb2.TOURNAMENT_PHASE_RUNNING
    STOPPING = results_pb2.TOURNAMENT_PHASE_STOPPING
    COMPLETE = results_pb2.TOURNAMENT_PHASE_COMPLETE
    SETTLED = results_pb2.TOURNAMENT_PHASE_SETTLED
    STOPPED = results_pb2.TOURNAMENT_PHASE_STOPPED
    FAILED = results_pb2.TOURNAMENT_PHASE_FAILED

    @property
    def is_final(self) -> bool:
        """Whether nothing happens any more unless it is started again."""
        return self not in (
            TournamentPhase.PREPARING,
            TournamentPhase.RUNNING,
            TournamentPhase.STOPPING,
        )

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to play."""
        return self in (TournamentPhase.COMPLETE, TournamentPhase.SETTLED)


def fixture_message(fixture: FixtureRecord, *, shows_bots: bool = True) -> results_pb2.Fixture:
    """Return a planned match as a message."""
    return results_pb2.Fixture(
        index=fixture.index,
        match_id=fixture.match,
        block=fixture.block,
        round=fixture.round,
        table=fixture.table,
        deal=fixture.deal,
        seating=fixture.seating,
        bots=fixture.bots if shows_bots else (),
    )


def result_message(
    match: StoredMatch, *, is_released: bool, shows_bots: bool = True, shows_all: bool = True
) -> results_pb2.MatchResult:
    """Return a match that has been played; unless all is shown, scores and ranks alone."""
    report = match.report
    message = results_pb2.MatchResult(
        fixture=fixture_message(match.fixture, shows_bots=shows_bots),
        scores=report.scores,
        ranks=report.ranks,
        forfeits=forfeit_numbers(report.forfeits),
        released=is_released,
    )
    if shows_all:
        message.moves = report.moves
        message.faults.extend(map(fault_message, report.faults))
        message.times.extend(map(_times, report.times))
    return message


def fault_message(fault: SeatFault) -> results_pb2.RecordedFault:
    """Return a fault as a message."""
    return results_pb2.RecordedFault(
        seat=fault.seat,
        move=fault.move,
        fault=TO_WIRE[fault.fault],
        detail=fault.detail,
        forfeited=fault.forfeited,
    )


def read_fixture(message: results_pb2.Fixture) -> FixtureRecord:
    """Return the planned match that a message tells of."""
    return FixtureRecord(
        index=message.index,
        match=message.match_id,
        block=message.block,
        round=message.round,
        table=message.table,
        deal=message.deal,
        seating=message.seating,
        bots=tuple(message.bots),
    )


def read_result(message: results_pb2.MatchResult) -> StoredMatch:
    """Return the match that a message tells of; raises FormatError if it contradicts itself."""
    seats = len(message.scores)
    if not seats == len(message.ranks) == len(message.forfeits) == len(message.fixture.bots):
        raise FormatError(f"match {message.fixture.match_id!r}: not one of everything for a seat")
    report = MatchReport(
        match=message.fixture.match_id,
        scores=tuple(message.scores),
        ranks=tuple(message.ranks),
        forfeits=tuple(map(read_fault, message.forfeits)),
        faults=tuple(map(read_seat_fault, message.faults)),
        times=tuple(
            SeatTimes(times.decisions, *map(_seconds, (times.used, times.slowest, times.delay)))
            for times in message.times
        ),
        moves=message.moves,
        replay="",
    )
    return StoredMatch(read_fixture(message.fixture), report)


def read_seat_fault(message: results_pb2.RecordedFault) -> SeatFault:
    """Return the fault that a message tells of; raises FormatError if it is none."""
    fault = read_fault(message.fault)
    if fault is None:
        raise FormatError("an unknown fault")
    return SeatFault(message.seat, message.move, fault, message.detail, message.forfeited)


def _times(times: SeatTimes) -> results_pb2.SeatTimes:
    return results_pb2.SeatTimes(
        decisions=times.decisions,
        used=duration(times.used_s),
        slowest=duration(times.slowest_s),
        delay=duration(times.delay_s),
    )


def _seconds(duration: Duration) -> float:
    return duration.ToNanoseconds() / NANOS
