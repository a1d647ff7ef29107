"""Plays random legal moves, and keeps a diary if DIARY names a file: one JSON line a match.

THINK_SHARE is the part of its move time that it thinks on purpose, THINK_S a time in seconds,
THINK_OFTEN in how many decisions of a match at most; MAX_MATCHES is how many matches it takes at
once, BOT_NAME what it calls itself.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from arena_client import Bot, Decision, Match, Outcome, run

DIARY = os.environ.get("DIARY", "")
THINK_SHARE = float(os.environ.get("THINK_SHARE", "0"))
THINK_S = float(os.environ.get("THINK_S", "0"))
THINK_OFTEN = int(os.environ.get("THINK_OFTEN", "100000"))


class Honest(Bot):
    """Remembers what it was asked and told."""

    name = os.environ.get("BOT_NAME", "")
    version = "1"
    max_matches = int(os.environ.get("MAX_MATCHES", "64"))

    def __init__(self, match: Match) -> None:
        self.decided: list[int] = []
        self.thought_s: list[float] = []
        self.faults: list[list[object]] = []

    def decide(self, decision: Decision) -> int:
        started = time.monotonic()
        self.decided.append(decision.id)
        self._note(decision.faults)
        if (THINK_SHARE or THINK_S) and len(self.decided) <= THINK_OFTEN:
            time.sleep(THINK_S + THINK_SHARE * (decision.move_time_s or 0.0))
        self.thought_s.append(time.monotonic() - started)
        return self.match.rng.randrange(decision.legal_count)

    def ended(self, outcome: Outcome) -> None:
        self._note(outcome.message.faults)
        if DIARY:
            line = {
                "match": self.match.id,
                "seat": self.match.seat,
                "decided": self.decided,
                "thought_s": self.thought_s,
                "faults": self.faults,
                "forfeits": [fault and str(fault) for fault in outcome.forfeits],
                "void": outcome.void_reason,
            }
            with Path(DIARY).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def _note(self, faults: object) -> None:
        for fault in faults:  # type: ignore[attr-defined]
            self.faults.append([fault.seat, fault.fault, fault.forfeited])


if __name__ == "__main__":
    run(Honest)
