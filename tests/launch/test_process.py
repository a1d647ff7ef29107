from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError, LaunchError
from arena.launch.exits import Exit
from arena.launch.keeper import Keeper
from arena.launch.process import BotProcess
from arena.launch.sweep import find_launched
from arena.referee.faults import Fault
from tests.launch.conftest import command, is_alive, python, shell
from tests.marks import marked
from tests.waiting import until

ESCAPEE = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(1, b"%d\\n" % os.getpid())
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        time.sleep(600)
    os._exit(0)
os.wait()
"""


def pids(process: BotProcess) -> list[int]:
    return [int(word) for word in process.tail.split() if word.isdigit()]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exit 0", "exited with code 0"),
        ("exit 3", "exited with code 3"),
        ("kill -SEGV $$", "was killed by SIGSEGV"),
        ("kill -KILL $$", "was killed by SIGKILL"),
        ("exit 139", "exited with code 139, which a shell reports for SIGSEGV"),
        ("echo std::bad_alloc >&2; kill -ABRT $$", "ran out of memory (killed by SIGABRT)"),
        ("echo std::bad_alloc >&2; exit 0", "exited with code 0"),
    ],
)
async def test_the_way_a_bot_ends_is_told(text: str, told: str) -> None:
    """A bot that ends by itself is a crash, or out of memory, with its code or signal."""
    process = await BotProcess.start(shell(text), {})
    hooked: list[Exit] = []
    process.on_exit(hooked.append)
    end = await process.wait()
    assert end.describe() == told
    assert not end.was_asked
    assert process.exit == end
    process.on_exit(hooked.append)  # after the end, too
    await process.stop()
    await process.stop()
    assert hooked == [end, end]
    assert process.exit == end


async def test_a_bot_killed_from_outside_is_a_crash() -> None:
    """SIGKILL from somebody else is not taken for want of memory."""
    process = await BotProcess.start(command("sleep", "600"), {})
    os.kill(process.pid, signal.SIGKILL)
    assert await process.wait() == Exit(None, signal.SIGKILL, Fault.CRASH)
    await process.stop()


async def test_memory_is_limited_from_the_first_instruction() -> None:
    """A bot that needs more than its limit fails, and the limit is named."""
    process = await BotProcess.start(python("x = bytearray(1 << 30)", memory_mb=128), {})
    end = await process.wait()
    assert end.fault is Fault.OUT_OF_MEMORY
    assert end.describe() == "ran out of memory (exited with code 1 at its limit of 128 MB)"
    assert b"MemoryError" in process.tail
    await process.stop()

    process = await BotProcess.start(shell("ulimit -d; ulimit -Hd", memory_mb=128), {})
    await process.wait()
    assert process.tail.split() == [b"131072", b"131072"]
    await process.stop()


@pytest.mark.slow
@pytest.mark.parametrize("loop_factory", [asyncio.new_event_loop], indirect=True)
async def test_dying_at_the_limit_without_a_word_is_out_of_memory() -> None:
    """A program that dies of a signal with its memory at the limit has run out of it."""
    # A child's peak includes what this process held when it was forked: the limit lies beyond.
    limit = 128 + resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    text = """
import os
kept = []
try:
    while True:
        kept.append(b"x" * (8 << 20))
except MemoryError:
    os.abort()
