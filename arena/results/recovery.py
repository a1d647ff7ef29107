"""Makes a lost database again from the files of its results directory.

A match is whole there if it is in `matches.jsonl` with its times in `timing.json` and its replay in
`replays/`. What is not whole is open again, and is played again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import InputError, ResultsError
from arena.results.archive import CONFIG_FILE, Archive, decode, read_bytes, read_files
from arena.results.chain_file import CHAIN_FILE, read_chain
from arena.results.matches_file import MATCHES_FILE
from arena.results.replay_files import replay_path
from arena.results.timing_file import TIMING_FILE
from arena.storage.chain import ChainLink, first_link, replay_digest, result_digest
from arena.storage.owner import new_owner
from arena.storage.records import MatchReport
from arena.storage.store import Store

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class WholeMatches:
    """What the files hold; their replays are read when they are stored."""

    archive: Archive
    reports: Sequence[MatchReport]  # in the order of the chain, then of the schedule
    links: Mapping[str, ChainLink]  # by match
    levels: Mapping[str, int]  # of isolation, with the number of matches


def read_whole_matches(directory: Path) -> WholeMatches:
    """Return what a database can be made from again.

    Raises InputError and ResultsError for files that cannot be used.
    """
    archive = read_files(directory)
    if archive.timing is None:
        raise InputError(
            f"{directory / TIMING_FILE}: is missing: without it the tournament cannot be recovered"
        )
    if not archive.config.seed or not archive.config.salt:
        raise InputError(
            f"{directory / CONFIG_FILE}: has no seed or no salt: recover in the directory in "
            "which the tournament was played"
        )
    links = {link.match: link for link in _read_links(archive)}
    planned = {fixture.match: fixture for fixture in archive.fixtures}
    for line, match in enumerate(archive.matches, start=1):
        if planned.get(match.fixture.match) != match.fixture:
            reason = f"match {match.fixture.match!r} is not as in the schedule"
            raise ResultsError(directory / MATCHES_FILE, reason, line)
    reports = {match.fixture.match: match.report for match in archive.matches}
    order = dict.fromkeys([*(match for match in links if match in reports), *reports])
    whole = [reports[match] for match in order if _is_whole(archive, reports[match])]
    found = WholeMatches(archive, whole, links, archive.timing.isolation)
    for report in whole:  # all, before the first is stored
        _with_replay(found, report)
    return found


def recover(store: Store, found: WholeMatches) -> int:
    """Store a tournament and every match of it that the files hold; return how many were missing.

    They are stored in the order of the chain, so that it grows again as it was published. What is
    stored already stands: an older copy of the database is brought up to date, and a recovery that
    was cut off goes on. Raises InputError if another tournament is stored.
    """
    stored, lost = store.tournament(), found.archive.tournament
    if stored is None:
        store.create(lost, found.archive.fixtures)
    elif first_link(stored) != first_link(lost):
        raise InputError(
            f"the database holds another tournament {lost.name} than the files in "
            f"{found.archive.directory}: name another place for it with --db"
        )
    owner = new_owner()
    claims = {
        claim.fixture.match: claim for claim in store.claim(owner, len(found.archive.fixtures))
    }
    missing = [report for report in found.reports if report.match in claims]
    for start in range(0, len(missing), _AT_ONCE):
        batch = missing[start : start + _AT_ONCE]
        store.finish_all(owner, [(claims[r.match], _with_replay(found, r)) for r in batch])
    store.release(owner)
    return len(missing)


def _is_whole(archive: Archive, report: MatchReport) -> bool:
    path = replay_path(archive.directory, report.match)
    return bool(report.times) and path.is_file() and path.stat().st_size > 0


def _with_replay(found: WholeMatches, report: MatchReport) -> MatchReport:
    """Return a report with its replay; raises ResultsError if it is not what the chain tells."""
    archive, link = found.archive, found.links.get(report.match)
    path = replay_path(archive.directory, report.match)
    replay = read_bytes(path)
    if link is not None and replay_digest(replay) != link.replay:
        raise ResultsError(
            path,
            f"is not the replay that {CHAIN_FILE} tells of: restore it, or move it away to have "
            "the match played again",
        )
    if link is not None and result_digest(archive.tournament.seed, report) != link.result:
        raise ResultsError(
            archive.directory / MATCHES_FILE,
            f"match {report.match} did not end as {CHAIN_FILE} tells: restore the file, or move "
            "the replay of the match away to have it played again",
        )
    # It is published as a sum over all matches, which tells of each only where all are alike.
    (level, count), *others = [*found.levels.items()] or [("", 0)]
    is_known = not others and count == len(archive.matches)
    return replace(report, replay=decode(replay, path), isolation=level if is_known else "")


def _read_links(archive: Archive) -> Sequence[ChainLink]:
    """Return the published chain, empty if there is none."""
    path = archive.directory / CHAIN_FILE
    if not path.exists():
        return ()
    first, links = read_chain(read_bytes(path), path)
    if first != first_link(archive.tournament):
        raise ResultsError(
            path, "is of another tournament than the other files: restore what belongs to it", 1
        )
    return links
