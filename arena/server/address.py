"""Where an arena listens, and what it needs to listen there."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import InputError

if TYPE_CHECKING:
    import grpc  # a tenth of a tournament's start, and not every one needs it

_UNIX_LENGTH = 107  # what the system takes


@dataclass(frozen=True, slots=True)
class Address:
    """`unix:PATH` or HOST:PORT."""

    text: str

    @property
    def is_unix(self) -> bool:
        """Whether it is a path in the file system."""
        return self.text.startswith("unix:")

    @property
    def is_local(self) -> bool:
        """Whether nobody beyond this machine can reach it."""
        if self.is_unix:
            return True
        if self.host == "localhost":
            return True
        ip = self._ip
        return ip is not None and ip.is_loopback

    @property
    def is_wildcard(self) -> bool:
        """Whether it is every address of this machine; nobody can dial it as it is written."""
        ip = None if self.is_unix else self._ip
        return ip is not None and ip.is_unspecified

    @property
    def dialled_here(self) -> str:
        """What a program of this machine dials."""
        if not self.is_wildcard:
            return self.text
        loopback = "[::1]" if ":" in self.host else "127.0.0.1"
        return f"{loopback}:{self.port}"

    @property
    def port(self) -> str:
        """What stands behind the last colon; not of a path."""
        return self.text.rpartition(":")[2]

    @property
    def host(self) -> str:
        """What stands before it, without brackets."""
        return self.text.rpartition(":")[0].strip("[]")

    @property
    def path(self) -> Path:
        """Where the socket of a unix address is."""
        return Path(self.text.removeprefix("unix:"))

    def at_port(self, port: int) -> Address:
        """Return the same host with another port."""
        return Address(f"{self.text.rpartition(':')[0]}:{port}")

    @property
    def _ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


def parse_address(text: str) -> Address:
    """Return an address as a person writes it; raises InputError."""
    if text.startswith("unix:"):
        path = text[5:]
        if not path or "\0" in path:
            raise InputError(f"--listen {text!r}: unix: needs a path")
        if len(path.encode()) > _UNIX_LENGTH:
            raise InputError(f"--listen: a socket's path may have {_UNIX_LENGTH} bytes, not more")
        return Address(f"unix:{Path(path).absolute()}")
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise InputError(f"--listen {text!r} must be HOST:PORT or unix:PATH")
    return Address(f"{host}:{int(port)}")


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificate and key of the arena, and the authority of the bots' certificates if any."""

    cert: bytes
    key: bytes
    client_ca: bytes | None = None

    def credentials(self) -> grpc.ServerCredentials:
        """Return what a gRPC server is to be given."""
        import grpc  # noqa: PLC0415 - likewise

        return grpc.ssl_server_credentials(
            [(self.key, self.cert)],
            root_certificates=self.client_ca,
            require_client_auth=self.client_ca is not None,
        )


def check_exposure(address: Address, tls: Tls | None, has_tokens: bool) -> None:
    """Raise InputError unless it is safe to listen there."""
    if address.is_local or (tls is not None and has_tokens):
        return
    missing = []
    if tls is None:
        missing.append("TLS (--tls-cert FILE --tls-key FILE)")
    if not has_tokens:
        missing.append("tokens (arena token add NAME --tokens FILE, then --tokens FILE)")
    raise InputError(
        f"--listen {address.text} can be reached from other machines and needs "
        f"{' and '.join(missing)}; for this machine alone use 127.0.0.1 or unix:PATH"
    )
