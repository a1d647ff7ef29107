"""Certificates for tests of TLS."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.requirements import skip_lacking


def _openssl(directory: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with an authority (ca), a server and a bot certified by it, and a stranger."""
    if shutil.which("openssl") is None:
        skip_lacking("the openssl command is not installed: TLS is not tested")
    directory = tmp_path_factory.mktemp("tls")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for name in ("ca", "stranger"):
        files = ["-keyout", f"{name}.key", "-out", f"{name}.pem"]
        _openssl(directory, "req", "-x509", *curve, *files, "-subj", f"/CN={name}")
    (directory / "names").write_text("subjectAltName=DNS:localhost\n")
    for name in ("server", "bot"):
        subject = ["-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=localhost"]
        _openssl(directory, "req", *curve[:-2], *subject)
        signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"]
        files = ["-in", f"{name}.csr", "-out", f"{name}.pem", "-extfile", "names"]
        _openssl(directory, "x509", "-req", *files, *signer)
    return directory
