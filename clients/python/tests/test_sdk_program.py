from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from fake_arena import FakeArena, Link, launch, run_program, wait

from arena_client import ByzanzBot, UsageError
from arena_client.bot import check_bot
from arena_client.settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FIRST = """
    from arena_client import Bot, run

    class First(Bot):
        def decide(self, decision):
            return 0

    run(First)
    """


async def short(link: Link) -> None:
    """Play one decision of the first game of the bot and say goodbye."""
    hello = await link.welcome()
    game = next(iter(hello.games), "byzanz")
    await link.start("a", game=game)
    await link.ask(("a", 1), game=game)
    assert len(await link.answers()) == 1
    await link.end("a")
    await link.goodbye()


@pytest.mark.slow
def test_a_program_ends_with_the_session(tmp_path):
    """After a goodbye the program exits with 0, and has said who it is."""
    ended = run_program(tmp_path, FIRST, short)
    assert ended.code == 0
    assert "arena_client: playing as mine at unix:" in ended.errors


@pytest.mark.slow
def test_flags_count_more_than_the_environment(tmp_path):
    """The address and token of the command line are used."""

    async def script(link: Link) -> None:
        hello = await link.welcome()
        assert (hello.token, hello.bot) == ("flag", "First")
        await link.goodbye()

    flags = ["--token", "flag", f"--address=unix:{tmp_path}/arena"]
    environment = {"ARENA_ADDRESS": "localhost:1", "ARENA_TOKEN": "variable"}
    assert run_program(tmp_path, FIRST, script, flags=flags, **environment).code == 0


@pytest.mark.slow
def test_an_exception_is_shown_and_told(tmp_path):
    """A failing decide() ends with 1, its stack on stderr, and a leave that says failed."""
    source = FIRST.replace("return 0", "return [][5]  # here")

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        request = await link.request()
        assert request.leave.failed
        assert "IndexError" in request.leave.reason
        assert await link.read() is None

    ended = run_program(tmp_path, source, script)
    assert ended.code == 1
    assert "return [][5]  # here" in ended.errors
    assert "IndexError: list index out of range" in ended.errors
    assert "players.py" not in ended.errors


@pytest.mark.slow
def test_an_arena_that_does_not_answer_a_leave_is_left_anyway(tmp_path):
    """A failed program ends although the arena keeps the stream open."""
    patience = "import arena_client.lasting_session as l\nl.GRACE_S = 0.2\n"
    source = patience + FIRST.replace("\n    ", "\n").replace("return 0", "return 9")

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        await asyncio.Event().wait()

    ended = run_program(tmp_path, source, script)
    assert ended.code == 1
    assert "First" in ended.errors or "returned 9" in ended.errors
    assert 'bot.py", line' in ended.errors


@pytest.mark.slow
def test_a_refused_token_ends_with_2(tmp_path):
    """A refusal is one line on stderr with what to do, and the token is not in it."""

    async def script(link: Link) -> None:
        await link.read()
        await link.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")

    ended = run_program(tmp_path, FIRST, script, ARENA_TOKEN="hidden")
    assert ended.code == 2
    assert ended.errors.startswith("arena_client: the arena rejected the token: unknown token")
    assert "hidden" not in ended.errors


def test_no_address_ends_with_2(tmp_path):
    """Without an address the program says which variable to set."""
    ended = run_program(tmp_path, FIRST, ARENA_ADDRESS="")
    assert ended.code == 2
    assert "no address: set ARENA_ADDRESS" in ended.errors


@pytest.mark.slow
def test_no_arena_ends_with_3(tmp_path):
    """Without an arena the program gives up after the time it was given."""
    ended = run_program(tmp_path, FIRST, ARENA_ADDRESS="unix:/nowhere", ARENA_CONNECT_TIMEOUT="0.2")
    assert ended.code == 3
    assert "no arena answers at unix:/nowhere" in ended.errors


