"""PostgreSQL goes away and comes back while a tournament is stored in it."""

from __future__ import annotations

import os
import shutil
import time

from arena.cli import DONE
from arena.storage.opening import open_store
from tests.chaos.scenario import PATIENT, Lacking, Run
from tests.e2e.command import Command, fresh_arena
from tests.e2e.tournaments import (
    NAME,
    PATIENCE_S,
    check_calm,
    check_whole,
    complete,
    settings,
    tournament,
)
from tests.postgres import Server, programs

AWAY_S = (0.0, 3.0)
POLL_S = 0.1


def postgres(run: Run) -> None:
    """Stop the server at random moments; each time it is away for up to some seconds."""
    found = programs()
    if found is None or (os.getuid() == 0 and shutil.which("setpriv") is None):
        raise Lacking("PostgreSQL is not installed (Debian: postgresql)")
    run.place.chmod(0o711)  # the server runs under another account if we are root
    server = Server(found)
    try:
        with server.place("chaos") as url:
            stop_again_and_again(run, server, url, run.size(150, 6), run.size(20, 1))
    finally:
        server.close()


def stop_again_and_again(run: Run, server: Server, url: str, size: int, number: int) -> None:
    """Play a tournament there, and stop the server so often."""
    words = settings("-j", 2, *PATIENT, rounds=size // 3)
    gone, away_s = 0, 0.0
    with tournament(run.place, *words, "--engine", "arena", "--db", url) as command:
        for stop in range(number):
            if not _reach(command, url, 1 + size * stop // (number + 1)):
                break
            time.sleep(run.rng.uniform(0.0, 0.2))
            server.stop()
            pause_s = run.rng.uniform(*AWAY_S)
            time.sleep(pause_s)
            server.start()
            gone += 1
            away_s += pause_s
        assert command.wait(PATIENCE_S) == DONE, command.err
    check_calm(command.err)
    run.check(gone == number, f"only {gone} of {number} times before it was over")
    check_whole(run.place / NAME, words, url)
    complete(fresh_arena("verify", run.place / NAME, place=run.place))
    run.tell(
        f"{size} matches, PostgreSQL gone {gone} times, {away_s:.0f} s in all: every match once, "
        "files as in a calm run"
    )


def _reach(command: Command, url: str, count: int) -> bool:
    """Wait for so many results; return whether the arena still runs."""
    deadline = time.monotonic() + PATIENCE_S
    while command.is_running:
        assert time.monotonic() < deadline, "no more results are stored"
        with open_store(url, NAME) as store:
            if store.tournament() is not None and store.progress().results >= count:
                return command.is_running
        time.sleep(POLL_S)
    return False
