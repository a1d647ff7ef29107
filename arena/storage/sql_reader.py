"""Reading a tournament from a database that speaks SQL."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Self

from arena.errors import FormatError, StorageError
from arena.storage import rows
from arena.storage.database import Database, Row
from arena.storage.lease import lapsed
from arena.storage.records import (
    AttemptRecord,
    FixtureRecord,
    StoredMatch,
    StoreProgress,
    TournamentRecord,
)

NO_LIMIT = 2**31 - 1
"""Above every index."""

_PAGE = 1000  # rows read at once: between pages nothing is kept from whoever writes
_REPLAY_PAGE = 100


class SqlReader:
    """The part of Store that only reads."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._id: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def tournament(self) -> TournamentRecord | None:
        return self._database.read(self._read_tournament)

    def fixtures(self) -> list[FixtureRecord]:
        return self._select_fixtures()

    def missing(self) -> list[FixtureRecord]:
        return self._select_fixtures("AND state IN ('open', 'claimed')")

    def parked(self) -> list[FixtureRecord]:
        return self._select_fixtures("AND state = 'parked'")

    def matches(self, start: int = 0, stop: int | None = None) -> Iterator[StoredMatch]:
        end = NO_LIMIT if stop is None else stop
        sql = (
            f"SELECT {rows.FIXTURE_COLUMNS}, {rows.REPORT_COLUMNS} "
            'FROM results JOIN fixtures USING (tournament, "index") '
            'WHERE tournament = ? AND "index" >= ? AND "index" < ? '
            f'ORDER BY "index" LIMIT {_PAGE}'
        )
        while page := self._select(sql, start, end):
            for row in page:
                fixture = rows.fixture_record(row)
                try:
                    report = rows.report_record(fixture.match, row[-rows.REPORT_WIDTH :])
                except (FormatError, ValueError, TypeError) as error:
                    raise self._damaged(fixture.match) from error
                yield StoredMatch(fixture, report)
            start = page[-1][0] + 1

    def replay(self, match: str) -> str | None:
        for _, replay in self.replays([match]):
            return replay
        return None

    def replays(self, matches: Sequence[str]) -> Iterator[tuple[str, str]]:
        for start in range(0, len(matches), _REPLAY_PAGE):
            page = matches[start : start + _REPLAY_PAGE]
            stored = self._select(
                'SELECT match, replay FROM fixtures JOIN results USING (tournament, "index") '
                f"WHERE tournament = ? AND match IN ({', '.join('?' * len(page))})",
                *page,
            )
            for match, replay in stored:
                try:
                    yield match, rows.unpack(bytes(replay))
                except (zlib.error, ValueError, TypeError) as error:
                    raise self._damaged(match) from error

    def attempts(self) -> Iterator[AttemptRecord]:
        index, number = -1, 0
        sql = (
            'SELECT match, number, attempts.owner, started, ended, void_reason, "index" '
            'FROM attempts JOIN fixtures USING (tournament, "index") '
            'WHERE tournament = ? AND ("index", number) > (?, ?) '
            f'ORDER BY "index", number LIMIT {_PAGE}'
        )
        while page := self._select(sql, index, number):
            for row in page:
                yield rows.attempt_record(row[:-1])
            index, number = page[-1][-1], page[-1][1]

    def progress(self) -> StoreProgress:
        counts: dict[str, int] = dict(
            self._select("SELECT state, count(*) FROM fixtures WHERE tournament = ? GROUP BY state")
        )
        held = self._select(
            "SELECT owner, lease_until FROM fixtures WHERE tournament = ? AND state = 'claimed'"
        )
        now = self._database.read(self._database.now)
        return StoreProgress(
            fixtures=sum(counts.values()),
            results=counts.get("finished", 0),
            parked=counts.get("parked", 0),
            claimed=len(held) - len(lapsed([(place, *row) for place, row in enumerate(held)], now)),
        )

    def _select(self, sql: str, *parameters: object) -> list[Row]:
        """Run a SELECT whose first parameter is the tournament's key."""
        return self._database.read(lambda: self._query(sql, (self._number(), *parameters)))

    def _select_fixtures(self, condition: str = "") -> list[FixtureRecord]:
        found = self._select(
            f"SELECT {rows.FIXTURE_COLUMNS} FROM fixtures "
            f'WHERE tournament = ? {condition} ORDER BY "index"'
        )
        return [rows.fixture_record(row) for row in found]

    def _query(self, sql: str, parameters: Sequence[object]) -> list[Row]:
        return self._database.query(sql, parameters)

    def _read_tournament(self) -> TournamentRecord | None:
        found = self._query(
            f"SELECT id, {rows.TOURNAMENT_COLUMNS} FROM tournament WHERE name = ?", (self._name,)
        )
        if not found:
            return None
        bots = self._query(
            f'SELECT {rows.BOT_COLUMNS} FROM bots WHERE tournament = ? ORDER BY "index"',
            (found[0][0],),
        )
        return rows.tournament_record(found[0][1:], bots)

    def _number(self) -> int:
        """Return the tournament's key."""
        if self._id is None:
            found = self._query("SELECT id FROM tournament WHERE name = ?", (self._name,))
            if not found:
                raise StorageError(
                    f"there is no tournament {self._name} in {self._database.where}: "
                    "check the name and the place"
                )
            self._id = int(found[0][0])
        return self._id

    def _damaged(self, match: str) -> StorageError:
        return StorageError(
            f"{self._database.where}: what is stored of match {match} is damaged: "
            "restore a copy of the database"
        )
