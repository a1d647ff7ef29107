"""What a stopping rule says; settling.py is what it means. Apart, since it is read everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.errors import InputError

FIRST = 1
"""The rule that compares meetings by signs. A file that names no version means this one."""

LATEST = 2
"""The rule that uses all matches. Whoever asks today and names no version gets this one."""

_RULE = re.compile(r"settled@(\d{2}(?:\.\d+)?)(?:/([12]))?")
_MIN_PERCENT = 50.0
_MAX_PERCENT = 99.9


@dataclass(frozen=True, slots=True)
class SettledRule:
    """Stop when the order is right with that probability."""

    level: float  # 0.95
    version: int = LATEST

    @property
    def text(self) -> str:
        """What `parse_rule` makes it from, whatever version it takes a bare text for."""
        version = "" if self.version == FIRST else f"/{self.version}"
        return f"settled@{round(self.level * 100, 6):g}{version}"


def parse_rule(text: str, bare: int = FIRST) -> SettledRule:
    """Return the rule that a text names, such as settled@95; raises InputError.

    `bare` is the version of a text that names none.
    """
    found = _RULE.fullmatch(text)
    percent = float(found[1]) if found else 0.0
    if not found or not _MIN_PERCENT <= percent <= _MAX_PERCENT:
        raise InputError(
            f"{text!r} is not a stopping rule; write settled@PERCENT with a number from "
            f"{_MIN_PERCENT:g} to {_MAX_PERCENT:g}, such as settled@95"
        )
    return SettledRule(round(percent / 100, 8), int(found[2] or bare))
