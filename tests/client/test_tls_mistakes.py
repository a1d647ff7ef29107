from __future__ import annotations

import socket
from pathlib import Path

import pytest

from arena.client.channel import Destination
from arena.client.tls_mistakes import describe_failure, find_tls_mistake
from arena.errors import InputError
from arena.server.address import Address, Tls
from arena.server.app import Arena, ArenaOptions

UNSET = "unset ARENA_TLS, ARENA_CA_FILE, ARENA_CERT_FILE and ARENA_KEY_FILE"
ENCRYPTED, MUTUAL, PLAIN = "encrypted", "mutual", "plain"


def make_tls(directory: Path, kind: str) -> Tls | None:
    if kind == PLAIN:
        return None
    cert, key = ((directory / f"server.{name}").read_bytes() for name in ("pem", "key"))
    return Tls(cert, key, (directory / "ca.pem").read_bytes() if kind == MUTUAL else None)


@pytest.mark.parametrize(
    ("kind", "host", "files", "mistake"),
    [
        (ENCRYPTED, "localhost", {}, "it uses TLS: set ARENA_CA_FILE to the file with the"),
        (MUTUAL, "localhost", {}, "it uses TLS: set ARENA_CA_FILE to the file with the"),
        (PLAIN, "localhost", {"ca": "ca.pem"}, f"it does not use TLS: {UNSET}"),
        (
            ENCRYPTED,
            "localhost",
            {"ca": "stranger.pem"},
            "its certificate is not signed by an authority in DIR/stranger.pem (ARENA_CA_FILE)",
        ),
        (
            ENCRYPTED,
            "localhost",
            {"tls": "1"},
            "its certificate is not signed by an authority that this system knows: set ARENA_CA_F",
        ),
        (
            ENCRYPTED,
            "127.0.0.1",
            {"ca": "ca.pem"},
            "its certificate is for localhost, not for 127.0.0.1: dial a name that is in it",
        ),
        (MUTUAL, "localhost", {"ca": "ca.pem"}, "it asks for a client certificate: set ARENA_CE"),
        (
            MUTUAL,
            "localhost",
            {"ca": "ca.pem", "cert": "stranger.pem", "key": "stranger.key"},
            "it does not accept the certificate DIR/stranger.pem (ARENA_CERT_FILE)",
        ),
        (
            ENCRYPTED,
            "localhost",
            {"ca": "ca.pem", "cert": "bot.pem", "key": "ca.key"},
            "DIR/bot.pem (ARENA_CERT_FILE) and DIR/ca.key (ARENA_KEY_FILE) do not belong together",
        ),
        (
            ENCRYPTED,
            "localhost",
            {"ca": "empty.pem"},
            "DIR/empty.pem (ARENA_CA_FILE) holds no certificate that can be read",
        ),
        (PLAIN, "localhost", {}, ""),
        (ENCRYPTED, "localhost", {"ca": "ca.pem"}, ""),
        (MUTUAL, "localhost", {"ca": "ca.pem", "cert": "bot.pem", "key": "bot.key"}, ""),
    ],
)
async def test_mistakes(certificates, kind, host, files, mistake):
    """What does not fit is said, with the variable to set; what fits is not blamed."""
    (certificates / "empty.pem").write_text("-----BEGIN CERTIFICATE-----\n")
    options = ArenaOptions(["byzanz"], has_tokens=True, tls=make_tls(certificates, kind))
    paths = {name: str(certificates / file) for name, file in files.items() if name != "tls"}
    async with Arena(options) as arena:
        (bound,) = await arena.listen([Address(f"{host}:0")])
        destination = Destination(
            bound.text,
            is_tls="tls" in files or "cert" in files,
            ca_file=paths.get("ca"),
            cert_file=paths.get("cert"),
            key_file=paths.get("key"),
        )
        found = (await find_tls_mistake(destination)).replace(str(certificates), "DIR")
    told = f"cannot talk to the arena at {bound.text}: {mistake}" if mistake else ""
    assert found.startswith(told)
    assert bool(found) == bool(mistake)


async def test_a_socket_in_the_file_system():
    """A unix socket has no TLS, and whoever asks for it is told."""
    assert await find_tls_mistake(Destination("unix:/s")) == ""
    found = await find_tls_mistake(Destination("unix:/s", is_tls=True))
    assert found == f"cannot talk to the arena at unix:/s: a unix socket is not encrypted: {UNSET}"


@pytest.mark.parametrize("host", ["127.0.0.1", "nosuch.invalid", "a..b"])
@pytest.mark.parametrize("is_tls", [True, False])
async def test_nobody_there(host, is_tls):
    """Where nobody answers, TLS is not blamed."""
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"{host}:{taken.getsockname()[1]}"
        told = await describe_failure(Destination(address, is_tls=is_tls), "why")
    assert told == f"no arena at {address}: why (is it running there?)"


@pytest.mark.parametrize(
    ("name", "what"),
    [("ca_file", "certificate"), ("cert_file", "certificate"), ("key_file", "private key")],
)
def test_files_of_another_kind(tmp_path, name, what):
    """A file that can be no certificate or key is refused before anything is dialled."""
    path = tmp_path / "file"
    path.write_text("something else")
    destination = Destination("localhost:1", is_tls=True, **{name: str(path)})
    with pytest.raises(InputError, match=f"{path}: not a {what} in PEM form"):
        destination.dial()
