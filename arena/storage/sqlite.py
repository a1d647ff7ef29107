"""An SQLite file as a database."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from arena.errors import DamagedError, StorageError
from arena.storage.database import RECOVERY, Row, patiently

T = TypeVar("T")

PATIENCE_S = 30.0
"""How long is waited for a file that another process has locked."""

_PAUSE_S = 0.02
_LOG_PAGES = 4000  # before the log is brought into the file: less often than usual is faster
_PRIMARY = 0xFF  # the part of an error's code that says what; the rest says where exactly

_UNREADABLE = -1  # Python's own complaint about a text that is no text
_TROUBLE = (sqlite3.Error, UnicodeDecodeError)  # a message of SQLite may quote what is no text
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_NOTADB, _UNREADABLE}

_ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space and run the command again; what is "
    "stored is kept",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written: check whether it is full or "
    "failing and run the command again; what is stored is kept",
    sqlite3.SQLITE_READONLY: "it cannot be written: check the permissions of the file and "
    "directory, or choose another place",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check that its directory exists and who owns it",
    sqlite3.SQLITE_PERM: "it cannot be opened: check the permissions of the file and directory",
    sqlite3.SQLITE_AUTH: "it cannot be opened: check the permissions of the file and directory",
    sqlite3.SQLITE_CORRUPT: f"it is damaged: {RECOVERY}",
    sqlite3.SQLITE_ERROR: f"it is damaged: {RECOVERY}",  # our statements are right
    _UNREADABLE: f"it is damaged: {RECOVERY}",
    sqlite3.SQLITE_NOTADB: "it is not an SQLite database and was not changed: choose another "
    f"place; if it was one, it is damaged: {RECOVERY}",
    sqlite3.SQLITE_BUSY: "another process keeps it locked: end that process, or wait for it",
    sqlite3.SQLITE_LOCKED: "another process keeps it locked: end that process, or wait for it",
    sqlite3.SQLITE_TOOBIG: "a match is too large to be stored",
}


class SqliteDatabase:
    """Implements Database in a file, made if it is not there; several arenas may share it."""

    row_lock = ""  # a transaction that writes is alone
    column_types = {"key": "INTEGER PRIMARY KEY", "blob": "BLOB"}  # noqa: RUF012 - of a protocol

    def __init__(
        self, path: Path, *, is_read_only: bool = False, patience_s: float = PATIENCE_S
    ) -> None:
        self.where = str(path)
        self._patience_s = patience_s
        self._is_journal_set = False
        if is_read_only and not path.exists():
            raise StorageError(f"{path}: there is no such file; has the tournament been started?")
        if not is_read_only and path.parent.is_dir() and not _can_write(path):
            raise StorageError(f"{path}: {_ADVICE[sqlite3.SQLITE_READONLY]}")
        try:
            self._connection = self._connect(path, is_read_only=is_read_only)
        except _TROUBLE as error:
            raise self._trouble(error) from error

    def tables(self) -> set[str]:
        found = self.read(
            lambda: self.query(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' "
                "ESCAPE '~'"
            )
        )
        return {name for (name,) in found}

    def columns(self, table: str) -> set[str]:
        found = self.read(lambda: self.query("SELECT name FROM pragma_table_info(?)", (table,)))
        return {name for (name,) in found}

    def lock_schema(self) -> None:
        """Nothing is to be done: a transaction that writes is alone."""

    def now(self) -> float:
        return time.time()

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        return self._connection.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self._connection.executemany(sql, rows)

    def damage(self) -> list[str]:
        found = self.read(lambda: self.query("PRAGMA integrity_check(5)"))
        orphans = self.read(lambda: self.query("PRAGMA foreign_key_check"))
        tables = sorted({str(table) for table, *_ in orphans})
        return [str(line) for (line,) in found if line != "ok"] + [
            f"table {table} has rows that belong to nothing" for table in tables
        ]

    def read(self, work: Callable[[], T]) -> T:
        try:
            return patiently(work, _is_locked, self._patience_s, _PAUSE_S)
        except _TROUBLE as error:
            raise self._trouble(error) from error

    def write(self, work: Callable[[], T]) -> T:
        return self.read(lambda: self._transact(work))

    def close(self) -> None:
        self._connection.close()

    def _connect(self, path: Path, *, is_read_only: bool) -> sqlite3.Connection:
        """Open the file. Reading only does not even leave files beside it, where it can."""
        mode = "rwc"
        if is_read_only:
            log = Path(f"{path}-wal")
            has_log = log.exists() and log.stat().st_size > 0
            # Without its log a file that nobody can write needs no locks, and could make none.
            mode = "rw" if _can_write(path) else "ro" if has_log else "ro&immutable=1"
        else:
            _make_private(path)
        connection = sqlite3.connect(
            f"file:{quote(str(path.absolute()))}?mode={mode}",
            uri=True,
            timeout=self._patience_s,
            isolation_level=None,  # transactions are begun and ended here
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            if is_read_only:
                connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _transact(self, work: Callable[[], T]) -> T:
        if not self._is_journal_set:
            # Only now: a file that turns out not to be ours must not be changed.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._is_journal_set = True
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            returned = work()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # some errors have ended it already
                self._connection.execute("ROLLBACK")
            raise
        return returned

    def _trouble(self, error: Exception) -> StorageError:
        code = _code(error)
        if isinstance(error, UnicodeDecodeError) or (
            code == 0 and "Could not decode" in str(error)
        ):
            code = _UNREADABLE
        kind = DamagedError if code in _DAMAGED else StorageError
        return kind(f"{self.where}: {_ADVICE.get(code, 'it cannot be used')} ({error})")


def _make_private(path: Path) -> None:
    """See that a file that is not there yet will be nobody else's to read: it holds the seed."""
    with contextlib.suppress(OSError):  # opening it tells what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _can_write(path: Path) -> bool:
    """Return whether the file can be written, or made; it needs others beside it."""
    is_free = os.access(path.parent, os.W_OK)
    return is_free and (not path.exists() or os.access(path, os.W_OK))


def _is_locked(error: Exception) -> bool:
    """Return whether waiting helps: SQLite does so by itself, except in a few places."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: Exception) -> int:
    """Return what kind of error it is, 0 for one that Python has raised by itself."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY
