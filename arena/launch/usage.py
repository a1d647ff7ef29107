"""What a bot's processes use together, for where the kernel does not keep its limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arena.launch.sweep import Found

_RESIDENT = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$", re.MULTILINE)
_SHARED_OUT = re.compile(r"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB$", re.MULTILINE)
_THREADS = re.compile(r"^Threads:\s+(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TreeUsage:
    """What all processes of a bot hold now."""

    memory_mb: float
    processes: int  # threads, as limits count them


def tree_usage(found: Iterable[Found], memory_limit_mb: int | None) -> TreeUsage:
    """Return what these processes use.

    What they share is counted for each of them, which is quick to see; only if that exceeds the
    limit it is shared out among them.
    """
    pids = [process.pid for process in found]
    texts = [_read(pid, "status") for pid in pids]
    memory_kb = sum(_total(_RESIDENT, text) for text in texts)
    if memory_limit_mb is not None and memory_kb > memory_limit_mb * 1024:
        memory_kb = sum(_total(_SHARED_OUT, _read(pid, "smaps_rollup")) for pid in pids)
    return TreeUsage(memory_kb / 1024, sum(_total(_THREADS, text) for text in texts))


def _total(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(int, pattern.findall(text)))


def _read(pid: int, file: str) -> str:
    try:
        return Path(f"/proc/{pid}/{file}").read_text(errors="replace")
    except OSError:
        return ""  # it is gone
