"""From the place a person has named to the store there."""

from __future__ import annotations

from pathlib import Path

from arena.errors import InputError
from arena.storage.sqlite import SqliteStore
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
    if isinstance(place, Path) or not mark:
        return SqliteStore(Path(place), name, fail_point=fail_point, is_read_only=is_read_only)
    if scheme not in _POSTGRES_SCHEMES:
        raise InputError(
            f"no database is known by {scheme}://; "
            "give postgresql://USER@HOST/DATABASE, or the path of an SQLite file"
        )
    # Only here: psycopg need not be installed for SQLite.
    from arena.storage.postgres import PostgresStore  # noqa: PLC0415

    return PostgresStore(place, name, fail_point=fail_point, is_read_only=is_read_only)
