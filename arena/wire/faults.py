"""Faults on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.errors import FormatError
from arena.referee.faults import Fault, SeatFault
from arena.v1 import play_pb2
from arena.wire.fields import number_field

TO_WIRE = {
    Fault.TIMEOUT: play_pb2.FAULT_TIMEOUT,
    Fault.ILLEGAL_MOVE: play_pb2.FAULT_ILLEGAL_MOVE,
    Fault.PROTOCOL_ERROR: play_pb2.FAULT_PROTOCOL_ERROR,
    Fault.FLOOD: play_pb2.FAULT_FLOOD,
    Fault.CRASH: play_pb2.FAULT_CRASH,
    Fault.OUT_OF_MEMORY: play_pb2.FAULT_OUT_OF_MEMORY,
    Fault.DISCONNECT: play_pb2.FAULT_DISCONNECT,
    Fault.NO_START: play_pb2.FAULT_NO_START,
    Fault.OUT_OF_PROCESSES: play_pb2.FAULT_OUT_OF_PROCESSES,
    Fault.OUT_OF_DISK: play_pb2.FAULT_OUT_OF_DISK,
}
FROM_WIRE = {number: fault for fault, number in TO_WIRE.items()}


def write_fault(fault: SeatFault) -> bytes:
    """Return a SeatFault without tag and length."""
    return b"".join(
        (
            number_field(1, fault.seat),
            number_field(2, TO_WIRE[fault.fault]),
            number_field(3, fault.forfeited),
        )
    )


def fault_messages(faults: Iterable[SeatFault]) -> list[play_pb2.SeatFault]:
    """Return the faults as messages."""
    return [play_pb2.SeatFault.FromString(write_fault(fault)) for fault in faults]


def forfeit_numbers(forfeits: Sequence[Fault | None]) -> list[play_pb2.Fault]:
    """Return by seat by which fault it forfeited, as a message says it; None: it ended normally."""
    return [play_pb2.FAULT_UNSPECIFIED if fault is None else TO_WIRE[fault] for fault in forfeits]


def read_fault(number: int) -> Fault | None:
    """Return the fault of that number, None for none; raises FormatError if it is not known."""
    if number == play_pb2.FAULT_UNSPECIFIED:
        return None
    for known, fault in FROM_WIRE.items():
        if known == number:
            return fault
    raise FormatError(f"fault {number} is not known")
