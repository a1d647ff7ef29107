"""Bots that are killed or stopped by signals while they play."""

from __future__ import annotations

import asyncio
import signal
import statistics
import time
from random import Random

import pytest

from arena.games.game import AnyState
from arena.referee.faults import Fault
from arena.referee.match import PlayedMatch
from arena.server.limits import SessionLimits
from arena.server.session import Session
from tests.e2e.house import Diary, House, honest, open_house, rules
from tests.waiting import until

CRASH, TIMEOUT = 5, 1  # as the protocol numbers faults
VICTIMS = 3
KILLS = 9
LATEST = 70  # the last decision of a match at which a bot is killed


@pytest.mark.slow
async def test_kill_9_at_any_decision_costs_only_that_seat(place):
    """A killed bot forfeits by a crash, the others play on and are told, the next match has it."""
    chance = Random(0)
    # One kill in each part of a match.
    moments = [1 + (LATEST * number + chance.randrange(LATEST)) // KILLS for number in range(KILLS)]
    chance.shuffle(moments)
    diaries = {name: Diary(place / f"{name}.jsonl") for name in ("left", "right")}
    victims = [f"victim-{number}" for number in range(VICTIMS)]
    readying: dict[str, asyncio.Task[float]] = {}
    waits = []
    async with open_house(place) as house:
        house.hire([honest(name, DIARY=diary.path) for name, diary in diaries.items()])
        house.hire([honest(name) for name in victims])
        await asyncio.gather(*(house.ready(name) for name in (*victims, *diaries)))
        for number, moment in enumerate(moments):
            victim = victims[number % VICTIMS]
            if victim in readying:
                waits.append(await readying[victim])
            names = ["left", "right"]
            names.insert(seat := chance.randrange(3), victim)
            played = await kill_once(house, names, seat, moment)
            readying[victim] = asyncio.ensure_future(measure_restart(house, victim))
            check_crash(played, seat)
            for diary in diaries.values():
                page = await diary.page(played.fixture.match)
                assert page["faults"] == [[seat, CRASH, True]]
                assert page["forfeits"][seat] == "crash"
        waits += await asyncio.gather(*readying.values())
    assert len(waits) == KILLS
    assert statistics.median(waits) < 1.0, waits  # a busy machine may start one of them late


async def kill_once(house: House, names: list[str], seat: int, moment: int) -> PlayedMatch:
    def on_move(_state: AnyState, move: int) -> None:
        if move == moment:
            house.signal(names[seat], signal.SIGKILL)

    return await house.play(names, on_move=on_move)


async def measure_restart(house: House, name: str) -> float:
    """Return how long after a crash the bot is started again, once it is ready to play.

    How long it takes to be ready from there is its own affair, and that of a busy machine.
    """
    ended_s = house.process(name).ended_s
    assert ended_s is not None
    session = await house.ready(name)
    assert isinstance(session, Session), session
    return house.process(name).started_s - ended_s


def check_crash(played: PlayedMatch, seat: int) -> None:
    assert played.outcome is not None
    assert played.void_reason is None
    (fault,) = played.faults
    assert (fault.seat, fault.fault, fault.forfeited) == (seat, Fault.CRASH, True)
    assert "killed by SIGKILL" in fault.detail
    ended = ["normal"] * 3
    ended[seat] = "forfeit:crash"
    assert list(played.ended) == ended
    assert played.outcome.ranks[seat] == 3


@pytest.mark.slow
async def test_a_stopped_bot_times_out_and_may_come_back(place):
    """SIGSTOP costs the seat its clock and nobody else anything; SIGCONT brings the bot back."""
    diary = Diary(place / "left.jsonl")
    async with open_house(place) as house:
        house.hire([honest("left", DIARY=diary.path), honest("right"), honest("frozen")])
        lags: list[float] = []
        played = await stop_once(house, lags)
        stopped_at = time.monotonic()
        assert played.ended == ("normal", "forfeit:timeout", "normal")
        assert [(fault.seat, fault.fault) for fault in played.faults] == [(1, Fault.TIMEOUT)]
        # What went by between the deadline and the settlement; the loop's own lag is not its fault.
        assert played.clocks[1].delay_s < 0.1 + 3 * max(lags)
        assert played.clocks[1].slowest_s == pytest.approx(0.3)
        assert (await diary.page("m1"))["faults"] == [[1, TIMEOUT, True]]

        beside = asyncio.ensure_future(play_three(house))
        session = house.session("frozen")
        assert session is not None
        await until(lambda: not session.is_present)
        assert time.monotonic() - stopped_at < 5.0 + 3 * max(lags)
        assert (await beside).faults == ()  # while the stopped bot holds everything it held

        house.signal("frozen", signal.SIGCONT)
        await until(lambda: session.is_present)
        assert house.session("frozen") is session
        again = await house.play(["left", "frozen", "right"])
        assert (again.faults, again.ended) == ((), ("normal",) * 3)


async def play_three(house: House) -> PlayedMatch:
    house.hire([honest("third")])
    return await house.play(["left", "right", "third"])


async def stop_once(house: House, lags: list[float]) -> PlayedMatch:
    """Stop the bot in seat 1 when it is its turn, some way into the match."""
    is_stopped = False

    def on_move(state: AnyState, move: int) -> None:
        nonlocal is_stopped
        if move > 10 and state.to_act == 1 and len(state.legal_moves()) > 1 and not is_stopped:
            house.signal("frozen", signal.SIGSTOP)
            is_stopped = True

    def on_fault(_fault: object) -> None:
        lags.append(house.arena.clock.lag())

    names = ["left", "frozen", "right"]
    for name in names:
        await house.ready(name)
    table = rules(0.3, max_faults=1)
    return await house.play(names, table, on_move=on_move, on_fault=on_fault)


@pytest.mark.slow
async def test_a_bot_stopped_for_too_long_is_told_and_started_anew(place):
    """Whoever comes back after the resume window is refused, ends, and is started again."""
    async with open_house(place, limits=SessionLimits(resume_window_s=0.1)) as house:
        house.hire([honest("left"), honest("right"), honest("frozen")])
        played = await stop_once(house, [])
        assert played.ended[1] == "forfeit:timeout"
        await until(lambda: house.session("frozen") is None)
        process = house.process("frozen")
        house.signal("frozen", signal.SIGCONT)
        end = await asyncio.wait_for(process.wait(), 30.0)
        assert end.code == 2
        assert b"the session has expired at the arena" in process.tail
        again = await house.play(["left", "frozen", "right"])
        assert again.faults == ()