@pytest.mark.slow
def test_a_lost_arena_ends_with_3(tmp_path):
    """When the arena goes away for good, the program gives up after the time it was given."""

    async def script(link: Link) -> None:
        await link.welcome()
        await link.abort(grpc.StatusCode.UNAVAILABLE, "power cut")

    async def closed(link: Link) -> None:
        await link.abort(grpc.StatusCode.UNAVAILABLE, "power cut")

    ended = run_program(tmp_path, FIRST, script, *[closed] * 20, ARENA_RESUME_TIMEOUT="0.3")
    assert ended.code == 3
    assert "went away and did not come back within 0.3 s" in ended.errors


DECIDES = {
    "idle": "return 0",
    "busy": "(here / 'thinking').touch()\n            while True: pass",
    "stubborn": (
        "(here / 'thinking').touch()\n"
        "            try:\n"
        "                while True: pass\n"
        "            except Exception:\n"
        "                return 0"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loop", "decide"),
    [("uvloop", "idle"), ("uvloop", "busy"), ("uvloop", "stubborn"), ("asyncio", "busy")],
)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
async def test_a_signal_leaves_cleanly(tmp_path, loop, decide, number, code):
    """SIGTERM and Ctrl-C end the session with a leave, even in the middle of decide()."""
    blocked = "import sys; sys.modules['uvloop'] = None\n" if loop == "asyncio" else ""
    head = f"{blocked}import pathlib; here = pathlib.Path({str(tmp_path)!r})\n"
    body = FIRST.replace("return 0", DECIDES[decide]).replace("\n    ", "\n")
    program = tmp_path / "bot.py"
    program.write_text(head + body)
    is_ready = asyncio.Event()

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a")
        await link.ask(("a", 1))
        if decide == "idle":
            await link.answers()
        # Another process tells by a file.
        while decide != "idle" and not (tmp_path / "thinking").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        is_ready.set()
        request = await link.request()
        assert request.WhichOneof("message") == "leave"
        assert not request.leave.failed
        assert request.leave.reason == f"stopped by {number.name}"
        assert await link.read() is None

    async with FakeArena(f"unix:{tmp_path}/arena", script) as arena:
        process = await launch([str(program)], ARENA_ADDRESS=arena.address)
        await is_ready.wait()
        process.send_signal(number)
        ended = await wait(process)
    assert ended.code == code, ended.errors
    assert "Traceback" not in ended.errors


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_what_is_found_too_late_is_not_sent(tmp_path, loop):
    """What has come while decide() ran counts: no answer to an ended match, or after a goodbye."""
    blocked = "import sys; sys.modules['uvloop'] = None\n" if loop == "asyncio" else ""
    slow = FIRST.replace("return 0", "import time; time.sleep(0.3); return 0")

    async def script(link: Link) -> None:
        await link.welcome()
        await link.start("a", "b")
        await link.ask(("a", 1))
        await link.end("a")
        await link.ask(("b", 1))
        assert await link.answers() == [("b", 1, 0)]
        await link.ask(("b", 2))
        await link.goodbye()

    assert run_program(tmp_path, blocked + slow.replace("\n    ", "\n"), script).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_plays(tmp_path, example):
    """Each example, started as a program, plays a decision and ends well."""
    assert run_program(tmp_path, example.read_text(encoding="utf-8"), short).code == 0


def test_the_bot_of_the_readme_plays(tmp_path):
    """The bot that the README shows first works as it stands."""
    source = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1]
    assert run_program(tmp_path, source.partition("```")[0], short).code == 0


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(example):
    """An example has fewer than 30 lines of code, docstrings and comments not counted."""
    lines = [line.strip() for line in example.read_text(encoding="utf-8").splitlines()]
    code = [line for line in lines if line and not line.startswith(("#", '"""'))]
    assert len(code) < 30


