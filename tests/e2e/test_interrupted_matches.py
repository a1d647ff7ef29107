"""Signals to `arena match` in the middle of everything."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from arena.cli import DONE, INTERRUPTED, STOPPED, main
from tests.e2e.command import Command, arena, bot_option
from tests.marks import marked
from tests.waiting import wait_until

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def match(place: Path, *bots: str, matches: int = 3) -> Command:
    """Start matches of these bots that keep replays and logs."""
    words = [word for each in bots for word in ("--bot", each)]
    keep = ("--replay", "replays" if matches > 1 else "replays/1.jsonl", "--logs", "logs")
    return arena(
        *("match", "byzanz", *words, "--matches", matches, "--log-level", "info", *keep),
        place=place,
    )


def slow(place: Path, seconds: float = 0.01) -> list[str]:
    """Return three bots with which a match takes some seconds."""
    names = ("a", "b", "c")
    return [bot_option(name, "honest.py", place, THINK_S=seconds) for name in names]


def check_left(place: Path, command: Command, *replays: str) -> None:
    """Nothing of the arena is left but these replays, whole."""
    assert "Traceback" not in command.err
    assert "never retrieved" not in command.err
    assert list(place.glob("arena-*")) == []
    assert sorted(file.name for file in place.glob("replays/*")) == sorted(replays)
    assert sorted(file.name for file in place.glob("replays/.*")) == []
    if replays:
        assert main(["verify", *(str(place / "replays" / name) for name in replays)]) == DONE


@pytest.mark.slow
def test_while_bots_start(place):
    """A match that waits for bots does not begin; the command ends at once."""
    absent = bot_option("absent", "raw.py", place, HOW="absent")
    with match(place, "random", absent, "random") as command:
        wait_until(lambda: "rather not" in read(place / "logs" / "absent.stderr"))
        command.signal(signal.SIGINT)
        assert command.wait() == STOPPED
        check_left(place, command)


def read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_while_matches_run(place):
    """The running match is played to its end and kept, the next does not begin."""
    with match(place, *slow(place)) as command:
        command.wait_for("match started")
        command.signal(signal.SIGTERM)
        command.wait_for("SIGTERM: running matches have 30 s to finish")
        assert command.wait() == STOPPED
        assert "match 1: " in command.out
        assert "match 2: " not in command.out
        check_left(place, command, "1.jsonl")


@pytest.mark.slow
def test_twice(place):
    """The second signal makes running matches void; nothing of them is kept."""
    with match(place, *slow(place, 0.2)) as command:
        command.wait_for("match started")
        command.signal(signal.SIGINT)
        command.wait_for("repeat to stop at once")
        command.signal(signal.SIGTERM)
        assert command.wait() == INTERRUPTED
        assert "match 1: void: the arena was stopped" in command.out
        check_left(place, command)


@pytest.mark.slow
def test_many_at_once(place):
    """Signals that come faster than anybody can look stop at once, too."""
    with match(place, *slow(place, 0.2)) as command:
        command.wait_for("match started")
        for _ in range(20):
            command.signal(signal.SIGINT)
            command.signal(signal.SIGTERM)
        assert command.wait() == INTERRUPTED
        check_left(place, command)


@pytest.mark.slow
def test_while_shutting_down(place):
    """After the last match signals change nothing: the stubborn bot is killed after its grace."""
    deaf = bot_option("deaf", "ending.py", place, HOW="deaf", AT=10_000)
    with match(place, "random", deaf, "random", matches=1) as command:
        wait_until(lambda: "told to end, staying" in read(place / "logs" / "deaf.stderr"))
        for _ in range(3):
            for number in SIGNALS:
                command.signal(number)
                time.sleep(0.05)  # else several signals become one
        assert command.wait() == DONE
        assert "once more" not in command.err
        check_left(place, command, "1.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_at_the_very_beginning(place, number):
    """Before anything is open the command may die of the signal, but leaves nothing."""
    with match(place, "random", "random", "random") as command:
        command.wait_for("Byzanz, 3 players")
        command.signal(number)
        early = INTERRUPTED if number == signal.SIGINT else -signal.SIGTERM
        assert command.wait() in (STOPPED, early)
        check_left(place, command)


@pytest.mark.slow
def test_kill_9(place, mark):
    """Not even SIGKILL of the arena leaves a bot behind."""
    with match(place, *slow(place, 0.2)) as command:
        command.wait_for("match started")
        assert len(marked(mark)) >= 4  # three bots and the keeper
        command.signal(signal.SIGKILL)
        assert command.wait() == -signal.SIGKILL
        wait_until(lambda: not marked(mark), 10.0)
    assert list(place.glob("replays/*")) == []
