"""Matches and their spectators: the public part in order, everything only after the end."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from typing import Any

import grpc
import grpc.aio
import pytest

from arena.errors import InputError, UnknownMatchError
from arena.games.game import AnyState, Event, Seat, seen_by
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.faults import Fault, FaultPolicy
from arena.referee.match import Conditions
from arena.server import hall
from arena.server.hall import Spectator
from arena.server.limits import SessionLimits
from arena.v1 import play_pb2, watch_pb2
from arena.wire import watch
from arena.wire.codec import codec_for
from tests.integration.bots import NOBODY, PATIENT, Code, House, answer, answers, finish, open_house
from tests.waiting import until

FILLER = watch.watched_end(replay="x" * 2_000)


class Watcher:
    """A spectator of one match, or of one that `choice` chooses."""

    def __init__(self, channel: grpc.aio.Channel, match_id: str = "", **choice: Any) -> None:
        request = watch_pb2.WatchRequest(match_id=match_id, **choice).SerializeToString()
        method: Any = channel.unary_stream("/arena.v1.WatchService/Watch")
        self.call = method(request)

    async def next(self) -> watch_pb2.WatchResponse | None:
        data = await self.call.read()
        return watch_pb2.WatchResponse.FromString(data) if isinstance(data, bytes) else None

    async def rest(self) -> list[watch_pb2.WatchResponse]:
        seen = []
        while (piece := await self.next()) is not None:
            seen.append(piece)
        return seen


async def table(house: House, match_id: str = "m1") -> tuple[Watcher, watch_pb2.WatchedTable]:
    watcher = Watcher(house.channel(), match_id)
    piece = await watcher.next()
    assert piece is not None
    assert piece.WhichOneof("piece") == "table"
    return watcher, piece.table


async def check_refused(house: House, match_id: str = "m1") -> None:
    watcher = Watcher(house.channel(), match_id)
    with pytest.raises(grpc.aio.AioRpcError, match="every match on its deal is over"):
        await watcher.next()
    assert await watcher.call.code() is Code.FAILED_PRECONDITION


class Record:
    """Everything that happened, as the public may see it."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, _state: AnyState, events: Sequence[Event]) -> None:
        public = (seen_by(event, None) for event in events)
        self.events += [event for event in public if event is not None]


async def test_a_match_that_is_forgotten_needs_no_collector(tmp_path, monkeypatch):
    """Nothing that played or hosted it holds it in a cycle: thousands would pile up otherwise."""
    monkeypatch.setattr(hall, "_REMEMBERED", 0)
    gc.disable()
    try:
        async with open_house(tmp_path) as house:
            stream, session, _ = await house.enter("a")
            match = house.start_alone(session, on_events=Record())
            hosted = house.arena.hall.find("m1")
            header = hosted.match.recording.header  # held by the match alone
            parts = [weakref.ref(part) for part in (hosted, header, session.seats["m1"])]
            del hosted, header
            await finish(stream, match)
            await match
            del match

            house.start_alone(session)
            await stream.expect("match_started")
            await stream.decision()  # until then the last one written is held, and its match
            assert [part() for part in parts] == [None, None, None]
    finally:
        gc.enable()


