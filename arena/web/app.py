"""The web application: static pages, documents, live events and play, each at its address."""

from __future__ import annotations

import contextlib
import gzip
import html
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from arena import errors
from arena.errors import ArenaError, LostError
from arena.inert import inert
from arena.web.documents import Document, Documents, Viewer
from arena.web.live import LiveEvents
from arena.web.pages import Page, etag_of
from arena.web.safety import ClientLimits, Guard, RequestMeter

LOG = logging.getLogger("arena.web")

COOKIE = "arena-session"
_LONGEST_BODY = 4_096
_MOST_LOGINS = 1_000
_WORTH_PACKING = 1_000
_MATCH_PAGE = "match.html"

STATUS: Mapping[type[ArenaError], int] = {
    errors.UnknownDocumentError: 404,
    errors.UnknownMatchError: 404,
    errors.UnknownTournamentError: 404,
    errors.UnknownGameError: 404,
    errors.UnreleasedError: 403,
    errors.ForbiddenError: 403,
    errors.TokenError: 403,
    errors.FormatError: 400,
    errors.LimitError: 429,
    errors.LostError: 503,
    errors.StoppingError: 503,
}


class Seater(Protocol):
    """Who seats people at tables."""

    async def play(self, websocket: WebSocket, viewer: Viewer) -> None:
        """Serve one connection to its end."""
        ...


class TokenChecker(Protocol):
    """Who knows whether a token is one."""

    async def is_known(self, token: str) -> bool:
        """Return whether somebody was given this token; raises LostError if it cannot tell."""
        ...


@dataclass(frozen=True, slots=True)
class WebApp:
    """What is served."""

    documents: Documents
    pages: Mapping[str, Page]
    live: LiveEvents | None = None
    player: Seater | None = None
    tokens: TokenChecker | None = None
    hosts: Collection[str] | None = None  # None: any
    origins: Collection[str] | None = None  # of pages that may play; None: that of the request
    is_tls: bool = False
    limits: ClientLimits = field(default_factory=ClientLimits)


def make_app(web: WebApp) -> ASGIApp:
    """Return the application."""
    return Guard(
        _Site(web).application(), hosts=web.hosts, meter=RequestMeter(web.limits), is_tls=web.is_tls
    )


