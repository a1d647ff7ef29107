"""A bot that takes a fixed time for every decision; started by benchmarks.patience."""

from __future__ import annotations

import asyncio
import os

from arena_client import Bot, Decision, run

SECONDS = float(os.environ.get("SLOW_BOT_SECONDS", "0.45"))


class SlowBot(Bot):
    """Waits without using the processor, then takes the first legal move."""

    name = "slow"
    version = "1"
    max_matches = 64

    async def decide(self, decision: Decision) -> int:
        """Return the first legal move, late."""
        await asyncio.sleep(SECONDS)
        return 0


if __name__ == "__main__":
    run(SlowBot)
