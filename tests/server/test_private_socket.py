from __future__ import annotations

import shutil
import socket
import sys
import time
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from arena.config.bot_spec import BotSpec
from arena.errors import SocketLostError
from arena.launch.launcher import Launcher
from arena.server.address import Address
from arena.server.dial_in import DialIn
from arena.server.private import open_private
from arena.server.private_socket import PrivateSocket
from arena.v1 import play_pb2
from arena.wire.protocol import PROTOCOL
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
def test_a_socket_that_was_removed_is_put_back(tmp_path, listening, harm):
    """It is there again, and whoever could not come in before is not to blame."""
    path = tmp_path / "sock"
    private = PrivateSocket(path, tmp_path / "spare" / "sock")
    before = time.monotonic()
    private.check(before)
    harm(path)
    private.mend()
    dial(path)
    with pytest.raises(SocketLostError, match="was removed while bots were to connect"):
        private.check(before)
    private.check(time.monotonic())  # those who came later had it


def test_a_socket_that_cannot_be_put_back(tmp_path, listening):
    """With both links gone there is nothing to be done, and that is said."""
    private = PrivateSocket(tmp_path / "sock", tmp_path / "spare" / "sock")
    shutil.rmtree(tmp_path / "spare")
    (tmp_path / "sock").unlink()
    with pytest.raises(SocketLostError, match="cannot be put back"):
        private.mend()


async def said(address: Address, token: str = "", resume_token: bytes = b"") -> str:
    """Say hello at an address; return the token to resume with, or why there is none."""
    hello = play_pb2.Hello(protocol=PROTOCOL, bot="mine", token=token, resume_token=resume_token)
    async with grpc.aio.insecure_channel(address.text) as channel:
        call: Any = channel.stream_stream("/arena.v1.PlayService/Play")()
        try:
            await call.write(play_pb2.PlayRequest(hello=hello).SerializeToString())
            answer = play_pb2.PlayResponse.FromString(await call.read())
        except grpc.aio.AioRpcError as error:
            return error.details() or ""
        call.cancel()
        return answer.welcome.resume_token.hex()


async def test_a_ticket_counts_only_on_its_own_socket():
    """Whoever else has it is refused, the bot it was made for is not, and so it is with sessions.

    Nobody comes in by a private socket without a ticket, though others may by an open address.
    """
    dial_in = DialIn([Address("127.0.0.1:0")])
    async with Launcher() as launcher, open_private(launcher, ["byzanz"], dial_in) as private:
        own, others = [(await private.sockets.open()).address for _ in range(2)]
        ticket = private.tickets.issue("mine", own.text)
        refusal = "this token counts only at the address that came with it"
        assert await said(others, token=ticket) == refusal
        assert await said(private.bound[0], token=ticket) == refusal
        resume = bytes.fromhex(await said(own, token=ticket))
        session = private.arena.lobby.find("mine")
        assert session is not None
        await until(lambda: not session.is_present)
        for address in (others, private.bound[0]):
            assert "no session to resume" in await said(address, resume_token=resume)
        assert "already used" in await said(own, token=ticket)
        assert "never issued" in await said(own)
        assert bytes.fromhex(await said(own, resume_token=resume))
        assert private.arena.lobby.find("mine") is session


async def test_a_socket_that_is_closed_leaves_nothing():
    """Its links are gone, and others go on."""
    async with Launcher() as launcher, open_private(launcher, ["byzanz"]) as private:
        first, second = [await private.sockets.open() for _ in range(2)]
        await private.sockets.close(first)
        assert not first.spare.exists()
        assert "failed to connect" in await said(first.address)
        assert await said(second.address, token=private.tickets.issue("a", second.address.text))
        second.mend()


async def test_an_arena_that_stops_blames_nobody_for_its_sockets(caplog):
    """They are gone with it, while bots may still be ending, and are not put back."""
    async with Launcher() as launcher, open_private(launcher, ["byzanz"]) as private:
        opened = await private.sockets.open()
        await private.arena.stop(0.0)
        assert not opened.address.path.exists()
        private.sockets._look()
        assert not opened.address.path.exists()
    assert not caplog.records


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
        with pytest.raises(SocketLostError):
            await roster.ready("removing", "byzanz", 2.0)
        session = await roster.ready("other", "byzanz", 60.0)
        assert session.is_present
        await roster.dismiss()
