"""Tournaments by the command, and what must be true of them whatever happened on the way."""

from __future__ import annotations

import collections
import contextlib
import functools
import hashlib
import io
import json
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.cli import DONE, main
from arena.rating.ratings import rate_shuffled
from arena.storage.opening import open_store
from arena.storage.records import AttemptRecord, MatchReport, StoredMatch, StoreProgress
from tests.e2e.command import Command, arena
from tests.e2e.glance import glance
from tests.waiting import wait_until

NAME = "cup"
SALT = "5a" * 32
CHEAP = ("random", "greedy", "name=g2,builtin=greedy")
PATIENCE_S = 120.0
"""For a whole command, on a machine that is busy."""

REPRODUCIBLE = (
    "leaderboard.json",
    "leaderboard.csv",
    "leaderboard.md",
    "crosstable.csv",
    "matches.jsonl",
    "tournament.toml",
)
"""What two runs of the same tournament write byte for byte."""

Files = dict[str, bytes]


def settings(
    *more: object, bots: Sequence[str] = CHEAP, rounds: int = 4, players: int = 3
) -> list[str]:
    """Return the flags of a small tournament, which gives the same results each time."""
    words = ["--game", "byzanz", "--players", players, "--rounds", rounds, "--seed", 7]
    named = [word for bot in bots for word in ("--bot", bot)]
    return [str(word) for word in (*words, "--salt", SALT, "--name", NAME, *named, *more)]


def tournament(place: Path, *words: object, **env: str) -> Command:
    """Start `arena tournament` with its results in `cup` below the place."""
    return arena("tournament", "--out", place / NAME, *words, place=place, **env)


def resume(place: Path, *words: object, **env: str) -> Command:
    """Start `arena tournament` with what is in the directory."""
    return arena("tournament", place / NAME, *words, place=place, **env)


PAUSING = """
import signal, sys, threading
from arena.cli import main, tournament
from arena.storage.sqlite import SqliteDatabase

stored = False

def reach(point):
    global stored
    if point == "after commit" and not stored:
        stored = True
        signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)

tournament._fail_point = lambda: reach
if sys.argv[1]:
    SqliteDatabase.__init__.__kwdefaults__["patience_s"] = float(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""
"""`arena` that stops itself when its first match is stored, and does not hold the database then."""


def paused(place: Path, *words: object, patience_s: float | None = None) -> Command:
    """Start a tournament within one process; it is stopped in the middle, until SIGCONT.

    It waits as long for a locked database as ever, or for the time that is given.
    """
    line = ("tournament", "--out", place / NAME, *words, "--engine", "inline")
    command = Command("-c", PAUSING, patience_s or "", *line, place=place)
    status = Path(f"/proc/{command.pid}/stat")
    wait_until(lambda: status.read_text().rpartition(")")[2].split()[0] in "TZ", PATIENCE_S)
    assert command.is_running, command.err
    return command


def complete(command: Command, code: int = DONE) -> Command:
    """Wait until it has ended, as it should, without having lost its head."""
    with command:
        assert command.wait(PATIENCE_S) == code, f"{command.out}\n{command.err}"
        check_calm(command.err)
    return command


def check_calm(err: str) -> None:
    """Nothing that was printed tells of a lost head."""
    assert "Traceback" not in err, err
    assert "never retrieved" not in err, err
    assert "was never awaited" not in err, err


class Done(NamedTuple):
    """What a command left behind that has ended."""

    code: int
    out: str
    err: str


def run_to_end(*words: object, **env: str) -> Done:
    """Run a command to its end; in this process, which saves its start, if it does without gRPC.

    gRPC has one queue of events in a process, which outlives the loop of a command: the next
    command there may be handed the last of them, and stumble.
    """
    texts = [str(word) for word in words]
    is_local = texts[0] in {"show", "token", "verify"} or "inline" in texts
    done = _run_in_this_process(texts, env) if is_local else _run_in_its_own(texts, env)
    check_calm(done.err)
    return done


def _run_in_its_own(words: list[str], env: dict[str, str]) -> Done:
    with (
        tempfile.TemporaryDirectory(prefix="e2e-") as directory,
        arena(*words, place=Path(directory), **env) as command,
    ):
        code = command.wait(PATIENCE_S)
        return Done(code, command.out, command.err)


def _run_in_this_process(words: list[str], env: dict[str, str]) -> Done:
    out, err = io.StringIO(), io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.MonkeyPatch.context() as patch,
        ):
            for name, text in env.items():
                patch.setenv(name, text)
            code = main(words)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    return Done(code, out.getvalue(), err.getvalue())


def to_end(*words: object) -> str:
    """Run a command to a good end; return what it printed."""
    done = run_to_end(*words)
    assert done.code == DONE, f"{done.out}\n{done.err}"
    return done.out


def finish(place: Path) -> None:
    """Play what is missing in the directory, in this process."""
    to_end("tournament", place / NAME, "--engine", "inline", "--log-level", "warning")


@functools.cache
def undisturbed(words: tuple[str, ...]) -> Files:
    """Return what the tournament of these flags writes when nothing happens to it."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as directory:
        results = Path(directory) / NAME
        to_end("tournament", "--out", results, *words, "--quiet", "--engine", "inline")
        return read_files(results)


