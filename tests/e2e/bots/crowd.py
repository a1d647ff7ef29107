"""Many bots in one process, each in a session of its own: slow-0, slow-1, ...

CROWD is how many; each answers its first decision of a match at once, because gRPC is still warming
up in all of them, and thinks for THINK_SHARE of its move time in the next THINK_OFTEN. All write
into one DIARY how long they really took, and by how much the machine let them oversleep at the
worst meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

from arena_client import Bot, Decision, Outcome
from arena_client.session import Session
from arena_client.settings import read_settings

SHARE = float(os.environ["THINK_SHARE"])
OFTEN = int(os.environ["THINK_OFTEN"])
BEAT_S = 0.01


class Slow(Bot):
    """Thinks long, without keeping the others from thinking."""

    max_matches = 1

    def __init__(self, match: object) -> None:
        self.is_warm = False
        self.thought_s: list[float] = []
        self.overslept_s = 0.0
        self._beating = asyncio.ensure_future(self._beat())

    async def _beat(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(BEAT_S)
            late = time.monotonic() - before - BEAT_S
            self.overslept_s = max(self.overslept_s, late)

    async def decide(self, decision: Decision) -> int:
        started = time.monotonic()
        if self.is_warm and len(self.thought_s) < OFTEN:
            await asyncio.sleep(SHARE * (decision.move_time_s or 0.0))
            self.thought_s.append(time.monotonic() - started)
        self.is_warm = True
        return self.match.rng.randrange(decision.legal_count)

    def ended(self, outcome: Outcome) -> None:
        self._beating.cancel()
        page = {
            "match": self.match.id,
            "thought_s": self.thought_s,
            "overslept_s": self.overslept_s,
        }
        with Path(os.environ["DIARY"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(page) + "\n")


async def main() -> None:
    settings = read_settings([], os.environ)
    names = [f"slow-{number}" for number in range(int(os.environ["CROWD"]))]
    kinds = [type("Slow", (Slow,), {"name": name}) for name in names]
    await asyncio.gather(*(Session(kind, settings, print).play() for kind in kinds))


if __name__ == "__main__":
    asyncio.run(main())
