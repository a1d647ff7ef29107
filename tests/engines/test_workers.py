from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import pytest

from arena.config.tournament import TournamentConfig
from arena.engines.inline import InlineEngine
from arena.engines.pool import ATTEMPTS, _agree
from arena.engines.worker_calls import RemoteWorker
from arena.engines.worker_process import WorkerProcess
from arena.engines.workers import WorkersEngine
from arena.errors import InputError, LaunchError
from arena.referee.faults import Fault, SeatFault
from arena.storage.records import FixtureRecord, MatchReport
from arena.tournament.engine import Engine, Entered, Refused, Verdict, Void
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
from tests.waiting import until


async def played(engine: Engine, config: TournamentConfig) -> list[MatchReport]:
    """Return all reports of the tournament, without times."""
    async with engine:
        reports = await play_all(engine, fixtures(config), await enter(engine))
    return [timeless(report) for report in reports]


async def all_busy(engine: WorkersEngine) -> None:
    """Wait until every worker plays."""
    places = engine._places
    await until(lambda: all(place.worker and place.worker.running for place in places))


@pytest.mark.slow
async def test_same_reports(tmp_path, monkeypatch):
    """Whoever plays, and if one is terminated, the reports are the same but for the times."""
    config = a_config(tmp_path, {**randoms(2), "greedy": builtin("greedy")}, rounds=2)
    expected = await played(InlineEngine(config), config)
    assert len(expected) > 4
    play = RemoteWorker.play
    ended: list[int] = []

    async def terminated(worker: RemoteWorker, *args):
        if not ended:
            ended.append(worker.link.pid)  # type: ignore[attr-defined]
            os.kill(ended[0], signal.SIGTERM)
        return await play(worker, *args)

    monkeypatch.setattr(RemoteWorker, "play", terminated)
    async with WorkersEngine(config, 2, inner="inline") as engine:
        reports = await play_all(engine, fixtures(config), await enter(engine))
        await until(lambda: len(pids_of(engine)) == 2 and ended[0] not in pids_of(engine))
    assert list(map(timeless, reports)) == expected


def pids_of(engine: WorkersEngine) -> list[int]:
    """Return the processes of the workers that are ready, by number."""
    links = [worker.link for worker in engine._live()]
    return [link.pid for link in links if isinstance(link, WorkerProcess)]


@pytest.mark.slow
async def test_lost_worker(mark, tmp_path):
    """A worker killed in the middle costs a re-play: all is reported, and rightly."""
    config = a_config(tmp_path, {**randoms(2), "greedy": builtin("greedy")})
    planned = fixtures(config)
    expected = await played(InlineEngine(config), config)
    async with WorkersEngine(config, 2) as engine:
        versions = await enter(engine)
        playing = asyncio.ensure_future(play_all(engine, planned, versions))
        await all_busy(engine)
        pid = pids_of(engine)[0]
        os.kill(pid, signal.SIGKILL)
        assert list(map(timeless, await playing)) == expected
        await until(lambda: len(pids_of(engine)) == 2)
        assert pid not in pids_of(engine)


