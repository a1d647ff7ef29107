"""What a bot may use, all its processes taken together."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_PROCESSES = 512
"""Threads count. A JVM has about 50; a fork bomb is stopped long before it hurts."""
DEFAULT_DISK_MB = 256
BUILD_DISK_MB = 4096
BUILD_PROCESSES = 4096
OPEN_FILES = 4096
SHARED_MEMORY_MB = 16
"""Of /dev/shm: enough for semaphores."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one bot. None: only those of the machine."""

    memory_mb: int | None = None
    cpus: float | None = None
    processes: int = DEFAULT_PROCESSES
    disk_mb: int = DEFAULT_DISK_MB
    bridge_processes: int = 0  # of these, for arena's own bridge
