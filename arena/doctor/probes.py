"""Everything that is tried, in the order in which it is told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from arena.doctor import trial
from arena.doctor.isolation import AREA, judge_kernel, probe_cgroups, probe_levels
from arena.doctor.machine import FILES_WANTED, judge_files, probe_clock, probe_sockets
from arena.doctor.probed import Probed, Usability
from arena.doctor.programs import probe_programs
from arena.sandbox.seccomp import make_filter

_LIMIT_S = 10.0


def probe_all() -> Iterator[Probed]:
    """Try everything; each probe ends within seconds and leaves nothing behind."""
    yield from probe_levels()
    yield probe_cgroups()
    try:
        tried = _try_kernel()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        yield Probed(AREA, "kernel", Usability.MISSING, f"cannot be tried: {error}")
    else:
        yield from judge_kernel(tried)
        yield judge_files(tried)
    yield probe_clock()
    yield probe_sockets()
    yield from probe_programs()


def _try_kernel() -> trial.Tried:
    done = subprocess.run(
        [sys.executable, "-I", "-S", trial.__file__, str(FILES_WANTED)],
        input=make_filter() or b"",
        capture_output=True,
        timeout=_LIMIT_S,
        check=True,
    )
    return dict(json.loads(done.stdout))
