from __future__ import annotations

import asyncio

import pytest

from arena.engines.worker_messages import (
    Abort,
    Answer,
    Failed,
    Faulted,
    MatchPlayed,
    Open,
    Opened,
    Order,
    PlayMatch,
    Preflight,
    Preflown,
    ReleaseMatches,
    Voided,
    decode,
    encode,
    frame,
    read_frame,
)
from arena.referee.faults import Fault, SeatFault
from arena.storage.records import FixtureRecord, MatchReport, SeatTimes

FAULT = SeatFault(1, 17, Fault.CRASH, "said \ud800 \x1b[31m ü\n", True)
MESSAGES: list[Order | Answer] = [
    Open("name = 'x'\n", "/base", "arena", None),
    Open("", "/base", "arena", "logs", ("/a",), "/gallery", "ab" * 32, 2),
    Opened("1.2"),
    Failed("no such game", True),
    Preflight(1),
    Preflown(1, {"a": "1"}, {"b": "does not start"}),
    PlayMatch(
        2, FixtureRecord(0, "1-0", 1, 1, 1, 1, 0, ("a", "b", "c")), {"a": "1", "b": "", "c": "x"}
    ),
    Faulted(2, FAULT),
    MatchPlayed(
        2,
        MatchReport(
            match="1-0",
            scores=(3, -1, 0),
            ranks=(1, 3, 2),
            forfeits=(None, Fault.CRASH, None),
            faults=(FAULT,),
            times=(SeatTimes(4, 0.25, 0.1, 0.001),) * 3,
            moves=40,
            replay='{"type":"match"}\n' * 3,
        ),
    ),
    Voided(3, "the arena was stopped"),
    ReleaseMatches(("1-0", "1-1")),
    Abort(),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_round_trip(message: Order | Answer):
    """Every message comes out as it went in."""
    assert decode(encode(message)) == message


async def test_frames():
    """Texts follow each other, however they are cut on the way; half a one is none."""
    reader = asyncio.StreamReader()
    for byte in frame(b"one") + frame(b"") + frame(b"three") + frame(b"cut off")[:-1]:
        reader.feed_data(bytes([byte]))
    reader.feed_eof()

    assert [await read_frame(reader) for _ in range(5)] == [b"one", b"", b"three", None, None]
