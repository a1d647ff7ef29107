"""Numbers of things, for people."""

from __future__ import annotations


def counted(number: int, what: str, plural: str = "s") -> str:
    """Return the number and what it counts: `1 match`, `1,200 matches` (`counted(n, …, "es")`)."""
    return f"{number:,} {what}{'' if number == 1 else plural}"
