"""A tournament in a database that speaks SQL: all that the databases have in common.

A fixture is open, claimed, finished or parked. One that is claimed has exactly one attempt that
has not ended, its last; any other has none. Every change locks the fixture before its attempts,
and what changes several fixtures locks the tournament before them: nobody waits in a circle.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable, Sequence

from arena.errors import StorageError
from arena.storage import rows, schema
from arena.storage.chain import (
    ChainLink,
    first_link,
    next_link,
    replay_digest,
    result_digest,
)
from arena.storage.database import Database, Row
from arena.storage.lease import lapsed
from arena.storage.records import (
    Claim,
    FixtureRecord,
    MatchReport,
    TournamentRecord,
)
from arena.storage.sql_reader import SqlReader
from arena.storage.store import LEASE_S, MAX_VOID, FailPoint

_TOO_LATE = "another arena stored a result first"

_FIXTURE_OF = 'tournament = ? AND "index" = ?'


class SqlStore(SqlReader):
    """Implements Store. The tables are made, or brought up to date, when it is opened."""

    def __init__(
        self,
        database: Database,
        name: str,
        *,
        fail_point: FailPoint | None = None,
        is_read_only: bool = False,
    ) -> None:
        super().__init__(database, name)
        self._fail_point = fail_point
        self._kept: TournamentRecord | None = None
        try:
            if is_read_only:
                self._version = schema.require_tables(database)
            else:
                schema.migrate(database)
        except BaseException:
            database.close()
            raise

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

    def claim(self, owner: str, limit: int, *, lease_s: float = LEASE_S) -> list[Claim]:
        if limit <= 0:
            return []
        ticket = secrets.token_hex(8)

        def work() -> list[Claim]:
            number = self._locked_tournament()
            taken = self._query(
                f"SELECT {rows.FIXTURE_COLUMNS}, attempts FROM fixtures WHERE tournament = ? "
                "AND state = 'claimed' AND owner = ? AND ticket = ? ORDER BY \"index\"",
                (number, owner, ticket),
            )
            if not taken:  # else the try before had got through
                taken = self._take(number, owner, ticket, limit, lease_s)
            return [Claim(rows.fixture_record(row), row[-1]) for row in taken]

        return self._database.write(work)

    def renew(self, owner: str, *, lease_s: float = LEASE_S) -> None:
        def work() -> None:
            number = self._locked_tournament()
            self._database.execute(
                "UPDATE fixtures SET lease_until = ? "
                "WHERE tournament = ? AND state = 'claimed' AND owner = ?",
                (self._database.now() + lease_s, number, owner),
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
        return self.finish_all(owner, [(claim, report)])[0]

    def finish_all(self, owner: str, ended: Sequence[tuple[Claim, MatchReport]]) -> list[bool]:
        seed = self._record().seed
        results = [
            (
                claim,
                (owner, claim.attempt, *rows.report_row(report), rows.pack(report.replay)),
                (result_digest(seed, report), replay_digest(report.replay.encode())),
            )
            for claim, report in ended
        ]

        def work() -> list[bool]:
            self._locked_tournament()  # also for one match: the chain has one end
            are_results = [self._store_result(*result) for result in results]
            isolated = [
                (report.isolation, self._number(), claim.fixture.index, claim.attempt)
                for claim, report in ended
                if report.isolation
            ]
            if isolated:
                self._database.execute_many(
                    f"UPDATE attempts SET isolation = ? WHERE {_FIXTURE_OF} AND number = ?",
                    isolated,
                )
            return are_results

        are_results = self._database.write(work)
        for _ in are_results:
            self._reach("after commit")
        return are_results

    def void(self, owner: str, claim: Claim, reason: str) -> bool:
        def work() -> bool:
            fixture = (self._number(), claim.fixture.index)
            [(voids,)] = self._query(
                f"SELECT voids FROM fixtures WHERE {_FIXTURE_OF}{self._database.row_lock}", fixture
            )
            is_running = self._database.execute(
                "UPDATE attempts SET ended = ?, void_reason = ? "
                f"WHERE {_FIXTURE_OF} AND number = ? AND owner = ? AND ended IS NULL",
                (_wall_time(), rows.storable(reason), *fixture, claim.attempt, owner),
            )
            if is_running:  # else it was taken over, given back, or this was stored before
                voids += 1
                self._database.execute(
                    "UPDATE fixtures SET state = ?, voids = ?, "
                    f"owner = NULL, lease_until = NULL, ticket = NULL WHERE {_FIXTURE_OF}",
                    ("parked" if voids >= MAX_VOID else "open", voids, *fixture),
                )
            return bool(voids >= MAX_VOID)

        return self._database.write(work)

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

    def _take(self, number: int, owner: str, ticket: str, limit: int, lease_s: float) -> list[Row]:
        """Claim; return the fixtures' rows, each with the number of its attempt at the end."""
        columns, lock = rows.FIXTURE_COLUMNS, self._database.row_lock
        free = self._query(
            f"SELECT {columns}, attempts FROM fixtures WHERE tournament = ? "
            f"AND state = 'open' ORDER BY \"index\" LIMIT ?{lock}",
            (number, limit),
        )
        held = self._query(
            f"SELECT {columns}, attempts, owner, lease_until FROM fixtures WHERE tournament = ? "
            f"AND state = 'claimed' AND owner <> ?{lock}",
            (number, owner),
        )
        now = self._database.now()
        reasons: dict[int, str] = lapsed([(row[0], *row[-2:]) for row in held], now)
        taken = sorted(free + [row[:-2] for row in held if row[0] in reasons])[:limit]
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

    def _store_result(self, claim: Claim, row: Row, digests: tuple[str, str]) -> bool:
        """Store a result unless there is one; return whether this is the one that stands."""
        self._reach("before write")
        is_result = self._write_result(claim, row, digests)
        self._reach("after write")
        return is_result

    def _write_result(self, claim: Claim, row: Row, digests: tuple[str, str]) -> bool:
        """Do so, between the fail points."""
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
        self._chain(*fixture, claim.fixture.match, *digests)
        self._database.execute(
            f'INSERT INTO results (tournament, "index", owner, attempt, {rows.REPORT_COLUMNS}, '
            f"replay) VALUES ({_marks(11)})",
            (*fixture, *row),
        )
        return True

    def _chain(self, number: int, index: int, match: str, result: str, replay: str) -> None:
        """Append a match to the chain."""
        end = self._chain_end(number)
        if end is None:
            end = self._begin_chain(number)
        before, place = end
        self._insert_link(number, index, next_link(before, place + 1, match, result, replay))

    def _begin_chain(self, number: int) -> tuple[str, int]:
        """Return link and place of the start, behind what an arena without chains has played."""
        tournament = self._record()
        before, place = first_link(tournament), 0
        for stored in list(self.matches()):
            match, place = stored.fixture.match, place + 1
            [(_, text)] = self.replays([match])
            result = result_digest(tournament.seed, stored.report)
            link = next_link(before, place, match, result, replay_digest(text.encode()))
            self._insert_link(number, stored.fixture.index, link)
            before = link.link
        return before, place

    def _chain_end(self, number: int) -> tuple[str, int] | None:
        """Return link and place of the end of the chain, None if there is none."""
        found = self._query(
            "SELECT link, place FROM chain WHERE tournament = ? ORDER BY place DESC LIMIT 1",
            (number,),
        )
        return (str(found[0][0]), int(found[0][1])) if found else None

    def _insert_link(self, number: int, index: int, link: ChainLink) -> None:
        self._database.execute(
            'INSERT INTO chain (tournament, "index", place, result, replay, link) '
            f"VALUES ({_marks(6)})",
            (number, index, link.place, link.result, link.replay, link.link),
        )

    def _record(self) -> TournamentRecord:
        """Return the tournament, which never changes once it is there."""
        if self._kept is None:
            self._kept = self.tournament()
        if self._kept is None:
            self._number()  # says that there is none
            raise AssertionError
        return self._kept

    def _locked_tournament(self) -> int:
        """Return the tournament's key, and keep others from changing several of its fixtures."""
        number = self._number()
        if self._database.row_lock:
            self._query(
                f"SELECT id FROM tournament WHERE id = ?{self._database.row_lock}", (number,)
            )
        return number

    def _reach(self, boundary: str) -> None:
        if self._fail_point is not None:
            self._fail_point(boundary)


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _wall_time() -> str:
    return dt.datetime.now().astimezone().isoformat(timespec="milliseconds")
