"""A tournament in a database that speaks SQL: all that the databases have in common.

A fixture is open, claimed, finished or parked. One that is claimed has exactly one attempt that
has not ended, its last; any other has none. Every change locks the fixture before its attempts,
and what changes several fixtures locks the tournament before them: nobody waits in a circle.
"""

from __future__ import annotations

import datetime as dt
import secrets
import zlib
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from arena.errors import StorageError
from arena.storage import rows, schema
from arena.storage.database import Database, Row
from arena.storage.owner import is_dead
from arena.storage.records import (
    AttemptRecord,
    Claim,
    FixtureRecord,
    MatchReport,
    StoredMatch,
    StoreProgress,
    TournamentRecord,
)
from arena.storage.store import LEASE_S, MAX_VOID, FailPoint

_PAGE = 1000  # rows read at once: none is held back from writers between pages
_REPLAY_PAGE = 100
_NO_LIMIT = 2**31 - 1  # above every index

_ARENA_ENDED = "the arena that played it ended"
_LEASE_RAN_OUT = "the arena that played it was not heard of in time"
_TOO_LATE = "another arena stored a result first"

_FIXTURE_OF = 'tournament = ? AND "index" = ?'


class SqlStore:
    """Implements Store. The tables are made, or brought up to date, when it is opened."""

    def __init__(
        self,
        database: Database,
        name: str,
        *,
        fail_point: FailPoint | None = None,
        is_read_only: bool = False,
    ) -> None:
        self._database = database
        self._name = name
        self._fail_point = fail_point
        self._id: int | None = None
        try:
            if is_read_only:
                schema.require_current(database)
            else:
                schema.migrate(database)
        except BaseException:
            database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def create(self, tournament: TournamentRecord, fixtures: Iterable[FixtureRecord]) -> None:
        if tournament.name != self._name:
            raise ValueError(f"this store is for {self._name}, not for {tournament.name}")
        schedule = [rows.fixture_row(fixture) for fixture in fixtures]
        tries = 0

        def work() -> None:
            nonlocal tries
            tries += 1
            self._database.lock_schema()  # of two that create, the second finds the first's
            existing = self._read_tournament()
            if existing is None:
                self._insert(tournament, schedule)
            elif tries == 1 or existing != tournament:  # else the try before had got through
                raise StorageError(
                    f"there is a tournament {self._name} in {self._database.where} already: "
                    "resume it, or choose another name"
                )

        self._database.write(work)

    def tournament(self) -> TournamentRecord | None:
        return self._database.read(self._read_tournament)

    def fixtures(self) -> list[FixtureRecord]:
        return self._select_fixtures("state IN ('open', 'claimed', 'finished', 'parked')")

    def missing(self) -> list[FixtureRecord]:
        return self._select_fixtures("state IN ('open', 'claimed')")

    def parked(self) -> list[FixtureRecord]:
        return self._select_fixtures("state = 'parked'")

    def claim(
        self, owner: str, limit: int, *, below: int | None = None, lease_s: float = LEASE_S
    ) -> list[Claim]:
        if limit <= 0:
            return []
        ticket = secrets.token_hex(8)
        stop = _NO_LIMIT if below is None else below

        def work() -> list[Claim]:
            number = self._locked_tournament()
            taken = self._query(
                f"SELECT {rows.FIXTURE_COLUMNS}, attempts FROM fixtures WHERE tournament = ? "
                "AND state = 'claimed' AND owner = ? AND ticket = ? ORDER BY \"index\"",
                (number, owner, ticket),
            )
            if not taken:  # else the try before had got through
                taken = self._take(number, owner, ticket, stop, limit, lease_s)
            return [Claim(rows.fixture_record(row), row[-1]) for row in taken]

        return self._database.write(work)

    def renew(self, owner: str, *, lease_s: float = LEASE_S) -> None:
        def work() -> None:
            self._database.execute(
                "UPDATE fixtures SET lease_until = ? "
                "WHERE tournament = ? AND state = 'claimed' AND owner = ?",
                (self._database.now() + lease_s, self._locked_tournament(), owner),
            )

        self._database.write(work)

    def release(self, owner: str) -> None:
        def work() -> None:
            number = self._locked_tournament()
            held = self._query(
                'SELECT "index", attempts FROM fixtures WHERE tournament = ? '
                f"AND state = 'claimed' AND owner = ?{self._database.row_lock}",
                (number, owner),
            )
            self._database.execute_many(
                "UPDATE fixtures SET state = 'open', attempts = attempts - 1, "
                f"owner = NULL, lease_until = NULL, ticket = NULL WHERE {_FIXTURE_OF}",
                [(number, index) for index, _ in held],
            )
            self._database.execute_many(
                f"DELETE FROM attempts WHERE {_FIXTURE_OF} AND number = ?",
                [(number, index, attempt) for index, attempt in held],
            )

        self._database.write(work)

    def finish(self, owner: str, claim: Claim, report: MatchReport) -> bool:
        row = (owner, claim.attempt, *rows.report_row(report), rows.pack(report.replay))

        def work() -> bool:
            self._reach("before write")
            is_result = self._store_result(claim, row)
            self._reach("after write")
            return is_result

        is_result = self._database.write(work)
        self._reach("after commit")
        return is_result

    def void(self, owner: str, claim: Claim, reason: str) -> None:
        def work() -> None:
            fixture = (self._number(), claim.fixture.index)
            voids = self._query(
                f"SELECT voids FROM fixtures WHERE {_FIXTURE_OF}{self._database.row_lock}", fixture
            )
            is_running = self._database.execute(
                "UPDATE attempts SET ended = ?, void_reason = ? "
                f"WHERE {_FIXTURE_OF} AND number = ? AND owner = ? AND ended IS NULL",
                (_wall_time(), rows.storable(reason), *fixture, claim.attempt, owner),
            )
            if is_running:  # else it was taken over, given back, or this was stored before
                count = voids[0][0] + 1
                self._database.execute(
                    "UPDATE fixtures SET state = ?, voids = ?, "
                    f"owner = NULL, lease_until = NULL, ticket = NULL WHERE {_FIXTURE_OF}",
                    ("parked" if count >= MAX_VOID else "open", count, *fixture),
                )

        self._database.write(work)

    def matches(self, start: int = 0, stop: int | None = None) -> Iterator[StoredMatch]:
        end = _NO_LIMIT if stop is None else stop
        columns = ", ".join(f"fixtures.{column}" for column in rows.FIXTURE_COLUMNS.split(", "))
        report_columns = ", ".join(f"results.{name}" for name in rows.REPORT_COLUMNS.split(", "))
        sql = (
            f"SELECT {columns}, {report_columns} FROM results JOIN fixtures "
            'ON fixtures.tournament = results.tournament AND fixtures."index" = results."index" '
            'WHERE results.tournament = ? AND results."index" >= ? AND results."index" < ? '
            f'ORDER BY results."index" LIMIT {_PAGE}'
        )
        while page := self._select(sql, start, end):
            for row in page:
                fixture = rows.fixture_record(row)
                try:
                    report = rows.report_record(fixture.match, row[-rows.REPORT_WIDTH :])
                except (ValueError, TypeError) as error:
                    raise self._damaged(fixture.match) from error
                yield StoredMatch(fixture, report)
            start = page[-1][0] + 1

    def count_results(self, stop: int) -> int:
        [(count,)] = self._select(
            "SELECT count(*) FROM fixtures WHERE tournament = ? "
            "AND state IN ('finished', 'parked') AND \"index\" < ?",
            min(stop, _NO_LIMIT),
        )
        return int(count)

    def replay(self, match: str) -> str | None:
        for _, replay in self.replays([match]):
            return replay
        return None

    def replays(self, matches: Sequence[str]) -> Iterator[tuple[str, str]]:
        for start in range(0, len(matches), _REPLAY_PAGE):
            page = matches[start : start + _REPLAY_PAGE]
            stored = self._select(
                "SELECT fixtures.match, results.replay FROM fixtures JOIN results "
                "ON results.tournament = fixtures.tournament "
                'AND results."index" = fixtures."index" '
                "WHERE fixtures.tournament = ? "
                f"AND fixtures.match IN ({', '.join('?' * len(page))})",
                *page,
            )
            for match, replay in stored:
                try:
                    yield match, rows.unpack(bytes(replay))
                except (zlib.error, UnicodeDecodeError) as error:
                    raise self._damaged(match) from error

    def attempts(self) -> Iterator[AttemptRecord]:
        index, number = -1, 0
        sql = (
            "SELECT fixtures.match, number, attempts.owner, started, ended, void_reason, "
            'attempts."index" FROM attempts JOIN fixtures '
            "ON fixtures.tournament = attempts.tournament "
            'AND fixtures."index" = attempts."index" '
            'WHERE attempts.tournament = ? AND (attempts."index", number) > (?, ?) '
            f'ORDER BY attempts."index", number LIMIT {_PAGE}'
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
            claimed=len(held)
            - len(_lapsed([(place, *row) for place, row in enumerate(held)], now)),
        )

    # -- inside a transaction -------------------------------------------------------------------

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

    def _insert(self, tournament: TournamentRecord, schedule: Sequence[Row]) -> None:
        self._database.execute(
            f"INSERT INTO tournament ({rows.TOURNAMENT_COLUMNS}) VALUES ({_marks(9)})",
            rows.tournament_row(tournament),
        )
        [(number,)] = self._query("SELECT id FROM tournament WHERE name = ?", (self._name,))
        self._database.execute_many(
            f'INSERT INTO bots (tournament, "index", {rows.BOT_COLUMNS}) VALUES ({_marks(5)})',
            [
                (number, index, bot.name, bot.version, bot.group)
                for index, bot in enumerate(tournament.bots)
            ],
        )
        self._database.execute_many(
            f"INSERT INTO fixtures (tournament, {rows.FIXTURE_COLUMNS}) VALUES ({_marks(9)})",
            ((number, *row) for row in schedule),
        )

    def _take(
        self, number: int, owner: str, ticket: str, stop: int, limit: int, lease_s: float
    ) -> list[Row]:
        """Claim; return the fixtures' rows, each with the number of its attempt at the end."""
        columns, lock = rows.FIXTURE_COLUMNS, self._database.row_lock
        free = self._query(
            f"SELECT {columns}, attempts FROM fixtures WHERE tournament = ? "
            f'AND state = \'open\' AND "index" < ? ORDER BY "index" LIMIT ?{lock}',
            (number, stop, limit),
        )
        held = self._query(
            f"SELECT {columns}, attempts, owner, lease_until FROM fixtures WHERE tournament = ? "
            f"AND state = 'claimed' AND \"index\" < ? AND owner <> ?{lock}",
            (number, stop, owner),
        )
        now = self._database.now()
        reasons = _lapsed([(row[0], *row[-2:]) for row in held], now)
        lapsed = [row[:-2] for row in held if row[0] in reasons]
        taken = sorted(free + lapsed)[:limit]
        started = _wall_time()
        self._database.execute_many(
            f"UPDATE attempts SET ended = ?, void_reason = ? WHERE {_FIXTURE_OF} AND ended IS NULL",
            [(started, reasons[index], number, index) for index, *_ in taken if index in reasons],
        )
        self._database.execute_many(
            "UPDATE fixtures SET state = 'claimed', attempts = attempts + 1, "
            f"owner = ?, lease_until = ?, ticket = ? WHERE {_FIXTURE_OF}",
            [(owner, now + lease_s, ticket, number, index) for index, *_ in taken],
        )
        self._database.execute_many(
            f'INSERT INTO attempts (tournament, "index", number, owner, started) '
            f"VALUES ({_marks(5)})",
            [(number, row[0], row[-1] + 1, owner, started) for row in taken],
        )
        return [(*row[:-1], row[-1] + 1) for row in taken]

    def _store_result(self, claim: Claim, row: Row) -> bool:
        """Store a result unless there is one; return whether this is the one that stands."""
        owner, attempt = row[:2]
        fixture = (self._number(), claim.fixture.index)
        is_first = self._database.execute(
            "UPDATE fixtures SET state = 'finished', owner = NULL, lease_until = NULL, "
            f"ticket = NULL WHERE {_FIXTURE_OF} AND state <> 'finished'",
            fixture,
        )
        if not is_first:
            stored = self._query(f"SELECT owner, attempt FROM results WHERE {_FIXTURE_OF}", fixture)
            if not stored:
                raise StorageError(
                    f"match {claim.fixture.match} is not in the schedule of {self._name} "
                    f"in {self._database.where}"
                )
            return stored == [(owner, attempt)]  # a try before may have got through
        self._database.execute(
            "UPDATE attempts SET ended = ?, "
            "void_reason = CASE WHEN number = ? AND owner = ? THEN NULL ELSE ? END "
            f"WHERE {_FIXTURE_OF} AND (ended IS NULL OR (number = ? AND owner = ?))",
            (_wall_time(), attempt, owner, _TOO_LATE, *fixture, attempt, owner),
        )
        self._database.execute(
            f'INSERT INTO results (tournament, "index", owner, attempt, {rows.REPORT_COLUMNS}, '
            f"replay) VALUES ({_marks(11)})",
            (*fixture, *row),
        )
        return True

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

    def _locked_tournament(self) -> int:
        """Return the tournament's key, and keep others from changing several of its fixtures."""
        number = self._number()
        if self._database.row_lock:
            self._query(
                f"SELECT id FROM tournament WHERE id = ?{self._database.row_lock}", (number,)
            )
        return number

    def _query(self, sql: str, parameters: Sequence[object]) -> list[Row]:
        return self._database.query(sql, parameters)

    # -- outside --------------------------------------------------------------------------------

    def _select(self, sql: str, *parameters: object) -> list[Row]:
        """Run a SELECT whose first parameter is the tournament's key."""
        return self._database.read(lambda: self._query(sql, (self._number(), *parameters)))

    def _select_fixtures(self, condition: str) -> list[FixtureRecord]:
        found = self._select(
            f"SELECT {rows.FIXTURE_COLUMNS} FROM fixtures "
            f'WHERE tournament = ? AND {condition} ORDER BY "index"'
        )
        return [rows.fixture_record(row) for row in found]

    def _reach(self, boundary: str) -> None:
        if self._fail_point is not None:
            self._fail_point(boundary)

    def _damaged(self, match: str) -> StorageError:
        return StorageError(
            f"{self._database.where}: what is stored of match {match} is damaged: "
            "go back to a copy of the database"
        )


def _lapsed(held: Iterable[tuple[object, str, float]], now: float) -> dict[object, str]:
    """Return which of these (key, owner, lease until) may be taken over, and why."""
    dead: dict[str, bool] = {}
    reasons = {}
    for key, owner, lease_until in held:
        if owner not in dead:
            dead[owner] = is_dead(owner)
        if dead[owner]:
            reasons[key] = _ARENA_ENDED
        elif lease_until <= now:
            reasons[key] = _LEASE_RAN_OUT
    return reasons


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _wall_time() -> str:
    return dt.datetime.now().astimezone().isoformat(timespec="milliseconds")
