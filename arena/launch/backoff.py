"""How long to wait before a bot that keeps crashing is started again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Backoff:
    """Waits that double from crash to crash of one bot, up to a cap.

    The first restart is immediate. A bot that has run for `stable_s` starts from the beginning.
    """

    first_s: float = 0.1
    cap_s: float = 0.5  # the next match need never wait 2 s for its bots
    stable_s: float = 30.0
    _next_s: float = 0.0

    def next_wait(self, ran_s: float) -> float:
        """Return how long after its end the bot may start again that has now run for `ran_s`."""
        wait_s = 0.0 if ran_s >= self.stable_s else self._next_s
        self._next_s = min(self.cap_s, max(self.first_s, 2 * wait_s))
        return wait_s
