"""The replays of a results directory, played again by the rules and compared with the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ReplayError
from arena.games.game import AnyGame, Json
from arena.games.shuffle import deal_seed
from arena.referee.faults import Fault, SeatFault, ended_by
from arena.referee.follow import FollowedMove, FollowedReplay
from arena.results.archive import Archive, read_bytes
from arena.results.audit.report import AuditReport
from arena.results.export import Release
from arena.results.replay_files import OnProgress, find_replays
from arena.schedule.deals import seating_labels
from arena.storage.records import StoredMatch, TournamentRecord
from arena.storage.store import Store

_AT_ONCE = 200


def check_replays(
    report: AuditReport,
    stored: Archive | None,
    listed: Archive,
    release: Release,
    on_progress: OnProgress | None,
) -> None:
    """Play every replay again, from its file or else from the database, and compare outcomes."""
    matches = {match.fixture.match: match for match in listed.matches}
    files = find_replays(report.directory)
    _check_names(report, stored, matches, files, release)
    checked = _ReplayCheck(report, listed, on_progress)
    for match, path in files.items():
        if match in matches:
            checked.check_file(path, matches[match])
    rest = [match for match in matches if match not in files]
    store = None if stored is None else stored.store
    if store is None:
        report.not_replayed = len(rest)
        return
    for start in range(0, len(rest), _AT_ONCE):
        batch = rest[start : start + _AT_ONCE]
        checked.check_stored(store, [matches[match] for match in batch])


def _check_names(
    report: AuditReport,
    stored: Archive | None,
    matches: dict[str, StoredMatch],
    files: dict[str, Path],
    release: Release,
) -> None:
    played = set() if stored is None else {match.fixture.match for match in stored.matches}
    for match, path in files.items():
        if match not in matches and match not in played:
            report.add(path, None, "is the replay of no match that is listed")
        elif match in matches and matches[match].fixture.deal not in release.deals:
            report.add(path, None, "is of a deal that has not been played to the end yet")


class _ReplayCheck:
    """Checks replays one by one, and counts them."""

    def __init__(
        self, report: AuditReport, listed: Archive, on_progress: OnProgress | None
    ) -> None:
        tournament = listed.tournament
        versions = {bot.name: bot.version for bot in tournament.bots}
        self._expected = Expected(tournament, listed.game, versions)
        self._report = report
        self._total = len(listed.matches)
        self._on_progress = on_progress

    def check_file(self, path: Path, match: StoredMatch) -> None:
        self._report.from_files += 1
        try:
            check_replay(read_bytes(path), match, self._expected)
        except ReplayError as error:
            self._report.add(path, error.line, error.reason)
        self._tell()

    def check_stored(self, store: Store, matches: list[StoredMatch]) -> None:
        by_name = {match.fixture.match: match for match in matches}
        found = dict(store.replays(list(by_name)))
        for name, match in by_name.items():
            if not found.get(name):
                self._report.not_replayed += 1
                continue
            self._report.from_database += 1
            try:
                check_replay(found[name].encode("utf-8", "replace"), match, self._expected)
            except ReplayError as error:
                self._report.add(self._report.database, None, f"replay of match {name}, {error}")
            self._tell()

    def _tell(self) -> None:
        if self._on_progress is not None:
            done = self._report.from_files + self._report.from_database
            self._on_progress("playing replays", done, self._total)


# One replay.


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
        ("ended", [*map(ended_by, replay.forfeits)], [*map(ended_by, report.forfeits)]),
    ):
        if is_said != is_listed:
            raise ReplayError(last, f"{what} {list(is_said)}, but {list(is_listed)} is listed")
    if len(moves) != report.moves:
        raise ReplayError(last, f"there are {len(moves)} moves, but {report.moves} are listed")
    for seat, forfeit in enumerate(replay.forfeits):
        faults = [fault for fault in report.faults if fault.seat == seat]
        own = [(number, move) for number, move in enumerate(moves, 1) if move.seat == seat]
        _check_faults(seat, forfeit, own, faults, last)


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
