"""Bots that use nearly all of their time, on an arena that is busy with other matches."""

from __future__ import annotations

import asyncio

import pytest

from arena.config.bot_spec import BotSpec
from arena.referee.faults import Fault
from tests.e2e.house import Diary, House, honest, open_house, rules, script

MOVE_TIME_S = 3.0
MATCHES = 64
SLOW = [f"slow-{number}" for number in range(34)]
OFTEN = 1  # decisions of each


@pytest.mark.slow
async def test_nine_tenths_of_the_move_time_is_in_time(place):
    """No bot is charged for the many matches that run beside its own."""
    diary = Diary(place / "diary")
    async with open_house(place, listen=[f"unix:{place}/open.sock"]) as house:
        house.hire([honest(name) for name in ("a", "b", "c")])
        house.hire([BotSpec(name=name, connected=True) for name in SLOW])
        thinking = {"THINK_SHARE": 0.9, "THINK_OFTEN": OFTEN, "DIARY": diary.path}
        crowd = script("crowd.py", "crowd", None, CROWD=len(SLOW), **thinking)
        await house.launcher.start(crowd, {"ARENA_ADDRESS": house.bound[0].text})
        await asyncio.gather(*(house.ready(name) for name in ("a", "b", "c", *SLOW)))
        # Seats of one match would wait for each other: one slow bot in each of several matches.
        table = rules(MOVE_TIME_S, max_faults=1000)
        slow = [asyncio.ensure_future(house.play([name, "a", "b"], table)) for name in SLOW]
        busy = asyncio.ensure_future(keep_busy(house))
        played = await asyncio.gather(*slow)
        assert not busy.done()
        busy.cancel()
        pages = [await diary.page(each.fixture.match) for each in played]

    thought_s = [seconds for page in pages for seconds in page["thought_s"]]
    assert len(thought_s) == OFTEN * len(SLOW)
    assert min(thought_s) > 0.8 * MOVE_TIME_S
    faults = [fault for each in played for fault in each.faults]
    assert {(fault.seat, fault.fault) for fault in faults} <= {(0, Fault.TIMEOUT)}
    # A machine that does not run a bot in time does not run gRPC's thread in time either: where a
    # core stood still for half of what is left, at any moment of a match, a fault proves nothing.
    steady = [page["late_s"] < 0.05 * MOVE_TIME_S for page in pages]
    assert not [
        fault for each, ok in zip(played, steady, strict=True) if ok for fault in each.faults
    ]


async def keep_busy(house: House) -> None:
    """Keep other matches running, always as many."""

    async def again() -> None:
        while True:
            played = await house.play(["a", "b", "c"], rules(60.0))
            assert played.faults == ()

    async with asyncio.TaskGroup() as group:
        for _ in range(MATCHES - len(SLOW)):
            group.create_task(again())
