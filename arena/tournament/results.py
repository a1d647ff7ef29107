"""Writing a results directory: exports of what is stored, each file whole or not at all.

While a tournament runs, what is written is the standings so far, and gives nothing away: seed and
labels of a deal, and its replays, only when every match on it is done; master seed and salt when
the whole tournament is. `tournament.toml`, `arena.db` and `logs/` are never touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.storage.records import FixtureRecord, StoredMatch
from arena.storage.store import FailPoint, Store
from arena.tournament.archive import Archive, read_store
from arena.tournament.atomic import lone_writer, replace_files, sweep_partials
from arena.tournament.config import RunSettings, TournamentConfig, write_config
from arena.tournament.deals import commitment
from arena.tournament.formats import (
    crosstable_csv,
    leaderboard_csv,
    leaderboard_json,
    leaderboard_md,
)
from arena.tournament.leaderboard import Leaderboard
from arena.tournament.matches_file import MATCHES_FILE, MatchLines
from arena.tournament.page import PageFacts, leaderboard_page
from arena.tournament.replay_files import OnProgress, write_replays
from arena.tournament.schedule import round_ends
from arena.tournament.settling import settled_at
from arena.tournament.standings import make_leaderboard
from arena.tournament.timing_file import TIMING_FILE, digest, write_timing

PAGE_FILE = "leaderboard.html"
DEFAULT_MODEL = "trueskill"
BEFORE_EXPORT = "before export"


@dataclass(frozen=True, slots=True)
class Release:
    """What may be shown of a tournament."""

    is_complete: bool  # nothing more will be played
    deals: frozenset[int]  # those on which nothing more will be played


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
    model: str = DEFAULT_MODEL,
    on_progress: OnProgress | None = None,
) -> Leaderboard:
    """Write everything a store holds to its results directory, and return the leaderboard.

    `replays` limits for how many matches, the first ones, a replay is written; None: for all. A
    replay that is there already is not written again. Raises ResultsError if a file cannot be
    written, StorageError.
    """
    archive = read_store(store, directory)
    return write_results(
        archive, replays=replays, fail_point=fail_point, model=model, on_progress=on_progress
    )


def write_results(
    archive: Archive,
    *,
    replays: int | None = None,
    fail_point: FailPoint | None = None,
    model: str = DEFAULT_MODEL,
    repairs_replays: bool = False,
    on_progress: OnProgress | None = None,
) -> Leaderboard:
    """Write the exports of an archive to its directory, and return the leaderboard.

    From the files of a published directory only the leaderboards are made again. With
    `repairs_replays` a replay that is there, but says something else, is replaced.
    """
    exports = make_exports(archive, model=model, on_progress=on_progress)
    contents = dict(exports.contents)
    directory = archive.directory
    if archive.store is None:
        del contents[MATCHES_FILE]
    else:
        contents[TIMING_FILE] = write_timing(
            archive.tournament,
            archive.matches,
            archive.attempts,
            archive.bot_timings,
            digests_of(archive.config, contents[MATCHES_FILE]),
            is_complete=exports.release.is_complete,
        ).encode("utf-8", "backslashreplace")
    directory.mkdir(parents=True, exist_ok=True)
    with lone_writer(directory):
        sweep_partials(directory)
        if archive.store is not None:
            released = [
                match.fixture.match
                for match in archive.matches
                if match.fixture.deal in exports.release.deals
            ]
            write_replays(
                archive, released[:replays], repairs=repairs_replays, on_progress=on_progress
            )
        before = None if fail_point is None else lambda: fail_point(BEFORE_EXPORT)
        replace_files(directory, contents, before)
    return exports.board


def make_exports(
    archive: Archive,
    *,
    model: str = DEFAULT_MODEL,
    release: Release | None = None,
    on_progress: OnProgress | None = None,
) -> Exports:
    """Return the reproducible files; `release` if it is known better than by the archive."""
    settled_after = stopping_round(archive)
    if release is None:
        release = release_of(archive, settled_after, is_running=archive.is_running)
    board = make_board(archive, settled_after, release, model=model, on_progress=on_progress)
    return Exports(
        board,
        release,
        {
            MATCHES_FILE: matches_text(archive, settled_after, release).encode(
                "utf-8", "backslashreplace"
            ),
            "crosstable.csv": crosstable_csv(board).encode(),
            "leaderboard.csv": leaderboard_csv(board).encode(),
            "leaderboard.md": leaderboard_md(board).encode(),
            PAGE_FILE: make_page(archive, board, release).encode(),
            "leaderboard.json": leaderboard_json(board).encode(),
        },
    )


def make_board(
    archive: Archive,
    settled_after: int | None,
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
        rated_matches(archive.matches, settled_after),
        scheduled=len(archive.fixtures),
        parked=[fixture.match for fixture in archive.parked],
        model=model,
        settled_after=settled_after,
        on_progress=tell,
    )
    return board if release.is_complete else replace(board, seed="")


def make_page(archive: Archive, board: Leaderboard, release: Release) -> str:
    """Return the leaderboard as a page."""
    tournament, parked = archive.tournament, {fixture.match for fixture in archive.parked}
    facts = PageFacts(
        created=tournament.created,
        arena=archive.arena,
        commitment=commitment(tournament.seed, tournament.salt),
        salt=tournament.salt.hex() if release.is_complete else "",
        config=_shown_config(archive.config, release),
        parked={match: reason for match, _, reason in archive.void if match in parked},
    )
    return leaderboard_page(board, archive.bot_timings, facts)


def _shown_config(config: TournamentConfig, release: Release) -> str:
    """Return what the config settles: without `[run]`, and without secrets while they are some."""
    if not release.is_complete:
        config = replace(config, seed="", salt="")
    settled, _, _ = write_config(config).rpartition("\n[run]\n")
    return settled


def rated_matches(matches: Sequence[StoredMatch], settled_after: int | None) -> list[StoredMatch]:
    """Return the matches up to the round after which a stopping rule ended the tournament."""
    if settled_after is None:
        return list(matches)
    return [match for match in matches if match.fixture.round <= settled_after]


def stopping_round(archive: Archive) -> int | None:
    """Return after how many rounds the stopping rule holds; None: it does not, or there is none.

    It is asked at its checkpoints only, each when all matches before it are done.
    """
    rule = archive.config.until
    if rule is None:
        return None
    return settled_at(archive.matches, round_ends(archive.fixtures), rule, archive.parked)


def release_of(archive: Archive, settled_after: int | None, *, is_running: bool) -> Release:
    """Return what may be shown: all when nothing more will be played, else the deals done."""
    left = Counter(fixture.deal for fixture in archive.fixtures)
    left.subtract(match.fixture.deal for match in archive.matches)
    left.subtract(fixture.deal for fixture in archive.parked)
    is_complete = not any(left.values()) or (settled_after is not None and not is_running)
    return Release(
        is_complete, frozenset(deal for deal, count in left.items() if is_complete or not count)
    )


def matches_text(archive: Archive, settled_after: int | None, release: Release) -> str:
    """Return the text of matches.jsonl."""
    lines = MatchLines(archive.tournament, archive.game)
    given_up = {fixture.block for fixture in archive.parked}
    return "".join(
        lines.line(
            match,
            is_rated=is_rated(match.fixture, settled_after, given_up),
            is_released=match.fixture.deal in release.deals,
        )
        + "\n"
        for match in archive.matches
    )


def is_rated(fixture: FixtureRecord, settled_after: int | None, given_up: Iterable[int]) -> bool:
    """Return whether a match counts: not beyond the stopping point, nor in a block given up."""
    return fixture.block not in given_up and (
        settled_after is None or fixture.round <= settled_after
    )


def digests_of(config: TournamentConfig, matches: bytes) -> dict[str, str]:
    """Return the digests of what nothing else could tell from a changed copy.

    That of the config is of what it settles: its comments and `[run]` may change.
    """
    settled = write_config(replace(config, run=RunSettings()))
    return {"tournament.toml": digest(settled.encode()), MATCHES_FILE: digest(matches)}
