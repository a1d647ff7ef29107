"""From the place a person has named to the store there."""

from __future__ import annotations

from pathlib import Path

from arena.errors import InputError
from arena.storage.database import Database
from arena.storage.sql_store import SqlStore
from arena.storage.sqlite import SqliteDatabase
from arena.storage.store import FailPoint, Store

_POSTGRES_SCHEMES = ("postgresql", "postgres")


def open_store(
    place: str | Path, name: str, *, fail_point: FailPoint | None = None, is_read_only: bool = False
) -> Store:
    """Open the store of the tournament `name`; it need not have been created.

    `place` is the path of an SQLite file, or the address of a PostgreSQL database. With
    `is_read_only` nothing is written, and the database must be there.

    Raises InputError for an address that cannot be one, StorageError for what cannot be used.
    """
    scheme, mark, _ = str(place).partition("://")
    database: Database
    if isinstance(place, Path) or not mark:
        database = SqliteDatabase(Path(place), is_read_only=is_read_only)
    elif scheme not in _POSTGRES_SCHEMES:
        raise InputError(
            f"no database is known by {scheme}://; "
            "give postgresql://USER@HOST/DATABASE, or the path of an SQLite file"
        )
    else:
        # Only here: psycopg need not be installed for SQLite.
        from arena.storage.postgres import PostgresDatabase  # noqa: PLC0415

        database = PostgresDatabase(place, is_read_only=is_read_only)
    return SqlStore(database, name, fail_point=fail_point, is_read_only=is_read_only)
