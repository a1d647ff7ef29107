from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import grpc
import pytest
from fake_arena import FakeArena, Link
from sdk_bots import First

from arena_client import Settings, Unreachable
from arena_client.channel import OPTIONS
from arena_client.lasting_session import SessionState
from arena_client.session import Session

OPENSSL = shutil.which("openssl")


async def short(link: Link) -> None:
    await link.welcome()
    await link.goodbye()


def certify(directory: Path, name: str) -> tuple[Path, Path]:
    """Make a certificate that vouches for itself; return it and its key."""
    assert OPENSSL is not None
    certificate, key = directory / f"{name}.pem", directory / f"{name}.key"
    command = [OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", f"/CN={name}"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
    return certificate, key


async def play_over_tls(
    credentials: grpc.ServerCredentials, **settings: str | float
) -> SessionState:
    """Play one empty session over TLS; return how it stands afterwards."""
    async with FakeArena("localhost:0", short, credentials=credentials) as arena:
        chosen = Settings(address=arena.address, tls=True, **settings)  # type: ignore[arg-type]
        session = Session(First, chosen, lambda _: None)
        await session.play()
    return session.state


@pytest.mark.skipif(OPENSSL is None, reason="needs openssl")
class TestTls:
    async def test_the_authority_is_trusted(self, tmp_path):
        """With the authority of the arena a session is played over TLS."""
        certificate, key = certify(tmp_path, "arena")
        server = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
        assert await play_over_tls(server, ca_file=str(certificate)) is SessionState.ENDED

    async def test_a_client_certificate_is_shown(self, tmp_path):
        """An arena that asks for a client certificate gets it, and without one nobody gets in."""
        (certificate, key), (own, own_key) = certify(tmp_path, "arena"), certify(tmp_path, "bot")
        server = grpc.ssl_server_credentials(
            [(key.read_bytes(), certificate.read_bytes())],
            root_certificates=own.read_bytes(),
            require_client_auth=True,
        )
        ca_file = str(certificate)
        await play_over_tls(server, ca_file=ca_file, cert_file=str(own), key_file=str(own_key))
        with pytest.raises(Unreachable):
            await play_over_tls(server, ca_file=ca_file, connect_timeout_s=0.2)

    async def test_another_authority_is_not_trusted(self, tmp_path):
        """An arena whose certificate is from somebody else is not talked to."""
        certificate, key = certify(tmp_path, "arena")
        other, _ = certify(tmp_path, "other")
        server = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
        with pytest.raises(Unreachable, match="no arena answers at localhost:"):
            await play_over_tls(server, ca_file=str(other), connect_timeout_s=0.2)


def test_a_dead_arena_is_noticed():
    """The channel pings, also while nothing is said."""
    options = dict(OPTIONS)
    assert options["grpc.keepalive_time_ms"] == 10_000
    assert options["grpc.keepalive_timeout_ms"] == 5_000
    assert options["grpc.keepalive_permit_without_calls"] == 1
