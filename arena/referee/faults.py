"""How a seat can misbehave, told apart."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from arena.errors import FormatError, InputError
from arena.games.fields import read_list, read_text
from arena.games.game import Json


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
    OUT_OF_PROCESSES = "out_of_processes"  # the process ended at its limit of processes
    OUT_OF_DISK = "out_of_disk"  # the process ended at its limit of disk space


# What programs say last; compiled at the first failure, because that takes long.
_OUT_OF_MEMORY = (
    rb"(?m)^(?:\w+\.)*\w*MemoryError\b"  # Python
    rb"|std::bad_alloc"  # C++
    rb"|\bOutOfMemory(?:Error|Exception)\b"  # Java, .NET
    rb"|\b[Oo]ut of memory\b"  # Node.js ("JavaScript heap out of memory"), Go, and many more
    rb"|memory allocation of \d+ bytes failed"  # Rust
    rb"|\bNoMemoryError\b"  # Ruby
    rb"|Cannot allocate memory"  # what the C library calls it
)
_OUT_OF_PROCESSES = (
    rb"(?s)can't start new thread"  # Python
    rb"|fork.{0,400}BlockingIOError"  # the same, with its stack
    rb"|unable to create (?:new )?native thread"  # Java, which calls it a lack of memory
    rb"|failed to (?:create new OS|spawn) thread"  # Go, Rust
    rb"|\bspawn \S+ EAGAIN"  # Node.js
    rb"|\b[Cc]annot fork\b"  # shells
    rb"|\b(?:fork|pthread_create|clone)\b[^\n]*[Rr]esource temporarily unavailable"
    rb"|[Rr]esource temporarily unavailable - fork"  # Ruby
    rb"|\b[Oo]ut of processes\b"  # the bridge
)
_OUT_OF_DISK = (
    rb"\b[Nn]o space left on device\b|\bENOSPC\b|\bFile too large\b|\bEFBIG\b"
    rb"|\bFile size limit exceeded\b"  # shells
    rb"|\b[Oo]ut of disk space\b"  # the bridge
)
_LACKING = {
    Fault.OUT_OF_PROCESSES: _OUT_OF_PROCESSES,  # first: see Java
    Fault.OUT_OF_MEMORY: _OUT_OF_MEMORY,
    Fault.OUT_OF_DISK: _OUT_OF_DISK,
}


def fault_of_failure(last_words: bytes) -> Fault:
    """Return what a failing program has run out of, if it said so last; else it is a crash."""
    found = (fault for fault, words in _LACKING.items() if re.search(words, last_words))
    return next(found, Fault.CRASH)


FAULTS: Mapping[str, Fault] = {fault.value: fault for fault in Fault}
"""By the names that files use."""


@dataclass(frozen=True, slots=True)
class SeatFault:
    """One fault of a seat. What others at the table learn is without `move` and `detail`."""

    seat: int
    move: int  # of the match, from 1: the one that was made instead, or the next
    fault: Fault
    detail: str
    forfeited: bool  # by this fault the seat lost its right to choose

    def to_json(self) -> dict[str, Json]:
        """Return the fault as files have it."""
        return asdict(self) | {"fault": self.fault.value}


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


Forfeits: TypeAlias = tuple[Fault | None, ...]
"""By seat: by which fault it forfeited; None for those that ended normally."""


def ended_by(fault: Fault | None) -> str:
    """Return how a seat ended, as written in outcomes: `normal` or `forfeit:<fault>`."""
    return "normal" if fault is None else f"forfeit:{fault.value}"


_ENDINGS = {ended_by(fault): fault for fault in (None, *Fault)}


def read_endings(value: object, seats: int) -> Forfeits:
    """Return what an outcome says of how the seats ended; raises FormatError."""
    ended = [read_text(end, "ended") for end in read_list(value, "ended")]
    if len(ended) != seats or not _ENDINGS.keys() >= set(ended):
        raise FormatError("ended must say normal or forfeit:<fault> for each seat")
    return tuple(_ENDINGS[end] for end in ended)


def rank_with_forfeits(ranks: tuple[int, ...], forfeits: Forfeits) -> tuple[int, ...]:
    """Return the ranks when forfeited seats share the rank after all others.

    The seats that ended normally are ranked among themselves.
    """
    seats = list(zip(ranks, forfeits, strict=True))
    kept = sorted(rank for rank, fault in seats if fault is None)
    return tuple(kept.index(rank) + 1 if fault is None else len(kept) + 1 for rank, fault in seats)
