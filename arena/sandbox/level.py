"""How strongly a bot is kept apart, from the strongest level to none at all."""

from __future__ import annotations

import enum


class Level(enum.Enum):
    """A way to start a bot. Each says what it does not stop."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    USER = "user"
    NONE = "none"

    @property
    def strength(self) -> int:
        """0 for none; more for whatever stops more."""
        return len(Level) - 1 - list(Level).index(self)

    @property
    def does_not_stop(self) -> str:
        """What a hostile bot can still do, to stand behind `bots can`; empty for nothing known."""
        return _DOES_NOT_STOP[self]


_DOES_NOT_STOP = {
    Level.BUBBLEWRAP: "",
    Level.NAMESPACES: "read and change the files of the user who runs arena",
    Level.USER: "use the network, read files that everybody may read, and fill the disk",
    Level.NONE: "do whatever the user who runs arena can do: "
    "end or impersonate other bots, read the seed, change results",
}
