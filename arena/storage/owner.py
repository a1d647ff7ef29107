"""Who has claimed a match: a text that names one process of one machine for ever."""

from __future__ import annotations

import os
import platform
import secrets
from pathlib import Path

_PROC = Path("/proc")
_ENDED = ("Z", "X")  # states of a process that nobody has waited for yet
_STATE_FIELD, _START_FIELD = 0, 19  # of /proc/PID/stat, counted after the command's name


def new_owner() -> str:
    """Return a text for this process that nobody else has: MACHINE/PID/START/RANDOM."""
    pid = os.getpid()
    _, start = _stat(pid) or ("", "")
    return f"{_machine()}/{pid}/{start}/{secrets.token_hex(8)}"


def is_dead(owner: str) -> bool:
    """Return whether the owner's process has certainly ended.

    False where that cannot be known from here: it runs on another machine, or before another boot
    of this one (its lease then runs out), or the system has no /proc.
    """
    machine, *process = owner.rsplit("/", 3)
    if len(process) != 3 or machine != _machine():
        return False
    pid, start, _ = process
    if not pid.isdecimal() or not start:
        return False
    try:
        os.kill(int(pid), 0)  # /proc may hide other users' processes, this does not
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    now = _stat(int(pid))
    return now is not None and (now[0] in _ENDED or now[1] != start)


def _machine() -> str:
    """Return host, boot and space of process ids; containers of one host have several of these."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = (_PROC / "self/ns/pid").readlink()
    except OSError:
        return platform.node()
    return f"{platform.node()}/{boot}/{space}"


def _stat(pid: int) -> tuple[str, str] | None:
    """Return state and start time of a process, None if they cannot be read."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before may hold anything
    return fields[_STATE_FIELD], fields[_START_FIELD]
