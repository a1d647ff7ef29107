"""Certificates for scenarios with TLS: of an authority, the arena and a bot."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import grpc

from clients.conformance.scenario import Tls

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
_NAMES = ("-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=CA:FALSE")


def openssl() -> str | None:
    """Return the program that makes certificates; None if it is missing."""
    return shutil.which("openssl")


def credentials(tls: Tls, directory: Path) -> grpc.ServerCredentials | None:
    """Return what the arena shows; None without TLS.

    Leaves `ca.pem`, `other-ca.pem`, `bot.pem` and `bot.key` in the directory for the bot.
    """
    if tls is Tls.NONE:
        return None
    made = certificates()
    for name in ("ca.pem", "other-ca.pem", "bot.pem", "bot.key"):
        (directory / name).write_bytes(made[name])
    return grpc.ssl_server_credentials(
        [(made["arena.key"], made["arena.pem"])],
        root_certificates=made["ca.pem"] if tls is Tls.BOTH else None,
        require_client_auth=tls is Tls.BOTH,
    )


@cache
def certificates() -> Mapping[str, bytes]:
    """Return the files by name. Made once, and not while a scenario runs: that takes its time."""
    with tempfile.TemporaryDirectory(prefix="arena-conformance-") as name:
        directory = Path(name)
        _make(directory, "other-ca")
        _make(directory, "ca")
        for owner in ("arena", "bot"):
            _make(directory, owner, *_NAMES, "-CA", "ca.pem", "-CAkey", "ca.key")
        return {path.name: path.read_bytes() for path in directory.iterdir()}


def _make(directory: Path, name: str, *more: str) -> None:
    """Make a certificate and its key; without an authority one that vouches for itself."""
    files = ("-keyout", f"{name}.key", "-out", f"{name}.pem")
    subprocess.run(
        ["openssl", "req", "-x509", *_NEW_KEY, "-subj", f"/CN={name}", *more, *files],
        cwd=directory,
        check=True,
        capture_output=True,
        timeout=30,
    )
