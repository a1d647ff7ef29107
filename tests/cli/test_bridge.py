from __future__ import annotations

import asyncio
import os
import signal
import sys

import pytest
from fake_arena import FakeArena

from tests.bridge.bridged import FIRST, python


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name the program: arena bridge -- ./mybot"),
        (("--", "cat"), "no address: set ARENA_ADDRESS or give --server"),
        (("--address", "nowhere", "--", "cat"), "'nowhere' must be HOST:PORT or unix:PATH"),
        (("--server", "x:1", "--hello-timeout", "soon", "--", "cat"), "--hello-timeout must be a"),
        (("--server", "x:1", "--connect-timeout=-1", "--", "cat"), "ARENA_CONNECT_TIMEOUT must be"),
        (("--server", "x:1", "--resume-timeout=nan", "--", "cat"), "ARENA_RESUME_TIMEOUT must be"),
        (("--server", "x:1", "--memory-mb", "0", "--", "cat"), "memory_mb must be 1 to"),
        (("--server", "x:1", "--cert-file", "c", "--", "cat"), "needs both ARENA_CERT_FILE and"),
        (("--server", "x:1", "--transcript", "/", "--", "cat"), "--transcript /: Is a directory"),
        (("--server", "x:1", "--", "./nobody"), "there is no program"),
        (("--server", "x:1", "--", ""), "the command is empty"),
        (("--server", "x:1", "--level", "3", "--", "cat"), "unrecognized arguments: --level"),
    ],
)
def test_bad_usage(run, arguments, told):
    """Whatever is wrong is said before anything is started or dialled."""
    done = run("bridge", *arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "Traceback" not in done.err


def test_no_arena_there(run, tmp_path):
    """It tries for a while, then gives up with 3: it may be started again later."""
    nobody = f"unix:{tmp_path}/nobody"
    done = run("bridge", "--server", nobody, "--connect-timeout", "0.2", "--", *python(FIRST))
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"arena bridge: no arena at {nobody}: ")


def test_a_program_that_fails(run, tmp_path):
    """With 1, and its own words are on stderr, too."""
    done = run("bridge", "--server", f"unix:{tmp_path}/nobody", "--", "sh", "-c", "exit 7")
    assert done.code == 1
    assert done.err == "arena bridge: the program exited with code 7 before it said hello\n"


async def _bridged(path, script, *flags, number=None, source=FIRST):
    """Run the command as a process; send it a signal when the program has said `now`."""
    command = ("-m", "arena", "bridge", *flags, "--", *python(source))
    async with FakeArena(f"unix:{path}/arena", script) as arena:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "ARENA_ADDRESS": arena.address, "ARENA_TOKEN": "secret"},
        )
        try:
            async with asyncio.timeout(60):
                said = b""
                if number is not None:
                    assert process.stderr is not None
                    while b"now" not in said:
                        said += await process.stderr.readline()
                    process.send_signal(number)
                rest = (await process.communicate())[1]
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return process.returncode, (said + rest).decode(), arena.received


async def _one_match(link):
    hello = await link.welcome(max_message_bytes=65_536)
    assert hello.token == "secret"
    await link.start("m1")
    await link.ask(("m1", 1))
    await link.answers()
    await link.goodbye()


@pytest.mark.slow
async def test_a_session_from_end_to_end(tmp_path):
    """With a transcript, and without the token anywhere."""
    transcript = tmp_path / "transcript"
    source = f"print('thinking', file=sys.stderr)\n{FIRST}"
    flags = ("--transcript", str(transcript))
    code, err, _ = await _bridged(tmp_path, _one_match, *flags, source=source)
    assert code == 0
    assert err.splitlines() == [
        "thinking",
        f"arena bridge: playing as mine at unix:{tmp_path}/arena (arena 0.1.0)",
        "arena bridge: the arena says goodbye: that was all",
    ]
    lines = transcript.read_text().splitlines()
    assert [line[0] for line in lines] == ["<", ">", ">", ">", "<", ">"]
    assert "secret" not in transcript.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
async def test_signals_leave_in_order(tmp_path, number, code):
    """The arena is told, the program ended, in the middle of its thinking."""
    source = """
    import time
    hello()
    for decision in decisions():
        print("now", file=sys.stderr, flush=True)
        time.sleep(60)
    """

    async def interrupted(link):
        await link.welcome()
        await link.start("m1")
        await link.ask(("m1", 1))
        leave = (await link.request()).leave
        assert leave.reason == f"stopped by {signal.Signals(number).name}"
        await link.send(goodbye={"reason": 1})

    done = await _bridged(tmp_path, interrupted, number=number, source=source)
    assert done[0] == code


@pytest.mark.slow
async def test_a_memory_limit_is_the_programs(tmp_path):
    """The bridge itself needs more; the arena is told what the program died of."""
    source = """
    import os
    hello()
    for decision in decisions():
        held = []
        try:
            while True:
                held.append(b"x" * (1 << 20))
        except MemoryError:
            os.abort()
    """

    async def left(link):
        await link.welcome()
        await link.start("m1")
        await link.ask(("m1", 1))
        assert (await link.request()).leave.failed
        await link.send(goodbye={"reason": 1})

    code, err, received = await _bridged(tmp_path, left, "--memory-mb", "800", source=source)
    told = "the program ran out of memory (killed by SIGABRT at its limit of 800 MB)"
    assert code == 1
    assert told in err
    assert told in received[0][-1].leave.reason
