"""The arena as a whole: lobby, hall and services on a gRPC server.

Each bot that the arena starts has a small server of its own beside it, on a private socket: gRPC
does not tell by which socket of a server a call has come.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from arena.errors import InputError
from arena.referee.clock import LoopClock
from arena.referee.faults import Fault
from arena.server.address import Address, Tls, check_exposure
from arena.server.auth import Admission, AdmitAll, TokenFile
from arena.server.callers import Callers
from arena.server.descriptors import connections_of, raise_limit
from arena.server.gallery import Gallery
from arena.server.hall import Hall
from arena.server.limits import SessionLimits
from arena.server.lobby import Lobby
from arena.server.metrics import Metrics
from arena.server.play_service import PlayService
from arena.server.rpc import Guarded
from arena.server.watch_service import WatchService
from arena.v1 import play_pb2
from arena.v1.watch_pb2_grpc import add_WatchServiceServicer_to_server

LOG = logging.getLogger("arena.server")

_PARTING_S = 2.0
_RECHECK_S = 1.0
_PRIVATE_CONNECTIONS = 16  # a bot needs one, and must not take what others need


@dataclass(frozen=True, slots=True)
class ArenaOptions:
    """How an arena is run."""

    games: Sequence[str]
    admission: Admission = field(default_factory=AdmitAll)
    has_tokens: bool = False
    limits: SessionLimits = field(default_factory=SessionLimits)
    tls: Tls | None = None
    reflection: bool = False
    metrics: Metrics | None = None
    has_spectators: bool = True  # False: nobody may watch, not even a bot's own process
    listeners: int = 1  # addresses that share the connections there can be


class Arena:
    """Lets bots in, plays their matches, shows them to spectators. An async context manager."""

    def __init__(self, options: ArenaOptions) -> None:
        """Prepare; `listen` opens it. Needs a running loop."""
        self.options = options
        self.clock = LoopClock(now=time.monotonic)
        self.metrics = options.metrics
        self.lobby = Lobby(
            options.admission, options.games, options.limits, self.clock, options.metrics
        )
        self.hall = Hall(self.clock, options.metrics)
        self._health = health.aio.HealthServicer()
        connections = connections_of(raise_limit(), options.listeners)
        self._server = grpc.aio.server(options=_server_options(options.limits, connections))
        self._services = [PlayService.name]
        self._playing = PlayService(self.lobby, self.clock)
        self._server.add_generic_rpc_handlers((self._playing.handler(),))
        if options.has_spectators:
            tokens = options.admission if isinstance(options.admission, TokenFile) else None
            watching = WatchService(self.hall, Callers(tokens), options.limits.write_timeout_s)
            self.install(add_WatchServiceServicer_to_server, watching)
        self._add_health(self._server)
        self._private: dict[Address, grpc.aio.Server] = {}
        self._sockets: list[Path] = []
        self._rechecking: asyncio.TimerHandle | None = None
        self._starting: set[asyncio.Future[None]] = set()
        self._stopping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.stop(0.0)

    def install(self, add: Callable[[Any, Any], None], servicer: object) -> None:
        """Offer a further service, which generated code adds; before `listen`."""
        add(servicer, Guarded(self._server, self._services))

    async def listen(self, addresses: Sequence[Address]) -> list[Address]:
        """Open for bots; return the addresses with the ports that were chosen for port 0.

        Raises InputError for an address that is unsafe or cannot be used.
        """
        options = self.options
        bound = []
        for address in addresses:
            check_exposure(address, options.tls, options.has_tokens)
            bound.append(self._bind(address))
        if options.reflection:
            from grpc_reflection.v1alpha import reflection  # noqa: PLC0415 - seldom needed

            names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)
        self.clock.start()
        if options.has_tokens:
            self._recheck()
        await self._start(self._server)
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)
        return bound

    async def open_private(self, address: Address) -> None:
        """Listen on a unix socket for one bot, whose ticket counts only there.

        Nothing but play and health is offered there. Raises InputError if it cannot be used.
        """
        server = self._make_private()
        server.add_generic_rpc_handlers((self._playing.handler(address.text),))
        await self._open_private(server, address)

    async def open_gallery(self, gallery: Gallery) -> None:
        """Listen on a unix socket for those who watch; nobody can play there.

        Raises InputError if it cannot be used.
        """
        server = self._make_private()
        watching = WatchService(self.hall, gallery.callers, self.options.limits.write_timeout_s)
        guarded: Any = Guarded(server, [])
        add_WatchServiceServicer_to_server(watching, guarded)
        _clear_socket(gallery.address)  # whoever was here before may have been killed
        await self._open_private(server, gallery.address)

    def _make_private(self) -> grpc.aio.Server:
        return grpc.aio.server(options=_server_options(self.options.limits, _PRIVATE_CONNECTIONS))

    async def _open_private(self, server: grpc.aio.Server, address: Address) -> None:
        self._add_health(server)
        try:
            server.add_insecure_port(address.text)
        except RuntimeError as error:
            raise InputError(f"cannot listen on {address.text}: {_reason(error)}") from None
        self._private[address] = server
        await self._start(server)

    async def close_private(self, address: Address) -> None:
        """Listen there no more; what is still connected is cut off. Idempotent."""
        server = self._private.pop(address, None)
        if server is not None:
            await server.stop(0.0)

    async def _start(self, server: grpc.aio.Server) -> None:
        # In a task of its own: a start that is cut short leaves a server that cannot be stopped.
        starting = asyncio.ensure_future(server.start())
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        await asyncio.shield(starting)

    def _add_health(self, server: grpc.aio.Server) -> None:
        guarded: Any = Guarded(server, [])
        health_pb2_grpc.add_HealthServicer_to_server(self._health, guarded)

    def _recheck(self) -> None:
        """Look at the tokens again, now and every second."""
        self.lobby.recheck()
        loop = asyncio.get_running_loop()
        self._rechecking = loop.call_later(_RECHECK_S, self._recheck)

    def _bind(self, address: Address) -> Address:
        if address.is_unix:
            self._sockets.append(_clear_socket(address))
        else:
            _check_free(address)
        try:
            if self.options.tls is None or address.is_unix:
                port = self._server.add_insecure_port(address.text)
            else:
                credentials = self.options.tls.credentials()
                port = self._server.add_secure_port(address.text, credentials)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"cannot listen on {address.text}: {_reason(error)}") from None
        if address.is_unix:
            return address
        return address.at_port(port)

    async def stop(self, grace_s: float, reason: str = "") -> None:
        """Stop: running matches have the grace to finish, then are void; bots are told.

        Called again, it waits for the end of the first call, but for matches only its own grace.
        """
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop(grace_s, reason))
        else:
            await self.hall.drain(grace_s)
        # In a task of its own: whoever gives up waiting does not leave the arena half open.
        await asyncio.shield(self._stopping)

    async def _stop(self, grace_s: float, reason: str) -> None:
        self.lobby.is_stopping = True
        await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        await self.hall.drain(grace_s)
        kind = play_pb2.Goodbye.REASON_STOPPING if reason else play_pb2.Goodbye.REASON_FINISHED
        text = reason or "there is nothing more to play"
        for session in self.lobby.sessions():
            session.part(play_pb2.Goodbye(reason=kind, message=text))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PARTING_S):
                while any(session.is_present for session in self.lobby.sessions()):
                    await self.lobby.change()
        for session in self.lobby.sessions():
            session.end(Fault.DISCONNECT, "the arena has stopped")
        if self._starting:
            await asyncio.wait(self._starting)
        servers = (self._server, *self._private.values())
        await asyncio.gather(*(server.stop(0.5) for server in servers))
        self.clock.stop()
        if self._rechecking is not None:
            self._rechecking.cancel()
        for path in self._sockets:
            path.unlink(missing_ok=True)

    async def _set_health(self, status: Any) -> None:
        for service in ("", *self._services):
            await self._health.set(service, status)


def _server_options(limits: SessionLimits, connections: int) -> list[tuple[str, int]]:
    """Return the channel arguments that keep silent, stopped and greedy clients in bounds."""
    return [
        # Up to here a message that is too large is ours to refuse; beyond, gRPC cuts the stream.
        ("grpc.max_receive_message_length", 4 * limits.max_message_bytes),
        ("grpc.max_metadata_size", 8 * 1024),
        ("grpc.max_concurrent_streams", limits.max_streams),
        ("grpc.max_allowed_incoming_connections", connections),  # of each address
        ("grpc.max_connection_idle_ms", int(1_000 * limits.idle_timeout_s)),
        # A stopped process is noticed only with all three (the last one alone is not documented).
        ("grpc.keepalive_time_ms", 2_000),
        ("grpc.keepalive_timeout_ms", 1_500),
        ("grpc.http2.ping_timeout_ms", 1_500),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
        ("grpc.server_handshake_timeout_ms", 5_000),
        # We take in one stream a turn of the loop. Where turns are long, gRPC would end those that
        # have waited for 30 s as CANCELLED, without a reason.
        ("grpc.server_max_unrequested_time_in_server", 3_600),
        # What a client does not read must not pile up here.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", 64 * 1024),
        ("grpc.so_reuseport", 0),  # a second arena on the same port is an error, not a lottery
    ]


def _clear_socket(address: Address) -> Path:
    """Return the path of a unix socket after removing one that nobody listens on any more."""
    path = address.path
    if path.is_socket():
        if _is_alive(path):
            raise InputError(f"cannot listen on {address.text}: the address is in use")
        path.unlink()
    elif path.exists():
        raise InputError(f"cannot listen on {address.text}: the file exists and is no socket")
    elif not path.parent.is_dir():
        raise InputError(f"cannot listen on {address.text}: there is no such directory")
    return path


def _check_free(address: Address) -> None:
    """Raise InputError if nobody could listen there: gRPC says so only in a log of its own."""
    try:
        found = socket.getaddrinfo(address.host, int(address.port), type=socket.SOCK_STREAM)
        family, kind, protocol, _, place = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "no such host"
        raise InputError(f"cannot listen on {address.text}: {reason}") from None


def _is_alive(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:  # too busy to answer, or not ours to ask
            return True
    return True


def _reason(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else "the address cannot be used"
