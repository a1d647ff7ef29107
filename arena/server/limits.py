"""What sessions must keep to, and the allowance for messages that nobody asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Sizes, rates and numbers; the defaults are generous for honest bots."""

    max_sessions: int = 2_000
    max_streams: int = 256  # at once, of one connection
    max_hellos: int = 512  # streams that are still to say hello
    max_hellos_of_connection: int = 128
    max_matches: int = 256  # at once, of one session
    max_message_bytes: int = 64 * 1024
    max_note_bytes: int = 1_024
    max_messages_per_second: int = 50  # and answers, that answer nothing
    max_backlog_bytes: int = 4 * 1024 * 1024  # written by the arena, not read by the bot
    hello_timeout_s: float = 5.0
    write_timeout_s: float = 10.0
    resume_window_s: float = 60.0
    idle_timeout_s: float = 30.0  # of a connection without a stream


class Allowance:
    """So many messages a second, with a reserve of four seconds' worth or of what is given."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, rate: float, reserve: float, now: float) -> None:
        """Start with a full reserve."""
        self._rate = rate
        self._most = self._left = max(4.0 * rate, reserve)
        self._at = now

    def spend(self, now: float) -> bool:
        """Use one; return whether there was one."""
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
