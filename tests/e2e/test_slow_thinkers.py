"""Bots that use nearly all of their time, on an arena that is busy with other matches."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arena.referee.faults import Fault
from tests.e2e.house import Diary, House, honest, open_house, rules

MOVE_TIME_S = 0.5
OTHERS = 64
SLOW = ("slow-1", "slow-2", "slow-3", "slow-4")


@pytest.mark.slow
def test_nine_tenths_of_the_move_time_is_in_time(run, place):
    """No bot is charged for 64 matches that run beside its own."""
    run(think_long(place))


async def think_long(place: Path) -> None:
    async with open_house(place) as house:
        house.hire([honest(name) for name in ("a", "b", "c")])
        house.hire(
            [honest(name, THINK_SHARE=0.9, MAX_MATCHES=1, DIARY=place / name) for name in SLOW]
        )
        for name in ("a", "b", "c", *SLOW):
            await house.ready(name)
        # Seats of one match would wait for each other: one slow bot in each of several matches.
        table = rules(MOVE_TIME_S, max_faults=1000)
        slow = [asyncio.ensure_future(house.play([name, "a", "b"], table)) for name in SLOW]
        busy = asyncio.ensure_future(keep_busy(house))
        played = await asyncio.gather(*slow)
        busy.cancel()
        pages = [await Diary(place / name).page(each.fixture.match) for name, each in
                 zip(SLOW, played, strict=True)]

    decisions = sum(each.clocks[0].decisions for each in played)
    timeouts = sum(fault.fault is Fault.TIMEOUT for each in played for fault in each.faults)
    assert decisions >= 100
    # A machine that lets the bot itself oversleep is not the arena's doing.
    overslept = sum(time > MOVE_TIME_S for page in pages for time in page["thought_s"])
    assert timeouts <= overslept
    assert all(fault.fault is Fault.TIMEOUT for each in played for fault in each.faults)


async def keep_busy(house: House) -> None:
    """Keep other matches running, always as many."""

    async def again() -> None:
        while True:
            played = await house.play(["a", "b", "c"], rules(30.0))
            assert played.faults == ()

    async with asyncio.TaskGroup() as group:
        for _ in range(OTHERS - len(SLOW)):
            group.create_task(again())
