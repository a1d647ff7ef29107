"""Dialling an arena, as the environment or a person says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import grpc
import grpc.aio

from arena.errors import InputError

_OPTIONS = [
    # Without these a dead host is noticed after many minutes, a stopped one never.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", -1),  # a batch has no upper size, and results are large
    ("grpc.use_local_subchannel_pool", 1),  # a new channel after a loss must really dial anew
]
_NO_PROXY = ("grpc.enable_http_proxy", 0)  # a proxy would look on its own machine
_LOOPBACK = ("unix:", "localhost:", "127.", "[::1]:")

_ADDRESS = re.compile(r"unix:.+|(\[[0-9A-Fa-f:.%\w]+\]|[^\s:/\[\]]+):[0-9]{1,5}", re.DOTALL)
_HIGHEST_PORT = 65_535


_NO = ("", "0", "false", "no")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where to dial and how to prove who we are."""

    address: str
    token: str = ""
    is_tls: bool = False
    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What proves it in calls other than a bot's hello."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    @property
    def uses_tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.is_tls or bool(self.ca_file)

    def dial(self) -> grpc.aio.Channel:
        """Return a new channel; raises InputError for files that are not what they should be."""
        is_near = self.address.startswith(_LOOPBACK)
        options = [*_OPTIONS, _NO_PROXY] if is_near else _OPTIONS
        if not self.uses_tls:
            return grpc.aio.insecure_channel(self.address, options=options)
        credentials = grpc.ssl_channel_credentials(
            root_certificates=_read_pem(self.ca_file, "CERTIFICATE"),
            private_key=_read_pem(self.key_file, "PRIVATE KEY"),
            certificate_chain=_read_pem(self.cert_file, "CERTIFICATE"),
        )
        return grpc.aio.secure_channel(self.address, credentials, options=options)


def destination_from(values: Mapping[str, str], address: str | None = None) -> Destination:
    """Return the destination that the variables of an environment name.

    They are ARENA_ADDRESS, for which an address may be given, ARENA_TOKEN and those of TLS.
    """
    address = address or values.get("ARENA_ADDRESS", "")
    if not address:
        raise InputError("no address: set ARENA_ADDRESS or give --server HOST:PORT or unix:PATH")
    if not _ADDRESS.fullmatch(address) or _port(address) > _HIGHEST_PORT:
        raise InputError(f"the address {address!r} must be HOST:PORT or unix:PATH")
    if bool(values.get("ARENA_CERT_FILE")) != bool(values.get("ARENA_KEY_FILE")):
        raise InputError("a client certificate needs both ARENA_CERT_FILE and ARENA_KEY_FILE")
    return Destination(
        address=address,
        token=values.get("ARENA_TOKEN", ""),
        is_tls=values.get("ARENA_TLS", "").lower() not in _NO
        or bool(values.get("ARENA_CERT_FILE")),
        ca_file=values.get("ARENA_CA_FILE") or None,
        cert_file=values.get("ARENA_CERT_FILE") or None,
        key_file=values.get("ARENA_KEY_FILE") or None,
    )


def _port(address: str) -> int:
    return 0 if address.startswith("unix:") else int(address.rpartition(":")[2])


def _read_pem(path: str | None, what: str) -> bytes | None:
    if path is None:
        return None
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes long to load
            content = file.read()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if b"-----BEGIN" not in content or what.encode() not in content:
        raise InputError(f"{path}: not a {what.lower()} in PEM form")
    return content
