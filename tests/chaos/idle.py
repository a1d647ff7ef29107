"""Sessions that wait for a long time and then play: what `benchmarks.idle` measures, checked."""

from __future__ import annotations

import subprocess
import sys

from tests.chaos.scenario import Run
from tests.inside import ROOT


def idle(run: Run) -> None:
    """Hold sessions, then let all of them play."""
    sessions = run.size(1_000, 20)
    seconds = 1.0 if run.is_short else 60 * run.idle_minutes
    words = ("--sessions", sessions, "--seconds", seconds, "--playing", sessions)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.idle", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=600 + seconds,
        check=False,
    )
    for line in done.stdout.splitlines():
        run.tell(line.removeprefix("idle: "))
    run.check(done.returncode == 0, f"a session was lost, or has a fault: {done.stderr[-1_000:]}")
