"""The version of the protocol that bots and arenas speak."""

from __future__ import annotations

PROTOCOL = 1
