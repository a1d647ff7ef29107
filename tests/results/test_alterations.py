"""Alterations planted at random in results: only what nobody can make again goes unnoticed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from arena.config.tournament import differences, read_config
from arena.errors import ArenaError, InputError, StorageError
from arena.results.archive import open_archive
from arena.results.audit.audit import audit_results
from arena.results.export import make_board, release_of
from arena.results.formats import leaderboard_json
from tests.played_tournament import CLUMSY, FRAIL, finish, publish

SEED = 20261117
COUNT = 150  # with the database, and again without

TABLES = ("schema_version", "tournament", "bots", "fixtures", "attempts", "results", "chain")

pytestmark = pytest.mark.usefixtures("high_card")


def read_cells(path: Path) -> object:
    """Return what a database says but for times and for who tried in vain, or that it cannot."""
    try:
        with closing(sqlite3.connect(path)) as database:
            tables = {}
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master")]
            for name in TABLES:
                cursor = database.execute(f"SELECT * FROM {name} ORDER BY rowid")
                columns = [column for column, *_ in cursor.description]
                tables[name] = [
                    _meaning(dict(zip(columns, row, strict=True)), name) for row in cursor
                ]
            [(verdict,)] = database.execute("PRAGMA integrity_check(1)")
        return (tables, names, verdict)
    except (sqlite3.Error, ValueError, TypeError) as error:
        return repr(error)


def _meaning(row: dict[str, object], table: str) -> object:
    if table == "results":
        row["times"] = [seat[0] for seat in json.loads(str(row["times"]))]  # the decisions
    if table == "tournament":
        row["config"] = _without_run(str(row["config"]))
    if table == "attempts":
        if row["void_reason"] is not None:
            row["owner"] = type(row["owner"])
        for name in ("started", "ended"):
            row[name] = type(row[name])
    return row


def _without_run(text: str) -> object:
    try:
        return [(name, repr(value)) for name, value in vars_of(text) if name != "run"]
    except InputError as error:
        return str(error)


def vars_of(text: str) -> Iterator[tuple[str, object]]:
    """Yield the settings of a config."""
    config = read_config(text, "")
    for name in config.__slots__:
        yield name, getattr(config, name)


def is_meaningless(path: Path, before: bytes, after: bytes) -> bool:
    """Return whether an alteration of a file is one of times, notes or free space."""
    if path.suffix == ".db":
        one = read_cells(path)
        path.write_bytes(before)
        other = read_cells(path)
        path.write_bytes(after)
        return one == other
    try:
        texts = before.decode(), after.decode()
        if path.name == "tournament.toml":
            return not differences(*(read_config(text, "") for text in texts))
        if path.name == "timing.json":
            return bool(_timeless(texts[0]) == _timeless(texts[1]))
        if path.parent.name == "replays":
            return bool(_noteless(texts[0]) == _noteless(texts[1]))
    except (ValueError, TypeError, ArenaError, LookupError, AttributeError):
        return False
    return False


def _timeless(text: str) -> object:
    told = json.loads(text)
    told["bots"] = {bot: times[0] for bot, times in told["bots"].items()}
    told["matches"] = {
        match: (entry[0], [type(moment) for moment in entry[1:3]], [seat[0] for seat in entry[3]])
        for match, entry in told["matches"].items()
    }
    del told["created"]
    told["void"] = [entry[:2] for entry in told["void"]]
    del told["arena"]
    return told


def _noteless(text: str) -> object:
    lines = [json.loads(line) for line in text.split("\n") if line]
    return [
        {name: value for name, value in line.items() if name not in ("ms", "note", "arena")}
        for line in lines
    ]


@contextmanager
def altered_byte(rng: Random, path: Path) -> Iterator[str]:
    """Put another byte in the place of one of a file."""
    before = path.read_bytes()
    place = rng.randrange(len(before))
    other = rng.choice([byte for byte in range(256) if byte != before[place]])
    after = before[:place] + bytes([other]) + before[place + 1 :]
    path.write_bytes(after)
    told = f"{path.name}, byte {place}: {before[place]} is {other}"
    yield "" if is_meaningless(path, before, after) else told
    path.write_bytes(before)


@contextmanager
def altered_cell(rng: Random, path: Path) -> Iterator[str]:
    """Put another value in the place of one of a database's."""
    before = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        while True:
            table = rng.choice(tables)
            rows = list(database.execute(f"SELECT rowid, * FROM {table}"))
            if not rows:
                continue
            columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
            place = rng.randrange(len(columns))
            number, *values = rng.choice(rows)
            told = f"{table}, row {number}, {columns[place]}: {values[place]!r:.60}"
            try:
                database.execute(
                    f'UPDATE {table} SET "{columns[place]}" = ? WHERE rowid = ?',
                    (another(rng, values[place]), number),
                )
            except sqlite3.IntegrityError:
                continue  # a value that the table refuses
            database.commit()
            break
    after = path.read_bytes()
    yield "" if is_meaningless(path, before, after) else told
    path.write_bytes(before)


def another(rng: Random, value: object) -> object:
    """Return another value, mostly of the same kind."""
    if rng.random() < 0.1:
        return rng.choice([None, 77, "nonsense", b"\xff\x00"])
    match value:
        case int() | float():
            return value + rng.choice([-1, 1, 1000])
        case str() if value:
            place = rng.randrange(len(value))
            letters = [letter for letter in "017ax,]\"' é" if letter != value[place]]
            return value[:place] + rng.choice(letters) + value[place + 1 :]
        case bytes() if value:
            place = rng.randrange(len(value))
            return (
                value[:place] + bytes([value[place] ^ 1 << rng.randrange(8)]) + value[place + 1 :]
            )
        case _:
            return "nonsense"


@pytest.mark.slow
@pytest.mark.usefixtures("exports_made_once")
@pytest.mark.parametrize("keeps_database", [True, False])
def test_alterations_are_found(tmp_path, keeps_database):
    """Of 300 alterations only those of times, notes and free space are not found."""
    rng = Random(SEED + keeps_database)
    directory = finish(tmp_path / "small", bots=("steady", CLUMSY, FRAIL), parked="1-2")
    with open_archive(directory) as archive:
        board = make_board(archive, release_of(archive), model="score")
    (directory / "leaderboard.score.json").write_text(leaderboard_json(board))
    if not keeps_database:
        publish(directory)
    (directory / "manifest.json").unlink()  # whoever alters more than a byte makes it anew
    paths = [path for path in sorted(directory.rglob("*")) if path.is_file()]
    unnoticed = []
    for turn in range(COUNT):
        altering = altered_byte(rng, rng.choice(paths))
        if keeps_database:
            database = directory / "arena.db"
            altering = altered_cell(rng, database) if turn % 2 else altering
            if turn % 10 == 0:
                altering = altered_byte(rng, database)
        with altering as meaning:
            if meaning and not is_noticed(directory):
                unnoticed.append(meaning)

    assert unnoticed == []
    assert audit_results(directory).is_ok


def is_noticed(directory: Path) -> bool:
    try:
        return not audit_results(directory, processes=1).is_ok
    except (InputError, StorageError):  # told without a verdict
        return True
