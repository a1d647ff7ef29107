"""Greedy, deaf and silent clients beside honest matches, which must not notice them."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import Counter
from pathlib import Path

import pytest

from arena.server.limits import SessionLimits
from arena.server.session import SessionPhase
from arena.v1 import play_pb2
from tests.integration.bots import Code, House, answers, hello, open_house
from tests.waiting import until

pytestmark = pytest.mark.slow

LIMITS = SessionLimits(hello_timeout_s=1.0, write_timeout_s=1.5)  # bots and arena share a process
MATCHES = 6
FLOOD = 3_000
HALF_OPEN = 300
SILENT = 100
MOST_GROWTH = 100 * 1024 * 1024


def memory() -> int:
    """Return how much memory this process has in use, arena and bots together."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def flood(house: House) -> None:
    """Write as fast as it can, coming again whenever it is thrown out."""
    stale = answers(play_pb2.Answer(match_id="x", decision_id=1, move_index=0))
    said = streams = 0
    codes: Counter[Code] = Counter()
    channel = house.channel()
    while said < FLOOD:
        streams += 1
        stream = house.stream(channel)
        await stream.say(hello(f"flood-{streams}"))
        while said < FLOOD and await stream.say(stale):
            said += 1
        await stream.say(b"")
        codes[(await stream.status())[0]] += 1
    assert codes[Code.RESOURCE_EXHAUSTED] >= streams - 1
    assert streams > 10, "it was let write on and on"
    assert not [s for s in house.arena.lobby.sessions() if s.bot.startswith("flood")]


async def deafness(house: House) -> None:
    """Have a great deal written to it, by matches and by nonsense, and read none of it."""
    channel = house.channel()
    for number in range(3):
        stream, session, _ = await house.enter(f"deaf-{number}", channel, max_matches=20)
        for _ in range(20):
            house.start_alone(session)
        stale = answers(play_pb2.Answer(match_id="x" * 2_000, decision_id=1, move_index=0))
        saying = asyncio.ensure_future(stream.say(*[stale] * 190))  # or as much as is heard
        peak = session.outbox.backlog
        while session.phase is not SessionPhase.ENDED:
            peak = max(peak, session.outbox.backlog)
            await asyncio.sleep(0.005)
        saying.cancel()
        await asyncio.wait([saying])
        assert peak <= LIMITS.max_backlog_bytes + 64 * 1024
        assert session.ended_by is not None
        assert "did not read" in session.ended_by[1]
        assert not session.seats


async def impersonation(house: House) -> None:
    """Dial again and again under the name of somebody who is there."""
    await house.enter("twin")
    for _ in range(30):
        stream = house.stream()
        await stream.say(hello("twin"))
        assert (await stream.status())[0] is Code.ALREADY_EXISTS
    twin = house.arena.lobby.find("twin")
    assert twin is not None
    assert twin.is_present


async def half_open(house: House) -> None:
    """Hold connections open on which nothing, or half of the HTTP/2 preface, was said."""
    path = house.address.removeprefix("unix:")
    loop = asyncio.get_running_loop()
    sockets = []
    try:
        for number in range(HALF_OPEN):
            probe = socket.socket(socket.AF_UNIX)
            probe.setblocking(False)
            sockets.append(probe)
            await loop.sock_connect(probe, path)
            if number % 2:
                await loop.sock_sendall(probe, b"PRI * HTTP/2")
        await house.enter("newcomer")
        # The arena hangs up on them by itself: what follows its greeting is the end.
        for probe in sockets[:2]:
            while await loop.sock_recv(probe, 4096):
                pass
    finally:
        for probe in sockets:
            probe.close()


async def silence(house: House) -> None:
    """Open many streams on one connection and say hello on none."""
    channel = house.channel()
    streams = [house.stream(channel) for _ in range(SILENT)]
    statuses = await asyncio.gather(*(stream.status() for stream in streams))
    assert {code for code, _ in statuses} == {Code.DEADLINE_EXCEEDED}


async def everything(house: House) -> None:
    """All of it at once."""
    abuses = (flood, deafness, impersonation, half_open, silence)
    await asyncio.gather(*(abuse(house) for abuse in abuses))


async def test_honest_matches_do_not_notice(tmp_path):
    """Beside abuse honest matches end normally and without faults, and memory stays bounded."""
    async with open_house(tmp_path, limits=LIMITS) as house:
        honest = [await house.honest(f"honest-{n}", max_matches=MATCHES) for n in range(3)]
        sessions = [session for _, session in honest]
        before = memory()
        abusing = asyncio.ensure_future(everything(house))
        await asyncio.sleep(0)
        matches = [house.start(sessions) for _ in range(MATCHES)]
        for played in await asyncio.gather(*matches):
            assert played.outcome is not None
            assert not played.faults
        await abusing
        assert memory() - before < MOST_GROWTH
        for bot, session in honest:
            assert session.is_present
            assert not bot.heard_of("rejected")
        again = await house.start(sessions)
        assert not again.faults
        await until(lambda: house.arena.hall.running == 0)