"""
    process = await BotProcess.start(python(text, memory_mb=limit), {})
    end = await process.wait()
    assert end == Exit(None, signal.SIGABRT, Fault.OUT_OF_MEMORY, limit=limit)
    await process.stop()


@pytest.mark.slow
async def test_a_flood_is_drained_and_capped(tmp_path: Path) -> None:
    """20 MB on stderr neither stall the bot or the loop nor fill memory or disk."""
    text = "echo first; head -c 20000000 /dev/zero >&2; echo; echo last"
    process = await BotProcess.start(shell(text), {}, tmp_path / "mine.stderr")
    latest = longest = time.monotonic()
    longest = 0.0
    while process.is_running:
        await asyncio.sleep(0)
        now = time.monotonic()
        latest, longest = now, max(longest, now - latest)
    assert longest < 1.0  # far above what a busy machine adds; a stalled loop takes longer
    await process.stop()
    assert len(process.tail) == 4096
    assert process.tail.endswith(b"\nlast\n")
    kept = (tmp_path / "mine.stderr").read_bytes()
    assert kept.startswith(b"first\n")
    assert kept.endswith(b"\nlast\n")
    note = b"[arena: %d bytes were left out here]" % (20_000_012 - (1 << 20))
    assert note in kept
    assert len(kept) < (1 << 20) + 100


async def test_the_log_is_written_as_it_comes(tmp_path: Path) -> None:
    """What a bot prints, on stdout or stderr, is in its log while it still runs."""
    log = tmp_path / "logs" / "mine.stderr"
    text = "echo out; echo err >&2; exec sleep 600"
    process = await BotProcess.start(shell(text), {}, log)
    await until(lambda: log.read_bytes() == b"out\nerr\n")
    assert process.is_running
    await process.stop()


async def test_stop_asks_first() -> None:
    """A bot that heeds SIGTERM ends in its own way, and nothing but its ending is waited for."""
    text = "trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done"
    process = await BotProcess.start(shell(text), {})
    await until(lambda: b"ready" in process.tail)
    await process.stop(grace_s=15.0)
    assert process.exit == Exit(7, None, was_asked=True)
    assert process.exit.describe() == "stopped as asked (exited with code 7)"
    assert process.tail.endswith(b"bye\n")


async def test_stop_kills_what_does_not_listen() -> None:
    """A bot that ignores SIGTERM, children and all, is killed when the grace is over."""
    text = "trap '' TERM; sleep 600 & sleep 600 & echo $! ready; wait"
    process = await BotProcess.start(shell(text), {})
    await until(lambda: b"ready" in process.tail)
    before = time.monotonic()
    await asyncio.gather(process.stop(grace_s=0.2), process.stop(grace_s=60.0))
    assert 0.2 <= time.monotonic() - before < 5.0
    assert process.exit == Exit(None, signal.SIGKILL, was_asked=True)
    assert not is_alive(pids(process)[0])
    assert not find_launched({process.launch_id: process.pid})


async def test_a_stopped_bot_can_still_end() -> None:
    """A bot that was halted by SIGSTOP gets to see SIGTERM."""
    process = await BotProcess.start(command("sleep", "600"), {})
    os.kill(process.pid, signal.SIGSTOP)
    await process.stop(grace_s=15.0)
    assert process.exit == Exit(None, signal.SIGTERM, was_asked=True)


async def test_children_have_the_grace_of_their_parent() -> None:
    """When a wrapper dies of SIGTERM at once, the bot it wraps may still end in its own way."""
    bot = "trap 'sleep 0.1; echo bye; exit' TERM; echo ready; while :; do sleep 0.01; done"
    process = await BotProcess.start(shell(f'sh -c "{bot}" & wait'), {})
    await until(lambda: b"ready" in process.tail)
    await process.stop(grace_s=15.0)
    assert process.exit == Exit(None, signal.SIGTERM, was_asked=True)
    assert process.tail.endswith(b"bye\n")


async def test_children_die_with_a_bot_that_crashes() -> None:
    """What a bot started in its group does not outlive it, even before it is stopped."""
    process = await BotProcess.start(shell("sleep 600 & echo $!; exit 1"), {})
    await process.wait()
    await until(lambda: not is_alive(pids(process)[0]))
    await process.stop()


@pytest.mark.parametrize("ending", ["sys.exit(4)", "time.sleep(600)"])
async def test_an_escapee_is_found(ending: str) -> None:
    """A double-forked process in a session of its own is killed, whether its bot runs or not."""
    process = await BotProcess.start(python(ESCAPEE + ending), {})
    await until(lambda: bool(pids(process)))
    (escapee,) = pids(process)
    if "exit" in ending:
        assert (await process.wait()).code == 4
    assert is_alive(escapee)
    await process.stop(grace_s=0.1)
    assert not is_alive(escapee)


async def test_a_child_that_wiped_its_environment_is_found() -> None:
    """A process without its launch id in a session of its own is known by its parent."""
    process = await BotProcess.start(shell("env -i setsid sleep 600 & echo $!; wait"), {})
    await until(lambda: bool(pids(process)))
    (child,) = pids(process)
    await until(lambda: Path(f"/proc/{child}/cmdline").read_bytes().startswith(b"sleep"))
    assert os.getsid(child) == child
    await process.stop()
    try:
        assert not is_alive(child)
    finally:
        with contextlib.suppress(ProcessLookupError):  # it carries no mark to be found by
            os.kill(child, signal.SIGKILL)


async def test_the_environment_is_the_bots_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot gets what it is given, and none of the arena's own variables."""
    monkeypatch.setenv("ARENA_ADMIN_TOKEN", "secret")
    spec = replace(shell("env; cat; pwd; ps -o sid= -p $$"), env={"LEVEL": "3"}, dir=Path("/"))
    process = await BotProcess.start(spec, {"ARENA_TOKEN": "t"})
    assert (await process.wait()).code == 0  # cat found nothing to read
    lines = process.tail.decode().splitlines()
    assert {"LEVEL=3", "ARENA_TOKEN=t", f"ARENA_LAUNCH_ID={process.launch_id}"} <= set(lines)
    assert not any("ADMIN" in line for line in lines)
    assert lines[-2] == "/"
    assert int(lines[-1]) == process.pid
    await process.stop()


