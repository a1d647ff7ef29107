"""Parts of tests that need a process of their own: its figures come back as one JSON object."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def run_inside(module: str, *words: object, before: Sequence[str] = (), limit_s: float) -> Any:
    """Run a module to its end; return what it printed last. Raises AssertionError if it fails."""
    done = subprocess.run(
        [*before, sys.executable, "-m", module, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=limit_s,
        check=False,
    )
    assert done.returncode == 0, f"{module}: {done.stdout[-500:]}{done.stderr[-2_000:]}"
    return json.loads(done.stdout.splitlines()[-1])
