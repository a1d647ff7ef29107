"""The seed of a tournament, which nobody sees before the last match."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tests.e2e.tournaments import NAME, complete, run_to_end, to_end, tournament

PRIVATE = {"tournament.toml", "arena.db", "arena.db-wal", "arena.db-shm"}
"""What the organiser keeps until the end."""

FLAGS = ("--game", "byzanz", "--players", 3, "--rounds", 4, "--bot", "random", "--bot", "greedy")
MORE = ("--bot", "name=g2,builtin=greedy", "-j", 1, "--engine", "inline", "--log-level", "debug")


def seen(directory: Path) -> str:
    """Return all that a reader of the results sees."""
    files = (path for path in directory.rglob("*") if path.is_file() and path.name not in PRIVATE)
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.slow
def test_a_seed_that_was_drawn(place):
    """Neither terminal, logs nor results tell it before the end; then all of them do."""
    directory = place / NAME
    told = ""
    for reached in (4, 2):  # begun, then resumed; the first deal is over by then
        failing = tournament(
            place, *FLAGS, *MORE, "--name", NAME, ARENA_FAIL_POINT=f"after commit:{reached}"
        )
        killed = complete(failing, -signal.SIGKILL)
        told += killed.out + killed.err
        assert "\ncommitment " in told
    for words in (("show", directory), ("show", directory, "--json"), ("verify", directory)):
        done = run_to_end(*words)
        told += done.out + done.err
    told += to_end("rate", directory, "--replays", "all")
    config = (directory / "tournament.toml").read_text(encoding="utf-8")
    found = re.search(r'\nseed = "hex:([0-9a-f]{64})"\n', config)
    assert found is not None
    assert (directory / "replays" / "1-1.jsonl").exists()
    assert found[1] not in told + seen(directory)

    done = run_to_end("tournament", directory, "--engine", "inline")
    assert f"\nseed: hex:{found[1]}\n" in done.out
    assert found[1] not in done.err
    assert found[1] in seen(directory)


@pytest.mark.slow
def test_a_seed_that_was_asked_for(place):
    """With --show-seed it is printed before play; a seed that was given is not repeated."""
    given = ("tournament", *FLAGS, *MORE, "--rounds", 1, "--seed", "my own seed")
    shown = run_to_end(*given, "--out", place / "shown", "--show-seed")
    assert "\nseed my own seed\n" in shown.err
    hidden = run_to_end(*given, "--out", place / "hidden")
    assert "my own seed" not in hidden.err
    assert "\nseed: my own seed\n" in hidden.out
