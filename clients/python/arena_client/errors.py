"""Why a bot program ends before its time. Each class carries the exit code of the process.

ArenaClientError
├── BotFailed            1: the author's own code raised; the cause is chained
│   └── IllegalChoice    1: decide() returned something that is not a legal move; nothing was sent
├── UsageError           2: address, token file or a field of the bot class is missing or wrong
├── Refused              2: the arena does not want this session, and trying again would not help
└── Unreachable          3: no arena answers, or it went away and did not come back in time
"""

from __future__ import annotations

from typing import ClassVar


class ArenaClientError(Exception):
    """Base of everything this package raises on purpose."""

    exit_code: ClassVar[int] = 1


class BotFailed(ArenaClientError):
    """The author's own code raised; the cause is chained."""


class IllegalChoice(BotFailed):
    """What decide() returned is not one of the legal moves; nothing was sent."""


class UsageError(ArenaClientError):
    """A setting or a field of the bot class is missing or makes no sense."""

    exit_code = 2


class Refused(ArenaClientError):
    """The arena does not want this session, and trying again would not help."""

    exit_code = 2


class Unreachable(ArenaClientError):
    """No arena answers at the address, or it went away and did not come back in time."""

    exit_code = 3
