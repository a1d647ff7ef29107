"""Programs that a test runs to their end."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

Finished = subprocess.CompletedProcess[str]


def run_program(*command: object, **settings: Any) -> Finished:
    """Run a program and return how it ended; `settings` are those of `subprocess.run`."""
    return subprocess.run(
        [str(word) for word in command],
        **settings,
        check=False,
        input="",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )


def run_python(*arguments: object, **settings: Any) -> Finished:
    """Run this Python likewise."""
    return run_program(sys.executable, *arguments, **settings)


def require_success(done: Finished) -> str:
    """Return what it printed; fails with all it said if it failed."""
    assert done.returncode == 0, f"{done.args}\n{done.stdout}{done.stderr}"
    return done.stdout
