"""How streams are refused and ended: exactly the statuses that play.proto promises."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.referee.faults import Fault
from arena.server.auth import AdmitAll, Tickets, TicketsFirst
from arena.server.limits import SessionLimits
from arena.server.session import SessionPhase
from arena.v1 import play_pb2
from tests.integration.bots import Code, House, answers, hello, open_house, overfill
from tests.waiting import until

LARGE = play_pb2.PlayRequest(leave=play_pb2.Leave(reason="x" * 70_000)).SerializeToString()


async def refuse(path: Path, *messages: bytes, **options: Any) -> tuple[grpc.StatusCode, str]:
    """Return how a stream ends that says these messages; no session may be left."""
    async with open_house(path, **options) as house:
        stream = house.stream()
        await stream.say(*messages)
        heard = await stream.hear_all()
        assert not heard, "a refused bot is not welcomed"
        assert not house.arena.lobby.sessions()
        return await stream.status()


@pytest.mark.parametrize(
    ("message", "code", "text"),
    [
        (b"", Code.INVALID_ARGUMENT, "one of hello, answers and leave"),
        (b"\xff\xff\xff", Code.INVALID_ARGUMENT, "is not a PlayRequest"),
        (b"\x0a\x03\x1a\x01\xff", Code.INVALID_ARGUMENT, "is not a PlayRequest"),  # invalid UTF-8
        (answers(), Code.INVALID_ARGUMENT, "first message must be a hello"),
        (hello("a", protocol=2), Code.FAILED_PRECONDITION, "protocol 2, this arena speaks 1"),
        (hello("a", protocol=0), Code.FAILED_PRECONDITION, "use an SDK for protocol 1"),
        (hello(""), Code.UNAUTHENTICATED, "set its name"),
        (hello("a" * 65), Code.INVALID_ARGUMENT, "up to 64 printable characters"),
        (hello("a/b"), Code.INVALID_ARGUMENT, "name 'a/b' must not contain /"),
        (hello("a\x1b[2J"), Code.INVALID_ARGUMENT, "bot in the hello"),
        (hello("a", version="\n"), Code.INVALID_ARGUMENT, "version in the hello"),
        (hello("a", games=["chess"]), Code.FAILED_PRECONDITION, "byzanz, schwarzmarkt"),
        (hello("a", games=["g"] * 65), Code.INVALID_ARGUMENT, "more than 64 games"),
        (hello("a", resume_token=b"x"), Code.NOT_FOUND, "hello without a resume token"),
        (hello("a" * 70_000), Code.RESOURCE_EXHAUSTED, "no more than 65536 are taken"),
        (hello("a" * 400_000), Code.RESOURCE_EXHAUSTED, "larger than max"),  # by gRPC itself
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_first_messages_that_are_refused(tmp_path, message, code, text):
    """A first message that will not do gets its own status and a text that helps."""
    status, details = await refuse(tmp_path, message)
    assert status is code
    assert text in details


@pytest.mark.parametrize("token", ["", "wrong"])
async def test_a_wrong_token_is_refused(tmp_path, token):
    """Without a token that was given there is no session, and the token is not repeated."""
    message = hello("a", token=token)
    code, details = await refuse(tmp_path, message, admission=Tickets(), has_tokens=True)
    assert code is Code.UNAUTHENTICATED
    assert "start the bot again" in details
    assert "wrong" not in details


async def test_a_stream_without_hello_times_out(tmp_path):
    """A stream on which nobody says hello ends with DEADLINE_EXCEEDED."""
    code, details = await refuse(tmp_path, limits=SessionLimits(hello_timeout_s=0.05))
    assert code is Code.DEADLINE_EXCEEDED
    assert details == "no hello within 0.05 s: send it first"


async def test_a_stream_closed_without_hello(tmp_path):
    """A stream that is closed before the hello is told what was missing."""
    async with open_house(tmp_path) as house:
        stream = house.stream()
        await stream.close()
        code, details = await stream.status()
        assert code is Code.INVALID_ARGUMENT
        assert "send it first" in details


async def test_a_token_in_use_is_refused(tmp_path):
    """A second session under a live one's name is refused and does it no harm."""
    async with open_house(tmp_path) as house:
        first, session, _ = await house.enter("a")
        code, details = await refused(house, hello("a"))
        assert code is Code.ALREADY_EXISTS
        assert "end it first, or use another token" in details
        house.start_alone(session)
        await first.expect("match_started")


async def refused(house: House, *messages: bytes) -> tuple[grpc.StatusCode, str]:
    stream = house.stream()
    await stream.say(*messages)
    return await stream.status()


