from __future__ import annotations

import asyncio
import socket
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import InputError, SandboxError
from arena.launch import confinement
from arena.launch.build import build_bot
from arena.launch.confinement import Confinement, bot_limits
from arena.launch.process import BotProcess
from arena.referee.faults import Fault
from arena.sandbox.isolation import Isolation, parse_isolation
from arena.sandbox.level import Level
from tests.async_tests import LoopFactory
from tests.requirements import require_level
from tests.waiting import until

pytestmark = pytest.mark.slow

HOG = """
import os, sys, time
for _ in range(int(sys.argv[2])):
    if os.fork() == 0:
        x = bytearray(os.urandom(1 << 20)) * int(sys.argv[1])
        time.sleep(60)
time.sleep(60)
"""


@pytest.fixture
def loop_factory(mark: str) -> LoopFactory:
    """One loop will do; nothing that a test starts may remain."""
    return asyncio.new_event_loop


@pytest.fixture
def bot(tmp_path: Path) -> BotSpec:
    """A bot in a directory of its own, beside which there are results."""
    require_level(Level.BUBBLEWRAP)
    (tmp_path / "bot/results").mkdir(parents=True)
    (tmp_path / "bot/results/arena.db").write_text("secret")
    (tmp_path / "bot/mine").write_text("own")
    (tmp_path / "other").write_text("secret")
    return BotSpec("mine", command=("true",), dir=tmp_path / "bot")


def sealed(bot: BotSpec) -> Confinement:
    assert bot.dir is not None
    return Confinement(Isolation.REQUIRE, [bot.dir / "results"])


async def said(bot: BotSpec, text: str, **environment: str) -> str:
    """Return what a shell prints in the bot's sandbox."""
    spec = replace(bot, command=("sh", "-c", text))
    process = await BotProcess.start(spec, environment, confinement=sealed(bot))
    await process.wait()
    await process.stop()
    return process.tail.decode()


async def test_a_bot_sees_itself_and_nothing_else(
    bot: BotSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its directory is there and cannot be changed; results, other files and variables are not."""
    monkeypatch.setenv("SECRET", "1")
    out = await said(
        bot,
        f"cat mine; cat {tmp_path}/other; cat results/arena.db; ls results; ls {tmp_path}; "
        "echo x > mine; echo x > /tmp/x && echo $SECRET$HOME; ls /home /var; ls -d /proc/[0-9]*; "
        "echo 1 > /proc/sys/vm/stat_interval; cat /proc/1/cmdline",
    )
    assert "own" in out
    assert "secret" not in out
    assert "arena.db:" in out
    assert "mine: Read-only file system" in out
    assert "\n/tmp\n" in out
    assert "No such file or directory" in out
    assert "stat_interval: Read-only file system" in out
    pids = [line for line in out.splitlines() if line.startswith("/proc/") and line[6:].isdigit()]
    assert len(pids) <= 4
    assert str(tmp_path / "bot/results") not in out.split("/proc/")[-1]


async def test_nothing_but_its_arena_is_reachable(bot: BotSpec, tmp_path: Path) -> None:
    """It reaches the socket that it is given, and neither other sockets nor the network."""
    servers = {}
    for name in ("arena", "other"):
        servers[name] = socket.socket(socket.AF_UNIX)
        servers[name].bind(f"{tmp_path}/{name}.sock")
        servers[name].listen()
    dial = (
        "import socket\n"
        "def dial(kind, place):\n"
        "    try: socket.socket(kind).connect(place); print('reached', place)\n"
        "    except OSError as error: print(error)\n"
        f"dial(socket.AF_UNIX, '{tmp_path}/arena.sock')\n"
        f"dial(socket.AF_UNIX, '{tmp_path}/other.sock')\n"
        "dial(socket.AF_INET, ('127.0.0.1', 1))\ndial(socket.AF_INET, ('192.0.2.1', 80))\n"
    )
    out = await said(
        bot, f'/usr/bin/python3 -S -c "{dial}"', ARENA_ADDRESS=f"unix:{tmp_path}/arena.sock"
    )
    for server in servers.values():
        server.close()
    assert out.splitlines() == [
        f"reached {tmp_path}/arena.sock",
        "[Errno 2] No such file or directory",
        "[Errno 111] Connection refused",
        "[Errno 101] Network is unreachable",
    ]


async def test_what_a_bot_may_use_besides(bot: BotSpec, tmp_path: Path) -> None:
    """`read` and `write` show more; a link in the way leads to what it leads to outside."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/book").write_text("opening")
    (tmp_path / "link").symlink_to("data")
    (tmp_path / "scratch").mkdir()
    more = replace(bot, read=(tmp_path / "link",), write=(tmp_path / "scratch",))
    out = await said(
        more,
        f"cat {tmp_path}/link/book; echo x > {tmp_path}/link/book; "
        f"echo kept > {tmp_path}/scratch/x",
    )
    assert out.startswith("opening")
    assert "Read-only" in out
    assert (tmp_path / "scratch/x").read_text() == "kept\n"


