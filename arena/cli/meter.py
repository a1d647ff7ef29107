"""A line on the terminal that shows how far long work is."""

from __future__ import annotations

import time
from typing import Self

from arena.cli.terminal import LiveLine

_EVERY_S = 0.1
_WIDTH = 30


class Meter:
    """Shows what is being done and how much of it is; on a terminal only, and never in a file.

    A context manager: whatever is printed afterwards finds an empty line.
    """

    def __init__(self, *, is_shown: bool) -> None:
        """Show something only if asked to."""
        self._line = LiveLine(is_shown=is_shown)
        self._shown_at = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show that so much of the work is done."""
        now = time.monotonic()
        if not self._line.is_live or now - self._shown_at < _EVERY_S:
            return
        self._shown_at = now
        filled = _WIDTH * done // total if total else _WIDTH
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._line.show(f"{what} [{bar}] {done:,}/{total:,}")

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Empty the line."""
        self._line.show("")
