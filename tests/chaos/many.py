"""Thousands of matches in one arena, 64 at a time among four bots: memory does not grow."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from pathlib import Path

from arena.server.loop import run_async
from tests.chaos.scenario import Run
from tests.e2e.house import honest, open_house, rules
from tests.inside import run_inside

BOTS = tuple(f"bot-{number}" for number in range(4))
AT_ONCE = 64
GROWTH = 1.10  # from a tenth of the matches to the end
RULES = rules(60.0, 600.0)


def many(run: Run) -> None:
    """Play so many matches in a process of their own."""
    size = run.size(10_000, 24)
    found = run_inside("tests.chaos.many", run.place, size, limit_s=3_600)
    early, late = found["early_mib"], found["late_mib"]
    run.check(found["faults"] == 0, f"{found['faults']} faults of honest bots")
    run.check(found["ended"] == size, f"{found['ended']} of {size} matches have an outcome")
    if not run.is_short:  # what is loaded once is most of a short one
        run.check(late <= GROWTH * early, f"memory grew from {early:.0f} to {late:.0f} MiB")
    run.tell(
        f"{size:,} matches, {AT_ONCE} at a time, in {found['seconds']:.0f} s: no fault; the arena "
        f"has {early:.1f} MiB after {size // 10:,} and {late:.1f} MiB at the end"
    )


async def play(place: Path, size: int) -> dict[str, float]:
    """Play; return figures."""
    faults = ended = 0
    early = 0.0
    numbers = itertools.count()
    started = time.monotonic()

    async def keep_playing() -> None:
        nonlocal faults, ended, early
        while (number := next(numbers)) < size:
            shift = number % len(BOTS)
            played = await house.play(BOTS[shift:] + BOTS[:shift], RULES)
            faults += len(played.faults)
            ended += played.outcome is not None
            if ended == size // 10:
                early = resident_mib()

    async with open_house(place) as house:
        house.hire([honest(name, MAX_MATCHES=AT_ONCE) for name in BOTS])
        await asyncio.gather(*(house.ready(name) for name in BOTS))
        await asyncio.gather(*(keep_playing() for _ in range(AT_ONCE)))
        late = resident_mib()
    seconds = time.monotonic() - started
    figures = {"faults": faults, "ended": ended, "early_mib": early, "late_mib": late}
    return {**figures, "seconds": seconds}


def resident_mib() -> float:
    """Return the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4 / 1024


if __name__ == "__main__":
    print(json.dumps(run_async(play(Path(sys.argv[1]), int(sys.argv[2])))))
