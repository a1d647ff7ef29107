"""Bots that tests of the SDK play with."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import arena_client
from arena_client import Bot


class First(Bot):
    """Always chooses the first legal move."""

    name = "first"
    version = "3"
    games = ("byzanz", "schwarzmarkt")
    max_matches = 64

    def decide(self, decision):
        return 0


def recording(pause_s: float = 0.0) -> Any:
    """Return a new class that notes what it is asked and told."""

    class Recording(Bot):
        asked: ClassVar[list[tuple[str, int]]] = []
        outcomes: ClassVar[list[arena_client.Outcome]] = []
        objects: ClassVar[list[Any]] = []

        def __init__(self, match):
            self.objects.append(self)

        def decide(self, decision):
            time.sleep(pause_s)
            self.asked.append((decision.match.id, decision.id))
            return 1

        def ended(self, outcome):
            self.outcomes.append(outcome)

    return Recording
