"""Plays random legal moves, and misbehaves in the way that HOW names while the file WHILE exists.

Without WHILE it always does. It makes the file DIARY when its first match begins.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

HOW = os.environ.get("HOW", "")
WHILE = os.environ.get("WHILE", "")
DIARY = os.environ.get("DIARY", "")
VERSION_FILE = os.environ.get("VERSION_FILE", "")


def misbehaves(how: str) -> bool:
    return how == HOW and (not WHILE or Path(WHILE).exists())


def play() -> None:
    """Play, with an SDK that takes longer to load than it takes not to be there."""
    from arena_client import Bot, Decision, Match, run  # noqa: PLC0415

    class Moody(Bot):
        """Has its moods."""

        version = Path(VERSION_FILE).read_text(encoding="utf-8") if VERSION_FILE else "1"

        def __init__(self, _match: Match) -> None:
            if DIARY:
                Path(DIARY).touch()

        def decide(self, decision: Decision) -> int:
            if misbehaves("slow"):
                time.sleep(0.3)
            if misbehaves("asleep"):
                time.sleep(3600)
            if misbehaves("crash"):
                print("the sky is falling", file=sys.stderr, flush=True)
                os._exit(3)
            if misbehaves("illegal"):
                return decision.legal_count + 1000
            return self.match.rng.randrange(decision.legal_count)

    run(Moody)


if __name__ == "__main__":
    if misbehaves("absent"):
        sys.exit("I would rather not")
    if HOW == "once":  # starts once, and never again
        if Path(os.environ["MARKER"]).exists():
            sys.exit("once was enough")
        Path(os.environ["MARKER"]).touch()
    play()
