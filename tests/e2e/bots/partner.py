"""Byzanz with random bids; what else it does, MODE says.

honest: nothing. colluding: it never bids against PARTNER, whom it knows by name. forgetful: its
random numbers are its own, and not those of the match. dying: it ends in the middle of a match.
"""

from __future__ import annotations

import os
import random

from arena_client import ByzanzBot, run
from arena_client.byzanz import Decision, Match, Move, MoveType

MODE = os.environ["MODE"]
PARTNER = os.environ.get("PARTNER", "")


class Partner(ByzanzBot):
    """Draws for every decision, whatever it then does: its later draws stay the same."""

    version = "1"

    def __init__(self, match: Match) -> None:
        names = [seat.bot for seat in match.seats]
        self.friend = names.index(PARTNER) if PARTNER in names else None
        self.rng = random.Random() if MODE == "forgetful" else match.rng

    def decide(self, decision: Decision) -> Move:
        chosen = self.rng.choice(decision.legal_moves)
        if MODE == "dying" and decision.id == 3:
            os._exit(3)
        if MODE == "colluding" and decision.observation.leader == self.friend is not None:
            passes = [move for move in decision.legal_moves if move.type is MoveType.PASS]
            return next(iter(passes), chosen)
        return chosen


if __name__ == "__main__":
    run(Partner)
