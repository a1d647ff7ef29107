from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import psycopg
import pytest

from arena.errors import StorageError
from arena.storage.opening import open_store
from arena.storage.postgres import PostgresDatabase
from arena.storage.records import StoreProgress
from arena.storage.sql_store import SqlStore
from arena.storage.store import MAX_VOID
from tests.postgres import ONE_SERVER, Server
from tests.storage.samples import fixtures, report, tournament
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, ONE_SERVER]

T = TypeVar("T")
ME = "me"
_DOWN_S = 5.0

_numbers = itertools.count()


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    """The address of an empty database."""
    with postgres.place(f"cup_{next(_numbers)}") as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[SqlStore]:
    """A store with a tournament of six matches."""
    with SqlStore(PostgresDatabase(url), "cup") as store:
        store.create(tournament(), fixtures(6))
        yield store


def break_after_commit(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next transaction be stored, but its answer get lost with the connection."""
    database = store._database
    transact = database._transact  # type: ignore[attr-defined]

    def break_once(work: Callable[[], T]) -> T:
        monkeypatch.undo()
        transact(work)
        database._connection.close()  # type: ignore[attr-defined]
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(database, "_transact", break_once)


class TestLostAnswers:
    def test_create_is_done_once(self, url, monkeypatch):
        """A tournament that was stored before the connection broke is not in its own way."""
        with SqlStore(PostgresDatabase(url), "cup") as store:
            break_after_commit(store, monkeypatch)
            store.create(tournament(), iter(fixtures(6)))
            assert store.fixtures() == fixtures(6)

    def test_claim_claims_once(self, store, monkeypatch):
        """Claims whose answer was lost are found again, and no others are taken."""
        break_after_commit(store, monkeypatch)
        claims = store.claim(ME, 2)
        assert [(claim.fixture.index, claim.attempt) for claim in claims] == [(0, 1), (1, 1)]
        assert store.progress().claimed == 2
        assert len(list(store.attempts())) == 2

    def test_finish_stores_once(self, store, monkeypatch):
        """A result whose answer was lost is the result."""
        [claim] = store.claim(ME, 1)
        break_after_commit(store, monkeypatch)
        assert store.finish(ME, claim, report(claim))
        assert store.progress().results == 1

    def test_a_group_is_stored_once(self, store, monkeypatch):
        """Results whose common answer was lost are the results; a refused one stays refused."""
        claims = store.claim(ME, 3, lease_s=-1)
        _, theirs, _ = store.claim("other", 3)
        assert store.finish("other", theirs, report(theirs))
        break_after_commit(store, monkeypatch)
        ended = [(claim, report(claim)) for claim in claims]
        assert store.finish_all(ME, ended) == [True, False, True]
        assert store.progress().results == 3

    def test_void_counts_once(self, store, monkeypatch):
        """A void attempt whose answer was lost counts once."""
        for _ in range(MAX_VOID - 1):
            [claim] = store.claim(ME, 1)
            break_after_commit(store, monkeypatch)
            store.void(ME, claim, "no")
        assert store.parked() == []

    def test_release_and_renew_may_come_twice(self, store, monkeypatch):
        """Nothing more happens the second time."""
        store.claim(ME, 2, lease_s=-1)
        break_after_commit(store, monkeypatch)
        store.renew(ME)
        assert store.progress().claimed == 2
        break_after_commit(store, monkeypatch)
        store.release(ME)
        assert list(store.attempts()) == []


class TestLostConnections:
    @pytest.mark.parametrize("size", [1, 3])
    def test_a_connection_cut_inside_the_transaction(self, postgres, url, store, size):
        """What the server had not committed is written again, once; of a group, all of it."""
        cuts: list[str] = []

        def cut(boundary: str) -> None:
            if boundary == "after write" and not cuts:
                cuts.append(boundary)
                postgres.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'arena'"
                )

        ended = [
            (claim, replace(report(claim), isolation="none")) for claim in store.claim(ME, size)
        ]
        with open_store(url, "cup", fail_point=cut) as failing:
            assert failing.finish_all(ME, ended) == [True] * size
        assert cuts
        assert store.progress() == StoreProgress(fixtures=6, results=size, parked=0, claimed=0)

    def test_an_arena_frozen_inside_the_transaction(self, url, store, monkeypatch):
        """Others go on; what it had not committed is written again when it goes on itself."""
        monkeypatch.setattr("arena.storage.postgres.FROZEN_S", 0.2)
        taken: list[int] = []

        def freeze(boundary: str) -> None:
            if boundary == "after write" and not taken:
                taken.extend(claim.fixture.index for claim in store.claim("other", 9))

        [claim] = store.claim(ME, 1)
        with open_store(url, "cup", fail_point=freeze) as frozen:
            assert frozen.finish(ME, claim, report(claim))
        assert taken == [1, 2, 3, 4, 5]
        assert store.progress() == StoreProgress(fixtures=6, results=1, parked=0, claimed=5)

    def test_a_server_that_is_down_for_a_while(self, postgres, store):
        """Five seconds without a server cost five seconds."""
        claims = store.claim(ME, 2)
        assert store.finish(ME, claims[0], report(claims[0]))
        postgres.stop()
        back = threading.Timer(_DOWN_S, postgres.start)
        start = time.monotonic()
        back.start()
        try:
            assert store.finish(ME, claims[1], report(claims[1]))
            assert time.monotonic() - start >= _DOWN_S
        finally:
            back.join()
        assert len(list(store.matches())) == 2

    def test_a_server_that_stays_away(self, postgres, url, store):
        """After the patience it is said what to check; the store works when the server is back."""
        [claim] = store.claim(ME, 1)
        with SqlStore(PostgresDatabase(url, patience_s=0.3), "cup") as hasty:
            postgres.stop()
            try:
                with pytest.raises(StorageError, match="it cannot be reached: check that"):
                    hasty.finish(ME, claim, report(claim))
                with pytest.raises(StorageError, match="it cannot be reached"):
                    open_store(url, "cup")
            finally:
                postgres.start()
            assert hasty.finish(ME, claim, report(claim))


class TestSharing:
    def test_groups_do_not_wait_in_a_circle(self, url, store):
        """Two arenas store the same matches in opposite order, and neither is undone for it."""
        late = [(claim, report(claim)) for claim in store.claim(ME, 2, lease_s=-1)]
        theirs = [(claim, report(claim)) for claim in store.claim("other", 2)]
        reached: list[str] = []

        def finish_backwards() -> None:
            with open_store(url, "cup", fail_point=reached.append) as other:
                assert other.finish_all("other", theirs[::-1]) == [False, False]

        thread = threading.Thread(target=finish_backwards)

        def let_the_other_in(boundary: str) -> None:
            reached.append(boundary)
            if reached == ["before write", "after write"]:
                thread.start()
                wait_until(is_blocked)

        with psycopg.connect(url, autocommit=True) as watching:

            def is_blocked() -> bool:
                waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                return watching.execute(waiting).fetchone() is not None

            with open_store(url, "cup", fail_point=let_the_other_in) as first:
                assert first.finish_all(ME, late) == [True, True]
            thread.join()
        assert reached.count("before write") == 4  # nothing was undone and tried again


class TestRefused:
    def test_no_such_database(self, postgres):
        """A database that is not there is named."""
        with pytest.raises(StorageError, match=r"postgresql://arena@.*/nowhere: .*does not exist"):
            open_store(postgres.url("nowhere"), "cup")

    def test_no_such_user(self, postgres):
        """A user that is not there is named; the password is not."""
        with pytest.raises(StorageError, match="nobody_here") as caught:
            open_store(postgres.url("postgres", "nobody_here", "hunter2"), "cup")
        assert "hunter2" not in str(caught.value)

    def test_no_permission(self, postgres):
        """A user who may not make tables is told whom to ask."""
        postgres.execute("CREATE ROLE guest LOGIN")
        with postgres.place("closed") as url:
            postgres.execute("GRANT USAGE ON SCHEMA closed TO guest")
            with pytest.raises(StorageError, match="may not do that: let the database's owner"):
                open_store(url.replace("arena@", "guest@"), "cup")
            postgres.execute("DROP OWNED BY guest")
        postgres.execute("DROP ROLE guest")

    def test_no_schema(self, url):
        """A search path that leads nowhere is named."""
        with pytest.raises(StorageError, match="no schema to keep tables in"):
            open_store(f"{url}_none", "cup")

    def test_a_long_lock(self, url, store):
        """What another program keeps locked for longer than the patience is an error."""
        with (
            psycopg.connect(url) as other,
            SqlStore(PostgresDatabase(url, patience_s=0.2), "cup") as hasty,
        ):
            other.execute("SELECT * FROM tournament FOR UPDATE")
            with pytest.raises(StorageError, match="another program keeps it locked"):
                hasty.claim(ME, 1)
            other.rollback()
            assert len(hasty.claim(ME, 1)) == 1
