"""The results directories of a server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.errors import InputError, UnknownTournamentError
from arena.organiser.directories import ResultsDirectories, ResultsFiles
from arena.results.export import EXPORTS
from arena.results.messages import TournamentPhase

MATCHES = [f"{number}-1" for number in range(1, 51)]


def fill(place: Path, replays: int = 3, size: int = 10) -> None:
    """Write files as an export does, without sense."""
    (place / "replays").mkdir(parents=True)
    for number in range(replays):
        (place / "replays" / f"{number + 1}-1.jsonl").write_bytes(bytes([number]) * size)
    for name in EXPORTS:
        (place / name).write_bytes(name.encode())
    (place / "arena.db").write_bytes(b"secret")
    (place / "logs").mkdir()


def read_all(files: ResultsFiles) -> list[tuple[str, bytes]]:
    """Return the files as a receiver puts them together."""
    found: list[tuple[str, bytes]] = []
    parts = b""
    while pieces := files.read():
        for name, data, is_last in pieces:
            parts += data
            if is_last:
                found.append((name, parts))
                parts = b""
    files.close()
    return found


@pytest.mark.parametrize("size", [0, 10, 256 * 1024, 256 * 1024 + 1, 1_000_000])
def test_files_of_every_size_are_sent_whole(tmp_path, size):
    """Replays in their order, then the exports, the config last; nothing else."""
    fill(tmp_path, replays=12, size=size)
    found = read_all(ResultsFiles(tmp_path, b"the config", MATCHES, None))
    names = [name for name, _ in found]
    assert names == [
        *(f"replays/{number}-1.jsonl" for number in range(1, 13)),
        *EXPORTS,
        "tournament.toml",
    ]
    for number in range(12):
        assert found[number][1] == bytes([number]) * size
    assert found[-1][1] == b"the config"


@pytest.mark.parametrize(("most", "sent"), [(None, 3), (0, 0), (2, 2), (9, 3)])
def test_so_many_replays_as_are_wanted(tmp_path, most, sent):
    """The first ones of the canonical order."""
    fill(tmp_path)
    names = [name for name, _ in read_all(ResultsFiles(tmp_path, b"", MATCHES, most))]
    replays = [name for name in names if name.startswith("replays/")]
    assert replays == [f"replays/{number}-1.jsonl" for number in range(1, sent + 1)]


def test_files_that_are_replaced_while_they_are_sent(tmp_path):
    """What is sent is what was there at the beginning: the files belong to each other."""
    fill(tmp_path)
    files = ResultsFiles(tmp_path, b"", MATCHES, None)
    for name in EXPORTS:
        (tmp_path / "new").write_bytes(b"something newer")
        (tmp_path / "new").replace(tmp_path / name)
    assert dict(read_all(files))["matches.jsonl"] == b"matches.jsonl"


def test_files_are_closed_while_they_are_read(tmp_path):
    """Whoever sends them may give up at any moment."""
    fill(tmp_path, replays=50, size=100_000)
    with ThreadPoolExecutor(1) as thread:
        files = ResultsFiles(tmp_path, b"", MATCHES, None)
        reading = thread.submit(read_all, files)
        files.close()
        reading.result()
    assert files.read() == []


def test_a_shelf_without_a_directory(tmp_path):
    """It is empty, and stays so."""
    directories = ResultsDirectories(tmp_path / "kept")
    assert directories.names() == []
    with pytest.raises(UnknownTournamentError):
        directories.state("cup")
    with pytest.raises(InputError):
        directories.place("../cup")
    assert not (tmp_path / "kept").exists()


def test_what_is_no_tournament_is_listed_with_the_reason(tmp_path):
    """A database that cannot be read has failed; a directory without one is nobody's business."""
    fill(tmp_path / "torn")
    (tmp_path / "notes").mkdir()
    directories = ResultsDirectories(tmp_path)
    assert directories.names() == ["torn"]
    state = directories.try_state("torn")
    assert state.phase is TournamentPhase.FAILED
    assert "arena.db" in state.reason
