"""What a store needs of a database: statements, and transactions that are tried again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
"""What a driver hands out; arena.storage.rows gives it types."""


RECOVERY = (
    "restore a copy of it; or move it away and make it again from the files of the results "
    "directory with `arena tournament DIR --recover`"
)
"""What to do about a database that is damaged."""


def patiently(
    work: Callable[[], T], passes: Callable[[Exception], bool], patience_s: float, pause_s: float
) -> T:
    """Run work, again after every error that passes, for a while; raises the last one."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return work()
        except Exception as error:
            if not passes(error) or time.monotonic() >= deadline:
                raise
        time.sleep(pause_s)


class Database(Protocol):
    """A connection. Statements mark their parameters with `?` and are standard SQL.

    Every method raises StorageError, with what to do, when the database cannot be used.
    """

    where: str
    """Where it is, for messages; without a password."""

    row_lock: str
    """What ends a SELECT that keeps its rows from all other writers; "" where a write does so."""

    column_types: dict[str, str]
    """Names of the types that the databases do not have in common: `key` and `blob`."""

    def tables(self) -> set[str]:
        """Return the names of all tables."""
        ...

    def columns(self, table: str) -> set[str]:
        """Return the names of a table's columns."""
        ...

    def lock_schema(self) -> None:
        """Inside a transaction: keep others from changing the tables until its end."""
        ...

    def now(self) -> float:
        """Return the time that all arenas at this database agree upon, in seconds."""
        ...

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Run a SELECT; return all its rows. Inside `read` or `write` only."""
        ...

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run a statement; return how many rows it touched. Inside `write` only."""
        ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for each row of parameters. Inside `write` only."""
        ...

    def damage(self) -> list[str]:
        """Look through all of it, as far as the database can; return what is damaged."""
        ...

    def read(self, work: Callable[[], T]) -> T:
        """Run what only reads; again from the start after trouble that passes."""
        ...

    def write(self, work: Callable[[], T]) -> T:
        """Run work in one transaction, and return durably; after any exception nothing was written.

        After trouble that passes it is run again from the start. The trouble may have hit after
        the commit: work must find out what it has written before, and not write it twice.
        """
        ...

    def close(self) -> None:
        """Let go. Idempotent."""
        ...