async def test_a_spectator_sees_all_that_is_public_in_order(tmp_path):
    """First the table, then exactly the public events from there, last the end with the replay."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        record = Record()
        match = house.start_alone(session, on_events=record)
        early, first = await table(house)
        assert (first.match_id, first.game) == ("m1", "byzanz")
        assert [seat.bot for seat in first.seats] == ["a", "", ""]
        codec = codec_for(get_game("byzanz"))
        hosted = house.arena.hall.find("m1")
        assert codec.read_observation(first) == hosted.match.state.observe(None)
        from_early = len(record.events)

        await stream.expect("match_started")
        for _ in range(3):
            await stream.say(answers(answer(await stream.decision())))
        decision = await stream.decision()
        late, second = await table(house)
        assert codec.read_observation(second) == hosted.match.state.observe(None)
        from_late = len(record.events)
        assert from_late > from_early

        await stream.say(answers(answer(decision)))
        await finish(stream, match)
        played = await match
        assert played.outcome is not None
        for watcher, start in ((early, from_early), (late, from_late)):
            *pieces, end = await watcher.rest()
            assert {piece.WhichOneof("piece") for piece in pieces} == {"events"}
            told = [event for piece in pieces for event in codec.read_events(piece.events)]
            assert told == record.events[start:]
            assert end.ended.replay == played.replay
            assert list(end.ended.scores) == list(played.outcome.scores)
            assert list(end.ended.ranks) == list(played.outcome.ranks)
            assert end.ended.forfeits[1] == play_pb2.FAULT_NO_START
            assert await watcher.call.code() is Code.OK


class Whispered(Event):
    """A fact of which others do not even learn that it happened."""

    audience = (Seat(0),)


async def test_what_is_not_public_at_all_leaves_no_trace(tmp_path):
    """A spectator gets no message, not even an empty one, for what only a seat may know."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        hosted = house.arena.hall.find("m1")
        spectator = hosted.watch()
        assert spectator.queue.qsize() == 1  # the table
        hosted._on_events(hosted.match.state, [Whispered()])
        assert spectator.queue.qsize() == 1
        hosted.leave(spectator)
        await stream.expect("match_started")
        await finish(stream, match)


async def test_faults_are_shown(tmp_path):
    """Spectators are told of faults when they happen."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        watcher, _ = await table(house)
        await stream.expect("match_started")
        await stream.say(answers(answer(await stream.decision(), 10_000)))
        await stream.rejection("ILLEGAL_MOVE")
        await finish(stream, match)
        pieces = await watcher.rest()
        faults = [fault for piece in pieces for fault in piece.events.faults]
        assert [(f.seat, f.fault, f.forfeited) for f in faults] == [
            (0, play_pb2.FAULT_ILLEGAL_MOVE, False)
        ]


async def test_after_the_end_the_replay_is_shown(tmp_path):
    """Who comes after the end sees the table and the end with its replay."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        watcher, _ = await table(house)
        await finish(stream, match)
        played = await match
        *_, end = await watcher.rest()
        after, _ = await table(house)
        (again,) = await after.rest()
        assert again == end
        assert end.ended.replay == played.replay
        assert end.ended.scores


async def test_what_is_not_released_is_not_shown(tmp_path):
    """Whoever plays the same deal later must learn nothing of it, neither now nor after the end."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        hosted = house.arena.hall.find("m1")
        hosted.is_released = False
        await check_refused(house)
        await finish(stream, match)
        played = await match
        await check_refused(house)
        organiser = hosted.watch()  # sees the end, but not what others held
        _, end = organiser.queue.get_nowait(), organiser.queue.get_nowait()
        assert end is not None
        assert not watch_pb2.WatchResponse.FromString(end).ended.replay
        house.arena.hall.release(["m1"])
        released, _ = await table(house)
        assert (await released.rest())[0].ended.replay == played.replay


async def test_hidden_names_are_hidden_from_spectators_too(tmp_path):
    """Where names are hidden a player cannot look them up by watching, until the end."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        rules = Conditions(PATIENT.control, PATIENT.policy, shows_names=False)
        match = house.start_alone(session, rules)
        started = await stream.expect("match_started")
        assert [seat.bot for seat in started.seats] == ["", "", ""]
        watcher, before = await table(house)
        assert [seat.bot for seat in before.seats] == ["", "", ""]
        hosted = house.arena.hall.find("m1")
        await finish(stream, match)
        await watcher.rest()
        hosted.is_released = False
        assert [seat.bot for seat in hosted.seats()] == ["", "", ""]
        hosted.is_released = True
        after, shown = await table(house)
        assert [seat.bot for seat in shown.seats] == ["a", "", ""]
        await after.rest()


