"""How a bot's process ended, and what that says about the bot."""

from __future__ import annotations

import re
import signal as signals
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from arena.referee.faults import Fault, fault_of_failure

_SHELL_BASE = 128  # a shell reports a child killed by signal n as exit code 128 + n

_WITHOUT_WORDS = {  # how programs die of an allocation that failed, when they do not say so
    signals.SIGSEGV,
    signals.SIGABRT,
    signals.SIGBUS,
    signals.SIGILL,
    signals.SIGTRAP,
    signals.SIGKILL,
}
_NEAR_LIMIT = 0.9

_LACKED = {  # and the unit of the limit
    Fault.OUT_OF_MEMORY: ("memory", "MB"),
    Fault.OUT_OF_PROCESSES: ("processes", "processes"),
    Fault.OUT_OF_DISK: ("disk space", "MB"),
}


@dataclass(frozen=True, slots=True)
class Exit:
    """The end of a bot's process. `code` or `signal` is set, or neither where nobody knows."""

    code: int | None
    signal: int | None
    fault: Fault = Fault.CRASH  # or what it ran out of; of no meaning where it was asked to end
    was_asked: bool = False
    limit: int | None = None  # that it ran into

    @classmethod
    def from_status(cls, status: int | None, *, was_asked: bool = False) -> Exit:
        """Return the end that a status means: an exit code, or minus a signal."""
        if status is not None and status < 0:
            return cls(None, -status, was_asked=was_asked)
        return cls(status, None, was_asked=was_asked)

    def describe(self) -> str:
        """Return what happened, to stand behind the bot's name: `exited with code 3`."""
        if self.fault in _LACKED:
            what, unit = _LACKED[self.fault]
            limit = f" {_at_limit(self.limit, unit)}" if self.limit is not None else ""
            return f"ran out of {what} ({self._how()}{limit})"
        if self.was_asked:
            return f"stopped as asked ({self._how()})"
        return self._how() if self.signal is None else f"was {self._how()}"

    def _how(self) -> str:
        if self.signal is not None:
            return f"killed by {signal_name(self.signal)}"
        if self.code is None:
            return "ended for an unknown reason"
        if self.code > _SHELL_BASE and self.code - _SHELL_BASE in set(signals.Signals):
            name = signal_name(self.code - _SHELL_BASE)
            return f"exited with code {self.code}, which a shell reports for {name}"
        return f"exited with code {self.code}"


@dataclass(frozen=True, slots=True)
class Shortage:
    """What a bot has run out of that says that it fails, and whose process has not ended yet."""

    fault: Fault
    limit: int | None  # that it ran into

    def describe(self) -> str:
        """Return what happened, to stand behind the bot's name."""
        what, unit = _LACKED[self.fault]
        limit = f" {_at_limit(self.limit, unit)}" if self.limit is not None else ""
        return f"ran out of {what}{limit}"


def _at_limit(limit: int, unit: str) -> str:
    return f"at its limit of {limit} {unit}"


def unwrap_status(status: int) -> int:
    """Return how a program ended, from the exit code of a sandbox: it reports signals as shells do.

    A program that itself exits with such a code is taken for one that a signal has ended.
    """
    number = status - _SHELL_BASE
    return -number if status > _SHELL_BASE and number in set(signals.Signals) else status


def signal_name(number: int) -> str:
    """Return `SIGSEGV` for 11, and `signal 40` for one without a name."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def judge_exit(
    status: int | None,
    *,
    last_words: bytes,
    limits: Mapping[Fault, int],
    peak_kb: int,
    oom_killed: bool,
    reached: Fault | None = None,
) -> Exit:
    """Return the end of a process that nobody asked to end.

    It ran out of memory if it failed and one of these holds: the kernel's killer struck while it
    ran and it died of SIGKILL; its last words say so; it died of a signal with its memory at the
    limit it was given. It ran out of something else if it failed and is known to have reached that
    limit, or its last words say so; a file that grows too large also has a signal of its own.

    Args:
        status: the exit code, or minus the signal, or None where unknown.
        last_words: the end of what it wrote.
        limits: what it may use, by the fault of using more.
        peak_kb: the most memory it held; 0 where unknown.
        oom_killed: whether the kernel killed for memory in the arena's cgroup while it ran.
        reached: the fault of another limit that it is known to have reached.
    """
    end = Exit.from_status(status)
    was_killed = signals.SIGKILL in (end.signal, (end.code or 0) - _SHELL_BASE)
    if end.code == 0:
        return end
    if end.signal == signals.SIGXFSZ:
        reached = Fault.OUT_OF_DISK
    fault = reached or fault_of_failure(last_words)
    limit_mb = limits.get(Fault.OUT_OF_MEMORY)
    is_near = limit_mb is not None and peak_kb >= limit_mb * 1024 * _NEAR_LIMIT
    if (oom_killed and was_killed) or (is_near and end.signal in _WITHOUT_WORDS and not reached):
        fault = Fault.OUT_OF_MEMORY
    return replace(end, fault=fault, limit=limits.get(fault))


def oom_kills(root: Path = Path("/")) -> int:
    """Return how often the kernel has killed for memory in this process's cgroup; 0 if unknown."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return 0
    mounted = root / "sys/fs/cgroup"
    files = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            files.append(mounted / path.lstrip("/") / "memory.events")
        elif "memory" in controllers.split(","):
            files.append(mounted / "memory" / path.lstrip("/") / "memory.oom_control")
            files.append(mounted / "memory" / "memory.oom_control")  # a container sees its own
    for file in files:
        try:
            found = re.search(r"^oom_kill (\d+)$", file.read_text(), re.MULTILINE)
        except OSError:
            continue
        if found:
            return int(found[1])
    return 0
