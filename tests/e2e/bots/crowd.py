"""Many bots in one process, each in a session of its own: slow-0, slow-1, ...

CROWD is how many; each answers its first decision of a match at once, because gRPC is still warming
up in all of them, and thinks for THINK_SHARE of its move time in the next THINK_OFTEN. All write
into one DIARY how long they really took, and how late the machine was at the worst meanwhile, on
any of its cores: a virtual machine's may stop one by one, each for a third of a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from pathlib import Path

from arena_client import Bot, Decision, Outcome
from arena_client.session import Session
from arena_client.settings import read_settings

SHARE = float(os.environ["THINK_SHARE"])
OFTEN = int(os.environ["THINK_OFTEN"])
BEAT_S = 0.01


class Beats:
    """Notes how late it is woken on one core."""

    def __init__(self, core: int) -> None:
        self.late: list[tuple[float, float]] = []  # when, and by how much
        self._core = core
        self._due = time.monotonic()
        threading.Thread(target=self._beat, daemon=True).start()

    def worst_since(self, start: float) -> float:
        """Return how late it was at the worst, the delay now building up included."""
        now = time.monotonic()
        return max(late for at, late in [*self.late, (now, now - self._due)] if at >= start)

    def _beat(self) -> None:
        os.sched_setaffinity(0, {self._core})  # this thread alone
        while True:
            self._due = time.monotonic() + BEAT_S
            time.sleep(BEAT_S)
            now = time.monotonic()
            self.late.append((now, now - self._due))


CORES = [Beats(core) for core in os.sched_getaffinity(0)]


class Slow(Bot):
    """Thinks long, without keeping the others from thinking."""

    max_matches = 1

    def __init__(self, match: object) -> None:
        self.is_warm = False
        self.thought_s: list[float] = []
        self._started = time.monotonic()

    async def decide(self, decision: Decision) -> int:
        started = time.monotonic()
        if self.is_warm and len(self.thought_s) < OFTEN:
            await asyncio.sleep(SHARE * (decision.move_time_s or 0.0))
            self.thought_s.append(time.monotonic() - started)
        self.is_warm = True
        return self.match.rng.randrange(decision.legal_count)

    def ended(self, outcome: Outcome) -> None:
        page = {
            "match": self.match.id,
            "thought_s": self.thought_s,
            "late_s": max(core.worst_since(self._started) for core in CORES),
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