async def wait(house: House, **choice: Any) -> Watcher:
    """Return a spectator that waits for a match."""
    waiting = len(house.arena.hall._awaited)
    watcher = Watcher(house.channel(), **choice)
    await until(lambda: len(house.arena.hall._awaited) == waiting + 1)
    return watcher


async def test_the_next_match_is_seen_from_its_first_move(tmp_path):
    """Who waits for the next match, or for that of a bot, sees all of it; others wait on."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        _, busy, _ = await house.enter("busy")
        house.start_alone(busy)
        anyone, own = await wait(house, next=True), await wait(house, next=True, bot="a")
        other = await wait(house, next=True, bot="b")
        record = Record()
        match = house.start_alone(session, on_events=record)
        await finish(stream, match)
        await match
        for watcher in (anyone, own):
            first, *pieces, _ = await watcher.rest()
            assert first.table.match_id == "m2"
            moves = [piece.events for piece in pieces if not piece.events.faults]
            codec = codec_for(get_game("byzanz"))
            assert [event for move in moves for event in codec.read_events(move)] == record.events
        assert len(house.arena.hall._awaited) == 1
        other.call.cancel()
        await until(lambda: not house.arena.hall._awaited)


async def test_the_match_of_a_bot(tmp_path):
    """The newest that runs is shown; if the bot plays none, its next one is waited for."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a", max_matches=3)
        early = await wait(house, bot="a")
        for _ in range(2):
            house.start_alone(session)
        for watcher, match_id in ((early, "m1"), (Watcher(house.channel(), bot="a"), "m2")):
            piece = await watcher.next()
            assert piece is not None
            assert piece.table.match_id == match_id


