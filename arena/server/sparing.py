"""A log line that strangers cause: not more of them than somebody would read."""

from __future__ import annotations

import logging

from arena.server.limits import Allowance

_PER_SECOND = 5
_AT_ONCE = 50


class SparingLog:
    """Logs one kind of message so often; the next one says how many were left out before it."""

    def __init__(self, log: logging.Logger, message: str, now: float) -> None:
        """Start with a reserve of some at once."""
        self._log = log
        self._message = message
        self._allowance = Allowance(_PER_SECOND, _AT_ONCE, now)
        self._left_out = 0

    def info(self, now: float, **fields: object) -> None:
        """Log it, or count it."""
        if self._allowance.spend(now):
            self._log.info(self._message, extra={**fields, "left_out": self._left_out or None})
            self._left_out = 0
        else:
            self._left_out += 1
