"""What arena itself needs of the machine: open files, a clock, a place for sockets."""

from __future__ import annotations

import resource
import socket
import statistics
import tempfile
import time
from pathlib import Path

from arena.doctor.probed import Probed, Usability
from arena.doctor.trial import Tried

AREA = "machine"
FILES_WANTED = 4096
"""A thousand sessions, their bots, and a database."""

_NAPS, _NAP_S = 25, 0.001
_LATE_S = 0.005  # as much as some bots take for a decision
_COARSE_S = 0.001


def judge_files(tried: Tried) -> Probed:
    """Say how many descriptors a process can hold."""
    count = int(tried["files"])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if count >= FILES_WANTED:
        return Probed(AREA, "open files", Usability.OK, f"{soft}, at most {hard}")
    found = f"at most {count}; a busy arena needs {FILES_WANTED}"
    return Probed(
        AREA, "open files", Usability.LIMITED, found, f"ulimit -Hn {FILES_WANTED} as root"
    )


def probe_clock() -> Probed:
    """Sleep a few times and see how late it gets."""
    resolution_s = time.get_clock_info("monotonic").resolution
    late_s = []
    for _ in range(_NAPS):
        before = time.monotonic()
        time.sleep(_NAP_S)
        late_s.append(time.monotonic() - before - _NAP_S)
    median_s = statistics.median(late_s)
    found = f"wakes {1000 * median_s:.1f} ms late, {1000 * max(late_s):.1f} ms at worst"
    if resolution_s > _COARSE_S:
        coarse = f"counts in steps of {1000 * resolution_s:g} ms"
        return Probed(AREA, "clock", Usability.LIMITED, coarse, "use a machine with a finer clock")
    if median_s > _LATE_S:
        return Probed(AREA, "clock", Usability.LIMITED, found, "play fewer matches at once with -j")
    return Probed(AREA, "clock", Usability.OK, found)


def probe_sockets() -> Probed:
    """Make the socket that bots would dial."""
    place = Path(tempfile.gettempdir())
    advice = "set TMPDIR to a directory with a short path that you can write to"
    try:
        with (
            tempfile.TemporaryDirectory(prefix="arena-") as directory,
            socket.socket(socket.AF_UNIX) as listening,
        ):
            listening.bind(f"{directory}/arena.sock")
    except OSError as error:
        reason = error.strerror or str(error)
        return Probed(AREA, "sockets", Usability.MISSING, f"{place}: {reason}", advice)
    return Probed(AREA, "sockets", Usability.OK, f"in {place}")
