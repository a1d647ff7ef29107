"""How others than launched bots come into an arena."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.server.address import Address, Tls
from arena.server.auth import TokenFile
from arena.server.gallery import Gallery


@dataclass(frozen=True, slots=True)
class DialIn:
    """Where bots that dial in by themselves may come in; launched ones use the private socket.

    In the gallery a gateway may watch.
    """

    addresses: Sequence[Address] = ()
    tokens: TokenFile | None = None
    tls: Tls | None = None
    gallery: Gallery | None = None
