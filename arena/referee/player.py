"""The seam between the referee and whoever answers for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from arena.games.game import Move


class Player(Protocol):
    """Answers the decisions of one seat in one match."""

    def decide(self, observation: Any, legal_moves: Sequence[Move]) -> Move:
        """Return one of `legal_moves`, which has at least two."""
        ...
