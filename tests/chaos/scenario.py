"""What the scenarios have in common: a place, a fixed seed, a size, and an account.

A scenario is a function that takes a `Run`. It does its harm, says what it did with `tell`, and
checks with `check` or plain assertions. The driver adds what is true of all: nothing is left.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.e2e.command import Command, arena, fresh_arena
from tests.marks import MARK, marked
from tests.waiting import wait_until

END_S = 60.0
"""How long what should end by itself may take on a machine that is very busy."""

STEP_S = 600.0
"""How long the next match, or the whole rest of a tournament, may take there."""

PATIENT = ("--start-timeout", "100")
"""How long bots may take to start there."""

IDLE_MINUTES = 4.0
"""How long sessions wait before they play: all scenarios together are to take 20 minutes."""

_OURS = ("arena-*", ".arena-*", "e2e-*")


class Lacking(Exception):
    """The machine lacks something that a scenario needs; the text says what."""


@dataclass
class Run:
    """One run of one scenario."""

    name: str
    place: Path
    mark: str  # in the environment of all that it starts
    is_short: bool
    seed: int
    idle_minutes: float = IDLE_MINUTES
    done: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Draw from a generator of its own: what ran before changes nothing."""
        self.rng = Random(f"{self.seed} {self.name}")

    def size(self, full: int, short: int) -> int:
        """Return how much of something there is to be."""
        return short if self.is_short else full

    def arena(self, *words: object, place: Path) -> Command:
        """Start `arena`; in a short run without all that a start consists of."""
        return (arena if self.is_short else fresh_arena)(*words, place=place)

    def tell(self, text: str) -> None:
        """Say what was done, with numbers."""
        self.done.append(text)
        print(f"   {text}", flush=True)

    def check(self, is_right: object, text: str) -> None:
        """Note that something is wrong, and go on."""
        if not is_right:
            self.wrong.append(text)
            print(f"   WRONG: {text}", flush=True)

    def skip(self, text: str) -> None:
        """Say what cannot be done on this machine."""
        self.skipped.append(text)
        print(f"   skipped: {text}", flush=True)


Scenario = Callable[[Run], None]


@contextlib.contextmanager
def _surroundings(mark: str, place: Path) -> Iterator[None]:
    """Have everything that is started carry the mark, and keep its temporary files in the place."""
    before = dict(os.environ)
    temporary = tempfile.tempdir
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        del os.environ[name]
    os.environ.update({MARK: mark, "TMPDIR": str(place), "ARENA_ISOLATION": "none"})
    tempfile.tempdir = None
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = temporary


def play(
    name: str,
    scenario: Scenario,
    *,
    is_short: bool,
    seed: int,
    idle_minutes: float = IDLE_MINUTES,
) -> Run:
    """Run a scenario; whatever it raises is a finding."""
    print(f"== {name}", flush=True)
    started = time.monotonic()
    # Short, because the paths of sockets are.
    with tempfile.TemporaryDirectory(prefix="chaos-") as directory:
        run = Run(name, Path(directory), secrets.token_hex(16), is_short, seed, idle_minutes)
        with _surroundings(run.mark, run.place):
            try:
                scenario(run)
            except Lacking as lacking:
                run.skip(str(lacking))
            except Exception as error:  # noqa: BLE001 - it is what we are looking for
                where = traceback.extract_tb(error.__traceback__)[-1]
                traceback.print_exc()
                run.check(False, f"{type(error).__name__} at {where.name}: {error}"[:2_000])
            with contextlib.suppress(AssertionError):
                wait_until(lambda: not marked(run.mark), END_S)
            left = marked(run.mark)
            run.check(not left, f"processes left behind: {left}")
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            files = [str(path) for pattern in _OURS for path in run.place.glob(pattern)]
            run.check(not files, f"files left behind: {files}")
    run.tell(f"{time.monotonic() - started:.0f} s")
    return run
