"""A direct child of the arena: watched by the event loop, reaped once and on purpose.

asyncio's own subprocesses are reaped the moment they end. Here the dead child is kept until what
it leaves behind is dealt with: as long as it is not reaped, no other process can get its pid, and
signals to its process group reach nobody else.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from collections.abc import Callable

_POLL_S = 0.02


class Child:
    """A process just started by `subprocess.Popen`, which must not wait for it any more."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.pid = popen.pid
        self.is_reaped = False
        self._popen = popen
        self.status: int | None = None  # exit code, or minus the signal; None if nobody knows
        self._handle = -1
        self._timer: asyncio.TimerHandle | None = None
        # exec carries the peak of the memory it replaces into the new program's account, and a
        # child begins in the arena's own: up to that height its account says nothing.
        self._carried_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def watch(self, callback: Callable[[], None]) -> None:
        """Have the callback called once when the process has ended."""
        loop = asyncio.get_running_loop()
        try:
            self._handle = os.pidfd_open(self.pid)
        except (OSError, AttributeError):  # too many open files; not on this system
            self._timer = loop.call_later(_POLL_S, self._poll, callback)
        else:
            loop.add_reader(self._handle, self._end_watch, callback)

    def unwatch(self) -> None:
        """Call nothing back any more. Idempotent."""
        if self._handle >= 0:
            asyncio.get_running_loop().remove_reader(self._handle)
            os.close(self._handle)
            self._handle = -1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def has_ended(self) -> bool:
        """Return whether the process has ended; does not reap it where the system allows that."""
        if self.is_reaped or self.status is not None:
            return True
        try:
            if hasattr(os, "waitid"):
                seen = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if seen is not None:
                    has_code = seen.si_code == os.CLD_EXITED
                    self.status = seen.si_status if has_code else -seen.si_status
                return seen is not None
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:  # somebody else has reaped it
            self._end(None)
            return True
        if pid:
            self._end(os.waitstatus_to_exitcode(status))
        return bool(pid)

    def reap(self) -> int:
        """Wait for the ended process and let its pid go. Idempotent.

        Returns the most memory that it held, in KiB; 0 if unknown.
        """
        if self.is_reaped:
            return 0
        try:
            _, status, usage = os.wait4(self.pid, 0)
        except ChildProcessError:
            self._end(self.status)
            return 0
        self._end(os.waitstatus_to_exitcode(status))
        is_known = sys.platform == "linux" and usage.ru_maxrss > self._carried_kb
        return usage.ru_maxrss if is_known else 0

    def _end(self, status: int | None) -> None:
        self.is_reaped = True
        self.status = status
        self._popen.returncode = 0 if status is None else status  # it asks the system no more

    def _end_watch(self, callback: Callable[[], None]) -> None:
        self.unwatch()
        callback()

    def _poll(self, callback: Callable[[], None]) -> None:
        if self.has_ended():
            self._end_watch(callback)
        else:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_POLL_S, self._poll, callback)
