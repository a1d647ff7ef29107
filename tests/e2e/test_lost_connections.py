"""Connections that are cut between a bot and its arena."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.examine.proxy import Proxy
from arena.games.game import AnyState
from arena.referee.faults import Fault
from tests.e2e.house import Diary, House, honest, open_house, rules
from tests.waiting import until

NAMES = ("left", "far", "right")
FAR = 1  # its seat
DISCONNECT = 7


@contextlib.asynccontextmanager
async def distant(place: Path) -> AsyncIterator[tuple[House, Proxy]]:
    """Open a house with a bot that dials through a proxy; all bots are there."""
    async with (
        open_house(place, listen=["127.0.0.1:0"]) as house,
        Proxy("127.0.0.1:0", house.bound[0].text) as proxy,
    ):
        house.hire([honest(name, DIARY=place / name) for name in ("left", "right")])
        house.hire([BotSpec(name="far", connected=True)])
        far = honest("far", DIARY=place / "far", BOT_NAME="far")
        await house.launcher.start(far, {"ARENA_ADDRESS": proxy.address})
        for name in NAMES:
            await house.ready(name)
        yield house, proxy
        await house.arena.stop(0.0)


def is_asked(state: AnyState) -> bool:
    return state.to_act == FAR and len(state.legal_moves()) > 1


@pytest.mark.slow
async def test_a_cut_connection_costs_nothing_within_the_clock(place):
    """Idle, and 20 times in one match, the bot comes back each time, and decides nothing twice."""
    cuts = 0
    async with distant(place) as (house, proxy):
        session = house.session("far")
        assert session is not None
        for _ in range(3):
            proxy.cut()
            await until(lambda: not session.is_present)
            await until(lambda: session.is_present)
        assert house.session("far") is session

        def on_move(state: AnyState, _move: int) -> None:
            nonlocal cuts
            if cuts < 20 and is_asked(state) and session.is_present and proxy.is_used:
                cuts += 1
                proxy.cut()

        played = await house.play(NAMES, rules(10.0), on_move=on_move)
        page = await Diary(place / "far").page("m1")
        await until(lambda: session.is_present)

    assert cuts == 20
    assert proxy.connections > 23
    assert (played.faults, played.ended) == ((), ("normal",) * 3)
    assert page["decided"] == sorted(set(page["decided"]))
    assert len(page["decided"]) == played.clocks[FAR].decisions
    assert page["faults"] == []


@pytest.mark.slow
async def test_a_connection_that_is_away_for_a_while_comes_back(place):
    """Half a second without any connection within a clock of ten is no fault."""
    async with distant(place) as (house, proxy):
        is_cut = False
        mending: list[asyncio.Task[None]] = []

        def mend() -> None:
            mending.append(asyncio.ensure_future(proxy.open()))

        def on_move(state: AnyState, move: int) -> None:
            nonlocal is_cut
            if move > 20 and not is_cut and is_asked(state):
                is_cut = True
                proxy.close()
                asyncio.get_running_loop().call_later(0.5, mend)

        played = await house.play(NAMES, rules(10.0), on_move=on_move)

    assert (played.faults, played.ended) == ((), ("normal",) * 3)
    assert played.clocks[FAR].slowest_s > 0.4  # the clock ran all the while


@pytest.mark.slow
async def test_a_connection_away_for_longer_than_the_clock_forfeits(place):
    """The clock decides: then it is a disconnect, and the others are told and play on."""
    async with distant(place) as (house, proxy):
        is_cut = False

        def on_move(state: AnyState, move: int) -> None:
            nonlocal is_cut
            if move > 20 and not is_cut and is_asked(state):
                is_cut = True
                proxy.close()

        played = await house.play(NAMES, rules(0.6), on_move=on_move)
        page = await Diary(place / "left").page("m1")
        assert [(fault.seat, fault.fault) for fault in played.faults] == [(FAR, Fault.DISCONNECT)]
        assert played.ended == ("normal", "forfeit:disconnect", "normal")
        assert played.clocks[FAR].slowest_s == pytest.approx(0.6)
        assert page["faults"] == [[FAR, DISCONNECT, True]]

        await proxy.open()  # what it missed it is told when it is back
        page = await Diary(place / "far").page("m1")
        assert page["forfeits"][FAR] == "disconnect"
        again = await house.play(NAMES)
        assert again.faults == ()
