from __future__ import annotations

import asyncio
import sys

import pytest

from arena.engines.hall import START_ATTEMPTS
from arena.engines.hosted import HostedEngine
from arena.engines.inline import InlineEngine
from arena.referee.faults import Fault, FaultPolicy, SeatFault
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Entered, Refused, Void
from tests.engines.scaled import (
    a_config,
    builtin,
    enter,
    fixtures,
    play_all,
    randoms,
    script,
    timeless,
)
from tests.marks import marked
from tests.waiting import until

pytestmark = pytest.mark.slow


async def test_bots_are_processes(tmp_path, mark):
    """Each bot is one process for all matches, which go as ever; all are gone in the end."""
    config = a_config(tmp_path, {**randoms(2), "greedy": builtin("greedy")}, rounds=2)
    async with InlineEngine(config) as inline:
        expected = await play_all(inline, fixtures(config), await enter(inline))
    async with HostedEngine(config, tmp_path / "logs") as engine:
        versions = await enter(engine)
        bots = {pid for pid, line in marked(mark).items() if "bot" in line.split("\0")}
        assert len(bots) == 3
        reports = await play_all(engine, fixtures(config), versions)
        assert bots <= set(marked(mark))
    assert len(reports) == 6
    assert list(map(timeless, reports)) == list(map(timeless, expected))
    assert all(report.forfeits == (None,) * 3 for report in reports)
    assert all(clock.decisions > 0 for report in reports for clock in report.times)
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [
        "greedy.stderr",
        "r1.stderr",
        "r2.stderr",
    ]


async def test_preflight(tmp_path):
    """Each bot is told apart: who is there with which version, and why another is not."""
    bots = {
        **randoms(1),
        "named": builtin("random", version="seven"),
        "absent": script("moody.py", HOW="absent"),
        "mute": script("raw.py", HOW="mute"),
    }
    config = a_config(tmp_path, bots)
    async with HostedEngine(config) as engine:
        verdicts = await engine.preflight()
    assert isinstance(verdicts["r1"], Entered)
    assert verdicts["named"] == Entered("seven")
    absent, mute = verdicts["absent"], verdicts["mute"]
    assert isinstance(absent, Refused)
    assert "exited with code 1" in absent.reason
    assert absent.reason.endswith("last output: I would rather not")
    assert isinstance(mute, Refused)
    assert "no hello within 5 s" in mute.reason


async def test_faults_are_told_and_stored(tmp_path):
    """A bot's faults reach the watcher while the match runs, and are in the report."""
    bots = {**randoms(2), "illegal": script("raw.py", HOW="illegal")}
    config = a_config(tmp_path, bots, policy=FaultPolicy(2))
    told: list[tuple[FixtureRecord, SeatFault]] = []
    async with HostedEngine(config) as engine:
        versions = await enter(engine)
        fixture = fixtures(config)[0]
        report = await engine.play(
            fixture, versions, lambda match, fault: told.append((match, fault))
        )
    assert isinstance(report, MatchReport)
    seat = fixture.bots.index("illegal")
    assert [fault.fault for fault in report.faults] == [Fault.ILLEGAL_MOVE] * 2
    assert [fault.forfeited for fault in report.faults] == [False, True]
    assert report.forfeits[seat] is Fault.ILLEGAL_MOVE
    assert report.ranks[seat] == 3
    assert told == [(fixture, fault) for fault in report.faults]


async def test_a_bot_that_no_longer_starts(tmp_path):
    """It is tried three times for its match, and then forfeits that; the others play on."""
    bots = {**randoms(2), "once": script("moody.py", HOW="once", MARKER=tmp_path / "marker")}
    config = a_config(tmp_path, bots, fresh=True)
    async with HostedEngine(config, tmp_path / "logs") as engine:
        [report] = await play_all(engine, fixtures(config)[:1], await enter(engine))
    seat = fixtures(config)[0].bots.index("once")
    assert report.forfeits[seat] is Fault.NO_START
    assert report.forfeits.count(None) == 2
    assert "once was enough" in report.faults[0].detail
    logs = (tmp_path / "logs").glob("once*.stderr")
    said = "".join(path.read_text() for path in logs)
    assert said.count("once was enough") == START_ATTEMPTS


async def test_bots_cannot_watch(tmp_path):
    """The socket that launched bots are given shows them no other match on their deal."""
    spy = (
        "import os, sys, grpc\n"
        "channel = grpc.insecure_channel(os.environ['ARENA_ADDRESS'])\n"
        "try:\n"
        "    channel.unary_unary('/arena.v1.WatchService/ListMatches')(b'', timeout=20)\n"
        "except grpc.RpcError as error:\n"
        "    sys.exit(f'spying: {error.code().name}')\n"
        "sys.exit('spying: it answers')\n"
    )
    bots = {**randoms(2), "spy": {"run": [sys.executable, "-c", spy]}}
    async with HostedEngine(a_config(tmp_path, bots)) as engine:
        verdict = (await engine.preflight())["spy"]
    assert isinstance(verdict, Refused)
    assert verdict.reason.endswith("spying: UNIMPLEMENTED")


async def test_abort(tmp_path):
    """Running matches are void at once, and so is whatever is begun afterwards."""
    bots = {name: script("moody.py", HOW="slow") for name in ("a", "b", "c")}
    config = a_config(tmp_path, bots)
    async with HostedEngine(config) as engine:
        versions = await enter(engine)
        first, second, third = fixtures(config)
        playing = [asyncio.ensure_future(engine.play(each, versions)) for each in (first, second)]
        hall = engine._arena.hall
        await until(lambda: len(hall._running) == 2)
        engine.abort()
        async with asyncio.timeout(5):
            assert await asyncio.gather(*playing) == [Void("the arena was stopped")] * 2
            assert await engine.play(third, versions) == Void("the arena was stopped")


async def test_fresh_processes(tmp_path, mark):
    """Each match, which goes as ever, has processes of its own that end with it, beside others."""
    names = ("a", "a#1", "a-1")  # each looks like another's session in some match
    bots = {name: builtin("random") for name in names}
    telling = f"echo >> starts; exec {sys.executable} -m arena bot random"
    counted = {"a": {"run": ["sh", "-c", telling], "dir": "."}}
    config = a_config(tmp_path, {**bots, **counted}, fresh=True)
    first, *others = fixtures(config)
    async with HostedEngine(config) as engine:
        versions = await enter(engine)
        before = len(marked(mark))
        reports = await play_all(engine, [first], versions)
        assert len(marked(mark)) == before
        reports += await play_all(engine, others, versions)
        assert len(marked(mark)) == before
    assert (tmp_path / "starts").read_text() == "\n" * (1 + len(reports))  # one to be looked at
    async with InlineEngine(a_config(tmp_path, bots)) as inline:
        expected = await play_all(inline, [first, *others], versions)
    assert list(map(timeless, reports)) == list(map(timeless, expected))
