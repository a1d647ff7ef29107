"""HTML from functions: what is not known to be markup is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable
from functools import lru_cache

from arena.inert import inert

_VOID = frozenset({"col", "link", "meta"})
_LONG = 32
_ISOLATE, _POP = "\u2068", "\u2069"  # for titles, where there can be no <bdi>

Attribute = str | int | float | bool | None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def markup(*parts: str) -> Markup:
    """Return the parts as one piece of HTML; everything but Markup is made inert and escaped."""
    return Markup("".join([part if isinstance(part, Markup) else _escape(part) for part in parts]))


def join(parts: Iterable[str]) -> Markup:
    """Return many parts as one, like `markup`."""
    return markup(*parts)


def tag(name: str, /, *children: str, **attributes: Attribute) -> Markup:
    """Return an element. `class_` means class, `data_bot` data-bot; None and False: left out."""
    start = name
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        start += f" {key.rstrip('_').replace('_', '-')}"
        if value is not True:
            start += f'="{markup(value if isinstance(value, str) else str(value))}"'
    if name in _VOID:
        return Markup(f"<{start}>")
    return Markup(f"<{start}>{join(children)}</{name}>")


def isolated(text: str) -> Markup:
    """Return a foreign text whose direction of writing does not spread, for titles."""
    return Markup(f"{_ISOLATE}{_escape(text)}{_POP}")


def foreign(text: str, **attributes: Attribute) -> Markup:
    """Return a foreign text whose direction of writing does not spread."""
    return tag("bdi", text, **attributes)


def named(name: str) -> Markup:
    """Return the name of a bot; one that is very long is cut, and its title has all of it."""
    is_long = len(inert(name)) > _LONG
    return foreign(name, title=isolated(name), class_="long" if is_long else None)


def lines(text: str) -> Markup:
    """Return a foreign text with its line ends."""
    return Markup("\n".join(_escape(line.replace("\t", "    ")) for line in text.splitlines()))


@lru_cache(maxsize=1024)
def _escape(text: str) -> str:
    return html.escape(inert(text))