def read_files(directory: Path) -> Files:
    """Return the reproducible files; how it was run is no part of the settings."""
    files = {name: (directory / name).read_bytes() for name in REPRODUCIBLE}
    files["tournament.toml"] = files["tournament.toml"].partition(b"[run]")[0]
    return files


def check_same(directory: Path, expected: Files) -> None:
    """Everything reproducible is byte for byte what it should be."""
    found = read_files(directory)
    assert {name for name in expected if found[name] != expected[name]} == set()


def check_whole(directory: Path, words: Sequence[str], db: str | None = None) -> None:
    """Every match has exactly one result, none is parked, and all files are as undisturbed."""
    with open_store(db or directory / "arena.db", NAME, is_read_only=True) as store:
        planned = [fixture.match for fixture in store.fixtures()]
        assert [match.fixture.match for match in store.matches()] == planned
        size = len(planned)
        assert store.progress() == StoreProgress(size, results=size, parked=0, claimed=0)
        last = {attempt.match: attempt for attempt in store.attempts()}
        assert list(last) == planned
        assert all(each.ended and each.void_reason is None for each in last.values())
    check_same(directory, undisturbed(tuple(words)))
    assert len(list((directory / "replays").iterdir())) == size
    assert list(directory.glob("**/.*.partial")) == []


def attempts(directory: Path) -> list[AttemptRecord]:
    """Return all that was tried."""
    with open_store(directory / "arena.db", NAME, is_read_only=True) as store:
        return list(store.attempts())


def matches(directory: Path) -> list[StoredMatch]:
    """Return all that was played."""
    with open_store(directory / "arena.db", NAME, is_read_only=True) as store:
        return list(store.matches())


def count_results(directory: Path) -> int:
    """Return how many matches have a result; 0 before there is anything."""
    if not (directory / "tournament.toml").exists():
        return 0
    with open_store(directory / "arena.db", NAME) as store:
        return 0 if store.tournament() is None else store.progress().results


def wait_for_results(directory: Path, count: int, command: Command) -> None:
    """Return once so many matches have a result, or the command has ended."""
    path = directory / "arena.db"
    wait_until(lambda: glance(path) >= count or not command.is_running, PATIENCE_S)


def leaderboard(directory: Path) -> dict[str, Any]:
    """Return the leaderboard as written, its bots by name."""
    document = json.loads((directory / "leaderboard.json").read_text(encoding="utf-8"))
    document["bots"] = {bot["name"]: bot for bot in document["bots"]}
    return dict(document)


def check_ratings(directory: Path) -> None:
    """Ratings and counts are those that follow from the stored outcomes and nothing else."""
    played = matches(directory)
    bots = leaderboard(directory)["bots"]
    with open_store(directory / "arena.db", NAME, is_read_only=True) as store:
        tournament = store.tournament()
    assert tournament is not None
    key = hashlib.sha256(tournament.salt + tournament.seed).digest()
    for name, rating in rate_shuffled(played, "trueskill", key).ratings.items():
        assert bots[name]["mu"] == round(rating.mu, 4)
        assert bots[name]["sigma"] == round(rating.sigma, 4)
    forfeits: collections.Counter[str] = collections.Counter()
    for match in played:
        for bot, fault in zip(match.fixture.bots, match.report.forfeits, strict=True):
            forfeits[bot] += fault is not None
        check_ranks(match.report)
    for name, bot in bots.items():
        assert bot["forfeits"] == forfeits[name]
        assert bot["matches"] == sum(name in match.fixture.bots for match in played)


def check_ranks(report: MatchReport) -> None:
    """Seats rank by score, equal ones as their game says; forfeited ones share the last rank."""
    staying = [
        score for score, fault in zip(report.scores, report.forfeits, strict=True) if not fault
    ]
    for score, rank, fault in zip(report.scores, report.ranks, report.forfeits, strict=True):
        if fault is None:
            above = sum(other > score for other in staying)
            assert above < rank <= above + staying.count(score), report
        else:
            assert rank == 1 + len(staying), report
