"""What was found out about one thing."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Usability(enum.Enum):
    """Whether arena can use it."""

    OK = "ok"
    LIMITED = "limited"  # it is there, but falls short of something
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Probed:
    """One line of the table."""

    area: str
    name: str
    state: Usability
    detail: str  # what was found, or why it cannot be used
    advice: str = ""  # what to install or to set; empty if there is nothing to do
