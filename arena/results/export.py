"""Writing a results directory: exports of what is stored, each file whole or not at all.

While a tournament runs, what is written is the standings so far, and gives nothing away: seed and
labels of a deal, and its replays, only when every match on it is done; master seed and salt when
the whole tournament is. `tournament.toml`, `arena.db` and `logs/` are never touched.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from arena.atomic import lone_writer, replace_files, sweep_partials
from arena.config.tournament import published, without_run
from arena.errors import ResultsError
from arena.games.game import Json
from arena.rating.leaderboard import Leaderboard
from arena.rating.settling import settled_at
from arena.rating.standings import make_leaderboard
from arena.rating.statistics import counting_matches
from arena.results.archive import (
    CONFIG_FILE,
    LEADERBOARD_FILE,
    Archive,
    read_bytes,
    read_store,
)
from arena.results.chain_file import (
    CHAIN_FILE,
    append_chain,
    chain_bytes,
    link_lines,
    publish_chain,
    read_chain,
)
from arena.results.formats import (
    crosstable_csv,
    leaderboard_csv,
    leaderboard_json,
    leaderboard_md,
)
from arena.results.manifest import (
    MANIFEST_FILE,
    SIGNATURE_FILE,
    read_manifest,
    write_manifest,
)
from arena.results.matches_file import MATCHES_FILE, MatchLines, write_line
from arena.results.page import PageFacts, leaderboard_page
from arena.results.replay_files import OnProgress, write_replays
from arena.results.timing_file import TIMING_FILE, digest, write_timing
from arena.schedule.deals import commitment
from arena.schedule.schedule import round_ends
from arena.signing import OrganiserKey
from arena.storage.records import StoredMatch, read_moment
from arena.storage.store import FailPoint, Store

PAGE_FILE = "leaderboard.html"

_BOARD_FILES: Mapping[str, Callable[[Leaderboard], str]] = {
    "crosstable.csv": crosstable_csv,
    "leaderboard.csv": leaderboard_csv,
    "leaderboard.md": leaderboard_md,
    LEADERBOARD_FILE: leaderboard_json,
}
_MADE_FILES = (PAGE_FILE, TIMING_FILE, MATCHES_FILE, *_BOARD_FILES)
EXPORTS = (CHAIN_FILE, SIGNATURE_FILE, MANIFEST_FILE, *_MADE_FILES)
"""All that is written besides replays. All of it holds secrets back; the last matters most."""

DEFAULT_MODEL = "trueskill"
BEFORE_EXPORT = "before export"


def model_file(model: str) -> str:
    """Return the file of the leaderboard by another model than the usual one."""
    return f"leaderboard.{model}.json"


@dataclass(frozen=True, slots=True)
class Release:
    """What may be shown of a tournament, and what of it counts."""

    is_complete: bool  # nothing more will be played
    deals: frozenset[int]  # those on which nothing more will be played
    settled_after: int | None = None  # rounds, if a stopping rule holds; later ones do not count


@dataclass(frozen=True, slots=True)
class Exports:
    """The reproducible files of a results directory, made from an archive."""

    board: Leaderboard
    release: Release
    contents: Mapping[str, bytes]


def export_results(
    store: Store,
    directory: Path,
    *,
    replays: int | None = None,
    fail_point: FailPoint | None = None,
    on_progress: OnProgress | None = None,
    key: OrganiserKey | None = None,
) -> Leaderboard:
    """Write everything a store holds to its results directory, and return the leaderboard.

    `replays` limits for how many matches, the first ones, a replay is written; None: for all. A
    replay that is there already is not written again. `key` signs the manifest. Raises ResultsError
    if a file cannot be written, StorageError.
    """
    with lone_writer(directory):  # before reading: what is older never replaces what is newer
        return _write(read_store(store, directory), replays, False, fail_point, on_progress, key)


def write_results(
    archive: Archive,
    *,
    replays: int | None = None,
    repairs_replays: bool = False,
    on_progress: OnProgress | None = None,
    key: OrganiserKey | None = None,
) -> Leaderboard:
    """Write the exports of an archive to its directory, and return the leaderboard.

    From the files of a published directory only the leaderboards are made again. With
    `repairs_replays` a replay that is there, but says something else, is replaced.
    """
    with lone_writer(archive.directory):
        if archive.store is not None and not _is_up_to_date(archive, archive.store):
            archive = replace(
                read_store(archive.store, archive.directory), closes_store=archive.closes_store
            )
        return _write(archive, replays, repairs_replays, None, on_progress, key)


def _is_up_to_date(archive: Archive, store: Store) -> bool:
    """Return whether nothing was played since: what is older never replaces what is newer."""
    progress = store.progress()
    known = len(archive.matches), len(archive.parked), archive.is_running
    return known == (progress.results, progress.parked, progress.claimed > 0)


def _write(
    archive: Archive,
    replays: int | None,
    repairs_replays: bool,
    fail_point: FailPoint | None,
    on_progress: OnProgress | None,
    key: OrganiserKey | None,
) -> Leaderboard:
    release = release_of(archive)
    sweep_partials(archive.directory)
    if archive.store is not None and archive.chain:
        publish_chain(archive.directory, chain_bytes(archive.tournament, archive.chain))
    if archive.store is not None:  # first: the page links only to replays that are there
        fixtures = (match.fixture for match in archive.matches)
        released = [fixture.match for fixture in fixtures if fixture.deal in release.deals]
        there = write_replays(
            archive, released[:replays], repairs=repairs_replays, on_progress=on_progress
        )
        archive = replace(archive, replays=[match for match in released if match in there])
    exports = make_exports(archive, release=release, on_progress=on_progress)
    contents = dict(exports.contents)
    if archive.store is None:
        del contents[MATCHES_FILE]  # it is what the others were made from
    else:
        contents[TIMING_FILE] = make_timing(
            archive, contents[MATCHES_FILE], archive.replays, is_complete=release.is_complete
        )
    contents |= _sealed(archive, contents, key, is_complete=release.is_complete)
    before = None if fail_point is None else lambda: fail_point(BEFORE_EXPORT)
    replace_files(archive.directory, contents, before)
    if SIGNATURE_FILE not in contents:
        (archive.directory / SIGNATURE_FILE).unlink(missing_ok=True)
    return exports.board


def _sealed(
    archive: Archive, contents: Mapping[str, bytes], key: OrganiserKey | None, *, is_complete: bool
) -> dict[str, bytes]:
    """Return the manifest over these files and those beside them, and its signature.

    Without a key the signature that is there is kept as long as it is of the same manifest.
    """
    directory, chain = archive.directory, archive.chain
    if archive.store is None:
        with contextlib.suppress(FileNotFoundError):
            chain = read_chain(read_bytes(directory / CHAIN_FILE), directory / CHAIN_FILE)[1]
    end = chain[-1] if chain else None
    covered = dict(contents)
    old: dict[str, bytes] = {}
    for name in (*_MADE_FILES, MANIFEST_FILE, SIGNATURE_FILE):
        with contextlib.suppress(FileNotFoundError):
            old[name] = read_bytes(directory / name)
    covered |= {name: old[name] for name in _MADE_FILES if name in old and name not in covered}
    signer = None if key is None else key.public
    if MANIFEST_FILE in old:
        with contextlib.suppress(ResultsError):
            said = read_manifest(old[MANIFEST_FILE], directory / MANIFEST_FILE)
            signer = signer or said.key
    name = archive.tournament.name
    if key is None and signer is not None and SIGNATURE_FILE in old:
        made = write_manifest(archive.arena, name, covered, end, signer, is_complete=is_complete)
        if made == old[MANIFEST_FILE]:
            return {SIGNATURE_FILE: old[SIGNATURE_FILE], MANIFEST_FILE: made}
    signer = None if key is None else key.public
    made = write_manifest(archive.arena, name, covered, end, signer, is_complete=is_complete)
    if key is None:
        return {MANIFEST_FILE: made}
    return {SIGNATURE_FILE: key.sign(made), MANIFEST_FILE: made}


class ChainPublisher:
    """Appends to the chain's file of a tournament that is being played, as its matches end."""

    def __init__(self, directory: Path) -> None:
        """Publish in this directory, which nobody else needs to know of."""
        self._directory = directory
        self._known = (-1, 0)  # size of the file and places in it, when it was last written here

    def publish(self, store: Store) -> None:
        """Append what has been stored since; raises ResultsError, StorageError."""
        path = self._directory / CHAIN_FILE
        with lone_writer(self._directory):
            size, place = self._known
            if path.exists() and path.stat().st_size == size:
                added = list(store.chain(place))
                lines = link_lines(added)
                append_chain(path, lines)
                self._known = (size + len(lines), place + len(added))
                return
            tournament, chain = store.tournament(), list(store.chain())
            if tournament is not None and chain:
                size = publish_chain(self._directory, chain_bytes(tournament, chain))
                self._known = (size, len(chain))


