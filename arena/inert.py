"""Texts from outside, made harmless for the place where they are shown."""

from __future__ import annotations

import re
import unicodedata

# What spreadsheets take for the start of a formula; some do so with the full-width forms as well.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def inert(text: str) -> str:
    """Return the text with everything unprintable escaped, on one line.

    Marks that turn the direction of writing count as unprintable, and so do halves of surrogate
    pairs: what is returned can be encoded.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def inert_cell(text: str) -> str:
    """Return the text for a cell of a CSV file: no spreadsheet takes it for a formula."""
    cell = inert(text)
    return f"'{cell}" if text.lstrip(" ").startswith(_FORMULA) else cell


def inert_markdown(text: str) -> str:
    """Return the text as Markdown code, fit for a table: no markup, HTML, link, mention or column.

    Only code is safe: addresses become links even where every sign of them is escaped.
    """
    shown = inert(text).strip()
    if not shown:
        return ""
    if "|" in shown:  # a backslash before a bar would take the one away that escapes the bar
        shown = shown.replace("\\", "⧵").replace("|", "\\|")
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def cells(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def cut(text: str, width: int) -> str:
    """Return the text, cut to this many columns of a terminal where it is longer."""
    if cells(text) <= width:
        return text
    kept, left = [], width - 1
    for character in text:
        left -= _cells_of(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept) + "…"


def _cells_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