@pytest.mark.slow
async def test_killed_over_and_over(tmp_path, monkeypatch):
    """A match that loses worker after worker is void; when nothing is finished, that is the end."""
    config = a_config(tmp_path, randoms(3))
    planned = fixtures(config)[0]
    play = RemoteWorker.play

    async def doomed(worker: RemoteWorker, *args):
        os.kill(worker.link.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        return await play(worker, *args)

    async with WorkersEngine(config, 1, inner="inline") as engine:
        versions = await enter(engine)
        monkeypatch.setattr(RemoteWorker, "play", doomed)
        report = await engine.play(planned, versions)
        assert isinstance(report, Void)
        assert f"lost {ATTEMPTS} times" in report.reason
        assert "worker 1 was killed by SIGKILL" in report.reason
        with pytest.raises(LaunchError, match="4 workers were lost, and no match was finished"):
            await engine.play(planned, versions)


@pytest.mark.slow
async def test_crashing_bot(tmp_path):
    """A bot that crashes forfeits its match, is told at once, and is back for the next one."""
    bots = {
        **randoms(1),
        "slow": script("honest.py", THINK_S=0.02),  # many times in the rest of a match
        "bad": script("ending.py", HOW="exit-3", AT=2),
    }
    config = a_config(tmp_path, bots)
    planned = fixtures(config)[:2]
    told: list[tuple[str, str]] = []

    def on_fault(fixture: FixtureRecord, fault: SeatFault) -> None:
        told.append((fixture.match, fixture.bots[fault.seat]))
        told_at.append(time.monotonic())

    async with WorkersEngine(config, 1) as engine:
        versions = await enter(engine)
        for fixture in planned:
            told_at: list[float] = []
            report = await engine.play(fixture, versions, on_fault)
            assert time.monotonic() - told_at[0] > 0.1
            assert isinstance(report, MatchReport)
            seat = fixture.bots.index("bad")
            assert report.forfeits[seat] is Fault.CRASH
            assert [fault.seat for fault in report.faults if fault.forfeited] == [seat]
    assert told == [(fixture.match, "bad") for fixture in planned]


@pytest.mark.slow
async def test_refused_bots(tmp_path):
    """Bots that cannot play are refused with the worker's reason; the others enter."""
    bots = {
        **randoms(2),
        "absent": {"run": [sys.executable, "-c", "print('rather not'); raise SystemExit(3)"]},
        "unbuilt": {"run": ["./bot"], "build": [["false"]], "dir": "."},
    }
    config = a_config(tmp_path, bots)
    async with WorkersEngine(config, 1) as engine:
        verdicts = await engine.preflight()
    assert verdicts["r1"] == verdicts["r2"] == Entered(verdicts["r1"].version)  # type: ignore[union-attr]
    absent, unbuilt = verdicts["absent"], verdicts["unbuilt"]
    assert isinstance(absent, Refused)
    assert "exited with code 3 before it was ready; last output: rather" in absent.reason
    assert isinstance(unbuilt, Refused)
    assert "building it failed: `false` exited with code 1" in unbuilt.reason


@pytest.mark.parametrize(
    ("verdicts", "agreed"),
    [
        ([Entered("1"), Entered("1")], Entered("1")),
        (
            [Entered("1"), Entered("1"), Entered("2")],
            Refused("is version '1' in worker 1, but '2' in worker 3"),
        ),
        ([Refused("no"), Refused("never")], Refused("no")),
        ([Entered("1"), Refused("no")], Refused("in worker 2, not in all: no")),
    ],
)
def test_agreement(verdicts: list[Verdict], agreed: Verdict):
    """A bot enters only if it is there in every worker, in the same version."""
    assert _agree(verdicts) == agreed


@pytest.mark.slow
async def test_built_logged_and_aborted(tmp_path):
    """Bots are built once for all workers, and log in each; aborted matches are void at once."""
    shouting = {
        **script("honest.py", THINK_S=1),
        "build": [["sh", "-c", "echo built >> builds"]],
        "dir": ".",
    }
    shouting["run"] = ["sh", "-c", f"echo here >&2; exec {' '.join(shouting['run'])}"]
    config = a_config(tmp_path, {**randoms(2), "loud": shouting})
    async with WorkersEngine(config, 2, logs=tmp_path / "logs") as engine:
        versions = await enter(engine)
        playing = asyncio.gather(*(engine.play(each, versions) for each in fixtures(config)))
        await all_busy(engine)
        engine.abort()
        async with asyncio.timeout(15):
            assert all(isinstance(report, Void) for report in await playing)
            assert isinstance(await engine.play(fixtures(config)[0], versions), Void)
    assert (tmp_path / "builds").read_text() == "built\n"
    for directory in ("logs", "logs/worker-2"):
        assert (tmp_path / directory / "loud.stderr").read_text().count("here\n") == 1


@pytest.mark.slow
async def test_engine_that_cannot_open(tmp_path):
    """What a worker cannot open is told as it would be told here."""
    config = a_config(tmp_path, {**randoms(2), "own": script("honest.py")})
    with pytest.raises(InputError, match="bot own is a separate program"):
        async with WorkersEngine(config, 1, inner="inline"):
            pytest.fail("it was opened")


@pytest.mark.slow
async def test_worker_that_cannot_start(tmp_path, monkeypatch):
    """A worker that ends before it is ready is told with its last words."""
    (tmp_path / "uvloop.py").write_text("raise SystemExit('no loop today')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    config = a_config(tmp_path, randoms(3))
    with pytest.raises(LaunchError, match="exited with code 1; last output: no loop today"):
        async with WorkersEngine(config, 1):
            pytest.fail("it was opened")


@pytest.mark.slow
async def test_interrupt_is_for_the_arena(tmp_path):
    """SIGINT does not reach workers from the terminal, nor end one that it is sent to."""
    config = a_config(tmp_path, randoms(3))
    async with WorkersEngine(config, 1, inner="inline") as engine:
        versions = await enter(engine)
        pids = pids_of(engine)
        for pid in pids:
            assert os.getpgid(pid) == pid
            os.kill(pid, signal.SIGINT)
        await play_all(engine, fixtures(config), versions)
        assert pids_of(engine) == pids


@pytest.mark.slow
async def test_closing_does_not_wait_for_inline_matches(tmp_path):
    """A match that cannot be stopped ends with its worker's process."""
    thinking = {name: builtin("searcher:seconds=5") for name in "abc"}
    config = a_config(tmp_path, thinking)
    async with WorkersEngine(config, 1, inner="inline") as engine:
        versions = await enter(engine)
        playing = [asyncio.ensure_future(engine.play(each, versions)) for each in fixtures(config)]
        await all_busy(engine)
        closing = asyncio.timeout(15)
        await closing.__aenter__()
    await closing.__aexit__(None, None, None)
    assert {await each for each in playing} == {Void("the arena was stopped")}