async def test_a_build_may_write_to_the_bot(bot: BotSpec, tmp_path: Path) -> None:
    """Build commands change the bot's directory, and can neither see nor move the results."""
    script = "cp mine made; cat results/arena.db; mv results away; rm -rf results; true"
    spec = replace(bot, build=(("sh", "-c", script),))
    told = await build_bot(spec, confinement=sealed(bot))
    assert (tmp_path / "bot/made").read_text() == "own"
    assert (tmp_path / "bot/results/arena.db").read_text() == "secret"
    assert "secret" not in told


@pytest.mark.parametrize(
    ("how", "code", "number"), [("exit 3", 3, None), ("kill -SEGV $$", None, 11)]
)
async def test_how_a_bot_ends_is_seen_through_the_sandbox(
    bot: BotSpec, how: str, code: int | None, number: int | None
) -> None:
    """Exit codes and signals are told as without a sandbox."""
    spec = replace(bot, command=("sh", "-c", how))
    process = await BotProcess.start(spec, {}, confinement=sealed(bot))
    end = await process.wait()
    await process.stop()
    assert (process.level, end.code, end.signal) == (Level.BUBBLEWRAP, code, number)


async def test_a_bot_is_asked_to_end_before_it_is_killed(bot: BotSpec) -> None:
    """SIGTERM reaches the bot itself, which has its grace; a deaf one is killed with all it has."""
    polite = "trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.05; done"
    deaf = "trap '' TERM; setsid sleep 600 & echo up; while :; do sleep 600; done"
    for text, grace_s, code in (polite, 20.0, 7), (deaf, 0.2, None):
        spec = replace(bot, command=("sh", "-c", text))
        process = await BotProcess.start(spec, {}, confinement=sealed(bot))
        await until(lambda: b"up" in process.tail)  # noqa: B023 - called here and now
        await process.stop(grace_s)
        assert process.exit is not None
        assert process.exit.code == code
        assert (b"bye" in process.tail) == (code == 7)


