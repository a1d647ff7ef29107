"""A web gateway beside a command: a process of its own, started again if it ends."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path

from arena.errors import InputError
from arena.retry import pauses
from arena.server.address import Address
from arena.server.auth import hash_token, new_token
from arena.server.gallery import Gallery

LOG = logging.getLogger("arena.web")

_PAUSES_S = (1.0, 60.0)
_END_S = 10.0
_SHORTEST_TOKEN = 16

WEB_TOKEN = "ARENA_WEB_TOKEN"
"""In the environment of a tournament with --web: its organiser's token for the pages."""


@contextlib.contextmanager
def private_address() -> Iterator[Address]:
    """Yield an address that only processes of this user can dial."""
    with tempfile.TemporaryDirectory(prefix="arena-web-") as directory:
        yield Address(f"unix:{Path(directory, 'arena')}")


def arena_flags(address: Address) -> list[str]:
    """Return the flags of a gateway that dials a private address.

    It removes the directory when it ends, which an arena that was killed cannot do any more.
    """
    return ["--arena", address.text, "--sweep", str(address.path.parent)]


@contextlib.contextmanager
def gallery_beside(environment: Mapping[str, str]) -> Iterator[Gallery]:
    """Yield where a gateway can watch the matches of a tournament, for one organiser.

    The token is that of the environment, or a new one, which is told on a terminal alone: what is
    written to a file can be read later, by others.
    """
    token = environment.get(WEB_TOKEN, "")
    if token:
        _check_token(token)
    elif sys.stderr.isatty():
        token, _ = new_token("organiser", "admin")
        text = f"log in on the web pages with this token to follow running matches: {token}"
        print(text, file=sys.stderr, flush=True)
    else:
        token, _ = new_token("nobody", "admin")  # nobody knows it
        text = f"set {WEB_TOKEN} to a token of your own to follow running matches on the web pages"
        print(text, file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="arena-web-") as directory:
        yield Gallery(Path(directory), hash_token(token))


def _check_token(token: str) -> None:
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise InputError(
            f"{WEB_TOKEN} must have at least {_SHORTEST_TOKEN} printable characters: make one with "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )


@contextlib.asynccontextmanager
async def web_beside(
    args: argparse.Namespace, flags: Sequence[str], variables: Mapping[str, str] | None = None
) -> AsyncIterator[None]:
    """Run `arena web` with these flags, and those that a command was given.

    It ends with this process, however that ends. It says itself, on stderr, where its pages are.
    """
    command = [sys.executable, "-m", "arena", "web", *flags, "--web", args.web, "--until-eof"]
    for flag, value in (("--web-cert", args.web_cert), ("--web-key", args.web_key)):
        command += [flag, value] if value else []
    command += ["--behind-proxy"] if args.behind_proxy else []
    environment = {**os.environ, **(variables or {})}
    keeping = asyncio.create_task(_keep(command, environment))
    try:
        yield
    finally:
        keeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeping


async def _keep(command: Sequence[str], environment: Mapping[str, str]) -> None:
    for pause_s in pauses(*_PAUSES_S):
        process = await asyncio.create_subprocess_exec(
            *command,
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=sys.stderr.fileno(),
            start_new_session=True,  # Ctrl-C is for the arena, which ends it then
        )
        try:
            status = await process.wait()
        finally:
            if process.stdin is not None:
                process.stdin.close()  # it ends by itself
            if process.returncode is None:
                try:
                    async with asyncio.timeout(_END_S):
                        await process.wait()
                except TimeoutError:
                    process.kill()
                    await process.wait()
        LOG.warning("the web gateway ended with exit code %d; it is started again", status)
        await asyncio.sleep(pause_s)
