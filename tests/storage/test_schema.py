from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg
import pytest

from arena.errors import StorageError
from arena.storage.opening import open_store
from arena.storage.postgres import PostgresDatabase
from arena.storage.schema import STEPS
from arena.storage.sqlite import SqliteDatabase
from tests.storage.samples import fixtures, report, tournament

NEWEST = len(STEPS)


def run(place: str, *statements: str) -> None:
    """Run statements at the place, not through a store."""
    if place.startswith("postgres"):
        with psycopg.connect(place) as connection:
            for statement in statements:
                connection.execute(statement.encode())
    else:
        file = sqlite3.connect(place)
        with file:
            for statement in statements:
                file.execute(statement)
        file.close()


def version_1(place: str) -> None:
    """Make a database as the first version made it, with a tournament in it."""
    is_postgres = place.startswith("postgres")
    types = (PostgresDatabase if is_postgres else SqliteDatabase).column_types
    blob = "'\\x01'" if is_postgres else "x'01'"
    run(
        place,
        *(statement.format(**types) for statement in STEPS[0]),
        "UPDATE schema_version SET version = 1",
        "INSERT INTO tournament (name, config, game, options, players, seed, seed_text, salt, "
        f"created) VALUES ('cup', '', 'byzanz', '{{}}', 3, {blob}, '7', {blob}, 'then')",
        'INSERT INTO fixtures (tournament, "index", match, block, round, "table", deal, '
        'seating, bots) SELECT id, 0, \'1-0\', 1, 1, 1, 1, 0, \'["a","b","c"]\' FROM tournament',
    )


def test_an_earlier_version_is_brought_up_to_date(place, opened):
    """A database of version 1 keeps what it holds, gains what is new, and can be played on."""
    version_1(place)
    store = opened()
    assert store.tournament().game == "byzanz"
    [claim] = store.claim("me", 1)
    assert store.finish("me", claim, report(claim))
    [(version,)] = store._database.query("SELECT version FROM schema_version")
    assert version == NEWEST
    with pytest.raises(StorageError, match="fixtures_by_state"):
        store._database.write(lambda: store._database.execute(STEPS[1][0]))


def test_an_earlier_version_can_be_only_read(place, opened):
    """Who only reads needs no newer tables; what they would tell is not there."""
    version_1(place)
    store = opened(is_read_only=True)
    assert store.tournament().game == "byzanz"
    assert list(store.chain()) == []


def test_a_newer_version_is_refused(place, opened):
    """A database of tomorrow is left alone."""
    opened().close()
    run(place, f"UPDATE schema_version SET version = {NEWEST + 1}")
    with pytest.raises(StorageError, match=rf"newer arena .*version {NEWEST + 1}.*update arena"):
        opened()


def test_a_failed_step_leaves_the_version_before(place, opened, monkeypatch):
    """A step is applied as a whole or not at all, and again the next time."""
    broken = ("CREATE TABLE extra (x INTEGER)", "CREATE TABLE extra (x INTEGER)")
    monkeypatch.setattr("arena.storage.schema.STEPS", (*STEPS, broken))
    with pytest.raises(StorageError, match="extra"):
        opened()
    monkeypatch.undo()
    store = opened()
    assert "extra" not in store._database.tables()
    store.create(tournament(), fixtures(3))


def test_tables_of_others_are_left_alone(place, opened):
    """A database with other tables is refused, even if some are called like ours."""
    run(place, "CREATE TABLE results (points INTEGER)", "INSERT INTO results VALUES (3)")
    with pytest.raises(StorageError, match="not one of arena's; it was not changed"):
        opened()
    with pytest.raises(StorageError, match="not one of arena's"):
        opened(is_read_only=True)


@pytest.mark.parametrize("content", ["sqlite", "text"])
def test_a_foreign_file_keeps_every_byte(content, tmp_path: Path):
    """Neither another SQLite file nor any other file is changed by trying to open it."""
    path = tmp_path / "notes.db"
    if content == "sqlite":
        run(str(path), "CREATE TABLE notes (text TEXT)")
    else:
        path.write_text("my notes, rather long ones\n" * 100)
    before = path.read_bytes()
    with pytest.raises(StorageError, match="was not changed"):
        open_store(path, "cup")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
