"""Texts from outside, made harmless."""

from __future__ import annotations


def inert(text: str) -> str:
    """Return the text with everything unprintable escaped, on one line."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
