"""Reading a tournament from a database that speaks SQL."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Self, TypeVar

from arena.errors import ArenaError, DamagedError, StorageError
from arena.storage import rows
from arena.storage.bookkeeping import Books, find_contradictions
from arena.storage.chain import ChainLink
from arena.storage.database import RECOVERY, Database, Row
from arena.storage.lease import lapsed
from arena.storage.records import (
    AttemptRecord,
    FixtureRecord,
    StoredMatch,
    StoreProgress,
    TournamentRecord,
)
from arena.storage.schema import CHAIN_SINCE, ISOLATION_SINCE, STEPS

T = TypeVar("T")

NO_LIMIT = 2**31 - 1
"""Above every index."""

_PAGE = 1000  # rows read at once: between pages nothing is kept from whoever writes
_REPLAY_PAGE = 100
_MISSING = "state IN ('open', 'claimed')"


class SqlReader:
    """The part of Store that only reads."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        self._id: int | None = None
        self._version = len(STEPS)  # lower in a database of an earlier arena that is only read

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
        return self._select_fixtures(f"AND {_MISSING}")

    def secret_deals(self) -> frozenset[int]:
        found = self._select(
            f"SELECT DISTINCT deal FROM fixtures WHERE tournament = ? AND {_MISSING}"
        )
        return frozenset(deal for (deal,) in found)

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
                fixture = self._read_fixture(row)
                cells = row[-rows.REPORT_WIDTH :]
                what = f"the result of match {fixture.match}"
                report = self._made(what, rows.report_record, fixture.match, cells)
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
                yield match, self._made(f"the replay of match {match}", rows.unpack, replay)

    def chain(self, after: int = 0, limit: int = NO_LIMIT) -> Iterator[ChainLink]:
        sql = (
            "SELECT place, match, result, replay, link "
            'FROM chain JOIN fixtures USING (tournament, "index") '
            "WHERE tournament = ? AND place > ? ORDER BY place LIMIT ?"
        )
        while (
            limit > 0
            and self._version >= CHAIN_SINCE
            and (page := self._select(sql, after, min(limit, _PAGE)))
        ):
            for row in page:
                yield self._made("a link of the chain", rows.chain_link, row)
            after, limit = page[-1][0], limit - len(page)

    def attempts(self) -> Iterator[AttemptRecord]:
        index, number = -1, 0
        isolation = "isolation" if self._version >= ISOLATION_SINCE else "''"
        sql = (
            "SELECT match, number, attempts.owner, started, ended, void_reason, "
            f'{isolation}, "index" '
            'FROM attempts JOIN fixtures USING (tournament, "index") '
            'WHERE tournament = ? AND ("index", number) > (?, ?) '
            f'ORDER BY "index", number LIMIT {_PAGE}'
        )
        while page := self._select(sql, index, number):
            for row in page:
                yield self._made("an attempt at a match", rows.attempt_record, row[:-1])
            index, number = page[-1][-1], page[-1][1]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for reason in self._database.damage():
            yield "", reason
        if self._version < ISOLATION_SINCE and "isolation" in self._database.columns("attempts"):
            yield "", f"the tables are of a later version than the {self._version} that it names"
        bots = self._select('SELECT "index" FROM bots WHERE tournament = ? ORDER BY "index"')
        if [index for (index,) in bots] != [*range(len(bots))]:
            yield "", "the bots are not numbered 0, 1, 2, …"
        kept = self._select(
            "SELECT match, state, attempts, voids, fixtures.owner, lease_until, ticket, "
            "results.owner, results.attempt "
            'FROM fixtures LEFT JOIN results USING (tournament, "index") '
            'WHERE tournament = ? ORDER BY "index"'
        )
        books = [self._made("the state of a match", _read_books, row) for row in kept]
        yield from find_contradictions(books, self.attempts())

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
        return [self._read_fixture(row) for row in found]

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
        return self._made("the tournament", rows.tournament_record, found[0][1:], bots)

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

    def _read_fixture(self, row: Row) -> FixtureRecord:
        return self._made(f"match {row[1]!s:.40} of the schedule", rows.fixture_record, row)

    def _made(self, what: str, make: Callable[..., T], *cells: object) -> T:
        """Return what cells make; raises DamagedError if they can never have been stored so."""
        try:
            return make(*cells)
        except (ArenaError, zlib.error, ValueError, TypeError, RecursionError) as error:
            raise DamagedError(
                f"{self._database.where}: {what} is damaged: {RECOVERY} ({error})"
            ) from error


def _read_books(row: Row) -> Books:
    match, state, attempts, voids, *claim, owner, attempt = row
    if not (isinstance(attempts, int) and isinstance(voids, int)):
        raise TypeError("attempts and voids must be numbers")
    return Books(
        match, state, attempts, voids, tuple(claim), None if owner is None else (owner, attempt)
    )
