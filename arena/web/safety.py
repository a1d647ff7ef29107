"""What stands before every request: headers, known hosts, and limits on how often one may ask."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
_TOO_MANY = 429
_MISDIRECTED = 421


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """How much one client, told by its address, may ask of a gateway, and all of them together."""

    requests_per_s: float = 50.0
    burst: int = 400
    streams: int = 1_000  # live streams at once
    streams_per_client: int = 400  # many may sit behind one address
    tables: int = 64  # people who play at once
    tables_per_client: int = 16
    clients: int = 10_000  # addresses that are remembered


class RequestMeter:
    """Counts the requests of clients: each has a bucket that fills up with time."""

    def __init__(self, limits: ClientLimits, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with full buckets."""
        self._limits = limits
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admits(self, client: str) -> bool:
        """Return whether the client may ask once more now."""
        now, most = self._now(), float(self._limits.burst)
        left, since = self._buckets.pop(client, (most, now))
        left = min(most, left + (now - since) * self._limits.requests_per_s)
        is_admitted = left >= 1
        self._buckets[client] = (left - is_admitted, now)
        if len(self._buckets) > self._limits.clients:
            self._buckets.popitem(last=False)
        return is_admitted


class Guard:
    """Lets through what was asked under a known host name and not too often; adds the headers.

    An unknown name means that a page of somebody else has had its own name point here.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Collection[str] | None, meter: RequestMeter, is_tls: bool
    ) -> None:
        """Guard the app; `hosts` None: a proxy in front knows the names."""
        self._app = app
        self._hosts = hosts
        self._meter = meter
        self._headers = dict(HEADERS)
        if is_tls:
            self._headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        host = Headers(scope=scope).get("host", "")
        if self._hosts is not None and host_name(host) not in self._hosts:
            text = "this server is not known under that host name: use the address it has printed"
            await self._refuse(_MISDIRECTED, text, scope, receive, send_with_headers)
        elif not self._meter.admits(client_of(scope)):
            text = "too many requests: wait a moment"
            await self._refuse(_TOO_MANY, text, scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    async def _refuse(
        self, status: int, text: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": text})
            return
        await JSONResponse({"error": text}, status)(scope, receive, send)


class Forwarded:
    """Takes client and scheme from the headers of the proxy in front.

    What a proxy adds to X-Forwarded-For stands last; what stands before it anybody can write.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Pass requests on to the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            if forwarded := headers.getlist("x-forwarded-for"):
                scope["client"] = (forwarded[-1].rpartition(",")[2].strip()[:100], 0)
            if headers.getlist("x-forwarded-proto")[-1:] == ["https"]:
                scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        await self._app(scope, receive, send)


def client_of(scope: Scope) -> str:
    """Return whom a request comes from: the address, of an IPv6 one its network."""
    client = scope.get("client")
    if not client:
        return ""
    try:
        address = ipaddress.ip_address(client[0])
    except ValueError:
        return str(client[0])
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    return name.strip("[]").lower()