async def test_secrets_are_not_found_by_a_bot_or_by_waiting(tmp_path):
    """What may not be seen is refused or passed over, and hidden names are not found."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a", max_matches=9)
        rules = Conditions(PATIENT.control, PATIENT.policy, shows_names=False)
        house.start_alone(session, rules)
        by_name = await wait(house, bot="a")
        waiting = await wait(house, next=True)
        house.start_alone(session, is_released=False)
        house.start_alone(session, rules)
        piece = await waiting.next()
        assert piece is not None
        assert piece.table.match_id == "m3"
        assert len(house.arena.hall._awaited) == 1
        with pytest.raises(grpc.aio.AioRpcError, match="every match on its deal is over"):
            await Watcher(house.channel(), bot="a").next()
        house.start_alone(session)
        piece = await by_name.next()
        assert piece is not None
        assert piece.table.match_id == "m4"


async def test_void_matches(tmp_path):
    """A void match ends with its reason for players and spectators, without scores."""
    async with open_house(tmp_path) as house:
        stream, session, _ = await house.enter("a")
        match = house.start_alone(session)
        watcher, _ = await table(house)
        house.arena.hall.abort(["m1"], "the disk is full")
        assert (await match).void_reason == "the disk is full"
        (end,) = await watcher.rest()
        assert end.ended.void_reason == "the disk is full"
        assert not end.ended.scores
        ended = (await stream.hear_until("match_ended")).match_ended
        assert ended.void_reason == "the disk is full"
        assert not ended.scores


async def test_a_match_that_is_not_there(tmp_path):
    """An unknown match is NOT_FOUND, a request that is none INVALID_ARGUMENT."""
    async with open_house(tmp_path) as house:
        method: Any = house.channel().unary_stream("/arena.v1.WatchService/Watch")
        for request, code in ((b"\x0a\x01x", Code.NOT_FOUND), (b"\xff", Code.INVALID_ARGUMENT)):
            call = method(request)
            assert await call.code() is code
            assert await call.details()
        with pytest.raises(UnknownMatchError, match="no match 'x' is running here"):
            house.arena.hall.find("x")


async def test_matches_are_listed(tmp_path, monkeypatch):
    """Running matches come first, then the last ended, newest first; old ones are forgotten."""
    monkeypatch.setattr(hall, "_REMEMBERED", 2)
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a", max_matches=9)
        for _ in range(3):
            await house.start([NOBODY] * 3)
        house.start_alone(session)
        house.start_alone(session)
        call: Any = house.channel().unary_unary("/arena.v1.WatchService/ListMatches")
        listed = watch_pb2.ListMatchesResponse.FromString(await call(b"")).matches
        assert [(m.match_id, m.ended) for m in listed] == [
            ("m5", False),
            ("m4", False),
            ("m3", True),
            ("m2", True),
        ]
        assert listed[0].game == "byzanz"
        assert listed[3].moves > 0
        assert house.arena.hall.running == 2


async def test_a_slow_spectator_is_dropped_and_delays_nobody(tmp_path):
    """A spectator that does not read loses its place; the match ends as if nobody watched."""
    limits = SessionLimits(write_timeout_s=0.3)
    async with open_house(tmp_path, limits=limits) as house:
        _, one = await house.honest("a")
        _, two = await house.honest("b")
        _, three = await house.honest("c")
        record = Record()
        match = house.start([one, two, three], game="schwarzmarkt", on_events=record)
        watcher, _ = await table(house)
        hosted = house.arena.hall.find("m1")
        (spectator,) = hosted._spectators
        for _ in range(300):  # far more than gRPC and the queue take
            hosted._tell(FILLER)
        assert spectator.is_dropped
        assert not hosted._spectators
        played = await match
        assert played.outcome is not None
        assert not played.faults
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await watcher.rest()
        assert caught.value.code() is Code.RESOURCE_EXHAUSTED
        assert "read faster" in str(caught.value.details())


async def test_a_spectator_that_never_reads_gives_up_its_place(tmp_path):
    """Spectators who do not read cannot keep others out."""
    limits = SessionLimits(write_timeout_s=0.1)
    async with open_house(tmp_path, limits=limits) as house:
        _, session, _ = await house.enter("a")
        house.start_alone(session)
        watcher, _ = await table(house)
        hosted = house.arena.hall.find("m1")
        for _ in range(200):
            hosted._tell(FILLER)
        assert hosted._spectators, "not yet dropped for its backlog"
        await until(lambda: not hosted._spectators)
        watcher.call.cancel()  # without ever having read what it was told


async def test_a_spectator_that_leaves_is_forgotten(tmp_path):
    """Nothing is kept for somebody who has gone."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a")
        house.start_alone(session)
        watcher, _ = await table(house)
        hosted = house.arena.hall.find("m1")
        assert hosted._spectators
        watcher.call.cancel()
        await until(lambda: not hosted._spectators)


async def test_the_end_may_be_what_is_too_much():
    """A queue that has no room for the end is a slow spectator too."""
    spectator = Spectator()
    for _ in range(spectator.queue.maxsize):
        spectator.push(b"")
    assert not spectator.is_dropped
    spectator.push(None)
    assert spectator.is_dropped


async def test_tables_that_cannot_be_are_refused(tmp_path):
    """A session sits at a table once, and a match runs once."""
    async with open_house(tmp_path) as house:
        _, session, _ = await house.enter("a", max_matches=3)
        with pytest.raises(InputError, match="only once"):
            house.start([session, session, NOBODY])
        house.start_alone(session)
        house._matches -= 1
        with pytest.raises(InputError, match="is already running"):
            house.start_alone(session)


async def test_hooks_hear_of_faults(tmp_path):
    """Whoever starts a match is told of faults as they happen, those at the start included."""
    faults: list[Any] = []
    async with open_house(tmp_path) as house:
        rules = Conditions(TimeControl(), FaultPolicy())
        played = await house.start([NOBODY] * 3, rules, on_fault=faults.append)
        assert played.forfeits == (Fault.NO_START,) * 3
        assert tuple(faults) == played.faults
