"""Which claims no longer hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from arena.storage.owner import is_dead

K = TypeVar("K")

_ARENA_ENDED = "the arena that played it ended"
_LEASE_RAN_OUT = "the arena that played it stopped responding"


def lapsed(held: Iterable[tuple[K, str, float]], now: float) -> dict[K, str]:
    """Return which of these (key, owner, lease until) may be taken over, and why."""
    dead: dict[str, bool] = {}
    reasons: dict[K, str] = {}
    for key, owner, lease_until in held:
        if owner not in dead:
            dead[owner] = is_dead(owner)
        if dead[owner]:
            reasons[key] = _ARENA_ENDED
        elif lease_until <= now:
            reasons[key] = _LEASE_RAN_OUT
    return reasons
