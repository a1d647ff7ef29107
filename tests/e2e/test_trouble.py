"""Bots that misbehave on purpose, beside honest ones."""

from __future__ import annotations

import asyncio
import time

import pytest

from arena.config.bot_spec import BotSpec
from arena.referee.faults import Fault
from arena.referee.match import Conditions, PlayedMatch
from arena.server.limits import SessionLimits
from tests.e2e.house import House, honest, open_house, rules, script
from tests.waiting import until


def faults_of(played: PlayedMatch, name: str) -> list[tuple[Fault, str]]:
    seat = [entry.bot for entry in played.fixture.seats].index(name)
    return [(fault.fault, fault.detail) for fault in played.faults if fault.seat == seat]


def ended(played: PlayedMatch) -> dict[str, str]:
    names = [entry.bot for entry in played.fixture.seats]
    return dict(zip(names, played.ended, strict=True))


def ending(how: str, *, at: int = 3, memory_mb: int | None = None) -> BotSpec:
    return script("ending.py", how, memory_mb, HOW=how, AT=at)


def raw(how: str) -> BotSpec:
    return script("raw.py", how, HOW=how)


async def play_with(house: House, *specs: BotSpec, table: Conditions | None = None) -> PlayedMatch:
    """Play one match of these bots and one honest one."""
    house.hire([*specs, honest("honest")])
    names = [*(spec.name for spec in specs), "honest"]
    return await house.play(names, table)


@pytest.mark.slow
async def test_exits_are_told_apart(place):
    """Exit codes, signals, failed code and a clean leave are all in the fault's detail."""
    specs = [ending(how) for how in ("exit-0", "exit-3", "segfault", "raise", "leave")]
    async with open_house(place) as house:
        played = await play_with(house, *specs)
        assert (played.outcome is not None, ended(played)["honest"]) == (True, "normal")
        expected = {
            "exit-0": "the process exited with code 0",
            "exit-3": "the process exited with code 3",
            "segfault": "the process was killed by SIGSEGV",
            "raise": "the bot left: RuntimeError: the sky is falling�[31m",
            "leave": "the bot left: SystemExit: 0",
        }
        for name, detail in expected.items():
            assert faults_of(played, name) == [(Fault.CRASH, detail)]
            assert ended(played)[name] == "forfeit:crash"
        # At once: a bot that has left but not ended yet is waited for and started again.
        again = await house.play(["raise", "leave", "honest"])
        assert all(ended(again)[name] == "forfeit:crash" for name in ("raise", "leave"))


@pytest.mark.slow
async def test_a_bot_that_has_left_and_stays_is_started_anew(place):
    """A process whose session is over is of no more use, even if it does not end by itself."""
    async with open_house(place, grace_s=0.2) as house:
        played = await play_with(house, ending("lingering"), honest("other"))
        assert ended(played)["lingering"] == "forfeit:crash"
        first = house.process("lingering")
        assert first.is_running
        again = await house.play(["lingering", "other", "honest"])
        assert ended(again)["lingering"] == "forfeit:crash"
        assert house.process("lingering").pid != first.pid


@pytest.mark.slow
async def test_memory(place):
    """A bot that runs into its memory limit is told so, and not that it crashed."""
    async with open_house(place) as house:
        specs = [ending(how, memory_mb=1024) for how in ("memory", "memory-elsewhere")]
        played = await play_with(house, *specs)
        ((fault, detail),) = faults_of(played, "memory-elsewhere")
        assert fault is Fault.OUT_OF_MEMORY
        assert detail == (
            "the process ran out of memory (exited with code 1 at its limit of 1024 MB)"
        )
        ((fault, _),) = faults_of(played, "memory")
        assert fault is Fault.OUT_OF_MEMORY
        assert ended(played)["honest"] == "normal"


@pytest.mark.slow
async def test_bots_that_are_never_ready(place):
    """No connection, or a connection without a hello, is a failed start; last words are shown."""
    async with open_house(place, grace_s=0.2) as house:
        table = rules(start_timeout_s=4.0)
        played = await play_with(house, raw("absent"), raw("mute"), table=table)
        ((fault, detail),) = faults_of(played, "absent")
        assert fault is Fault.NO_START
        assert detail == "not ready within 4 s; last output: I would rather not"
        ((fault, detail),) = faults_of(played, "mute")
        assert (fault, detail) == (Fault.NO_START, "not ready within 4 s")
        assert played.outcome is not None


@pytest.mark.slow
async def test_three_faults_forfeit(place):
    """Silence and illegal moves cost the third time the right to choose, not before."""
    async with open_house(place) as house:
        played = await play_with(house, raw("silent"), raw("illegal"), table=rules(0.25))
        for name, kind in (("silent", Fault.TIMEOUT), ("illegal", Fault.ILLEGAL_MOVE)):
            assert [fault for fault, _ in faults_of(played, name)] == [kind] * 3
            assert ended(played)[name] == f"forfeit:{kind.value}"
        assert "move 1000000 of" in faults_of(played, "illegal")[0][1]
        assert ended(played)["honest"] == "normal"


@pytest.mark.slow
async def test_a_noisy_bot_and_one_that_stays(place):
    """Megabytes of output are capped and delay nobody; whoever does not end when told is killed."""
    async with open_house(place, grace_s=1.0) as house:
        played = await play_with(house, *(ending(how, at=10_000) for how in ("noisy", "deaf")))
        assert played.faults == ()
        process = house.process("deaf")
        await house.arena.stop(0.0)
        await until(lambda: b"told to end, staying 0" in process.tail)
        started = time.monotonic()
    assert time.monotonic() - started >= 1.0
    assert process.exit is not None
    assert process.exit.describe() == "stopped as asked (killed by SIGKILL)"
    assert (place / "logs" / "noisy.stderr").stat().st_size < 4 << 20


@pytest.mark.slow
async def test_flood_and_unread_messages_beside_honest_matches(place):
    """Whoever floods or never reads loses its session; honest matches beside have no fault."""
    async with open_house(place, limits=SessionLimits(write_timeout_s=1.0)) as house:
        house.hire([honest(name) for name in ("a", "b", "c")])
        house.hire([raw("flood"), raw("unread")])
        for name in ("a", "b", "c", "flood", "unread"):
            await house.ready(name)
        flooded = asyncio.ensure_future(house.play(["flood", "a", "b"]))
        unread = [
            asyncio.ensure_future(house.play(["unread", "a", "b"], rules(0.1, max_faults=99)))
            for _ in range(20)
        ]
        matches = await asyncio.gather(*(house.play(["a", "b", "c"]) for _ in range(8)))
        assert [played.faults for played in matches] == [()] * 8
        assert all(played.outcome is not None for played in matches)

        ((fault, detail),) = faults_of(await flooded, "flood")
        assert fault is Fault.FLOOD
        assert "a second that answer nothing" in detail
        assert (await flooded).ended == ("forfeit:flood", "normal", "normal")
        assert b"RESOURCE_EXHAUSTED: more than" in house.process("flood").tail
        for played in await asyncio.gather(*unread):
            assert played.ended == ("forfeit:timeout", "normal", "normal")
            *_, last = faults_of(played, "unread")
            assert last == (Fault.TIMEOUT, "the bot did not read its messages")
