"""One replay of a results directory, played again by the rules and compared with its listing.

Imported by every process that shares this work, so it imports little itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.counted import counted
from arena.errors import ReplayError
from arena.games.game import AnyGame, Json
from arena.games.registry import get_game
from arena.games.shuffle import deal_seed
from arena.referee.faults import Fault, SeatFault, ended_by
from arena.referee.follow import FollowedMove, FollowedReplay
from arena.schedule.deals import seating_labels
from arena.storage.records import StoredMatch, TournamentRecord


@dataclass(frozen=True, slots=True)
class Expected:
    """What the replays of a tournament must agree with."""

    tournament: TournamentRecord
    game: AnyGame
    versions: Mapping[str, str]

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to another process; the game, which holds functions, goes by its name."""
        game = self.game
        return _expected, (self.tournament, game.name, dict(game.options), self.versions)


def _expected(
    tournament: TournamentRecord, game: str, options: Mapping[str, Json], versions: dict[str, str]
) -> Expected:
    return Expected(tournament, get_game(game).configure(options), versions)


def find_problems(
    expected: Expected, replays: Sequence[tuple[bytes, StoredMatch]]
) -> list[tuple[int, str] | None]:
    """Check replays; return the line and what is wrong there of each, None where nothing is."""
    return [_find_problem(data, match, expected) for data, match in replays]


def _find_problem(data: bytes, match: StoredMatch, expected: Expected) -> tuple[int, str] | None:
    try:
        check_replay(data, match, expected)
    except ReplayError as error:
        return error.line, error.reason
    return None


def check_replay(data: bytes, match: StoredMatch, expected: Expected) -> None:
    """Play a replay again by the rules; raises ReplayError with the line at what is wrong.

    What the rules leave open is compared with the match as it is listed: who sat where, the deal,
    the labels, the outcome, how each seat ended, every fault, and how often each seat decided.
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
        ("ended", [*map(ended_by, replay.forfeits)], [*map(ended_by, report.forfeits)]),
    ):
        if is_said != is_listed:
            raise ReplayError(last, f"{what} {list(is_said)}, but {list(is_listed)} is listed")
    if len(moves) != report.moves:
        raise ReplayError(
            last, f"it has {counted(len(moves), 'move')}, but {report.moves} are listed"
        )
    own: list[list[tuple[int, FollowedMove]]] = [[] for _ in replay.forfeits]  # by seat
    for number, move in enumerate(moves, 1):
        own[move.seat].append((number, move))
    for seat, forfeit in enumerate(replay.forfeits):
        faults = [fault for fault in report.faults if fault.seat == seat]
        _check_faults(seat, forfeit, own[seat], faults, last)
        if report.times:  # else nothing is known of them
            _check_decisions(seat, own[seat], faults, report.times[seat].decisions, last)


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


def _check_decisions(
    seat: int,
    moves: Sequence[tuple[int, FollowedMove]],
    faults: Sequence[SeatFault],
    listed: int,
    last: int,
) -> None:
    """Compare how often a seat was asked with what is listed.

    It is asked whenever it has a choice, until it forfeits. One that forfeits before the first move
    and makes it may have been asked or not: both look the same.
    """
    end = next((fault.move for fault in faults if fault.forfeited), None)
    asked = [number for number, move in moves if move.legal > 1 and (not end or number <= end)]
    possible = {len(asked)}
    if end == 1 and asked == [1]:
        possible.add(0)
    if listed not in possible:
        raise ReplayError(
            last, f"seat {seat} was asked {counted(len(asked), 'time')}, but {listed} are listed"
        )


def _check_faults(
    seat: int,
    by: Fault | None,
    moves: Sequence[tuple[int, FollowedMove]],
    faults: Sequence[SeatFault],
    last: int,
) -> None:
    """Compare the moves that the referee made for a seat with the faults listed for it.

    A fault that does not forfeit has one such move; after a forfeit every choice is made so.
    """
    forfeits = [fault for fault in faults if fault.forfeited]
    forfeit = forfeits[0] if forfeits else None
    listed = None if forfeit is None else forfeit.fault
    if by != listed or len(forfeits) > 1 or (forfeit and faults[-1] is not forfeit):
        raise ReplayError(last, f"seat {seat} ended {ended_by(by)}, which its faults do not say")
    first = {}
    for fault in reversed(faults):
        first[fault.move] = fault.fault
    substituted = set()
    for number, move in moves:
        due = None if move.legal == 1 else first.get(number)
        if due is None and forfeit is not None and number > forfeit.move:
            due = None if move.legal == 1 else forfeit.fault
        if move.fault is not due:
            said = move.fault.value if move.fault else "no fault"
            right = due.value if due else "none"
            raise ReplayError(
                move.line, f"the move says {said} of seat {seat}, but {right} is listed"
            )
        substituted.add(number)
    for fault in faults:
        if not fault.forfeited and fault.move not in substituted:
            raise ReplayError(
                last,
                f"a {fault.fault.value} of seat {seat} at move {fault.move} is listed, "
                "not recorded",
            )
