from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.bot_spec import parse_bot
from arena.errors import BuildError, LaunchError
from arena.launch.launcher import Launcher
from arena.launch.process import BotProcess
from tests.launch.conftest import command, is_alive, shell
from tests.launch.test_process import ESCAPEE
from tests.marks import marked
from tests.waiting import LONG_S, until, wait_until

pytestmark = pytest.mark.slow

ARENA = """
import asyncio, sys, uvloop
from arena.launch.launcher import Launcher
from arena.config.bot_spec import BotSpec

async def main():
    async with Launcher(grace_s=0.3) as launcher:
        escapee, loop = sys.argv[1:]
        started = [
            await launcher.start(BotSpec(name=str(number), command=words), {})
            for number, words in enumerate([
                ("sleep", "600"),
                ("sh", "-c", "trap '' TERM INT; sleep 600 & sleep 600"),
                (sys.executable, "-S", "-c", escapee),
            ])
        ]
        while b"\\n" not in started[2].tail:
            await asyncio.sleep(0.003)
        print(launcher.keeper.pid, flush=True)
        await asyncio.sleep(600)

(uvloop.run if sys.argv[2] == "uvloop" else asyncio.run)(main())
"""


@contextmanager
def running_arena(loop: str, mark: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start an arena with three bots in a group of its own; yields it and its keeper's pid."""
    arena = subprocess.Popen(
        [sys.executable, "-c", ARENA, ESCAPEE + "time.sleep(600)", loop],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with arena:
        assert arena.stdout is not None
        try:
            keeper = int(arena.stdout.readline())
            # arena, keeper, sleep, sh and its two, Python and its escapee; not the one between them
            wait_until(lambda: len(marked(mark)) == 8)
            yield arena, keeper
        finally:
            arena.kill()


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_nothing_outlives_an_arena_that_is_killed(mark: str, loop: str) -> None:
    """When the arena dies of SIGKILL, its keeper ends all bots, escaped ones too, and itself."""
    with running_arena(loop, mark) as (arena, _):
        arena.kill()
        arena.wait()
        wait_until(lambda: not marked(mark))


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_nothing_outlives_an_arena_that_is_interrupted(mark: str, loop: str) -> None:
    """Ctrl-C ends the arena and all of its bots before the arena itself is gone."""
    with running_arena(loop, mark) as (arena, keeper):
        arena.send_signal(signal.SIGINT)  # the group holds the arena alone
        arena.wait(LONG_S)
        assert not marked(mark)
        assert not is_alive(keeper)


def test_the_keeper_survives_what_its_arena_gets(mark: str) -> None:
    """Signals to the arena's group pass the keeper by, which then does its work."""
    with running_arena("asyncio", mark) as (arena, keeper):
        assert os.getsid(keeper) == keeper
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(keeper, number)
        os.killpg(arena.pid, signal.SIGTERM)  # which the arena itself does not survive
        assert arena.wait(LONG_S) == -signal.SIGTERM
        wait_until(lambda: not marked(mark))


async def test_twenty_bots_end_within_one_grace(mark: str) -> None:
    """Bots are stopped at the same time, not one after the other."""
    async with Launcher(grace_s=0.5) as launcher:
        text = "trap '' TERM; echo ready; while :; do sleep 600; done"
        started = [await launcher.start(shell(text, name=str(n)), {}) for n in range(20)]
        for process in started:
            await until(lambda process=process: b"ready" in process.tail)  # type: ignore[misc]
        assert launcher.processes == tuple(started)
        before = time.monotonic()
    assert time.monotonic() - before < 5.0  # one after the other would be 10 seconds
    assert launcher.processes == ()
    assert not marked(mark)


async def test_leaving_by_an_exception_stops_all(mark: str) -> None:
    """An error in the context ends the bots and goes on."""

    async def arena() -> None:
        async with Launcher() as launcher:
            await launcher.start(command("sleep", "600"), {})
            raise KeyError

    with pytest.raises(KeyError):
        await arena()
    assert not marked(mark)


async def test_being_cancelled_while_stopping_leaves_nothing(mark: str) -> None:
    """An arena that is told to hurry while it waits for the grace kills at once."""
    started: asyncio.Future[BotProcess] = asyncio.get_running_loop().create_future()

    async def arena() -> None:
        async with Launcher(grace_s=60.0) as launcher:
            text = "trap 'echo told' TERM; echo ready; while :; do sleep 0.1; done"
            process = await launcher.start(shell(text), {})
            await until(lambda: b"ready" in process.tail)
            started.set_result(process)

    task = asyncio.create_task(arena())
    process = await started
    await until(lambda: b"told" in process.tail)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not marked(mark))


async def test_the_keeper_starts_with_the_first_bot_and_ends_with_the_launcher() -> None:
    """No bots, no keeper; and a keeper that somebody killed is replaced."""
    async with Launcher() as launcher:
        assert launcher.keeper.pid is None
        await launcher.start(command("sleep", "600"), {})
        first = launcher.keeper.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await until(lambda: not is_alive(first))
        await launcher.start(command("sleep", "600"), {})
        second = launcher.keeper.pid
        assert second not in (None, first)
    assert launcher.keeper.pid is None
    assert second is not None
    with pytest.raises(ProcessLookupError):  # not even a zombie
        os.kill(second, 0)


async def test_a_built_in_bot_is_run_by_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """`planner` becomes `python -m arena bot planner`, and its seed travels in the environment."""
    monkeypatch.setattr(sys, "executable", "/bin/echo")
    async with Launcher() as launcher:
        monkeypatch.setattr(launcher.keeper, "register", lambda *_: None)
        (spec,) = parse_bot("planner")
        process = await launcher.start(spec, {})
        await process.wait()
        assert process.tail == b"-m arena bot planner\n"


async def test_a_restart_comes_after_the_wait_and_shares_the_log(tmp_path: Path) -> None:
    """The first restart is immediate, the next waits; one log holds what all of them print."""
    async with Launcher(tmp_path) as launcher:
        process = await launcher.start(shell('echo "$ARENA_TOKEN"; exit 1'), {"ARENA_TOKEN": "0"})
        waits = []
        for token in ("1", "2"):
            await process.wait()
            last = process
            process = await launcher.restart(process, {"ARENA_TOKEN": token})
            assert last.ended_s is not None
            waits.append(process.started_s - last.ended_s)
        await process.wait()
        assert waits[1] >= 0.1
        assert launcher.processes == (process,)
    assert (tmp_path / "mine.stderr").read_text() == "0\n1\n2\n"


async def test_a_bot_is_built_once(tmp_path: Path) -> None:
    """However often and under whatever names it is started, its commands run one time."""
    build = (("sh", "-c", "echo x >> built; printf '#!/bin/sh\\nexit 0' > bot; chmod +x bot"),)
    async with Launcher() as launcher:
        spec = replace(command("./bot"), dir=tmp_path, build=build)
        first, second = await asyncio.gather(
            launcher.start(spec, {}), launcher.start(replace(spec, name="twin"), {})
        )
        assert (await first.wait()).code == (await second.wait()).code == 0
    assert (tmp_path / "built").read_text() == "x\n"


async def test_a_failed_build_starts_nothing(tmp_path: Path) -> None:
    """A bot whose build fails is not started. The next try says the same and does not build."""
    build = (("sh", "-c", f"echo run >> {tmp_path}/builds; echo broken; false"),)
    async with Launcher() as launcher:
        for _ in range(2):
            with pytest.raises(BuildError, match="building it failed") as caught:
                await launcher.start(replace(command("true"), build=build), {})
            assert caught.value.printed == ("broken",)
        assert launcher.processes == ()
    assert (tmp_path / "builds").read_text() == "run\n"


async def test_a_closed_launcher_starts_nothing() -> None:
    """Before and after its context a launcher refuses."""
    launcher = Launcher()
    with pytest.raises(LaunchError, match="closed"):
        await launcher.start(command("true"), {})


def test_a_bot_that_ran_well_starts_from_the_beginning() -> None:
    """The first restart is immediate, later ones wait; a crash after a long run is a first one."""
    launcher = Launcher()
    ran = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 30.0, 0.1]
    waits = [launcher._wait_s("bot", each) for each in ran]
    assert waits == [0.0, 0.1, 0.2, 0.4, 0.5, 0.5, 0.0, 0.1]
    assert launcher._wait_s("other", 0.1) == 0.0
