"""`arena tournament`, killed and stopped at any moment: nothing is lost, nothing played twice."""

from __future__ import annotations

import random
import shlex
import signal
import time
from pathlib import Path

import pytest

from arena.cli import DONE, INTERRUPTED, STOPPED
from tests.e2e.command import Command, arena, bot_option, fresh_arena
from tests.e2e.tournaments import (
    NAME,
    attempts,
    check_whole,
    complete,
    count_results,
    finish,
    leaderboard,
    resume,
    settings,
    to_end,
    tournament,
    wait_for_results,
)
from tests.marks import marked
from tests.waiting import wait_until

KILLS = 12
EARLY = 3  # of them before play
LAUNCHED = 4  # of so many arenas one has launched its bots; in the others they have no processes
GROUP = 5  # matches in one transaction
ENDED = "the arena that played it ended"


def kill(command: Command, mark: str) -> None:
    """Kill the arena; its bots follow by themselves."""
    command.signal(signal.SIGKILL)
    assert command.wait() == -signal.SIGKILL
    assert "Traceback" not in command.err
    wait_until(lambda: not marked(mark), 10.0)


DOOMED = """
import os, signal, sys, threading
from arena.cli import main, tournament

commits, delay_s, *words = sys.argv[1:]
left = int(commits)

def begin():
    threading.Timer(float(delay_s), os.kill, (os.getpid(), signal.SIGKILL)).start()

def reach(point):
    global left
    left -= point == "after commit"
    if left == 0:
        begin()

if left == 0:
    begin()
tournament._fail_point = lambda: reach
sys.exit(main(words))
"""
"""`arena` that is killed some time after so many commits: at no moment that it knows."""


def start_doomed(place: Path, commits: int, delay_s: float, *words: object) -> Command:
    """Start a tournament without processes of bots, to be killed."""
    line = ("-c", DOOMED, commits, delay_s, "tournament", *words, "--engine", "inline")
    return Command(*line, place=place)


@pytest.mark.slow
def test_killed_over_and_over(place, mark):
    """Killed at random moments over and over, it ends as if nothing had happened."""
    rng = random.Random(20)
    words = settings("-j", 2, rounds=12)
    directory = place / NAME
    early = {0, *rng.sample(range(1, KILLS), EARLY - 1)}
    stored = 0
    for number in range(KILLS):
        again = number > 0 and (directory / "tournament.toml").exists()
        what = [directory] if again else ["--out", directory, *words]
        commits = 0 if number in early else rng.randint(1, 3)
        if number % LAUNCHED:
            delay_s = rng.uniform(0.0, 0.03 if commits else 0.3)
            complete(start_doomed(place, commits, delay_s, *what), -signal.SIGKILL)
        else:
            start = arena if commits else fresh_arena  # which is killed while it starts
            with start("tournament", *what, "--engine", "arena", place=place) as command:
                if commits:
                    wait_for_results(directory, stored + commits, command)
                time.sleep(rng.uniform(0.0, 0.03 if commits else 1.5))
                assert command.is_running, f"it was over before kill {number}: {command.err}"
                kill(command, mark)
        found = count_results(directory)
        assert found >= stored
        stored = found
        assert not list(place.glob("arena-*"))  # the directory of its socket

    finish(place)
    check_whole(directory, words)
    to_end("verify", directory)
    tried = attempts(directory)
    given_up = [attempt for attempt in tried if attempt.void_reason is not None]
    assert {attempt.void_reason for attempt in given_up} == {ENDED}
    assert len({attempt.owner for attempt in given_up}) >= KILLS // 2


@pytest.mark.slow
def test_killed_at_every_commit_boundary(place):
    """What was committed is there, what was not has left no trace, and the rest is played."""
    words = settings("-j", 1, rounds=6)  # each match has a transaction of its own
    directory = place / NAME
    stored = 0
    for point, reached, kept in (
        ("before export", 1, 0),  # of what is there before the first match
        ("before write", 1, 0),
        ("after write", 1, 0),
        ("after commit", 1, 1),
        ("before write", 4, 3),
        ("after write", 5, 4),
        ("after commit", 6, 6),
        ("before export", 1, 18 - 14),
        ("before export", 1, 0),
    ):
        failing = tournament(
            place, *words, "--engine", "inline", ARENA_FAIL_POINT=f"{point}:{reached}"
        )
        complete(failing, -signal.SIGKILL)
        stored += kept
        assert count_results(directory) == stored, point
        assert (directory / "leaderboard.json").exists() == (point != "before export" or stored > 0)
        if stored:
            assert leaderboard(directory)["matches"] == 0  # as it was before the first match
    finish(place)
    check_whole(directory, words)


