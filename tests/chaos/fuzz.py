"""Nonsense on the wire beside honest matches, and for sessions guided by coverage."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from arena.server.loop import run_async
from tests.chaos.scenario import Run
from tests.integration.nonsense import CORPUS, check_fuzzed, corpus, fuzz

TABLES, CROWD = 3, 8
ROOT = Path(__file__).parents[2]
LIMIT_S = 300  # for guided fuzzing, which then stops where it is


def fuzzing(run: Run) -> None:
    """Say nonsense to an arena, then to the code behind it."""
    wire(run, run.size(100_000, 1_000))
    guided(run, run.size(500_000, 2_000))


def wire(run: Run, messages: int) -> None:
    """Say so much to an arena that plays."""
    tables, crowd = (TABLES, CROWD) if not run.is_short else (1, 2)
    statuses, played, said = run_async(fuzz(run.place, messages, tables, crowd, run.seed))
    check_fuzzed(statuses, played, tables)
    ends = ", ".join(f"{name} {count:,}" for name, count in statuses.most_common())
    run.tell(
        f"{said:,} fuzzed messages on {sum(statuses.values()):,} streams, {len(corpus())} seeds in "
        f"the corpus: {len(played)} honest matches beside them, no fault"
    )
    run.tell(f"streams ended with {ends}")


def guided(run: Run, inputs: int) -> None:
    """Let atheris look for inputs that reach new code; the corpus itself is not changed."""
    if importlib.util.find_spec("atheris") is None:
        run.skip("coverage-guided fuzzing: atheris is not installed (pip install '.[fuzz]')")
        return
    found = run.place / "corpus"
    shutil.copytree(CORPUS, found)
    flags = [f"-runs={inputs}", f"-max_total_time={LIMIT_S}", f"-seed={run.seed}"]
    flags += ["-max_len=4096", "-timeout=10"]
    artifacts = f"-artifact_prefix={run.place}/"
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.guided", str(found), *flags, artifacts],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=2 * LIMIT_S,
        check=False,
    )
    last = ([line for line in done.stderr.splitlines() if "cov:" in line] or ["#0 cov: 0 "])[-1]
    covered, taken = (int(last.partition(word)[2].split()[0]) for word in ("cov:", "#"))
    run.check(done.returncode == 0, f"an input breaks the session: {done.stderr[-1_500:]}")
    new = len(list(found.iterdir())) - len(corpus())
    run.tell(f"{taken:,} inputs guided by coverage: {covered} edges reached, {new} new inputs")
