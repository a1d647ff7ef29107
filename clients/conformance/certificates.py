"""Certificates for scenarios with TLS, made anew for each: of an authority, the arena and a bot."""

from __future__ import annotations

import shutil
import subprocess
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
    _make(directory, "other-ca")
    _make(directory, "ca")
    for name in ("arena", "bot"):
        _make(directory, name, *_NAMES, "-CA", "ca.pem", "-CAkey", "ca.key")
    return grpc.ssl_server_credentials(
        [((directory / "arena.key").read_bytes(), (directory / "arena.pem").read_bytes())],
        root_certificates=(directory / "ca.pem").read_bytes() if tls is Tls.BOTH else None,
        require_client_auth=tls is Tls.BOTH,
    )


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
