"""A replay as one HTML file that needs no server: page, modules, styles, drawing and document.

A page from the file system may load no modules. So each module is embedded, and an import map says
where it is; imports of each other (`./viewer.js`) are written as names that the map knows.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re

from arena.errors import ReplayError
from arena.games.registry import game_names
from arena.referee.follow import FollowedReplay
from arena.web.documents import ReplayFile
from arena.web.pages import static_files
from arena.web.replay import pack_document, replay_document

PAGE = "match.html"

_IMPORT = re.compile(r"""((?:\bfrom|\bimport)\s*\(?\s*)(["'])(\.{1,2}/[^"']+)\2""")
_TYPES = re.compile(r"/\*\*.*?\*/", re.DOTALL)  # name modules too, but load none
_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="([^"]+)"[^>]*>\s*</script>')
_STYLE = re.compile(r'<link\b[^>]*\brel="stylesheet"[^>]*\bhref="([^"]+)"[^>]*>')
_OTHER_LINK = re.compile(r'<link\b(?![^>]*\brel="stylesheet")[^>]*>')
_CSS_IMPORT = re.compile(r'@import\s+(?:url\()?["\']?([^"\')]+)["\']?\)?\s*;')


def single_page(replay: ReplayFile) -> str:
    """Return the whole page; raises ReplayError if the replay is wrong."""
    document = replay_document(
        FollowedReplay(replay.content),
        tournament=replay.tournament,
        control=replay.control,
        file=replay.content,
    )
    game = document["game"]
    assert isinstance(game, dict)
    files = {path: file.read_bytes() for path, file in static_files(game_names())}
    if PAGE not in files:
        raise ReplayError(1, "the pages are not in this installation")
    page = files[PAGE].decode()
    drawing = game["drawing"]
    data = base64.b64encode(pack_document(document)).decode()
    opening = '<script type="application/json" id="arena-document" data-encoding="gzip+base64">'
    extra = [f"{opening}{data}</script>"]
    if isinstance(drawing, str):
        name = _name(drawing)
        extra.append(f'<script type="application/json" id="arena-drawing">"{name}"</script>')
    hashes: list[str] = []
    entry = [found[1] for found in _SCRIPT.finditer(page)]
    imports = {
        _name(path): _data_address(_named_imports(path, content.decode()))
        for path, content in files.items()
        if path.endswith(".js") and (path in needed_modules(files, [*entry, drawing]))
    }
    map_text = json.dumps({"imports": imports})
    start = "".join(f'import "{_name(path)}";' for path in entry)
    styles = "\n".join(_style(files, found[1]) for found in _STYLE.finditer(page))
    hashes = [_hash(map_text), _hash(start)]
    policy = (
        "default-src 'none'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {' '.join(hashes)} data:; style-src {_hash(styles)}"
    )
    head = "\n".join(
        (
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            f"<style>{styles}</style>",
            f'<script type="importmap">{map_text}</script>',
            *extra,
            f'<script type="module">{start}</script>',
        )
    )
    for pattern in (_SCRIPT, _STYLE, _OTHER_LINK):
        page = pattern.sub("", page)
    return re.sub(r"(<meta charset=[^>]*>)", lambda found: f"{found[1]}\n{head}", page, count=1)


def needed_modules(files: dict[str, bytes], entries: list[object]) -> set[str]:
    """Return the modules that these import, and so on."""
    needed: set[str] = set()
    waiting = [path for path in entries if isinstance(path, str)]
    while waiting:
        path = posixpath.normpath(waiting.pop())
        if path in needed or path not in files:
            continue
        needed.add(path)
        text = _TYPES.sub("", files[path].decode())
        waiting += [_resolved(path, found[3]) for found in _IMPORT.finditer(text)]
    return needed


def _named_imports(path: str, text: str) -> str:
    def rename(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}{_name(_resolved(path, found[3]))}{found[2]}"

    return _IMPORT.sub(rename, text)


def _resolved(path: str, imported: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), imported))


def _style(files: dict[str, bytes], path: str) -> str:
    """Return a style sheet with those that it imports."""
    text = files[posixpath.normpath(path)].decode()
    return _CSS_IMPORT.sub(lambda found: _style(files, _resolved(path, found[1])), text)


def _name(path: str) -> str:
    return f"arena/{posixpath.normpath(path)}"


def _data_address(text: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
