from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from arena.errors import StorageError
from arena.storage.opening import open_store
from arena.storage.records import StoreProgress
from arena.storage.sql_store import SqlStore
from arena.storage.sqlite import SqliteDatabase
from tests.storage.samples import fixtures, report, tournament

ME = "me"
_DISK_KIB = 1024


def made(path: Path, count: int = 6) -> Path:
    """A file with a tournament in it, closed."""
    with open_store(path, "cup") as store:
        store.create(tournament(), fixtures(count))
    return path


def noise(size: int) -> str:
    """A text that hardly gets smaller."""
    return random.Random(1).randbytes(size // 2).hex()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, which can be filled and made read-only."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = shutil.which("mount")
    options = f"size={_DISK_KIB}k"
    if (
        mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", options, "tmpfs", path], check=False, capture_output=True
        ).returncode
    ):
        pytest.skip("no disk can be mounted here (that takes root): full ones are only simulated")
    yield path
    subprocess.run(["umount", "-l", path], check=True)


class TestFullDisk:
    def test_a_full_file_keeps_what_it_has(self, tmp_path):
        """A result without room is refused as a whole, and stored once there is room."""
        with open_store(made(tmp_path / "arena.db"), "cup") as store:
            first, second = store.claim(ME, 2)
            store.finish(ME, first, report(first))
            connection = store._database._connection  # type: ignore[attr-defined]
            [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
            connection.execute(f"PRAGMA max_page_count = {pages}").fetchall()
            with pytest.raises(StorageError, match="the disk is full: free some space"):
                store.finish(ME, second, report(second, noise(100_000)))
            assert store.progress() == StoreProgress(fixtures=6, results=1, parked=0, claimed=1)
            assert [a.ended is None for a in store.attempts()] == [False, True]
            connection.execute(f"PRAGMA max_page_count = {pages + 1000}").fetchall()
            assert store.finish(ME, second, report(second, noise(100_000)))

    def test_a_full_disk_keeps_what_it_has(self, disk):
        """A tournament fills the disk, stops with a clear error, and goes on after room is made."""
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(_DISK_KIB * 512))
        made(disk / "arena.db", 60)
        replay, stored = noise(40_000), []
        with open_store(disk / "arena.db", "cup") as store:
            claims = store.claim(ME, 60)

            def play() -> None:
                for claim in claims:
                    store.finish(ME, claim, report(claim, replay))
                    stored.append(claim.fixture.index)

            with pytest.raises(StorageError, match="the disk"):
                play()
            assert 0 < len(stored) < 60
            assert [match.fixture.index for match in store.matches()] == stored
        with open_store(disk / "arena.db", "cup") as store:
            assert [match.fixture.index for match in store.matches()] == stored
            assert sum(attempt.ended is None for attempt in store.attempts()) == 60 - len(stored)
            assert store.replay("1-0") == replay
            ballast.unlink()
            refused = claims[len(stored)]
            assert store.finish(ME, refused, report(refused, replay))

    def test_no_room_to_begin(self, disk):
        """Without room not even an empty tournament is left behind."""
        (disk / "ballast").write_bytes(bytes(_DISK_KIB * 1024 - 8192))
        with pytest.raises(StorageError, match="disk"):
            made(disk / "arena.db")


class TestReadOnlyDisk:
    def test_what_cannot_be_written_can_be_read(self, disk):
        """On a read-only disk playing is refused clearly, and reading works."""
        path = made(disk / "arena.db")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with open_store(path, "cup", is_read_only=True) as store:
            assert store.tournament() == tournament()
        with (
            pytest.raises(StorageError, match="it cannot be written: check the permissions"),
            open_store(path, "cup") as store,
        ):
            store.claim(ME, 1)
        with pytest.raises(StorageError, match=r"cannot be (opened|written)"):
            open_store(disk / "new.db", "cup")

    def test_what_a_killed_arena_left_can_be_read(self, disk):
        """A log that was never brought into the file is read from a read-only disk too."""
        path = made(disk / "arena.db")
        copy = disk / "copy"
        copy.mkdir()
        with open_store(path, "cup") as store:
            [claim] = store.claim(ME, 1)
            store.finish(ME, claim, report(claim))
            for file in disk.glob("arena.db*"):
                shutil.copy(file, copy)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with open_store(copy / "arena.db", "cup", is_read_only=True) as store:
            assert store.progress().results == 1

    @pytest.mark.skipif(os.getuid() == 0, reason="root may write everything; a disk stands in")
    def test_a_directory_without_permission(self, tmp_path):
        """Where the user may not write, playing is refused clearly, and reading works."""
        path = made(tmp_path / "arena.db")
        path.chmod(0o444)
        tmp_path.chmod(0o555)
        try:
            with open_store(path, "cup", is_read_only=True) as store:
                assert store.tournament() == tournament()
            with (
                pytest.raises(StorageError, match="check the permissions"),
                open_store(path, "cup") as store,
            ):
                store.claim(ME, 1)
        finally:
            tmp_path.chmod(0o755)

    def test_reading_leaves_no_files(self, tmp_path):
        """Whoever only looks leaves the directory as it was."""
        path = made(tmp_path / "arena.db")
        with open_store(path, "cup", is_read_only=True) as store:
            assert len(store.fixtures()) == 6
        assert list(tmp_path.iterdir()) == [path]


