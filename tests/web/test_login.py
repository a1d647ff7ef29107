"""Tokens on their way: encrypted from the browser to the arena, in no address, header or log."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import ssl
from pathlib import Path

import pytest

from arena.cli.serve import direct
from arena.cli.web import _arena_app
from arena.errors import InputError
from arena.server.address import Address, Tls, parse_address
from arena.server.app import Arena, ArenaOptions
from arena.web.app import make_app
from arena.web.safety import Forwarded, client_of
from arena.web.serving import WebAddress, serve
from tests.server.served import make_tokens

VARIABLES = ("ARENA_ADDRESS", "ARENA_TOKEN", "ARENA_CA_FILE", "ARENA_TLS")


async def fetch(port, context, path, body=None, cookie=""):
    """Ask over TLS; return status, headers and body."""
    reader, writer = await asyncio.open_connection("localhost", port, ssl=context)
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    if cookie:
        head += f"Cookie: {cookie}\r\n"
    writer.write(f"{head}\r\n{body or ''}".encode())
    answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    status, _, rest = answer.partition("\r\n")
    headers, _, content = rest.partition("\r\n\r\n")
    return int(status.split()[1]), headers, content


def tls_of(certificates: Path) -> Tls:
    """Return what the server proves itself with."""
    return Tls(
        (certificates / "server.pem").read_bytes(), (certificates / "server.key").read_bytes()
    )


async def ask_plainly(port):
    """Ask without TLS; return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = b""
    with contextlib.suppress(ConnectionError):
        answer = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return answer.decode("latin-1")


async def test_a_login_over_tls(tmp_path, certificates, monkeypatch, caplog):
    """Browser to gateway and gateway to arena; what comes back names the token nowhere."""
    caplog.set_level(logging.DEBUG)
    file, tokens = make_tokens(tmp_path)
    options = ArenaOptions(
        games=["byzanz"],
        admission=file,
        has_tokens=True,
        tls=tls_of(certificates),
    )
    web = WebAddress(
        parse_address("127.0.0.1:0"), certificates / "server.pem", certificates / "server.key"
    )
    async with (
        Arena(options) as arena,
        direct(arena, tmp_path / "results", lambda _played: None),
    ):
        (bound,) = await arena.listen([Address("localhost:0")])
        values = (bound.text, tokens["bot"], str(certificates / "ca.pem"), "")
        for name, value in zip(VARIABLES, values, strict=True):
            monkeypatch.setenv(name, value)
        args = argparse.Namespace(arena=None, no_play=True)
        with web.listen() as listening:
            async with _arena_app(args, web) as app:
                ready = asyncio.Event()
                serving = asyncio.create_task(serve(make_app(app), web, listening, ready.set))
                await ready.wait()
                port = listening.getsockname()[1]
                context = ssl.create_default_context(cafile=certificates / "ca.pem")
                token = tokens["admin"]
                login = json.dumps({"token": token})
                status, headers, _ = await fetch(port, context, "/api/login", login)
                assert status == 204
                cookie, *flags = (
                    headers.partition("set-cookie: ")[2].partition("\r\n")[0].split(";")
                )
                assert {flag.strip().lower() for flag in flags} >= {
                    "httponly",
                    "secure",
                    "samesite=strict",
                }
                _, more, home = await fetch(port, context, "/data/home.json", cookie=cookie)
                assert json.loads(home)["organiser"]
                assert "strict-transport-security" in more
                _, _, other = await fetch(port, context, "/data/home.json")
                assert "organiser" not in json.loads(other)
                assert (await fetch(port, context, "/api/logout", "{}", cookie))[0] == 204
                _, _, again = await fetch(port, context, "/data/home.json", cookie=cookie)
                assert "organiser" not in json.loads(again)
                assert (await fetch(port, context, "/api/login", '{"token": "no"}'))[0] == 403
                assert token not in headers + more + home + caplog.text
                assert "HTTP" not in await ask_plainly(port)
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)


async def test_a_gateway_whose_token_is_none_says_so(tmp_path, monkeypatch):
    """Its own reader, not those of its pages, is told; an arena without tokens needs none."""
    file, _ = make_tokens(tmp_path)
    address = Address(f"unix:{tmp_path / 'arena'}")
    args = argparse.Namespace(arena=address.text, no_play=True)
    web = WebAddress(parse_address("127.0.0.1:0"))
    for has_tokens in (True, False):
        options = ArenaOptions(games=["byzanz"], has_tokens=has_tokens)
        if has_tokens:
            options = ArenaOptions(games=["byzanz"], has_tokens=True, admission=file)
        async with (
            Arena(options) as arena,
            direct(arena, tmp_path / "results", lambda _played: None),
        ):
            await arena.listen([address])
            for token in ("", "wrong"):
                monkeypatch.setenv("ARENA_TOKEN", token)
                opening = _arena_app(args, web)
                if has_tokens:
                    with pytest.raises(InputError, match="asks for a token"):
                        await opening.__aenter__()
                else:
                    async with opening as app:
                        assert app.tokens is None


@pytest.mark.parametrize(
    ("headers", "client", "scheme"),
    [
        ([], "10.0.0.1", "http"),
        ([("x-forwarded-for", "6.6.6.6, 192.0.2.7")], "192.0.2.7", "http"),
        ([("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "192.0.2.8")], "192.0.2.8", "http"),
        ([("x-forwarded-proto", "https")], "10.0.0.1", "https"),
        ([("x-forwarded-for", "x" * 9999)], "x" * 100, "http"),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
async def test_a_proxy_says_who_asks(headers, client, scheme, kind):
    """What the proxy added counts, not what the client made up."""
    seen = []

    async def app(scope, _receive, _send):
        seen.append(scope)

    raw = [(name.encode(), value.encode()) for name, value in headers]
    schemes = {"http": "http", "https": "https" if kind == "http" else "wss"}
    scope = {"type": kind, "client": ("10.0.0.1", 5), "scheme": "http", "headers": raw}
    await Forwarded(app)(scope, None, None)  # type: ignore[arg-type]

    assert client_of(seen[0]) == client
    assert seen[0]["scheme"] == schemes[scheme]
