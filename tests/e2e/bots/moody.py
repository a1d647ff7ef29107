"""Plays random legal moves, and misbehaves in the way that HOW names while the file WHILE exists.

Without WHILE it always does. What it has played it writes into DIARY: one JSON line a match, with
the number of the match in this process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from arena_client import Bot, Decision, Outcome, run

HOW = os.environ.get("HOW", "")
WHILE = os.environ.get("WHILE", "")
DIARY = os.environ.get("DIARY", "")

played = 0


def misbehaves(how: str) -> bool:
    return how == HOW and (not WHILE or Path(WHILE).exists())


class Moody(Bot):
    """Has its moods."""

    version = os.environ.get("BOT_VERSION", "1")

    def decide(self, decision: Decision) -> int:
        if misbehaves("slow"):
            time.sleep(0.3)
        if misbehaves("crash"):
            print("the sky is falling", file=sys.stderr, flush=True)
            os._exit(3)
        if misbehaves("illegal"):
            return decision.legal_count + 1000
        return self.match.rng.randrange(decision.legal_count)

    def ended(self, outcome: Outcome) -> None:
        global played  # noqa: PLW0603 - the point is what stays in a process
        played += 1
        if DIARY:
            with Path(DIARY).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"match": self.match.id, "number": played}) + "\n")


if __name__ == "__main__":
    if misbehaves("absent"):
        sys.exit("I would rather not")
    if HOW == "once":  # starts once, and never again
        if Path(os.environ["MARKER"]).exists():
            sys.exit("once was enough")
        Path(os.environ["MARKER"]).touch()
    run(Moody)
