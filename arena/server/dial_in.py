"""How bots that nobody launches come into an arena."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.server.address import Address, Tls
from arena.server.auth import TokenFile


@dataclass(frozen=True, slots=True)
class DialIn:
    """Where bots that dial in by themselves may come in; launched ones use the private socket."""

    addresses: Sequence[Address] = ()
    tokens: TokenFile | None = None
    tls: Tls | None = None
