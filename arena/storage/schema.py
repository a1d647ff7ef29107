"""The tables, and how a database of an earlier version is brought up to date.

A step that was released never changes; what is new is a new step. Each is applied in one
transaction with its number, so that an interrupted migration goes on where it stopped.
"""

from __future__ import annotations

from arena.errors import DamagedError, StorageError
from arena.storage.database import RECOVERY, Database

_TABLES = (
    "CREATE TABLE schema_version (version INTEGER NOT NULL)",
    "INSERT INTO schema_version (version) VALUES (0)",
    """CREATE TABLE tournament (
        id {key},
        name TEXT NOT NULL UNIQUE,
        config TEXT NOT NULL,
        game TEXT NOT NULL,
        options TEXT NOT NULL, -- JSON
        players INTEGER NOT NULL,
        seed {blob} NOT NULL,
        seed_text TEXT NOT NULL,
        salt {blob} NOT NULL,
        created TEXT NOT NULL
    )""",
    """CREATE TABLE bots (
        tournament INTEGER NOT NULL REFERENCES tournament (id),
        "index" INTEGER NOT NULL, -- in the order they were entered
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        "group" TEXT NOT NULL,
        PRIMARY KEY (tournament, "index"),
        UNIQUE (tournament, name)
    )""",
    """CREATE TABLE fixtures (
        tournament INTEGER NOT NULL REFERENCES tournament (id),
        "index" INTEGER NOT NULL,
        match TEXT NOT NULL,
        block INTEGER NOT NULL,
        round INTEGER NOT NULL,
        "table" INTEGER NOT NULL,
        deal INTEGER NOT NULL,
        seating INTEGER NOT NULL,
        bots TEXT NOT NULL, -- JSON: names by seat
        state TEXT NOT NULL DEFAULT 'open', -- open, claimed, finished or parked
        attempts INTEGER NOT NULL DEFAULT 0, -- the number of the last one
        voids INTEGER NOT NULL DEFAULT 0, -- how many of them count towards parking
        owner TEXT, -- of the claim
        lease_until DOUBLE PRECISION, -- seconds since 1970
        ticket TEXT, -- of the call that claimed it: tells whether a call that broke off had claimed
        PRIMARY KEY (tournament, "index"),
        UNIQUE (tournament, match)
    )""",
    """CREATE TABLE attempts (
        tournament INTEGER NOT NULL,
        "index" INTEGER NOT NULL,
        number INTEGER NOT NULL,
        owner TEXT NOT NULL,
        started TEXT NOT NULL,
        ended TEXT, -- none: it is running
        void_reason TEXT,
        PRIMARY KEY (tournament, "index", number),
        FOREIGN KEY (tournament, "index") REFERENCES fixtures (tournament, "index")
    )""",
    """CREATE TABLE results (
        tournament INTEGER NOT NULL,
        "index" INTEGER NOT NULL,
        owner TEXT NOT NULL, -- who stored it, and with which attempt
        attempt INTEGER NOT NULL,
        scores TEXT NOT NULL, -- JSON, by seat, as all the following
        ranks TEXT NOT NULL,
        ended TEXT NOT NULL,
        faults TEXT NOT NULL, -- JSON: [seat, move, fault, detail, forfeited]
        times TEXT NOT NULL, -- JSON: [decisions, used_s, slowest_s, delay_s] by seat
        moves INTEGER NOT NULL,
        replay {blob} NOT NULL, -- zlib; the last column, so that it is not read with the others
        PRIMARY KEY (tournament, "index"),
        FOREIGN KEY (tournament, "index") REFERENCES fixtures (tournament, "index")
    )""",
)

_FIXTURES_BY_STATE = (
    # Claims, leases and progress look at few fixtures of many.
    'CREATE INDEX fixtures_by_state ON fixtures (tournament, state, "index")',
)

CHAIN_SINCE = 3

_CHAIN = (
    """CREATE TABLE chain (
        tournament INTEGER NOT NULL,
        place INTEGER NOT NULL, -- from 1, in the order in which results were stored
        "index" INTEGER NOT NULL,
        result TEXT NOT NULL, -- digests: see arena/storage/chain.py
        replay TEXT NOT NULL,
        link TEXT NOT NULL,
        PRIMARY KEY (tournament, place),
        FOREIGN KEY (tournament, "index") REFERENCES fixtures (tournament, "index")
    )""",
)

ISOLATION_SINCE = 4

_ISOLATION = (
    # Of the attempt, not of the result: what stands behind a replay is slow to read.
    "ALTER TABLE attempts ADD COLUMN isolation TEXT NOT NULL DEFAULT ''",
)

STEPS: tuple[tuple[str, ...], ...] = (_TABLES, _FIXTURES_BY_STATE, _CHAIN, _ISOLATION)
"""The statements that lead from each version to the next; the first makes version 1."""

_OURS = {"schema_version", "tournament", "fixtures", "attempts", "results"}


def stored_version(database: Database) -> int:
    """Return the version of the tables, 0 if there are none. Writes nothing.

    Raises StorageError for a database that is not ours or newer than this program.
    """
    tables = database.tables()
    if not tables:
        return 0
    if not tables >= _OURS:
        raise StorageError(
            f"{database.where} is a database, but not one of arena's; it was not changed: "
            "name another place for the tournament"
        )
    versions = database.read(lambda: database.query("SELECT version FROM schema_version"))
    version = versions[0][0] if len(versions) == 1 else None
    if not isinstance(version, int) or version < 1:
        raise DamagedError(
            f"{database.where}: the version of its tables is damaged: {RECOVERY} ({versions!s:.60})"
        )
    if version > len(STEPS):
        raise StorageError(
            f"{database.where} was written by a newer arena (its tables have version {version}, "
            f"this program knows {len(STEPS)}); it was not changed: update arena"
        )
    return version


def migrate(database: Database) -> None:
    """Bring the tables to the newest version; make them in an empty database."""
    version = stored_version(database)
    while version < len(STEPS):
        version = database.write(lambda: _step(database))


def require_tables(database: Database) -> int:
    """Return the version of the tables for whoever only reads: those of an earlier arena will do.

    Raises StorageError if there are none.
    """
    version = stored_version(database)
    if version == 0:
        raise StorageError(f"{database.where} is empty: no tournament was started there yet")
    return version


def _step(database: Database) -> int:
    """Apply the next step, inside a transaction; return the version reached."""
    database.lock_schema()
    version = stored_version(database)  # another arena may have been faster
    if version == len(STEPS):
        return version
    for statement in STEPS[version]:
        database.execute(statement.format(**database.column_types))
    database.execute("UPDATE schema_version SET version = ?", (version + 1,))
    return version + 1
