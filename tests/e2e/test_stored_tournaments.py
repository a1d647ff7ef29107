"""Where tournaments are stored: trouble there loses nothing, and several arenas may share it."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import BAD_INPUT, DONE, STOPPED
from arena.storage.opening import open_store
from tests.e2e.command import Command
from tests.e2e.tournaments import (
    NAME,
    attempts,
    check_same,
    check_whole,
    complete,
    count_results,
    finish,
    leaderboard,
    matches,
    paused,
    read_files,
    resume,
    settings,
    to_end,
    tournament,
    undisturbed,
    wait_for_results,
)
from tests.marks import MARK
from tests.postgres import ONE_SERVER
from tests.waiting import wait_until

INLINE = ("--engine", "inline")
DISTINCT = ("random", "greedy", "planner")


@pytest.mark.slow
def test_same_results_over_grpc(place):
    """Over gRPC, eight matches at a time, it all comes out as within one process."""
    words = settings(rounds=3)
    to_end("tournament", "--out", place / NAME, *words, "-j", 8)
    check_whole(place / NAME, words)
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}


IMPATIENT = """
import sys
from arena.cli import main
from arena.storage.sqlite import SqliteDatabase
SqliteDatabase.__init__.__kwdefaults__["patience_s"] = 0.3  # instead of half a minute
sys.exit(main())
"""


class TestLocked:
    """Another process keeps the database locked."""

    @pytest.mark.slow
    def test_at_the_start(self, place):
        """It is told after a while, and nothing has changed."""
        words = settings()
        failing = tournament(place, *words, *INLINE, ARENA_FAIL_POINT="after commit:3")
        complete(failing, -signal.SIGKILL)
        with locked(place / NAME / "arena.db"):
            again = Command("-c", IMPATIENT, "tournament", place / NAME, "--quiet", place=place)
            complete(again, STOPPED)
        [line] = again.err.splitlines()
        assert line.startswith("arena: ")
        assert "another process keeps it locked: end that process, or wait" in line
        finish(place)
        check_whole(place / NAME, words)

    @pytest.mark.slow
    def test_in_the_middle(self, place):
        """Matches that cannot be stored are given up and played again later."""
        words = settings()
        with (
            paused(place, *words, patience_s=0.3) as command,
            locked(place / NAME / "arena.db"),
        ):
            command.signal(signal.SIGCONT)
            complete(command, STOPPED)
        assert "another process keeps it locked" in command.err
        assert 0 < count_results(place / NAME) < 12
        finish(place)
        check_whole(place / NAME, words)

    @pytest.mark.slow
    def test_for_a_moment(self, place):
        """A lock that is held shorter than anybody's patience is waited for."""
        words = settings()
        with paused(place, *words) as command:
            with locked(place / NAME / "arena.db"):
                stored = count_results(place / NAME)
                command.signal(signal.SIGCONT)
                time.sleep(1.0)  # the process does not tell that it waits
                assert command.is_running
                assert count_results(place / NAME) == stored < 12
            complete(command)
        check_whole(place / NAME, words)
        assert {attempt.number for attempt in attempts(place / NAME)} == {1}


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep everybody else from writing."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()


def check_shared(
    place: Path, words: list[str], commands: list[Command], db: str | None = None
) -> None:
    """See two arenas through: both end with the same leaderboard, each match was played once."""
    for command in commands:
        complete(command)
    one, other = (command.out.partition("\n")[2].partition("\nseed: ")[0] for command in commands)
    assert one == other != ""
    check_whole(place / NAME, words, db)
    with open_store(db or place / NAME / "arena.db", NAME) as store:
        tried = list(store.attempts())
    assert {(attempt.number, attempt.void_reason) for attempt in tried} == {(1, None)}
    assert len({attempt.owner for attempt in tried}) == 2


class TestTwoArenas:
    @pytest.mark.slow
    def test_begun_at_once(self, place):
        """Of two that begin at the same moment one does, and the other joins."""
        words = settings()
        commands = [tournament(place, *words, *INLINE) for _ in range(2)]
        for command in commands:
            complete(command)
        check_whole(place / NAME, words)
        assert {attempt.number for attempt in attempts(place / NAME)} == {1}

    @pytest.mark.slow
    def test_one_joins_later(self, place):
        """A second arena takes what the first has not, and leaves alone what it has."""
        words = settings()
        with paused(place, *words, "-j", 1) as first:
            stored = count_results(place / NAME)
            with resume(place) as second:
                wait_for_results(place / NAME, stored + 3, second)
                first.signal(signal.SIGCONT)
                check_shared(place, words, [first, second])

    @pytest.mark.slow
    def test_different_tournaments(self, place):
        """Two different tournaments cannot have the same directory, however they begin."""
        words = settings()
        commands = [tournament(place, *words, *INLINE, "--seed", seed) for seed in ("7", "8")]
        codes = [command.wait() for command in commands]
        assert sorted(codes) == [DONE, BAD_INPUT]
        refused = commands[codes.index(BAD_INPUT)]
        assert "holds another tournament: seed is different" in refused.err
        finish(place)
        assert str(leaderboard(place / NAME)["seed"]) == "78"[codes.index(DONE)]

    @pytest.mark.slow
    @ONE_SERVER
    def test_on_postgres(self, place, postgres):
        """The same with a database that several machines can reach, each with its own directory."""
        words = settings()
        with postgres.place("shared") as url:
            with paused(place, *words, "-j", 1, "--db", url) as first:
                stored = count(url)
                there = ("--out", place / "elsewhere")
                with tournament(place, *words, *INLINE, "--db", url, *there) as second:
                    wait_until(lambda: count(url) >= stored + 3 or not second.is_running)
                    first.signal(signal.SIGCONT)
                    check_shared(place, words, [first, second], url)
            check_same(place / "elsewhere", undisturbed(tuple(words)))


def count(url: str) -> int:
    """Return how many results are stored there."""
    with open_store(url, NAME) as store:
        return 0 if store.tournament() is None else store.progress().results


@pytest.mark.slow
@ONE_SERVER
def test_postgres_restarted(place, postgres, monkeypatch):
    """A database that is away for five seconds is waited for; nothing is lost or played twice."""
    words = settings()
    with postgres.place("restarted") as url:
        with paused(place, *words, "--db", url) as command:
            assert count(url) < 12
            postgres.stop()
            command.signal(signal.SIGCONT)
            try:
                time.sleep(5.0)  # as long as the docstring says
                assert command.is_running, command.err
            finally:
                monkeypatch.delenv(MARK)  # the server outlives the test
                postgres.start()
            complete(command)
        check_whole(place / NAME, words, url)


@pytest.mark.slow
def test_stopping_rule(place):
    """Clearly different bots are done early, and after kills at the very same point."""
    words = settings("--until", "settled@95", bots=DISTINCT, rounds=30)
    calm = place / "calm"
    told = to_end("tournament", "--out", calm, *words, *INLINE, "-j", 8)
    board = leaderboard(calm)
    assert board["settled_after"] == 12
    assert board["matches"] == 36
    assert "the order was settled after round 12" in told
    calm_files = read_files(calm)
    lines = calm_files["matches.jsonl"].splitlines(keepends=True)
    assert 36 <= len(lines) < 90  # some were running when it was settled

    for point in ("after write:12", "after commit:18"):
        killed = tournament(place, *words, *INLINE, "-j", 1, ARENA_FAIL_POINT=point)
        complete(killed, -signal.SIGKILL)
    finish(place)
    check_same(place / NAME, {**calm_files, "matches.jsonl": b"".join(lines[:36])})
    finish(place)
    assert len(matches(place / NAME)) == 36  # nothing is added
