"""The setting `isolation`: what a person asks for, before anybody knows what this machine has."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import ClassVar

from arena.errors import InputError
from arena.sandbox.level import Level

VARIABLE = "ARENA_ISOLATION"
"""The environment variable that sets the default."""

_REQUIRE = "require"


@dataclass(frozen=True, slots=True)
class Isolation:
    """The strongest level at most, and the weakest that will do."""

    most: Level
    least: Level

    AUTO: ClassVar[Isolation]
    REQUIRE: ClassVar[Isolation]
    NONE: ClassVar[Isolation]

    @property
    def text(self) -> str:
        """The setting as a person writes it."""
        if self.most is Level.NONE:
            return "none"
        if self.least is Level.NONE:
            return "auto"
        weaker = "" if self.least is Level.BUBBLEWRAP else f":{self.least.value}"
        return _REQUIRE + weaker


Isolation.AUTO = Isolation(Level.BUBBLEWRAP, Level.NONE)
Isolation.REQUIRE = Isolation(Level.BUBBLEWRAP, Level.BUBBLEWRAP)
Isolation.NONE = Isolation(Level.NONE, Level.NONE)


def parse_isolation(text: str) -> Isolation:
    """Return the setting that the text writes; raises InputError."""
    simple = {"auto": Isolation.AUTO, _REQUIRE: Isolation.REQUIRE, "none": Isolation.NONE}
    if text in simple:
        return simple[text]
    word, colon, level = text.partition(":")
    levels = {level.value: level for level in Level if level is not Level.NONE}
    if word == _REQUIRE and colon and level in levels:
        return Isolation(Level.BUBBLEWRAP, levels[level])
    raise InputError(
        f"isolation must be auto, require, require:LEVEL (one of {', '.join(levels)}) or none, "
        f"not {text!r}"
    )


def default_isolation() -> Isolation:
    """Return what holds where nobody says anything; raises InputError."""
    text = os.environ.get(VARIABLE, "")
    try:
        return parse_isolation(text) if text else Isolation.AUTO
    except InputError as error:
        raise InputError(f"{VARIABLE}: {error}") from None