async def test_too_many_sessions_are_refused(tmp_path):
    """The session beyond the limit is refused until one is away that plays nothing."""
    async with open_house(tmp_path, limits=SessionLimits(max_sessions=2)) as house:
        streams = [(await house.enter(name))[0] for name in "ab"]
        code, details = await refused(house, hello("c"))
        assert code is Code.RESOURCE_EXHAUSTED
        assert details == "2 sessions are open, which is the limit: try again later"
        await streams[0].cut()
        await until(lambda: len([s for s in house.arena.lobby.sessions() if s.is_present]) == 1)
        await house.enter("c")  # takes the place of the one that is away
        assert [s.bot for s in house.arena.lobby.sessions()] == ["b", "c"]


async def test_a_full_arena_has_room_for_those_it_waits_for(tmp_path):
    """Bots that arena launches, and those that are away from a match, keep their places."""
    tickets = Tickets()
    admission = TicketsFirst(tickets, AdmitAll())
    limits = SessionLimits(max_sessions=2)
    async with open_house(tmp_path, admission=admission, limits=limits) as house:
        stream, session, welcome = await house.enter("a")
        house.start_alone(session)
        await stream.cut()
        await house.enter("b")
        await until(lambda: session.phase is SessionPhase.PARKED)
        assert (await refused(house, hello("c")))[0] is Code.RESOURCE_EXHAUSTED
        await house.enter("", token=tickets.issue("launched"))
        _, resumed, _ = await house.enter("", resume_token=welcome.resume_token)
        assert resumed is session


async def test_silent_streams_give_way_to_those_that_say_hello(tmp_path, caplog):
    """However many streams are silent, a newcomer and a returning bot are heard at once."""
    caplog.set_level("INFO", "arena.play")
    limits = SessionLimits(max_hellos=20, max_streams=100, hello_timeout_s=60.0)
    async with open_house(tmp_path, limits=limits) as house:
        stream, session, welcome = await house.enter("a")
        await stream.cut()
        await until(lambda: session.phase is SessionPhase.PARKED)
        crowd = [house.channel() for _ in range(4)]
        silent = [house.stream(crowd[number % 4]) for number in range(120)]
        for each in silent:
            await each.say()
        await house.enter("new")
        _, resumed, _ = await house.enter("", resume_token=welcome.resume_token)
        assert resumed is session
        endings = [asyncio.ensure_future(each.status()) for each in silent]
        await until(lambda: sum(ending.done() for ending in endings) >= 100)
        assert {ending.result() for ending in endings if ending.done()} == {
            (Code.RESOURCE_EXHAUSTED, "too many streams are still to say hello: send it at once")
        }
        lines = [record for record in caplog.records if record.message == "session refused"]
        assert len(lines) < 100
        for ending in endings:
            ending.cancel()
        await asyncio.gather(*endings, return_exceptions=True)


async def test_a_connection_has_so_many_streams(tmp_path):
    """A stream beyond those of its connection waits at its client; other connections are free."""
    async with open_house(tmp_path, limits=SessionLimits(max_streams=2)) as house:
        channel = house.channel()
        first, *_ = await house.enter("a", channel)
        await house.enter("b", channel)
        third = house.stream(channel)
        speaking = asyncio.ensure_future(third.say(hello("c")))
        await house.enter("d")
        assert house.arena.lobby.find("c") is None
        await first.cut()
        await speaking
        await third.expect("welcome")


@pytest.mark.parametrize(
    ("message", "code", "text", "fault"),
    [
        (b"\xff", Code.INVALID_ARGUMENT, "is not a PlayRequest", Fault.PROTOCOL_ERROR),
        (b"", Code.INVALID_ARGUMENT, "this has none", Fault.PROTOCOL_ERROR),
        (hello("a"), Code.INVALID_ARGUMENT, "only allowed as the first", Fault.PROTOCOL_ERROR),
        (LARGE, Code.RESOURCE_EXHAUSTED, "no more than 65536", Fault.PROTOCOL_ERROR),
        (answers(), Code.RESOURCE_EXHAUSTED, "more than 5 messages", Fault.FLOOD),
        (
            answers(*[play_pb2.Answer()] * 21),
            Code.RESOURCE_EXHAUSTED,
            "one answer for each decision",
            Fault.FLOOD,
        ),
    ],
    ids=["undecodable", "empty", "second hello", "oversized", "flood", "flood in one message"],
)
async def test_sessions_that_misbehave_end(tmp_path, message, code, text, fault):
    """Whoever breaks the protocol gets goodbye and a status, and forfeits its matches."""
    limits = SessionLimits(max_messages_per_second=5)
    async with open_house(tmp_path, limits=limits) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        await stream.decision()
        await stream.say(*[message] * (21 if message == answers() else 1))
        heard = await stream.hear_all()
        goodbye = heard[-1].goodbye
        assert goodbye.reason == play_pb2.Goodbye.REASON_MISBEHAVED
        assert text in goodbye.message
        assert await stream.status() == (code, goodbye.message)
        assert (await match).forfeits[0] is fault
        assert session.phase is SessionPhase.ENDED
        assert house.arena.lobby.find("a") is None
        await house.enter("a")  # and may come again