GROUPED = f"""
import asyncio, sys, threading
from arena.cli import main
from arena.tournament import tournament
from arena.tournament.store_thread import StoreThread

class Grouped(StoreThread):
    asked, have_ended = 0, threading.Event()

    async def finish(self, *ended):
        self.asked += 1
        if self.asked == 1:
            self._thread.submit(self.have_ended.wait)
        if self.asked == {GROUP}:
            asyncio.get_running_loop().call_soon(self.have_ended.set)
        return await super().finish(*ended)

tournament.StoreThread = Grouped
sys.exit(main())
"""
"""`arena` whose first matches end while its store is at work: they share a transaction."""


@pytest.mark.slow
def test_killed_inside_a_group(place):
    """Of matches that share a transaction none is there before its commit, and all are after it."""
    words = settings("-j", GROUP, rounds=4)
    directory = place / NAME
    stored = 0
    for point, reached, kept in (
        ("before write", 3, 0),
        ("after write", 1, 0),
        ("after commit", 1, GROUP),
        ("after write", GROUP, 0),
    ):
        start = ("-c", GROUPED, "tournament", "--out", directory, *words, "--engine", "inline")
        env = {"ARENA_FAIL_POINT": f"{point}:{reached}"}
        complete(Command(*start, place=place, env=env), -signal.SIGKILL)
        stored += kept
        assert count_results(directory) == stored, point
    finish(place)
    check_whole(directory, words)
    given_up = {attempt.void_reason for attempt in attempts(directory)} - {None}
    assert given_up == {ENDED}


def slow_bots(place: Path) -> list[str]:
    """Return three bots with which a match takes long while `slow` is there, and makes `diary`."""
    (place / "slow").touch()
    mood = {"HOW": "slow", "WHILE": place / "slow", "DIARY": place / "diary"}
    return [bot_option(name, "moody.py", place, **mood) for name in "abc"]


def resume_words(command: Command) -> list[str]:
    """Return the command that it says one can go on with."""
    line = next(line for line in command.err.splitlines() if "continue with: " in line)
    words = shlex.split(line.partition("continue with: ")[2])
    assert words[:2] == ["arena", "tournament"]
    return words[1:]


# All that winds up hears both signals through the same `arena.cli.signals`. Together these tests
# send each of them first, and each of them second.


@pytest.mark.slow
def test_stopped_once(place):
    """Running matches finish, the resume command is printed, and it completes the tournament."""
    words = settings("-j", 2, bots=slow_bots(place), rounds=1)
    with tournament(place, *words) as command:
        wait_until((place / "diary").exists)  # a match that is only claimed does not run
        command.signal(signal.SIGTERM)
        command.wait_for("SIGTERM: finishing the running matches")
        (place / "slow").unlink()
        complete(command, STOPPED)
    assert count_results(place / NAME) == 2
    assert f"2 of 3 matches played; continue with: arena tournament {place / NAME}\n" in command.err
    assert (place / NAME / "leaderboard.json").exists()

    to_end(*resume_words(command))
    assert count_results(place / NAME) == 3
    assert {(each.number, each.void_reason) for each in attempts(place / NAME)} == {(1, None)}


@pytest.mark.slow
def test_stopped_twice(place):
    """The second signal gives running matches up at once, as if they had never been begun."""
    words = settings("-j", 2, bots=slow_bots(place), rounds=1)
    with tournament(place, *words) as command:
        wait_until((place / "diary").exists)  # a match that is only claimed does not run
        command.signal(signal.SIGINT)
        command.wait_for("repeat to stop at once")
        command.signal(signal.SIGINT)
        asked = time.monotonic()
        complete(command, INTERRUPTED)
        assert time.monotonic() - asked < 15.0  # a match would take a minute
    assert count_results(place / NAME) == 0
    assert attempts(place / NAME) == []  # so anybody may claim them
    assert resume_words(command) == ["tournament", str(place / NAME)]


@pytest.mark.slow
def test_stopped_during_the_check(place):
    """Before play nothing is begun: no tournament is there, and the bots are gone."""
    absent = bot_option("absent", "raw.py", place, HOW="absent")
    with tournament(place, *settings(bots=["random", "greedy", absent])) as command:
        log = place / NAME / "logs" / "absent.stderr"
        wait_until(lambda: log.exists() and "rather not" in log.read_text())
        command.signal(signal.SIGTERM)
        command.signal(signal.SIGTERM)
        complete(command, INTERRUPTED)
    assert "before any match began" in command.err
    assert not (place / NAME / "tournament.toml").exists()


@pytest.mark.slow
def test_stopped_while_it_goes_on(place):
    """A resumed tournament can be stopped during its check, and resumed once more."""
    words = settings()
    complete(
        tournament(place, *words, "--engine", "inline", ARENA_FAIL_POINT="after commit:3"),
        -signal.SIGKILL,
    )
    with resume(place, "--engine", "arena") as command:
        wait_until((place / NAME / "logs" / "random.stderr").exists)
        command.signal(signal.SIGINT)
        assert command.wait() in (STOPPED, INTERRUPTED, DONE)
    finish(place)
    check_whole(place / NAME, words)
