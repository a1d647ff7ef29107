"""What kind of tournament it is: all that its schedule depends on."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from arena.storage.records import BotRecord


class Format(enum.Enum):
    """Which sets of bots meet."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"  # only tables with the bot in focus


class Rotation(enum.Enum):
    """In which seatings a deal is played by the same bots."""

    NONE = "none"  # one; who sits where changes from round to round
    CYCLIC = "cyclic"  # k: every bot in every seat, always with the same neighbours
    LATIN = "latin"  # k(k-1): besides, everybody equally often to the left of everybody else
    FULL = "full"  # all k!


class Deals(enum.Enum):
    """Whether the tables of a round play the same deal."""

    SHARED = "shared"
    PER_TABLE = "per-table"


class Tables(enum.Enum):
    """How many of the possible tables play."""

    ALL = "all"
    BALANCED = "balanced"  # few, every bot equally often, every pair as equally as possible


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """All that a schedule depends on."""

    bots: tuple[BotRecord, ...]
    players: int
    rounds: int = 10
    format: Format = Format.ROUND_ROBIN
    focus: str | None = None  # the bot that a gauntlet is about
    rotation: Rotation = Rotation.CYCLIC
    deals: Deals = Deals.SHARED
    tables: Tables = Tables.ALL
    mixes_groups: bool = False  # bots of one group may meet
    max_matches: int | None = None  # whole blocks only, as many as fit
