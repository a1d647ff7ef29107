"""The replays of a results directory: one file a match, written once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.atomic import make_directory, replace_files, sweep_partials
from arena.results.archive import REPLAYS, Archive
from arena.storage.records import read_moment

_ENDING = ".jsonl"
_AT_ONCE = 500

OnProgress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


def write_replays(
    archive: Archive,
    matches: Sequence[str],
    *,
    repairs: bool = False,
    on_progress: OnProgress | None = None,
) -> set[str]:
    """Write the replays of these matches from the archive's store, as far as they are missing.

    Returns the matches whose replays are there now. A replay never changes, so a file that is there
    is taken for what it is, unless it is older than the tournament, and so another's. With
    `repairs` every file is read and compared.
    """
    directory = archive.directory / REPLAYS
    created = read_moment(archive.tournament.created)
    since = created.timestamp() - 1 if created else 0.0  # file systems round
    there = replays_there(directory, since)
    if not matches or archive.store is None:
        return there
    make_directory(directory)
    sweep_partials(directory)
    wanted = [match for match in matches if repairs or match not in there]
    for start in range(0, len(wanted), _AT_ONCE):
        batch = wanted[start : start + _AT_ONCE]
        contents = {
            f"{match}{_ENDING}": text.encode("utf-8", "backslashreplace")
            for match, text in archive.store.replays(batch)
        }
        there.update(name.removesuffix(_ENDING) for name in contents)
        if repairs:
            contents = {
                name: content
                for name, content in contents.items()
                if not _says(directory / name, content)
            }
        if contents:
            replace_files(directory, contents)
        if on_progress is not None:
            on_progress("writing replays", start + len(batch), len(wanted))
    return there


def find_replays(directory: Path) -> dict[str, Path]:
    """Return the replays of a results directory by their matches."""
    return {path.stem: path for path in sorted((directory / REPLAYS).glob(f"*{_ENDING}"))}


def replay_path(directory: Path, match: str) -> Path:
    """Return where the replay of a match is in a results directory."""
    return directory / REPLAYS / f"{match}{_ENDING}"


def replays_there(directory: Path, since: float = 0.0) -> set[str]:
    """Return the matches with a replay in a directory that is not empty nor older than `since`."""
    try:
        with os.scandir(directory) as entries:
            return {
                entry.name.removesuffix(_ENDING)
                for entry in entries
                if entry.name.endswith(_ENDING)
                and (status := entry.stat()).st_size
                and status.st_mtime >= since
            }
    except (FileNotFoundError, NotADirectoryError):
        return set()


def _says(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False
