"""A service of an arena on a socket of its own, and calls to it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import grpc.aio

from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import TokenFile, grants_to_text, new_token


@contextlib.asynccontextmanager
async def served(
    path: Path, games: Sequence[str], install: Callable[..., None], service: object
) -> AsyncIterator[grpc.aio.Channel]:
    """Serve; gives a channel."""
    address = Address(f"unix:{path}/arena")
    async with Arena(ArenaOptions(games)) as arena:
        arena.install(install, service)
        await arena.listen([address])
        async with grpc.aio.insecure_channel(address.text) as channel:
            yield channel


async def call(
    channel: grpc.aio.Channel, method: str, request: Any, token: str = ""
) -> list[bytes]:
    """Call a method with a message, or with any bytes; return its responses."""
    metadata = [("authorization", f"Bearer {token}")] if token else []
    data = request if isinstance(request, bytes) else request.SerializeToString()
    begin: Any = channel.unary_stream(f"/{method}")
    return [response async for response in begin(data, metadata=metadata)]


def make_tokens(path: Path) -> tuple[TokenFile, dict[str, str]]:
    """Return a token file with a token for each role, and the tokens by role."""
    tokens, grants = {}, []
    for role in ("bot", "admin"):
        tokens[role], grant = new_token(role, role)
        grants.append(grant)
    file = path / "tokens.json"
    file.write_text(grants_to_text(grants))
    return TokenFile(file), tokens
