"""Which engine plays a tournament."""

from __future__ import annotations

from pathlib import Path

from arena.engine.field import Field
from arena.engine.hosted import Doors, HostedEngine
from arena.engine.inline import InlineEngine
from arena.tournament.config import RunSettings
from arena.tournament.engine import Engine


def make_engine(
    field: Field,
    run: RunSettings,
    *,
    logs: Path | None = None,
    doors: Doors | None = None,
    ray_address: str | None = None,
) -> Engine:
    """Return the engine that the settings ask for."""
    if run.engine == "inline":
        return InlineEngine(field)
    return HostedEngine(field, logs, doors)
