from __future__ import annotations

import asyncio
import shutil
import socket
import sys
import time
from pathlib import Path

import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import SocketLostError
from arena.launch.launcher import Launcher
from arena.server.private import open_private
from arena.server.private_socket import PrivateSocket
from tests.waiting import until


@pytest.fixture
def listening(tmp_path):
    """Somebody who listens at tmp_path/sock, whom `dial` reaches."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "sock"))
        listener.listen()
        (tmp_path / "spare").mkdir()
        yield listener


def dial(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dialled:
        dialled.connect(str(path))


def remove(path: Path) -> None:
    path.unlink()


def replace_by_file(path: Path) -> None:
    path.unlink()
    path.write_text("")


def replace_by_socket(path: Path) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as squatter:
        squatter.bind(str(path))


@pytest.mark.parametrize("harm", [remove, replace_by_file, replace_by_socket])
async def test_a_socket_that_was_removed_is_put_back(tmp_path, listening, harm):
    """It is there again by itself, and whoever could not come in before is not to blame."""
    path = tmp_path / "sock"
    with PrivateSocket(path, tmp_path / "spare" / "sock") as private:
        before = time.monotonic()
        private.check(before)
        harm(path)
        inode = (tmp_path / "spare" / "sock").stat().st_ino
        await until(lambda: path.exists() and path.stat().st_ino == inode)
        dial(path)
        with pytest.raises(SocketLostError, match="was removed while bots were to connect"):
            private.check(before)
        private.check(time.monotonic())  # those who came later had it


async def test_a_socket_that_cannot_be_put_back(tmp_path, listening):
    """With both links gone there is nothing to be done, and that is said."""
    private = PrivateSocket(tmp_path / "sock", tmp_path / "spare" / "sock")
    shutil.rmtree(tmp_path / "spare")
    (tmp_path / "sock").unlink()
    with pytest.raises(SocketLostError, match="cannot be put back"):
        private.mend()


_REMOVING = """
import os, pathlib, time
pathlib.Path(os.environ["ARENA_ADDRESS"].removeprefix("unix:")).unlink()
time.sleep(60)
"""


@pytest.mark.slow
async def test_a_bot_that_removes_the_socket_harms_nobody_else(tmp_path):
    """Others come in, and its own absence is no fault that could be booked on a victim."""
    removing = BotSpec(name="removing", command=(sys.executable, "-c", _REMOVING))
    other = BotSpec(name="other", command=(sys.executable, "-m", "arena", "bot", "random"))
    async with Launcher() as launcher, open_private(launcher, ["byzanz"]) as private:
        roster = private.roster([removing, other])
        path = Path(private.address.text.removeprefix("unix:"))
        absent = asyncio.ensure_future(roster.ready("removing", "byzanz", 2.0))
        await until(lambda: not path.exists())
        with pytest.raises(SocketLostError):
            await absent
        session = await roster.ready("other", "byzanz", 60.0)
        assert session.is_present
        await roster.dismiss()
