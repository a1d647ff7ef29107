"""What a stopping rule says; settling.py is what it means. Apart, since it is read everywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.errors import InputError

_RULE = re.compile(r"settled@(\d{2}(?:\.\d+)?)")
_MIN_PERCENT = 50.0
_MAX_PERCENT = 99.9


@dataclass(frozen=True, slots=True)
class SettledRule:
    """Stop when the order is right with that probability."""

    level: float  # 0.95

    @property
    def text(self) -> str:
        """What `parse_rule` makes it from."""
        return f"settled@{round(self.level * 100, 6):g}"


def parse_rule(text: str) -> SettledRule:
    """Return the rule that a text names, such as settled@95; raises InputError."""
    found = _RULE.fullmatch(text)
    percent = float(found[1]) if found else 0.0
    if not _MIN_PERCENT <= percent <= _MAX_PERCENT:
        raise InputError(
            f"{text!r} is not a stopping rule; write settled@PERCENT with a number from "
            f"{_MIN_PERCENT:g} to {_MAX_PERCENT:g}, such as settled@95"
        )
    return SettledRule(round(percent / 100, 8))
