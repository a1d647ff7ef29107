"""Plays as CONFORMANCE says, for the tests of clients/conformance (see clients/README.md)."""

import os
import time

from arena_client import Bot, Choice, Decision, Match, Outcome, run

BEHAVIOUR = os.environ.get("CONFORMANCE") or "first"
DELAY_S = int(os.environ.get("CONFORMANCE_DELAY_MS") or 1000) / 1000


class ConformanceBot(Bot):
    """One object a match, as every bot."""

    name = "conformance"
    version = "1"
    games = tuple(os.environ.get("CONFORMANCE_GAMES", "").split())
    max_matches = int(os.environ.get("CONFORMANCE_MAX_MATCHES") or 8)

    def __init__(self, match: Match) -> None:
        self.asked = 0
        if BEHAVIOUR == "fail_on_start":
            raise RuntimeError("the author's mistake")

    def decide(self, decision: Decision) -> Choice:
        """Do what the scenario wants to see."""
        self.asked += 1
        if BEHAVIOUR == "last":
            move = decision.legal_moves[-1]
            decision.note = move.text
            return move
        if BEHAVIOUR == "illegal":
            return decision.legal_count
        if BEHAVIOUR == "fail":
            raise RuntimeError("the author's mistake")
        if BEHAVIOUR == "slow":
            print("deciding", self.match.id, decision.id, flush=True)
            time.sleep(DELAY_S)
            print("decided", self.match.id, decision.id, flush=True)
        elif BEHAVIOUR == "count":
            decision.note = str(self.asked)
        elif BEHAVIOUR == "seed":
            decision.note = self.match.message.bot_seed.hex()
        elif BEHAVIOUR == "note":
            decision.note = 2000 * "é"
        return 0

    def ended(self, outcome: Outcome) -> None:
        """Tell that it was told."""
        if BEHAVIOUR == "fail_on_end":
            raise RuntimeError("the author's mistake")
        told = "void" if outcome.is_void else f"rank {outcome.rank} score {outcome.score}"
        print("ended", self.match.id, told, flush=True)


if __name__ == "__main__":
    run(ConformanceBot)
