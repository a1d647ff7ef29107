from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import LaunchError
from arena.launch.keeper import Keeper
from tests.launch.conftest import is_alive
from tests.waiting import until

pytestmark = pytest.mark.slow

ID = secrets.token_hex(16)  # tests may run beside each other


@pytest.fixture
def bot(mark: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process under an id of its own."""
    environment = {**os.environ, "ARENA_LAUNCH_ID": ID}
    with subprocess.Popen(["sleep", "600"], env=environment, start_new_session=True) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("is_known_by", ["id", "group"])
async def test_what_is_registered_dies_with_the_keeper(
    bot: subprocess.Popen[bytes], is_known_by: str
) -> None:
    """By its id before its group is known, and by its group even without the id."""
    keeper = Keeper()
    if is_known_by == "id":
        keeper.register(ID)
    else:
        keeper.register("f" * 32, bot.pid)
    await keeper.close()
    await keeper.close()
    assert bot.wait() == -signal.SIGKILL


async def test_what_is_forgotten_lives_on(bot: subprocess.Popen[bytes]) -> None:
    """A launch that was let go of is nobody's business."""
    keeper = Keeper()
    keeper.register(ID, bot.pid)
    keeper.forget(ID)
    keeper.forget(ID)
    await keeper.close()
    assert bot.poll() is None


async def test_a_replaced_keeper_knows_everything(bot: subprocess.Popen[bytes]) -> None:
    """When somebody kills the keeper, the next one is told what the first one knew."""
    keeper = Keeper()
    keeper.register(ID, bot.pid)
    first = keeper.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await until(lambda: not is_alive(first))
    keeper.register("f" * 32)
    assert keeper.pid != first
    await keeper.close()
    assert bot.wait() == -signal.SIGKILL


async def test_a_killed_keeper_is_replaced_at_once(bot: subprocess.Popen[bytes]) -> None:
    """Nothing needs to be registered for that: the arena may be killed next."""
    keeper = Keeper()
    keeper.register(ID, bot.pid)
    killed: set[int | None] = {None}
    for _ in range(3):
        assert keeper.pid is not None
        killed.add(keeper.pid)
        os.kill(keeper.pid, signal.SIGKILL)
        await until(lambda: keeper.pid not in killed)
    await keeper.close()
    assert bot.wait() == -signal.SIGKILL


async def test_a_temporary_directory_is_gone_with_the_keeper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that is in it, but nothing that links in it lead to."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file").touch()
    keeper = Keeper()
    with keeper.temporary_directory("arena-") as directory:
        assert directory.stat().st_mode & 0o777 == 0o700
        (directory / "logs").mkdir()
        (directory / "logs/bot.stderr").touch()
        (directory / "link").symlink_to(tmp_path / "other")
        (directory / "file-link").symlink_to(tmp_path / "other/file")
        await keeper.close()
        assert not directory.exists()
    assert (tmp_path / "other/file").exists()


async def test_a_temporary_directory_ends_with_its_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper then knows nothing of it, and a closed one makes none."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    keeper = Keeper()
    with keeper.temporary_directory("arena-") as directory:
        (directory / "file").touch()
    assert not directory.exists()
    directory.mkdir()  # another's by now
    await keeper.close()
    assert directory.exists()
    with pytest.raises(LaunchError, match="closed"), keeper.temporary_directory("arena-"):
        pass


async def test_a_closed_keeper_refuses() -> None:
    """Nothing can be registered that nobody would kill."""
    keeper = Keeper()
    await keeper.close()
    with pytest.raises(LaunchError, match="closed"):
        keeper.register(ID)


async def test_a_keeper_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot is started without one."""
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(LaunchError, match="the keeper cannot be started: No such file"):
        Keeper().register(ID)


ARENA = """
import os, sys, time
from arena.launch.keeper import Keeper

keeper = Keeper()
keeper.register(sys.argv[1], int(sys.argv[2]))
if os.fork() == 0:
    time.sleep(600)
files = f"/proc/{keeper.pid}/fd"
for _ in range(1000):  # until the keeper watches this process
    try:
        if any("pidfd" in os.readlink(f"{files}/{name}") for name in os.listdir(files)):
            break
    except FileNotFoundError:  # closed in between
        pass
    time.sleep(0.01)
os.kill(os.getpid(), 9)
"""


def test_a_forked_child_that_holds_the_pipe_does_not_hide_the_end(
    bot: subprocess.Popen[bytes], mark: str
) -> None:
    """The keeper sees the arena itself die, though its pipe stays open elsewhere."""
    words = [sys.executable, "-c", ARENA, ID, str(bot.pid)]
    arena = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        assert arena.wait() == -signal.SIGKILL
        assert bot.wait(15.0) == -signal.SIGKILL
    finally:
        os.killpg(arena.pid, signal.SIGKILL)  # the forked child