@pytest.mark.parametrize("limit", [None, 512])
async def test_what_cannot_be_run_is_found_out_before(tmp_path: Path, limit: int | None) -> None:
    """A program that is missing starts nothing, with or without a memory limit."""
    with pytest.raises(InputError, match=r"^there is no program .*/gone$"):
        await BotProcess.start(command(str(tmp_path / "gone"), memory_mb=limit), {})


async def test_a_text_file_is_no_program(tmp_path: Path) -> None:
    """An executable file that the system cannot run gets a clear error."""
    file = tmp_path / "bot"
    file.write_text("hello")
    file.chmod(0o755)
    with pytest.raises(InputError, match="nor a script with a #! line"):
        await BotProcess.start(command(str(file)), {}, tmp_path / "log")


async def test_being_short_of_files_is_the_arenas_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the system has no pipe left, it is not the bot that is wrong."""

    def no_pipe() -> tuple[int, int]:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pipe", no_pipe)
        with pytest.raises(LaunchError, match="Too many open files"):
            await BotProcess.start(command("true"), {})


async def test_a_keeper_that_fails_halfway_leaves_no_bot(mark: str) -> None:
    """A bot that could not be entrusted to the keeper is ended again."""

    class Failing(Keeper):
        def register(
            self, launch_id: str, group: int = 0, directories: Sequence[Path] = ()
        ) -> None:
            if group:
                raise LaunchError("no more")

    with pytest.raises(LaunchError, match="no more"):
        await BotProcess.start(command("sleep", "600"), {}, keeper=Failing())
    assert not marked(mark)


async def test_without_pidfd_the_end_is_polled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system without pidfd and waitid a bot's end is still noticed, and stop still works."""
    monkeypatch.delattr(os, "pidfd_open")
    monkeypatch.delattr(os, "waitid")
    process = await BotProcess.start(shell("exit 5"), {})
    assert await process.wait() == Exit(5, None)
    await process.stop()
    process = await BotProcess.start(command("sleep", "600"), {})
    await process.stop()
    assert process.exit == Exit(None, signal.SIGTERM, was_asked=True)