def make_exports(
    archive: Archive,
    *,
    release: Release | None = None,
    on_progress: OnProgress | None = None,
) -> Exports:
    """Return the reproducible files; `release` if it is known better than by the archive."""
    if release is None:
        release = release_of(archive)
    board = make_board(archive, release, on_progress=on_progress)
    return Exports(
        board,
        release,
        {
            MATCHES_FILE: b"".join(
                write_line(fields) + b"\n" for fields in match_fields(archive, release)
            ),
            PAGE_FILE: make_page(archive, board, release).encode(),
            **{name: write(board).encode() for name, write in _BOARD_FILES.items()},
        },
    )


def make_timing(
    archive: Archive, matches: bytes, replays: Sequence[str], *, is_complete: bool
) -> bytes:
    """Return timing.json of an archive with its store, beside these matches and replays."""
    return write_timing(
        archive.tournament,
        archive.matches,
        archive.attempts,
        archive.bot_timings,
        digests_of(archive, matches),
        replays,
        is_complete=is_complete,
    ).encode("utf-8", "backslashreplace")


def make_board(
    archive: Archive,
    release: Release,
    *,
    model: str = DEFAULT_MODEL,
    on_progress: OnProgress | None = None,
) -> Leaderboard:
    """Return the leaderboard of an archive; its seed is "" while that is still a secret."""

    def tell(done: int, total: int) -> None:
        if on_progress is not None:
            on_progress("rating", done, total)

    board = make_leaderboard(
        archive.tournament,
        rated_matches(archive, release),
        scheduled=len(archive.fixtures),
        parked=archive.parked,
        model=model,
        settled_after=release.settled_after,
        on_progress=tell,
    )
    return board if release.is_complete else replace(board, seed="", is_complete=False)


