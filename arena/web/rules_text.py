"""The rules of a game as a document: sections, numbered rules, tables. Read from Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from arena.games.game import Json
from arena.web import FORMAT

_HEADING = re.compile(r"(#{1,4}) +(.*)")
_SECTION = re.compile(r"([A-Z]\d+)\b *(.*)")
_NUMBERED = re.compile(r"(\d+)\. +(.*)")
_BULLET = re.compile(r"( *)[-*] +(.*)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def rules_document(game: str, text: str) -> dict[str, Json]:
    """Return the document of a text of rules; `1.` below `## B3 Auctions` is rule B3.1."""
    sections: list[dict[str, Json]] = []
    title = game
    blocks: list[dict[str, Json]] = []
    name = ""
    for kind, value in _parts(text.splitlines()):
        if kind == "heading":
            level, heading = value
            found = _SECTION.fullmatch(heading)
            if level == 1:
                title = heading
            name = found[1] if found else ""
            blocks = []
            shown = found[2] if found else heading
            sections.append({"id": name, "title": shown or heading, "blocks": blocks})
        elif kind == "rule":
            number, line = value
            blocks.append({"kind": "rule", "id": f"{name}.{number}" if name else "", "text": line})
        elif kind == "list" and blocks and blocks[-1]["kind"] == "rule" and value[0]:
            items = blocks[-1].setdefault("items", [])
            assert isinstance(items, list)
            items.append(value[1])
        elif kind == "list":
            if not blocks or blocks[-1]["kind"] != "list":
                blocks.append({"kind": "list", "items": []})
            items = blocks[-1]["items"]
            assert isinstance(items, list)
            items.append(value[1])
        else:
            blocks.append({"kind": kind, **value})
    return {"format": FORMAT, "game": game, "title": title, "sections": sections}


def _parts(lines: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield headings, numbered rules, items with whether they are indented, tables and texts."""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("```"):
            end = next((n for n in range(at, len(lines)) if lines[n].startswith("```")), len(lines))
            yield "code", {"text": "\n".join(lines[at:end])}
            at = end + 1
        elif found := _HEADING.fullmatch(line):
            yield "heading", (len(found[1]), _plain(found[2]))
        elif found := _NUMBERED.fullmatch(line):
            yield "rule", (int(found[1]), _plain(found[2]))
        elif found := _BULLET.fullmatch(line):
            yield "list", (bool(found[1]), _plain(found[2]))
        elif line.startswith("|"):
            rows = [line]
            while at < len(lines) and lines[at].startswith("|"):
                rows.append(lines[at])
                at += 1
            head, *body = [_cells(row) for row in rows]
            yield "table", {"head": head, "rows": body[1:]}
        elif line.strip():
            yield "text", {"text": _plain(line.strip())}


def _cells(row: str) -> list[str]:
    return [_plain(cell.strip()) for cell in row.strip().strip("|").split("|")]


def _plain(text: str) -> str:
    """Return a text without links: where they lead is not served here."""
    return _LINK.sub(r"\1", text)
