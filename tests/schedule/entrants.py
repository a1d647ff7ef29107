"""Bots for schedules."""

from __future__ import annotations

from collections.abc import Sequence

from arena.storage.records import BotRecord


def entrants(number: int, groups: Sequence[str] = ()) -> tuple[BotRecord, ...]:
    """Return bot0, bot1 and so on, the first ones in these groups."""
    return tuple(
        BotRecord(f"bot{place}", group=groups[place] if place < len(groups) else "")
        for place in range(number)
    )
