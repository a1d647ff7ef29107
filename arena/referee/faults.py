"""How a seat can misbehave, told apart."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from arena.errors import InputError


class Fault(enum.Enum):
    """One misbehaviour: data, never an exception."""

    TIMEOUT = "timeout"  # no answer within move time and bank
    ILLEGAL_MOVE = "illegal_move"  # an answer that is none of the legal moves
    PROTOCOL_ERROR = "protocol_error"  # a message that makes no sense
    FLOOD = "flood"  # far more messages than asked for
    CRASH = "crash"  # the process ended, or its code raised
    OUT_OF_MEMORY = "out_of_memory"  # the process was ended for the memory it used
    DISCONNECT = "disconnect"  # the session went away
    NO_START = "no_start"  # never ready


_OUT_OF_MEMORY = re.compile(
    rb"^(?:\w+\.)*\w*MemoryError\b"  # Python
    rb"|std::bad_alloc"  # C++
    rb"|\bOutOfMemory(?:Error|Exception)\b"  # Java, .NET
    rb"|\b[Oo]ut of memory\b"  # Node.js ("JavaScript heap out of memory"), Go, and many more
    rb"|memory allocation of \d+ bytes failed"  # Rust
    rb"|\bNoMemoryError\b"  # Ruby
    rb"|Cannot allocate memory",  # what the C library calls it
    re.MULTILINE,
)


def speaks_of_memory(last_words: bytes) -> bool:
    """Return whether what a failing program said last means that it ran out of memory."""
    return _OUT_OF_MEMORY.search(last_words) is not None


@dataclass(frozen=True, slots=True)
class SeatFault:
    """A fault as everybody at the table is told of it."""

    seat: int
    fault: Fault
    forfeited: bool


_MOST_FAULTS = 1_000_000


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """What faults cost: with the last of `max_faults` a seat forfeits."""

    max_faults: int = 3

    def __post_init__(self) -> None:
        """Raise InputError for a number that makes no sense."""
        if not 1 <= self.max_faults <= _MOST_FAULTS:
            raise InputError(
                f"a seat forfeits after 1 fault or more, at most {_MOST_FAULTS}, "
                f"not {self.max_faults}"
            )


NORMAL = "normal"
FORFEIT = "forfeit:"


def ended_by(fault: Fault | None) -> str:
    """Return how a seat ended, as written in outcomes: `normal` or `forfeit:<fault>`."""
    return NORMAL if fault is None else FORFEIT + fault.value


ENDINGS = frozenset({NORMAL, *(ended_by(fault) for fault in Fault)})


def rank_with_forfeits(ranks: tuple[int, ...], ended: tuple[str, ...]) -> tuple[int, ...]:
    """Return the ranks when forfeited seats share the rank after all others.

    The seats that ended normally are ranked among themselves.
    """
    kept = sorted(rank for rank, end in zip(ranks, ended, strict=True) if end == NORMAL)
    return tuple(
        kept.index(rank) + 1 if end == NORMAL else len(kept) + 1
        for rank, end in zip(ranks, ended, strict=True)
    )