class _Site:
    def __init__(self, web: WebApp) -> None:
        self._web = web
        self._logins: OrderedDict[str, str] = OrderedDict()  # tokens by what stands in the cookie

    def application(self) -> Starlette:
        routes: list[BaseRoute] = [Route("/data/{address:path}", self._document, methods=["GET"])]
        if self._web.live is not None:
            routes.append(Route("/api/live", self._live, methods=["GET"]))
        if self._web.player is not None:
            routes.append(WebSocketRoute("/api/play", self._play))
        if self._web.tokens is not None:
            routes.append(Route("/api/login", self._login, methods=["POST"]))
            routes.append(Route("/api/logout", self._logout, methods=["POST"]))
        routes.append(Route("/{path:path}", self._page, methods=["GET"]))
        return Starlette(
            routes=routes,
            exception_handlers={
                ArenaError: self._explain,
                HTTPException: self._explain,
                Exception: self._confess,
            },
        )

    async def _page(self, request: Request) -> Response:
        path = request.path_params["path"]
        page = self._web.pages.get(path)
        if page is None:
            raise HTTPException(404, "there is no such page")
        ahead = self._look_ahead(request) if path == _MATCH_PAGE else {}
        if request.headers.get("if-none-match") == page.etag:
            return Response(status_code=304, headers={"etag": page.etag, **ahead})
        age = "public, max-age=31536000, immutable" if page.is_lasting else "no-cache"
        headers = {"etag": page.etag, "cache-control": age, "vary": "accept-encoding", **ahead}
        if _takes_gzip(request):
            headers["content-encoding"] = "gzip"
            return Response(page.packed, media_type=page.media_type, headers=headers)
        return Response(page.content, media_type=page.media_type, headers=headers)

    def _look_ahead(self, request: Request) -> dict[str, str]:
        """Begin with the replay that the page of a match asks for, and tell the browser of it.

        Neither need wait until the page and its modules have come.
        """
        match, name = request.query_params.get("m", ""), request.query_params.get("t", "")
        if not match or request.query_params.get("live"):
            return {}
        self._web.documents.prepare(self._viewer(request), name, match)
        place = f"data/t/{_quoted(name)}" if name else "data"
        address = f"{place}/replays/{_quoted(match)}.json.gz"
        return {"link": f"<{address}>; rel=preload; as=fetch; crossorigin"}

    async def _document(self, request: Request) -> Response:
        raw = request.scope.get("raw_path", b"").decode("ascii", "replace")
        address = raw.partition("?")[0].removeprefix("/data/")
        document = await self._web.documents.get(address, self._viewer(request))
        etag = etag_of(document.content)
        age = "private, max-age=600" if document.is_lasting else "no-cache"
        headers = {"etag": etag, "cache-control": age, "vary": "accept-encoding, cookie"}
        if document.policy:
            headers["content-security-policy"] = document.policy
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return _packed(request, document, headers)

    async def _live(self, request: Request) -> Response:
        assert self._web.live is not None
        viewer = self._viewer(request)
        with contextlib.suppress(LostError):  # then nothing is shown yet
            viewer = await self._web.documents.common(viewer)
        return self._web.live.respond(request, viewer)

    async def _play(self, websocket: WebSocket) -> None:
        assert self._web.player is not None
        if not self._is_same_origin(websocket):
            await websocket.close(1008, "this page may not play here")
            return
        await self._web.player.play(websocket, self._viewer(websocket))

    def _is_same_origin(self, websocket: WebSocket) -> bool:
        origin = websocket.headers.get("origin", "")
        if self._web.origins is not None:
            return origin in self._web.origins
        scheme = "https" if websocket.url.scheme == "wss" else "http"
        return origin == f"{scheme}://{websocket.headers.get('host', '')}"

    # Tokens: the browser keeps only the name of a login, which no script can read.

    async def _login(self, request: Request) -> Response:
        assert self._web.tokens is not None
        self._check_sender(request)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST_BODY:
                raise HTTPException(413, "the request is too long")
        try:
            value = json.loads(body)
            token = value["token"]
        except (ValueError, KeyError, TypeError, RecursionError):
            token = None
        if not isinstance(token, str) or not token.isprintable() or not token.isascii():
            raise HTTPException(400, 'send {"token": "…"} as JSON')
        if not await self._web.tokens.is_known(token):
            raise HTTPException(403, "nobody was given this token")
        login = secrets.token_urlsafe(32)
        self._logins[login] = token
        while len(self._logins) > _MOST_LOGINS:
            self._logins.popitem(last=False)
        response = Response(status_code=204)
        response.set_cookie(
            COOKIE, login, httponly=True, samesite="strict", secure=self._web.is_tls, path="/"
        )
        return response

    async def _logout(self, request: Request) -> Response:
        self._check_sender(request)
        self._logins.pop(request.cookies.get(COOKIE, ""), None)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, path="/")
        return response

    def _check_sender(self, request: Request) -> None:
        """Refuse what a page of somebody else has sent; `Origin` is on every such request."""
        site = request.headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none"):
            raise HTTPException(403, "this page may not do that")
        if not request.headers.get("content-type", "").startswith("application/json"):
            raise HTTPException(415, "send JSON")

    def _viewer(self, request: Request | WebSocket) -> Viewer:
        return Viewer(self._logins.get(request.cookies.get(COOKIE, ""), ""))

    # Errors.

    async def _explain(self, request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return _error(request, error.detail, error.status_code, error.headers)
        assert isinstance(error, ArenaError)
        status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
        return _error(request, inert(str(error)), status)

    async def _confess(self, _request: Request, _error: Exception) -> Response:
        return JSONResponse({"error": "the server failed; its log says why"}, 500)


_ERROR_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{status} · arena</title>
  <link rel="icon" href="{root}icon.svg">
  <link rel="stylesheet" href="{root}css/pages.css">
</head>
<body>
  <header class="top"><nav><a class="brand" href="{root}index.html">arena</a></nav></header>
  <main><div class="heading"><h1>This page cannot be shown</h1></div>
  <p class="notice">{text}</p><p><a href="{root}index.html">Back to the first page</a></p></main>
</body>
</html>
"""


def _error(
    request: Request, text: str, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """Return an error as a page if a person has opened the address, otherwise as a document."""
    if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": text}, status, headers)
    sentence = html.escape(text[:1].upper() + text[1:].removesuffix(".") + ".")
    root = "../" * (request.url.path.count("/") - 1) or "./"
    page = _ERROR_PAGE.format(status=status, text=sentence, root=root)
    return HTMLResponse(page, status, headers)


def _packed(request: Request, document: Document, headers: dict[str, str]) -> Response:
    content, media_type = document.content, document.media_type
    is_packed = media_type == "application/gzip"
    if _takes_gzip(request) and (is_packed or len(content) > _WORTH_PACKING):
        headers["content-encoding"] = "gzip"
        if is_packed:
            media_type = "application/json"  # the browser unpacks it
        else:
            content = gzip.compress(content, 5, mtime=0)
    return Response(content, media_type=media_type, headers=headers)


def _quoted(name: str) -> str:
    """Return a name as pages write it in addresses: a browser sees by that what is the same."""
    return quote(name, safe="!*'()")


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
