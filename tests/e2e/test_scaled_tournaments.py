"""`arena tournament` on several workers and on a Ray cluster, some of which are killed."""

from __future__ import annotations

import json
import os
import signal

import pytest

from arena.cli import DONE, STOPPED
from tests.e2e.tournaments import (
    NAME,
    PAUSING,
    attempts,
    check_whole,
    complete,
    finish,
    paused,
    settings,
    tournament,
    wait_for_results,
)
from tests.engines.ray_cluster import isolated
from tests.marks import marked
from tests.waiting import wait_until

WORKERS = ("--workers", 2, "-j", 2)


def worker_pids(mark: str) -> list[int]:
    """Return the processes of the workers that the test has started."""
    return [pid for pid, line in marked(mark).items() if "arena.engines.worker" in line]


@pytest.mark.slow
def test_killed_worker(place, mark):
    """A killed worker costs no attempt and changes nothing in the results."""
    words = settings()
    with paused(place, *words, *WORKERS) as command:
        os.kill(worker_pids(mark)[0], signal.SIGKILL)
        command.signal(signal.SIGCONT)
        complete(command)
        assert "a worker was lost" in command.err
    check_whole(place / NAME, words)
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}


@pytest.mark.slow
def test_interrupted(place, mark):
    """Ctrl-C, which all processes of the terminal get, lets running matches finish."""
    words = settings()
    with paused(place, *words, *WORKERS) as command:
        os.killpg(command.pid, signal.SIGINT)
        command.signal(signal.SIGCONT)
        complete(command, STOPPED)
    assert not marked(mark)
    assert all(attempt.void_reason is None for attempt in attempts(place / NAME))
    finish(place)
    check_whole(place / NAME, words)


@pytest.mark.slow
def test_killed_arena(place, mark):
    """Not even SIGKILL of the arena leaves a worker or a bot; the rest is played later."""
    words = settings()
    with tournament(place, *words, *WORKERS) as command:
        wait_for_results(place / NAME, 1, command)
        assert len(worker_pids(mark)) == 2
        command.signal(signal.SIGKILL)
        command.wait()
        wait_until(lambda: not marked(mark))
    finish(place)
    check_whole(place / NAME, words)


@pytest.mark.slow
def test_killed_node(place):
    """A node of a Ray cluster that dies in the middle changes nothing in the results."""
    words = settings(rounds=2)
    line = ["tournament", "--out", place / NAME, *words, *WORKERS, "--log-level", "info"]
    (place / "words.json").write_text(json.dumps(["-c", PAUSING, "", *map(str, line)]))
    found = isolated("killed_node", place)
    assert found["code"] == DONE, found
    assert 1 <= found["before"] < 6
    assert "a worker was lost" in found["arena_err"]
    assert "Traceback" not in found["arena_err"]
    assert found["out"].startswith(f"{NAME}: byzanz, 3 bots")  # and nothing that Ray prints
    assert found["left"] == []
    check_whole(place / NAME, words)
    assert {attempt.number for attempt in attempts(place / NAME)} == {1}
    logs = place / NAME / "logs"
    names = {"random.stderr", "greedy.stderr", "g2.stderr"}
    for directory in (logs, logs / "worker-2"):  # on one machine, both nodes write here
        assert names <= {path.name for path in directory.iterdir()}
