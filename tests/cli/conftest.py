from __future__ import annotations

import io
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.cli import main
from arena.games.registry import get_game
from tests.recorded import SHORT, record


class Finished(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Finished]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the command in this process, `typed` being its input."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def run_command(*arguments: object, typed: str = "") -> Finished:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse leaves that way
            code = stop.code if isinstance(stop.code, int) else 1
        captured = capsys.readouterr()
        return Finished(code, captured.out, captured.err)

    return run_command


@pytest.fixture(autouse=True)
def no_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the person who runs the tests counts, nor the language: that takes long."""
    monkeypatch.setenv("LANGUAGE", "C")
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ARENA_ISOLATION", "none")


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Commands set up logs on a stderr that is the test's own: take that back."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def replays(tmp_path: Path) -> dict[str, Path]:
    """One recorded match of each built-in game, by the game's name."""
    files = {}
    for name in ("byzanz", "schwarzmarkt"):
        files[name] = tmp_path / f"{name}.jsonl"
        files[name].write_text(record(get_game(name), 3, SHORT[name]), encoding="utf-8")
    return files
