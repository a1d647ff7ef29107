"""Verifying a results directory: everything that follows from something else is made again.

From the seed the deals, labels and the schedule; by the rules every replay; from the matches the
leaderboards, byte for byte; and from salt and seed the commitment that was published before play.
What nobody can make again (times, notes, logs) is only compared where it is kept twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from arena.errors import DamagedError, InputError, ResultsError
from arena.results.archive import (
    CONFIG_FILE,
    DATABASE_FILE,
    Archive,
    is_results_directory,
    open_archive,
    read_files,
    read_leaderboard,
)
from arena.results.audit.exports import check_exports
from arena.results.audit.matches import (
    check_config,
    check_lines,
    check_secrets,
    check_stored,
)
from arena.results.audit.replays import check_replays
from arena.results.audit.report import AuditReport
from arena.results.audit.seal import Evidence, check_chain, check_manifest
from arena.results.audit.timing import check_timing
from arena.results.export import Release, release_of
from arena.results.matches_file import MATCHES_FILE
from arena.results.replay_files import OnProgress
from arena.results.timing_file import TIMING_FILE

NONE = Evidence()


def audit_results(
    directory: Path,
    db: str | None = None,
    on_progress: OnProgress | None = None,
    processes: int | None = None,
    *,
    allows_missing: bool = False,
    evidence: Evidence = NONE,
) -> AuditReport:
    """Verify a results directory, with its database if there is one.

    Replays are played again in so many processes; None takes all cores if that is worth it.
    `allows_missing` if replays may have been taken away; `evidence` is known from elsewhere.

    Raises InputError if it cannot be read at all, StorageError if its database cannot be used.
    """
    if db is None and not is_results_directory(directory):
        raise InputError(f"{directory}: not a results directory")
    report = AuditReport(directory)
    replays = partial(
        check_replays,
        report,
        on_progress=on_progress,
        processes=processes,
        allows_missing=allows_missing,
    )
    try:
        with contextlib.ExitStack() as held:
            stored = None
            if db is not None or (directory / DATABASE_FILE).is_file():
                if db is None:
                    report.database = directory / DATABASE_FILE
                stored = _open_sound(report, held, db)
            if stored is not None:
                listed = _exported(report, stored)
                _audit(report, stored, listed, on_progress, replays, evidence)
            elif report.is_ok or (directory / MATCHES_FILE).exists():
                _audit(report, None, read_files(directory), on_progress, replays, evidence)
    except ResultsError as error:
        report.add(Path(error.path), error.line, error.reason)
    return report


def _open_sound(report: AuditReport, held: contextlib.ExitStack, db: str | None) -> Archive | None:
    """Return what the database holds, None if it cannot be relied on, which has been told then."""
    stored = None
    try:
        stored = held.enter_context(open_archive(report.directory, db))
        assert stored.store is not None
        for match, reason in stored.store.contradictions():
            report.add(report.database, None, f"match {match}: {reason}" if match else reason)
        check_stored(report, stored)
    except DamagedError as error:
        report.add(report.database, None, str(error))
    if report.is_ok:
        return stored
    report.notes.append("the database is wrong or damaged: the files were checked without it")
    return None


def _exported(report: AuditReport, stored: Archive) -> Archive | None:
    """Return what has been exported from a database, None if nothing was."""
    directory = report.directory
    config = None
    if not (directory / CONFIG_FILE).exists():
        report.add(directory / CONFIG_FILE, None, "is missing")
        config = stored.tournament.config
    return read_files(directory, config) if (directory / MATCHES_FILE).exists() else None


def _audit(
    report: AuditReport,
    stored: Archive | None,
    listed: Archive | None,
    on_progress: OnProgress | None,
    play_replays: Callable[[Archive | None, Archive, Release], None],
    evidence: Evidence,
) -> None:
    """Compare the database and the files, whichever there are, with each other and themselves."""
    if stored is not None and listed is not None:
        check_config(report, stored, listed)
    if listed is None:
        assert stored is not None
        release = release_of(stored)
        _describe(report, stored, release)
        path = report.directory / MATCHES_FILE
        if release.is_complete:
            report.add(path, None, "is missing; `arena rate` writes it")
        else:
            report.notes.append("nothing has been exported yet")
        report.chain = {link.match: link for link in stored.chain}
        play_replays(stored, stored, release)
        return
    if stored is not None:
        # What was exported is judged by what the database says the tournament is.
        listed = replace(listed, tournament=stored.tournament, fixtures=stored.fixtures)
    release = _declared_release(report, listed)
    _describe(report, listed, release)
    check_secrets(report, listed)
    are_sound = check_lines(report, stored, listed, release)
    check_timing(report, stored, listed, release)
    if are_sound:
        check_exports(report, listed, release, on_progress)
        check_chain(report, stored, listed, release, evidence)
    else:
        report.notes.append("the leaderboards were not recomputed, because matches are wrong")
    check_manifest(report, listed, evidence)
    play_replays(stored, listed, release)


def _declared_release(report: AuditReport, listed: Archive) -> Release:
    """Return what may be shown by what the files say; whether that is true is seen later."""
    computed = release_of(listed, is_running=True)
    if listed.timing is not None:
        is_declared = listed.timing.is_complete
        if computed.is_complete and not is_declared:
            path = report.directory / TIMING_FILE
            report.add(path, None, "says that the tournament is not complete, but it is")
    else:
        is_declared = computed.is_complete
        with contextlib.suppress(FileNotFoundError):
            is_declared |= read_leaderboard(report.directory).is_complete
    if not is_declared:
        return computed
    deals = frozenset(fixture.deal for fixture in listed.fixtures)
    return Release(True, deals, computed.settled_after)


def _describe(report: AuditReport, archive: Archive, release: Release) -> None:
    report.scheduled = len(archive.fixtures)
    report.matches = len(archive.matches)
    report.is_complete = release.is_complete