class TestLocked:
    def test_a_short_lock_is_waited_for(self, tmp_path):
        """Another process in between costs time only."""
        path = made(tmp_path / "arena.db")
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        with open_store(path, "cup") as store:
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
            timer.start()
            start = time.monotonic()
            assert len(store.claim(ME, 2)) == 2
            assert time.monotonic() - start > 0.1
            timer.join()
        other.close()

    def test_a_long_lock_is_an_error(self, tmp_path):
        """After the patience it is said who is in the way, and reading still works."""
        path = made(tmp_path / "arena.db")
        other = sqlite3.connect(path, isolation_level=None)
        with SqlStore(SqliteDatabase(path, patience_s=0.1), "cup") as store:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="another process keeps it locked"):
                store.claim(ME, 2)
            assert store.progress().claimed == 0
            other.execute("ROLLBACK")
            assert len(store.claim(ME, 2)) == 2
        other.close()


class TestDamage:
    @pytest.mark.parametrize("damage", ["overwritten", "cut"])
    def test_a_damaged_file(self, damage, tmp_path):
        """A file with a hole, or without its end, is called damaged."""
        path = made(tmp_path / "arena.db", 600)
        content = bytearray(path.read_bytes())
        if damage == "overwritten":
            content[4096:-4096] = b"\xff" * (len(content) - 8192)
        else:
            del content[len(content) // 2 :]
        path.write_bytes(content)
        with (
            pytest.raises(StorageError, match="it is damaged: restore a copy"),
            open_store(path, "cup") as store,
        ):
            store.fixtures()

    @pytest.mark.parametrize("column", ["replay", "scores"])
    def test_a_damaged_match(self, column, tmp_path):
        """A result that cannot be decoded is named."""
        path = made(tmp_path / "arena.db")
        with open_store(path, "cup") as store:
            [claim] = store.claim(ME, 1)
            store.finish(ME, claim, report(claim))
            connection = store._database._connection  # type: ignore[attr-defined]
            connection.execute(f"UPDATE results SET {column} = 'damage'").fetchall()
            with pytest.raises(StorageError, match="of match 1-0 is damaged"):
                _ = list(store.matches()), store.replay("1-0")


class TestPath:
    def test_a_directory_that_is_not_there(self, tmp_path):
        """The file's directory is not made up."""
        with pytest.raises(StorageError, match="check that its directory exists"):
            open_store(tmp_path / "none" / "arena.db", "cup")

    def test_a_directory_is_no_file(self, tmp_path):
        """A directory's name is refused."""
        with pytest.raises(StorageError, match="it cannot be opened"):
            open_store(tmp_path, "cup")

    def test_nothing_to_read(self, tmp_path):
        """Reading does not make a file."""
        with pytest.raises(StorageError, match="there is no such file"):
            open_store(tmp_path / "arena.db", "cup", is_read_only=True)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_large_tournament_is_resumed_at_once(tmp_path):
    """With 50,000 stored matches, what a resumed tournament asks first takes moments."""
    count = 50_000
    path = made(tmp_path / "arena.db", 1)
    file = sqlite3.connect(path)
    with file:
        file.execute(
            "WITH RECURSIVE numbers (n) AS "
            f"(VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < {count - 1}) "
            'INSERT INTO fixtures (tournament, "index", match, block, round, "table", deal, '
            "seating, bots) SELECT tournament, n, n || '-1', n, n, 1, n, 0, bots "
            "FROM fixtures, numbers"
        )
        file.execute(
            f"UPDATE fixtures SET state = 'finished', attempts = 1 WHERE \"index\" < {count - 50}"
        )
        file.execute(
            "INSERT INTO results SELECT tournament, \"index\", 'me', 1, '[3,2,1]', '[1,2,3]', "
            '\'["normal","normal","normal"]\', \'[]\', \'[[9,1.5,0.5,0.1],[9,1.5,0.5,0.1],'
            "[9,1.5,0.5,0.1]]', 27, zeroblob(1500) FROM fixtures WHERE state = 'finished'"
        )
    file.close()
    start = time.process_time()
    with open_store(path, "cup") as store:
        assert store.tournament() is not None
        assert store.progress().results == count - 50
        assert len(store.missing()) == 50
        assert store.claim(ME, 4)[0].fixture.index == count - 50
        assert time.process_time() - start < 1
        start = time.process_time()
        assert sum(1 for _ in islice(store.matches(), count // 5)) == count // 5
        assert time.process_time() - start < 2


def test_a_database_is_private(tmp_path: Path) -> None:
    """Nobody else can read a new database, which holds the seed, nor what SQLite puts beside it."""
    path = tmp_path / "arena.db"
    store = open_store(path, "cup")
    store.create(tournament(), fixtures(1))
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    store.close()
