from __future__ import annotations

import asyncio
import contextlib
import tempfile

import pytest

from arena.examine.proxy import Proxy


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):  # a cut
        while data := await reader.read(100):
            writer.write(data)
            await writer.drain()
    writer.close()


async def test_a_cut_drops_what_is_open_and_takes_what_comes():
    """Bytes pass both ways; a cut ends every connection, and a new one works."""
    with tempfile.TemporaryDirectory() as place:
        path, target = f"{place}/proxy", f"{place}/target"
        server = await asyncio.start_unix_server(_echo, target)
        async with Proxy(f"unix:{path}", f"unix:{target}") as proxy:
            for number in (1, 2):
                reader, writer = await asyncio.open_unix_connection(path)
                writer.write(b"hello")
                assert await reader.readexactly(5) == b"hello"
                proxy.cut()
                assert await reader.read() == b""
                writer.close()
                assert proxy.connections == number
        server.close()


async def test_without_an_arena_the_connection_is_dropped():
    """A connection to nobody ends at once instead of hanging."""
    with tempfile.TemporaryDirectory() as place:
        async with Proxy(f"unix:{place}/proxy", f"unix:{place}/nobody"):
            reader, writer = await asyncio.open_unix_connection(f"{place}/proxy")
            assert await reader.read() == b""
            writer.close()


@pytest.mark.parametrize("steps", range(12))
async def test_a_cut_while_a_connection_ends(steps):
    """It may have been closed in one direction already, at whichever step of the loop."""
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with Proxy("127.0.0.1:0", f"127.0.0.1:{port}") as proxy:
        reader, writer = await asyncio.open_connection(*proxy.address.split(":"))
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
        writer.write_eof()
        for _ in range(steps):
            await asyncio.sleep(0)
        proxy.cut()
        assert not proxy.is_used
        writer.close()
    server.close()
