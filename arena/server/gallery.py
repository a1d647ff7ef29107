"""Where a gateway beside a tournament watches its matches: a socket for each of its arenas."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.server.address import Address
from arena.server.auth import Grant, Tokens
from arena.server.callers import Callers


@dataclass(frozen=True, slots=True)
class Gallery:
    """A directory of sockets that only this user can dial, and whose token shows everything."""

    directory: Path
    sha256: str  # of the organiser's token
    number: int = 1  # of the arena, if several play the tournament

    @property
    def address(self) -> Address:
        """Where the arena is watched."""
        return Address(f"unix:{self.directory / str(self.number)}")

    @property
    def callers(self) -> Callers:
        """Who may see what: the organiser everything, others what has been released."""
        return Callers(Tokens([Grant("organiser", "admin", self.sha256)]))
