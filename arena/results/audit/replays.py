"""The replays of a results directory, played again by the rules and compared with the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from arena.errors import DamagedError
from arena.processes import count_cores, map_in_processes
from arena.results.archive import Archive, read_bytes
from arena.results.audit.replay import Expected, find_problems
from arena.results.audit.report import AuditReport
from arena.results.chain_file import CHAIN_FILE
from arena.results.export import Release
from arena.results.replay_files import OnProgress, find_replays, replay_path
from arena.storage.chain import ChainLink, replay_digest
from arena.storage.records import StoredMatch
from arena.storage.store import Store

_AT_ONCE = 200
_BATCH = 20
_WORTH_A_PROCESS = 100
"""Replays: fewer are checked sooner than a process has started."""


def check_replays(
    report: AuditReport,
    stored: Archive | None,
    listed: Archive,
    release: Release,
    *,
    on_progress: OnProgress | None = None,
    processes: int | None = None,
    allows_missing: bool = False,
) -> None:
    """Play every replay again, from its file or else from the database, and compare outcomes.

    In so many processes; None takes as many as there are cores and replays enough for. A replay
    that should be there and is not is a problem, unless `allows_missing`.
    """
    matches = {match.fixture.match: match for match in listed.matches}
    files = find_replays(report.directory)
    _check_names(report, stored, matches, files, release)
    paths = {match: path for match, path in files.items() if match in matches}
    rest = [match for match in matches if match not in paths]
    store = None if stored is None else stored.store
    if not allows_missing:
        _find_missing(report, listed, release, files, has_store=store is not None)
    if store is None:
        report.not_replayed = len(rest)
        rest = []
    if processes is None:
        processes = max(1, min(count_cores(), (len(paths) + len(rest)) // _WORTH_A_PROCESS))
    tournament = listed.tournament
    versions = {bot.name: bot.version for bot in tournament.bots}
    work = partial(find_problems, Expected(tournament, listed.game, versions))
    differing: set[str] = set()
    unlinked: set[str] = set()
    replays = _read_replays(report, matches, paths, store, rest, differing)
    replays = _linked(replays, report.chain, unlinked)
    batches = iter(lambda: [*islice(replays, _BATCH)], [])
    with closing(map_in_processes(work, batches, processes)) as checked:
        for batch, problems in checked:
            for (_, match), problem in zip(batch, problems, strict=True):
                path = paths.get(match.fixture.match)
                report.from_files += path is not None
                report.from_database += path is None
                if problem is not None:
                    _add(report, path, match, *problem)
                elif path is not None and match.fixture.match in differing:
                    report.add(path, None, "is not the replay that the database has")
                elif match.fixture.match in unlinked:
                    where = path or report.database
                    what = "is" if path else f"replay of match {match.fixture.match}: is"
                    report.add(where, None, f"{what} not the one that {CHAIN_FILE} tells of")
            if on_progress is not None:
                done = report.from_files + report.from_database
                on_progress("playing replays", done, len(listed.matches))


def _read_replays(
    report: AuditReport,
    matches: Mapping[str, StoredMatch],
    paths: Mapping[str, Path],
    store: Store | None,
    rest: Sequence[str],
    differing: set[str],
) -> Iterator[tuple[bytes, StoredMatch]]:
    """Yield the replays in files, then those of the rest that the database has.

    Adds to `differing` the matches of which it has another replay than the file.
    """
    for batch in _batches([*paths]):
        kept = {} if store is None else _load(report, store, batch)
        for match in batch:
            data = read_bytes(paths[match])
            if kept.get(match, data) != data:
                differing.add(match)
            yield data, matches[match]
    for batch in _batches(rest):
        assert store is not None
        kept = _load(report, store, batch)
        for match in batch:
            if match in kept:
                yield kept[match], matches[match]
            else:
                report.not_replayed += 1


def _linked(
    replays: Iterable[tuple[bytes, StoredMatch]],
    chain: Mapping[str, ChainLink],
    unlinked: set[str],
) -> Iterator[tuple[bytes, StoredMatch]]:
    """Pass replays on; adds to `unlinked` the matches of which the chain tells another replay."""
    for data, match in replays:
        link = chain.get(match.fixture.match)
        if link is not None and link.replay != replay_digest(data):
            unlinked.add(match.fixture.match)
        yield data, match


def _batches(matches: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(matches), _AT_ONCE):
        yield matches[start : start + _AT_ONCE]


def _load(report: AuditReport, store: Store, batch: Sequence[str]) -> dict[str, bytes]:
    """Return the replays that the database has; those that are damaged or missing are told."""
    kept: dict[str, str] = {}
    try:
        kept.update(store.replays(batch))
    except DamagedError:  # which one, and what about the others?
        for match in batch:
            try:
                kept.update(store.replays([match]))
            except DamagedError as error:
                report.add(report.database, None, str(error))
    else:
        for match in batch:
            if match not in kept:
                report.add(report.database, None, f"replay of match {match}: is missing")
    return {match: text.encode("utf-8", "replace") for match, text in kept.items()}


def _find_missing(
    report: AuditReport,
    listed: Archive,
    release: Release,
    files: Mapping[str, Path],
    *,
    has_store: bool,
) -> None:
    """Tell which replays are missing: those that timing.json lists; without it, all released."""
    if listed.timing is not None:
        due = listed.timing.replays
    elif has_store:
        return  # it has them all
    else:
        fixtures = (match.fixture for match in listed.matches)
        due = tuple(fixture.match for fixture in fixtures if fixture.deal in release.deals)
    for match in due:
        if match not in files:
            report.missing += 1
            advice = "; `arena rate` writes it" if has_store else ""
            report.add(replay_path(report.directory, match), None, f"is missing{advice}")


def _add(
    report: AuditReport, path: Path | None, match: StoredMatch, line: int, reason: str
) -> None:
    if path is not None:
        report.add(path, line, reason)
    else:
        where = f"replay of match {match.fixture.match}, line {line}"
        report.add(report.database, None, f"{where}: {reason}")


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
            report.add(path, None, "is a replay of a match that is not listed")
        elif match in matches and matches[match].fixture.deal not in release.deals:
            report.add(path, None, "is of a deal that has not been played to the end yet")