async def test_a_message_that_grpc_refuses_is_a_lost_stream(tmp_path):
    """A message of many times the limit is cut off by gRPC; the session may come back."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        await stream.say(b"x" * 300_000)
        code, details = await stream.status()
        assert code is Code.RESOURCE_EXHAUSTED
        assert "larger than max" in details
        await until(lambda: session.phase is SessionPhase.PARKED)
        _, resumed, _ = await house.enter("", resume_token=welcome.resume_token)
        assert resumed is session


async def test_compressed_messages_are_measured_unpacked(tmp_path):
    """A small message that unpacks to a huge one is refused as large."""
    async with open_house(tmp_path) as house:
        stream = house.stream(compression=grpc.Compression.Gzip)
        await stream.call.write(hello("a" * 10_000_000))
        assert (await stream.status())[0] is Code.RESOURCE_EXHAUSTED


async def test_a_bot_that_does_not_read_is_dropped(tmp_path):
    """A bot that leaves its messages unread loses its session and its matches."""
    async with open_house(tmp_path, limits=SessionLimits(write_timeout_s=0.2)) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        overfill(session)
        played = await match
        assert played.forfeits[0] is Fault.TIMEOUT
        assert "did not read" in played.faults[-1].detail
        assert session.phase is SessionPhase.ENDED
        code, details = await stream.status()
        assert code is Code.RESOURCE_EXHAUSTED
        assert "read them as they come" in details


async def test_a_bot_that_never_reads_and_hangs_up_is_no_error(tmp_path, caplog):
    """A bot that is gone before it has read why it was dropped leaves no trace in the log."""
    async with open_house(tmp_path, limits=SessionLimits(write_timeout_s=0.1)) as house:
        stream, session, _ = await house.enter("a")
        overfill(session)
        await until(lambda: session.phase is SessionPhase.ENDED)
        await stream.cut()
    assert not [record for record in caplog.records if record.levelname != "DEBUG"]


async def test_a_backlog_beyond_the_limit_ends_the_session(tmp_path):
    """What waits for a bot is bounded: beyond the limit it is dropped at once."""
    limits = SessionLimits(max_backlog_bytes=100_000)
    async with open_house(tmp_path, limits=limits) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        overfill(session, 90_000)
        assert session.is_present
        overfill(session, 20_000)
        assert session.phase is SessionPhase.ENDED
        assert (await match).forfeits[0] is Fault.TIMEOUT
        assert (await stream.status())[0] is Code.RESOURCE_EXHAUSTED


async def test_a_session_that_was_ended_from_within_is_aborted(tmp_path):
    """A stream whose session was ended by the arena's own owner is told why."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        session.end(Fault.CRASH, "the process ended with exit code 1")
        assert await stream.status() == (
            Code.ABORTED,
            "the session has ended: the process ended with exit code 1",
        )


@pytest.mark.parametrize(("failed", "fault"), [(False, Fault.DISCONNECT), (True, Fault.CRASH)])
async def test_leaving(tmp_path, failed, fault):
    """A bot that leaves forfeits what runs; the stream ends with goodbye and OK."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        await stream.expect("match_started")
        await stream.decision()
        message = play_pb2.Leave(reason="r" * 999 + ":" + "r" * 1_000, failed=failed)
        await stream.say(play_pb2.PlayRequest(leave=message).SerializeToString())
        goodbye = await stream.expect("goodbye")
        assert goodbye.reason == play_pb2.Goodbye.REASON_FINISHED
        assert (await stream.status())[0] is Code.OK
        played = await match
        assert played.forfeits[0] is fault
        assert played.faults[-1].detail == "the bot left: " + "r" * 999
        assert house.arena.lobby.find("a") is None


async def test_closing_without_leaving_is_a_lost_stream(tmp_path):
    """A bot that closes its side ends its stream with OK, and its session can still go on."""
    async with open_house(tmp_path) as house:
        stream, session, welcome = await house.enter("a")
        await stream.close()
        assert (await stream.status())[0] is Code.OK
        await until(lambda: session.phase is SessionPhase.PARKED)
        *_, again = await house.enter("", resume_token=welcome.resume_token)
        assert again.resumed
