"""The static files of the pages: what is in the package, and the drawings of games."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable

from arena.games.registry import get_game
from arena.web.drawings import STATIC, drawing_of

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
}
_HOME = "index.html"
_PART = re.compile(rb'((?:href|src)=")((?:css|js|drawings)/)')


@dataclass(frozen=True, slots=True)
class Page:
    """A static file as it is sent."""

    content: bytes
    packed: bytes
    media_type: str
    etag: str
    is_lasting: bool = False  # never changes


def load_pages(games: Iterable[str]) -> dict[str, Page]:
    """Return the static files by their addresses; the home page also at the root.

    They are few and small, and are all read at once: no address is ever looked for in the file
    system. Pages load their parts from addresses that name the content of all parts, so that
    browsers need not ask for them again.
    """
    files = {path: file.read_bytes() for path, file in static_files(games)}
    digest = hashlib.sha256(b"".join(f"{p} {etag_of(c)}\n".encode() for p, c in files.items()))
    version = digest.hexdigest()[:16]
    pages: dict[str, Page] = {}
    for path, content in files.items():
        if path.endswith(".html"):
            pages[path] = make_page(path, _PART.sub(rb"\g<1>%s/\2" % version.encode(), content))
        else:
            pages[path] = make_page(path, content)
            pages[f"{version}/{path}"] = replace(pages[path], is_lasting=True)
    if _HOME in pages:
        pages[""] = pages[_HOME]
    return pages


def static_files(games: Iterable[str]) -> Iterator[tuple[str, Traversable]]:
    """Yield the static files by their addresses, drawings of plug-in games among them."""
    found = dict(_walk(STATIC, "")) if STATIC.is_dir() else {}
    for name in games:
        drawing = drawing_of(get_game(name))
        if drawing is not None:
            found[f"drawings/{name}.js"] = drawing
    yield from sorted(found.items())


def make_page(path: str, content: bytes) -> Page:
    """Return a static file."""
    ending = "." + path.rpartition(".")[2]
    return Page(
        content=content,
        packed=gzip.compress(content, 9, mtime=0),
        media_type=MEDIA_TYPES.get(ending, "application/octet-stream"),
        etag=etag_of(content),
    )


def etag_of(content: bytes) -> str:
    """Return what names this very content."""
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def _walk(place: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in place.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif "." + entry.name.rpartition(".")[2] in MEDIA_TYPES:
            yield prefix + entry.name, entry
