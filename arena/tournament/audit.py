"""Verifying a results directory: everything that follows from something else is made again.

From the seed the deals, labels and the schedule; by the rules every replay; from the matches the
leaderboards, byte for byte; and from salt and seed the commitment that was published before play.
What nobody can make again (times, notes, logs) is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena import __version__
from arena.errors import ArenaError, InputError, ReplayError, ResultsError
from arena.storage.records import StoredMatch
from arena.tournament.archive import (
    CONFIG_FILE,
    DATABASE_FILE,
    LEADERBOARD_FILE,
    REPLAYS,
    Archive,
    decode,
    is_results_directory,
    open_archive,
    read_bytes,
    read_files,
    read_leaderboard,
)
from arena.tournament.audit_replay import Expected, check_replay
from arena.tournament.audit_report import AuditReport
from arena.tournament.config import differences, read_config
from arena.tournament.deals import commitment
from arena.tournament.matches_file import MATCHES_FILE
from arena.tournament.replay_files import OnProgress, replays_there
from arena.tournament.results import PAGE_FILE, Exports, digests_of, make_exports
from arena.tournament.schedule import make_schedule
from arena.tournament.timing_file import TIMING_FILE


def audit_results(
    directory: Path, db: str | None = None, on_progress: OnProgress | None = None
) -> AuditReport:
    """Verify a results directory, with its database if there is one.

    Raises InputError if it cannot be read at all, StorageError if its database cannot.
    """
    if db is None and not is_results_directory(directory):
        raise InputError(f"{directory}: not a results directory")
    report = AuditReport(directory)
    has_database = db is not None or (directory / DATABASE_FILE).is_file()
    try:
        if not has_database:
            _Audit(report, None, read_files(directory), on_progress).run()
            return report
        with open_archive(directory, db) as stored:
            listed = None
            if (directory / MATCHES_FILE).exists():
                listed = read_files(directory)
            _Audit(report, stored, listed, on_progress).run()
    except (ResultsError, InputError) as error:
        if not _names_content(error, directory):
            raise
        report.add(*_place(error, directory))
    return report
