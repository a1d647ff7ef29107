"""The gRPC channel to an arena: address, TLS, and how a dead arena is noticed."""

from __future__ import annotations

import grpc
import grpc.aio

from arena_client.errors import UsageError
from arena_client.settings import Settings

OPTIONS: tuple[tuple[str, int], ...] = (
    # Without these a dead host is noticed after many minutes, a stopped one never.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Each attempt dials at once: the pauses between them are the session's business.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.enable_retries", 0),
    # A batch has no upper size; the arena is trusted not to send nonsense.
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
)
LOOPBACK = ("unix:", "localhost:", "127.", "[::1]:")


def open_channel(settings: Settings) -> grpc.aio.Channel:
    """Return a new channel; it dials when it is first used.

    Raises:
        UsageError: a certificate cannot be read.
    """
    options = list(OPTIONS)
    if settings.address.startswith(LOOPBACK):
        options.append(("grpc.enable_http_proxy", 0))  # a proxy would look on its own machine
    if not settings.tls:
        return grpc.aio.insecure_channel(settings.address, options=options)
    try:
        credentials = grpc.ssl_channel_credentials(
            root_certificates=_content(settings.ca_file),
            private_key=_content(settings.key_file),
            certificate_chain=_content(settings.cert_file),
        )
    except OSError as error:
        raise UsageError(f"cannot read a certificate: {error}") from error
    return grpc.aio.secure_channel(settings.address, credentials, options=options)


def _content(path: str) -> bytes | None:
    if not path:
        return None
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes long to load
        return file.read()
