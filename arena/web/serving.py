"""Listening for browsers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from arena.errors import InputError
from arena.server.address import Address
from arena.web.safety import Forwarded

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_MOST_CONNECTIONS = 4_000
_LONGEST_HEAD = 16 * 1024
_LONGEST_FRAME = 16 * 1024
_GRACE_S = 3
_TURN_S = 0.0005


@dataclass(frozen=True, slots=True)
class WebAddress:
    """Where browsers are listened for, and how."""

    address: Address
    cert_file: Path | None = None
    key_file: Path | None = None
    is_behind_proxy: bool = False

    def __post_init__(self) -> None:
        """Raise InputError unless it is safe to listen there."""
        if (self.cert_file is None) != (self.key_file is None):
            raise InputError("--web-cert and --web-key need each other: give both")
        if not self.address.is_local and not self.is_tls and not self.is_behind_proxy:
            raise InputError(
                f"--web {self.address.text} can be reached from other machines and needs TLS "
                "(--web-cert FILE --web-key FILE), or --behind-proxy if a proxy in front has it; "
                "for this machine alone use 127.0.0.1"
            )

    @property
    def is_tls(self) -> bool:
        """Whether connections are encrypted here."""
        return self.cert_file is not None

    @property
    def hosts(self) -> frozenset[str] | None:
        """The names under which it may be asked for pages; None: any."""
        if not self.address.is_local or self.is_behind_proxy or self.address.is_unix:
            return None
        return frozenset((*_LOOPBACK_NAMES, self.address.host.lower()))

    def listen(self) -> socket.socket:
        """Return a listening socket; raises InputError if that is not possible."""
        try:
            if self.address.is_unix:
                return _listen_at(self.address.path)
            family = socket.AF_INET6 if ":" in self.address.host else socket.AF_INET
            place = (self.address.host, int(self.address.port))
            return socket.create_server(place, family=family, backlog=1024)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"--web {self.address.text}: cannot listen there: {reason}") from None


def address_of(web: WebAddress, listening: socket.socket) -> str:
    """Return the address that a browser of this machine opens."""
    if web.address.is_unix:
        return web.address.text
    scheme = "https" if web.is_tls else "http"
    bound = web.address.at_port(listening.getsockname()[1])
    return f"{scheme}://{bound.dialled_here}/"


async def serve(
    app: ASGIApp, web: WebAddress, listening: socket.socket, on_ready: Callable[[], None]
) -> None:
    """Serve browsers until cancelled."""
    config = uvicorn.Config(
        Forwarded(app) if web.is_behind_proxy else app,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,  # `Forwarded` reads them
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
        http="h11",
        ws="websockets-sansio",
        ws_max_size=_LONGEST_FRAME,
        ws_per_message_deflate=False,
        ssl_certfile=web.cert_file,
        ssl_keyfile=web.key_file,
    )
    # While a document is made on a thread, a small answer waits for its turn, by default 5 ms, and
    # a page has twenty parts.
    sys.setswitchinterval(_TURN_S)
    try:
        config.load()
    except OSError as error:
        raise InputError(f"--web-cert, --web-key: cannot be used: {error}") from None
    server = _Server(config, on_ready)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await asyncio.wait({serving}, timeout=2 * _GRACE_S)


class _Server(uvicorn.Server):
    """A server that leaves signals to the command, and says when it listens."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen_at(path: Path) -> socket.socket:
    with contextlib.suppress(FileNotFoundError):
        if path.is_socket():
            path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen(1024)
    return listening
