"""One replay against the rules and against what the results say about its match."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import ReplayError
from arena.games.game import AnyGame, Json
from arena.games.shuffle import deal_seed
from arena.referee.follow import FollowedMove, FollowedReplay
from arena.storage.records import FaultRecord, StoredMatch, TournamentRecord
from arena.tournament.deals import seating_labels


@dataclass(frozen=True, slots=True)
class Expected:
    """What the replays of a tournament must agree with."""

    tournament: TournamentRecord
    game: AnyGame
    versions: dict[str, str]


def check_replay(data: bytes, match: StoredMatch, expected: Expected) -> None:
    """Play a replay again by the rules; raises ReplayError with the line at what is wrong.

    What the rules leave open is compared with the match as it is listed: who sat where, the deal,
    the labels, the outcome, how each seat ended, and every fault.
    """
    replay = FollowedReplay(data)
    _check_header(replay, match, expected)
    moves = list(replay)
    last = data.rstrip(b"\n").count(b"\n") + 1
    report = match.report
    assert replay.outcome is not None
    for what, is_said, is_listed in (
        ("scores", replay.outcome.scores, report.scores),
        ("ranks", replay.outcome.ranks, report.ranks),
        ("ended", replay.ended, report.ended),
    ):
        if is_said != is_listed:
            raise ReplayError(last, f"{what} {list(is_said)}, but {list(is_listed)} is listed")
    if len(moves) != report.moves:
        raise ReplayError(last, f"there are {len(moves)} moves, but {report.moves} are listed")
    for seat, ended in enumerate(replay.ended):
        faults = [fault for fault in report.faults if fault.seat == seat]
        _check_faults(seat, ended, _numbered(moves, seat), faults, last)


def _check_header(replay: FollowedReplay, match: StoredMatch, expected: Expected) -> None:
    header, fixture, tournament = replay.header, match.fixture, expected.tournament
    seed = deal_seed(tournament.seed, fixture.deal)
    labels = seating_labels(expected.game, seed, fixture.seating)
    seats = [(seat.bot, seat.version) for seat in header.seats]
    listed = [(bot, expected.versions.get(bot, "")) for bot in fixture.bots]
    for what, is_said, is_due in (
        ("match", header.match, fixture.match),
        ("game", header.game, tournament.game),
        ("options", _as_json(header.options), _as_json(expected.game.options)),
        ("deal", header.deal, str(fixture.deal)),
        ("seats", seats, listed),
    ):
        if is_said != is_due:
            raise ReplayError(1, f"{what} must be {is_due!r}, not {is_said!r}")
    if header.seed != seed:
        raise ReplayError(1, "seed is not the one that the master seed makes for this deal")
    if tuple(header.relabel) != tuple(expected.game.kinds[kind] for kind in labels):
        raise ReplayError(1, "relabel is not the renaming of this seating of the deal")


def _as_json(options: Mapping[str, Json]) -> str:
    return json.dumps(dict(options), sort_keys=True)


@dataclass(frozen=True, slots=True)
class _SeatMove:
    number: int  # counting moves only, from 1
    line: int
    fault: str | None
    is_forced: bool


def _numbered(moves: Sequence[FollowedMove], seat: int) -> list[_SeatMove]:
    return [
        _SeatMove(
            number, move.line, None if move.fault is None else move.fault.value, move.legal == 1
        )
        for number, move in enumerate(moves, start=1)
        if move.seat == seat
    ]


def _check_faults(
    seat: int,
    ended: str,
    moves: Sequence[_SeatMove],
    faults: Sequence[FaultRecord],
    last: int,
) -> None:
    """Compare the moves that the referee made for a seat with the faults listed for it.

    A fault that does not forfeit has one such move; after a forfeit every choice is made so.
    """
    forfeits = [fault for fault in faults if fault.forfeited]
    forfeit = forfeits[0] if forfeits else None
    endings = {"normal"} if forfeit is None else {f"forfeit:{forfeit.fault}"}
    if ended not in endings or len(forfeits) > 1 or (forfeit and faults[-1] is not forfeit):
        raise ReplayError(last, f"seat {seat} ended {ended}, which its faults do not say")
    first = {}
    for fault in reversed(faults):
        first[fault.move] = fault.fault
    substituted = set()
    for move in moves:
        due = None if move.is_forced else first.get(move.number)
        if due is None and forfeit is not None and move.number > forfeit.move:
            due = None if move.is_forced else forfeit.fault
        if move.fault != due:
            said = f"says {move.fault}" if move.fault else "says no fault"
            listed = f"{due} is listed" if due else "none is listed"
            raise ReplayError(move.line, f"the move {said} of seat {seat}, but {listed}")
        substituted.add(move.number)
    for fault in faults:
        if not fault.forfeited and fault.move not in substituted:
            raise ReplayError(
                last, f"a {fault.fault} of seat {seat} at move {fault.move} is listed, not recorded"
            )
