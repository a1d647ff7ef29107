"""What a bot is told about a match: how it starts and how it ended."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import Any

from google.protobuf.duration_pb2 import Duration

from arena_client.v1 import play_pb2


class Fault(enum.IntEnum):
    """One way for a seat to misbehave. A default move was made for it."""

    TIMEOUT = 1
    ILLEGAL_MOVE = 2
    PROTOCOL_ERROR = 3
    FLOOD = 4
    CRASH = 5
    OUT_OF_MEMORY = 6
    DISCONNECT = 7
    NO_START = 8
    OUT_OF_PROCESSES = 9
    OUT_OF_DISK = 10

    def __str__(self) -> str:
        return self.name.lower()


FAULTS: Mapping[int, Fault] = {int(fault): fault for fault in Fault}


class Match:
    """One match, as one seat of it knows it from the start. Computed when first looked at.

    Attributes:
        message: the message it came in; what it holds beyond these fields can be read there.
        id: names the match.
        game: the name of the game, such as "byzanz".
        seat: the bot's own seat, from 0, clockwise.
        max_faults: how many faults a seat may make before it forfeits.
    """

    def __init__(self, message: play_pb2.MatchStarted) -> None:
        self.message = message
        self.id: str = message.match_id
        self.game: str = message.game
        self.seat: int = message.seat
        self.max_faults: int = message.time_control.max_faults

    @cached_property
    def seats(self) -> tuple[play_pb2.SeatInfo, ...]:
        """All who play, by seat: their bot and version, empty where names are hidden."""
        return tuple(self.message.seats)

    @cached_property
    def options(self) -> dict[str, Any]:
        """The game options that differ from the default."""
        options: dict[str, Any] = json.loads(self.message.options_json or "{}")
        return options

    @cached_property
    def move_time_s(self) -> float | None:
        """Seconds free for every decision. None: no limit."""
        control = self.message.time_control
        return seconds(control.move_time) if control.HasField("move_time") else None

    @cached_property
    def bank_s(self) -> float:
        """Seconds in reserve for the whole match, for decisions that take longer."""
        return seconds(self.message.time_control.bank)

    @cached_property
    def rng(self) -> Random:
        """Randomness of this seat in this match.

        A bot that draws from nothing else plays the same match the same way again.
        """
        return Random(self.message.bot_seed)

    @property
    def material(self) -> Any:
        """What is settled about the game before the first move. None: nothing, or unknown game."""
        return None

    def __repr__(self) -> str:
        return f"<{self.game} match {self.id}, seat {self.seat} of {len(self.message.seats)}>"


class Outcome:
    """How a match ended.

    Attributes:
        message: the message it came in, with the last faults and events.
        scores: the points by seat. Empty if the match is void.
        ranks: the ranks by seat, 1 is best, equal seats share one. Empty if the match is void.
        void_reason: why the match does not count. Empty if it does.
    """

    def __init__(self, match: Match, message: play_pb2.MatchEnded) -> None:
        self.match = match
        self.message = message
        self.scores: tuple[int, ...] = tuple(message.scores)
        self.ranks: tuple[int, ...] = tuple(message.ranks)
        self.void_reason: str = message.void_reason

    @property
    def is_void(self) -> bool:
        """Whether the match does not count, because the arena could not finish it."""
        return bool(self.void_reason)

    @property
    def score(self) -> int | None:
        """The bot's own points. None if the match is void."""
        return self.scores[self.match.seat] if self.scores else None

    @property
    def rank(self) -> int | None:
        """The bot's own rank. None if the match is void."""
        return self.ranks[self.match.seat] if self.ranks else None

    @property
    def forfeits(self) -> tuple[Fault | None, ...]:
        """The fault by which each seat forfeited; None for one that played to the end."""
        return tuple(FAULTS.get(fault) for fault in self.message.forfeits)

    def __repr__(self) -> str:
        if self.is_void:
            return f"<match {self.match.id} is void: {self.void_reason}>"
        return f"<match {self.match.id}: scores {self.scores}, ranks {self.ranks}>"


def seconds(duration: Duration) -> float:
    """Return a duration in seconds."""
    return duration.seconds + duration.nanos / 1e9
