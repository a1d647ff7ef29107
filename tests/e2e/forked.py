"""Python processes forked from one that has imported arena: importing it takes longer than most do.

Each is a process of its own, with its own session, directory, environment and output. But what
`/proc` says of its command line and environment is what it says of the one it was forked from.
"""

from __future__ import annotations

import atexit
import functools
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from arena.loading import load
from tests.marks import MARK

_ROOT = Path(__file__).parents[2]
_IMPORTED = (
    "arena.bots.byzanz_greedy",
    "arena.cli.bot",
    "arena.cli.match",
    "arena.cli.serve",
    "arena.cli.tournament",
    "arena.cli.tournament_remote",
    "arena.cli.watch",
    "arena.engines.hosted",
    "arena.engines.inline",
    "arena.games.byzanz.game",
    "arena.games.schwarzmarkt.game",
    "arena.rating.trueskill_model",
    "arena.storage.postgres",
    "arena.wire.byzanz",
    "arena.wire.schwarzmarkt",
    "arena_client",
    "encodings.idna",  # for the names of hosts
    "numpy.ma",  # of which numpy loads only this when it is first used
)


class ForkedProcess:
    """A process that runs what `python` would run with these words; much like a Popen."""

    def __init__(
        self, words: Sequence[str], out: Path, err: Path, cwd: Path, env: dict[str, str]
    ) -> None:
        order = {"words": words, "out": str(out), "err": str(err), "cwd": str(cwd), "env": env}
        self.pid: int = _ask(order)
        self._end = os.pidfd_open(self.pid)
        self._code: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, minus a signal, or None while it runs."""
        return self._look(0.0)

    def wait(self, limit_s: float | None = None) -> int:
        """Return its exit code once it has ended."""
        code = self._look(limit_s)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), limit_s or 0.0)
        return code

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)  # not reaped yet: the pid is its own

    def _look(self, limit_s: float | None) -> int | None:
        if self._code is None:
            looking = select.poll()
            looking.register(self._end, select.POLLIN)
            if looking.poll(None if limit_s is None else 1000.0 * limit_s):
                self._code = os.waitstatus_to_exitcode(_ask({"ended": self.pid}))
                os.close(self._end)
        return self._code


def _ask(order: Mapping[str, object]) -> int:
    """Have the nursery do something; there is one for all tests of this process."""
    link = _open_nursery()
    print(json.dumps(order), file=link, flush=True)
    return int(link.readline())


@functools.cache
def _open_nursery() -> TextIO:
    """Start it; it outlives the test that is first to need it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        nursery = subprocess.Popen(
            [sys.executable, "-u", "-m", "tests.e2e.forked", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            cwd=_ROOT,
            env={name: text for name, text in os.environ.items() if name != MARK},
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        link = ours.makefile("rw", encoding="utf-8")
    atexit.register(_close_nursery, nursery, link)
    return link


def _close_nursery(nursery: subprocess.Popen[bytes], link: TextIO) -> None:
    link.close()
    nursery.wait()


def _serve(link: TextIO) -> list[str]:
    """Fork whenever asked to; returns in the forked processes alone, with the words to run."""
    alive: set[int] = set()
    for line in link:
        order = json.loads(line)
        if pid := order.get("ended"):
            number = os.waitpid(pid, 0)[1]
            alive.remove(pid)
        elif number := os.fork():
            alive.add(number)
        else:
            link.close()
            return _settle(**order)
        print(number, file=link, flush=True)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    os._exit(0)


def _settle(words: list[str], out: str, err: str, cwd: str, env: dict[str, str]) -> list[str]:
    """Give a forked process what it would have been started with."""
    os.setsid()
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    return words


def _run(words: list[str]) -> None:
    """Do what `python` does with these words."""
    first, *rest = words
    if first == "-m":
        sys.argv, sys.path[0] = rest, ""
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv, sys.path[0] = ["-c", *rest[1:]], ""
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv, sys.path[0] = words, str(Path(first).parent)
        runpy.run_path(first, run_name="__main__")


def _end(code: int) -> NoReturn:
    """End as Python does, but do not take its modules apart: that takes longer than some commands.

    What was forgotten is found all the same, and complains.
    """
    gc.collect()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as _socket:
        _link = _socket.makefile("rw", encoding="utf-8")
    for _name in _IMPORTED:
        load(_name)  # what is never garbage need not be copied to look for it
    try:
        _run(_serve(_link))
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            _end(stop.code or 0)
        raise