def make_page(archive: Archive, board: Leaderboard, release: Release) -> str:
    """Return the leaderboard as a page."""
    tournament, parked = archive.tournament, {fixture.match for fixture in archive.parked}
    replays = set(archive.replays)
    facts = PageFacts(
        created=tournament.created,
        ended=_end_of(archive),
        control=archive.config.control,
        arena=archive.arena,
        commitment=commitment(tournament.seed, tournament.salt),
        salt=tournament.salt.hex() if release.is_complete else "",
        config=published(tournament.config, is_complete=release.is_complete),
        parked={match: reason for match, _, reason in archive.void if match in parked},
        replays=[match for match in archive.matches if match.fixture.match in replays],
        isolation=archive.isolation,
    )
    return leaderboard_page(board, archive.bot_timings, facts)


def _end_of(archive: Archive) -> str:
    """Return when the last match ended, to the second; "" if that is not known."""
    created = read_moment(archive.tournament.created)
    if created is None or archive.ended_s is None:
        return ""
    with contextlib.suppress(OverflowError, ValueError):  # a timing.json may say anything
        return (created + timedelta(seconds=archive.ended_s)).isoformat(timespec="seconds")
    return ""


def rated_matches(archive: Archive, release: Release) -> Sequence[StoredMatch]:
    """Return the matches that count: none beyond the stopping point, nor in a block given up."""
    counting = counting_matches(archive.matches, archive.parked)
    last = release.settled_after
    return counting if last is None else [m for m in counting if m.fixture.round <= last]


def release_of(archive: Archive, *, is_running: bool | None = None) -> Release:
    """Return what may be shown: all when nothing more will be played, else the deals done.

    `is_running` if it is known better than by the archive.
    """
    rule, settled_after = archive.config.until, None
    if rule is not None:
        ends = round_ends(archive.fixtures)
        settled_after = settled_at(archive.matches, ends, rule, archive.parked)
    left = Counter(fixture.deal for fixture in archive.fixtures)
    left.subtract(match.fixture.deal for match in archive.matches)
    left.subtract(fixture.deal for fixture in archive.parked)
    running = archive.is_running if is_running is None else is_running
    is_complete = not any(left.values()) or (settled_after is not None and not running)
    deals = frozenset(deal for deal, count in left.items() if is_complete or not count)
    return Release(is_complete, deals, settled_after)


def match_fields(archive: Archive, release: Release) -> Iterator[Mapping[str, Json]]:
    """Yield what the lines of matches.jsonl say."""
    lines = MatchLines(archive.tournament, archive.game)
    rated = {match.fixture.index for match in rated_matches(archive, release)}
    for match in archive.matches:
        is_released = match.fixture.deal in release.deals
        yield lines.fields(match, is_rated=match.fixture.index in rated, is_released=is_released)


def digests_of(archive: Archive, matches: bytes) -> dict[str, str]:
    """Return the digests of what nothing else could tell from a changed copy.

    That of the config is of what it settles: its comments and `[run]` may change.
    """
    settled = digest(without_run(archive.tournament.config).encode())
    return {CONFIG_FILE: settled, MATCHES_FILE: digest(matches)}