@pytest.mark.parametrize("has_groups", [True, False])
async def test_limits_are_those_of_all_its_processes(
    bot: BotSpec, has_groups: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory in many processes counts together, with control groups and without."""
    if has_groups and confinement._cgroups() is None:
        pytest.skip("no control groups can be made here: run as root, or with systemd-run --scope")
    if not has_groups:
        monkeypatch.setattr(confinement, "_cgroups", lambda: None)
    command = ("/usr/bin/python3", "-S", "-c", HOG, "40", "6")
    spec = replace(bot, command=command, memory_mb=100)
    process = await BotProcess.start(spec, {}, confinement=sealed(bot))
    end = await process.wait()
    assert end.fault is Fault.OUT_OF_MEMORY
    assert end.describe() == "ran out of memory (killed by SIGKILL at its limit of 100 MB)"
    await process.stop(0.0)


@pytest.mark.parametrize(
    ("limits", "script", "fault", "told"),
    [
        ({"disk_mb": 2}, "cat /dev/zero > /tmp/x", Fault.OUT_OF_DISK, "its limit of 2 MB"),
        (
            {"processes": 8},
            "for i in 1 2 3 4 5 6 7 8 9 9 9; do sleep 9 & done; exit 1",
            Fault.OUT_OF_PROCESSES,
            "its limit of 8 processes",
        ),
    ],
)
async def test_each_limit_has_its_fault(
    bot: BotSpec, limits: dict[str, int], script: str, fault: Fault, told: str
) -> None:
    """A bot that fails at a limit is told which one it was."""
    spec = replace(bot, command=("sh", "-c", script), **limits)  # type: ignore[arg-type]
    process = await BotProcess.start(spec, {}, confinement=sealed(bot))
    end = await process.wait()
    await process.stop(0.0)
    assert end.fault is fault
    assert told in end.describe()


@pytest.mark.parametrize(
    ("limits", "script", "told"),
    [
        ({"disk_mb": 2}, "cat /dev/zero > /tmp/x", "ran out of disk space at its limit of 2 MB"),
        (
            {"processes": 8},
            "for i in 1 2 3 4 5 6 7 8 9 9 9; do sleep 9 & done",
            "ran out of processes at its limit of 8 processes",
        ),
        ({}, "false", None),
    ],
)
async def test_a_bot_that_says_it_fails_is_asked_why(
    bot: BotSpec, limits: dict[str, int], script: str, told: str | None
) -> None:
    """What it ran out of is known while its process still runs."""
    command = ("sh", "-c", f"({script}); echo done; exec sleep 60")
    spec = replace(bot, command=command, **limits)  # type: ignore[arg-type]
    process = await BotProcess.start(spec, {}, confinement=sealed(bot))
    await until(lambda: b"done" in process.tail)
    shortage = process.find_shortage()
    await process.stop(0.0)
    assert (None if shortage is None else shortage.describe()) == told


async def test_a_directory_may_be_told_in_a_roundabout_way(bot: BotSpec, tmp_path: Path) -> None:
    """As workers are told it: relative to a tournament elsewhere. A link keeps its own name."""
    (tmp_path / "link").symlink_to(tmp_path / "bot")
    (tmp_path / "cup").mkdir()
    link = tmp_path / "link"
    spec = replace(bot, dir=tmp_path / "cup/../bot", read=(tmp_path / "cup/../link",))
    assert await said(spec, f"cat mine {link}/mine") == "ownown"


def test_a_bridge_has_processes_of_its_own() -> None:
    """The limit is the program's: the threads of its bridge do not count."""
    line = bot_limits(BotSpec("mine", stdio=("./bot",), processes=2))
    plain = bot_limits(BotSpec("mine", command=("./bot",), processes=2))
    assert line.processes - line.bridge_processes == plain.processes == 2
    assert line.bridge_processes > 0


def test_places_that_cannot_be_kept_apart_are_refused(
    bot: BotSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot inside the results, in a home directory, or with paths that are not there."""
    hidden = Confinement(Isolation.AUTO, [tmp_path])
    with pytest.raises(InputError, match=f"bot mine: {bot.dir} lies in {tmp_path}, which no bot"):
        hidden.check([bot])
    monkeypatch.setenv("HOME", str(bot.dir))
    with pytest.raises(InputError, match="would see all that is in there"):
        sealed(bot).check([bot])
    monkeypatch.undo()
    with pytest.raises(InputError, match="gone, which it may use, does not exist"):
        sealed(bot).check([replace(bot, read=(tmp_path / "gone",))])


def test_a_bot_may_not_ask_for_less_than_all_must_have(bot: BotSpec) -> None:
    """With require, a bot of its own isolation is refused; with auto it has its own."""
    trusted = replace(bot, isolation=Isolation.NONE)
    assert Confinement(Isolation.AUTO).level(trusted) is Level.NONE
    with pytest.raises(SandboxError, match="its isolation is none, which gives none, but require"):
        Confinement(Isolation.REQUIRE).level(trusted)


@pytest.mark.parametrize("level", [Level.NAMESPACES, Level.USER])
async def test_weaker_levels_keep_what_they_promise(level: Level, tmp_path: Path) -> None:
    """In namespaces no other process is seen; as another user none can be reached."""
    require_level(level)
    isolation = replace(parse_isolation(f"require:{level.value}"), most=level)
    hidden = tmp_path / "results"
    hidden.mkdir()
    (hidden / "arena.db").touch()
    script = f"ls {hidden}; ls -d /proc/[0-9]* | wc -l; id -u"
    spec = BotSpec("mine", command=("/bin/sh", "-c", script), dir=Path("/usr"))
    process = await BotProcess.start(spec, {}, confinement=Confinement(isolation, [hidden]))
    await process.wait()
    await process.stop()
    out = process.tail.decode().split()
    assert process.level is level
    if level is Level.NAMESPACES:
        assert "arena.db" not in out
        assert int(out[-2]) <= 5
    else:
        assert int(out[-1]) >= 61184


def mode(path: str) -> int:
    return Path(path).stat().st_mode & 0o777


async def test_another_user_reaches_the_socket_and_nothing_beside_it() -> None:
    """A bot of another user can dial the arena, but neither list nor change where its socket is."""
    require_level(Level.USER)
    isolation = replace(parse_isolation("require:user"), most=Level.USER)
    with tempfile.TemporaryDirectory(prefix="e2e-") as place, socket.socket(socket.AF_UNIX) as door:
        path = f"{place}/arena.sock"
        door.bind(path)
        script = f"test -w {path} && echo dials; ls {place} || echo blind; test -w {place} || echo"
        spec = BotSpec("mine", command=("/bin/sh", "-c", script + " kept"), dir=Path("/usr"))
        env = {"ARENA_ADDRESS": f"unix:{path}"}
        process = await BotProcess.start(spec, env, confinement=Confinement(isolation))
        await process.wait()
        await process.stop()
        assert {"dials", "blind", "kept"} <= set(process.tail.decode().split())
        assert [mode(place), mode(path)] == [0o710, 0o660]  # other users have no way in
