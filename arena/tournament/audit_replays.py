"""The replays of a results directory, played again by the rules."""

from __future__ import annotations

from pathlib import Path

from arena.errors import ReplayError
from arena.storage.records import StoredMatch
from arena.storage.store import Store
from arena.tournament.archive import DATABASE_FILE, REPLAYS, Archive, read_bytes
from arena.tournament.audit_replay import Expected, check_replay
from arena.tournament.audit_report import AuditReport
from arena.tournament.replay_files import OnProgress
from arena.tournament.results import Release

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
    files = _find_files(report.directory / REPLAYS)
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


def _find_files(directory: Path) -> dict[str, Path]:
    if not directory.is_dir():
        return {}
    return {path.name.removesuffix(".jsonl"): path for path in sorted(directory.glob("*.jsonl"))}


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
                database = self._report.directory / DATABASE_FILE
                self._report.add(database, None, f"replay of match {name}, {error}")
            self._tell()

    def _tell(self) -> None:
        if self._on_progress is not None:
            done = self._report.from_files + self._report.from_database
            self._on_progress("playing replays", done, self._total)
