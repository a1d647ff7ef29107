"""The command `arena` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.e2e.forked import ForkedProcess
from tests.e2e.house import BOTS
from tests.waiting import LONG_S, wait_until


class Command:
    """A running command; its output goes to files in the directory. A context manager.

    Leaving the context kills what still runs. A fresh one is a Python of its own, which imports
    everything anew; others are forked.
    """

    def __init__(
        self,
        *words: object,
        place: Path,
        env: dict[str, str] | None = None,
        is_fresh: bool = False,
    ) -> None:
        number = len(list(place.glob("*.out")))
        self._out = place / f"{number}.out"
        self._err = place / f"{number}.err"
        self._out.touch()
        self._err.touch()
        texts = [str(word) for word in words]
        given = {**os.environ, "TMPDIR": str(place), "PYTHONUNBUFFERED": "1", **(env or {})}
        self._process: ForkedProcess | subprocess.Popen[bytes]
        if not is_fresh:
            self._process = ForkedProcess(texts, self._out, self._err, place, given)
            return
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._process = subprocess.Popen(
                [sys.executable, *texts],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=place,
                env=given,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def out(self) -> str:
        """What it has printed so far."""
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def err(self) -> str:
        """What it has complained about so far."""
        return self._err.read_text(encoding="utf-8", errors="replace")

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def wait(self, limit_s: float = LONG_S) -> int:
        """Return its exit code, minus a signal, once it has ended."""
        return self._process.wait(limit_s)

    def wait_for(self, text: str, limit_s: float = LONG_S) -> None:
        """Return once it has printed the text anywhere."""
        wait_until(lambda: text in self.out or text in self.err or not self.is_running, limit_s)
        assert text in self.out + self.err, f"{self.out}\n{self.err}"


def arena(*words: object, place: Path, **env: str) -> Command:
    """Start `arena` with these arguments."""
    return Command("-m", "arena", *words, place=place, env=env)


def fresh_arena(*words: object, place: Path, **env: str) -> Command:
    """Do the same with all that a start consists of: it can be killed in the middle of that."""
    return Command("-m", "arena", *words, place=place, env=env, is_fresh=True)


def dial(address: str, name: str, *, place: Path, **env: object) -> Command:
    """Start an honest bot that dials the address."""
    texts = {key: str(value) for key, value in env.items()}
    given = {"ARENA_ADDRESS": address, "BOT_NAME": name, **texts}
    return Command(BOTS / "honest.py", place=place, env=given)


def bot_option(name: str, file: str, place: Path, **env: object) -> str:
    """Return the value of `--bot` for one of the scripts."""
    path = place / f"{name}.toml"
    settings = ", ".join(f'{key} = "{value}"' for key, value in env.items())
    path.write_text(
        f'[bots.{name}]\nrun = ["{sys.executable}", "{BOTS / file}"]\nenv = {{ {settings} }}\n',
        encoding="utf-8",
    )
    return str(path)