def test_the_package_needs_no_arena(tmp_path):
    """The package and everything in it import where there is no server package."""
    source = """
import sys, pkgutil, importlib
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("arena", "uvloop"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
import arena_client
for module in pkgutil.walk_packages(arena_client.__path__, "arena_client."):
    importlib.import_module(module.name)
assert not any(name.split(".")[0] == "arena" for name in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", source], check=False, cwd=tmp_path, timeout=30)
    assert done.returncode == 0


def test_the_package_loads_quickly(tmp_path):
    """Beside gRPC, nothing is loaded that takes long and that most bots do not need."""
    source = """
import sys, grpc, google.protobuf.message_factory
before = set(sys.modules)
import arena_client
print(*set(sys.modules) - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", source], check=True, cwd=tmp_path, timeout=30, stdout=subprocess.PIPE
    )
    loaded = done.stdout.decode().split()
    assert "arena_client.session" in loaded
    assert not {"argparse", "pathlib", "shutil", "tempfile", "urllib.parse"} & set(loaded)


def test_tcp_and_tls_settings_are_read(tmp_path):
    """Every variable is read, and files make the connection a TLS one."""
    for name in ("ca", "cert", "key"):
        (tmp_path / name).touch()
    environment = {
        "ARENA_ADDRESS": "arena.example:50051",
        "ARENA_TOKEN": "t",
        "ARENA_CA_FILE": f"{tmp_path}/ca",
        "ARENA_CERT_FILE": f"{tmp_path}/cert",
        "ARENA_KEY_FILE": f"{tmp_path}/key",
        "ARENA_RESUME_TIMEOUT": "2.5",
    }
    settings = read_settings([], environment)
    assert settings.tls
    assert settings.resume_timeout_s == 2.5
    assert (settings.ca_file, settings.token) == (f"{tmp_path}/ca", "t")
    assert "t" not in repr(settings).removeprefix("<Settings arena.example:50051")
    assert read_settings(["--tls"], {"ARENA_ADDRESS": "[::1]:5"}).tls
    assert not read_settings([], {"ARENA_ADDRESS": "a:5", "ARENA_TLS": "0"}).tls


@pytest.mark.parametrize(
    ("variable", "wrong"),
    [
        ("ADDRESS", "http://localhost:5"),
        ("ADDRESS", "localhost"),
        ("ADDRESS", "localhost:99999"),
        ("ADDRESS", "unix:"),
        ("TOKEN", "broken\n"),
        ("TOKEN", "\udc80"),
        ("TLS", "maybe"),
        ("CA_FILE", "/nowhere/ca.pem"),
        ("CONNECT_TIMEOUT", "soon"),
        ("RESUME_TIMEOUT", "nan"),
    ],
)
def test_wrong_settings_are_refused(variable, wrong):
    """A setting that makes no sense is refused by its name."""
    environment = {"ARENA_ADDRESS": "localhost:5", f"ARENA_{variable}": wrong}
    with pytest.raises(UsageError, match=f"ARENA_{variable}"):
        read_settings([], environment)


def test_a_certificate_needs_its_key(tmp_path):
    """A client certificate without a key is refused."""
    environment = {"ARENA_ADDRESS": "a:5", "ARENA_CERT_FILE": os.fspath(tmp_path / "cert")}
    (tmp_path / "cert").touch()
    with pytest.raises(UsageError, match="ARENA_KEY_FILE"):
        read_settings([], environment)


@pytest.mark.parametrize(
    "fields",
    [
        {"games": "byzanz"},
        {"games": (1,)},
        {"name": "x" * 65},
        {"version": 1},
        {"max_matches": 0},
        {"decide": ByzanzBot.decide},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_wrong_class_is_refused(fields):
    """A bot class that the arena would refuse is refused before it dials."""
    bot = type("Wrong", (ByzanzBot,), {"decide": lambda *_: 0, **fields})
    with pytest.raises(UsageError, match=f"Wrong.*{next(iter(fields))}"):
        check_bot(bot)


def test_an_object_is_no_class():
    """Whoever passes an object, or anything else, is told what is wanted."""
    with pytest.raises(UsageError, match="takes a class derived from Bot"):
        check_bot(7)  # type: ignore[arg-type]
