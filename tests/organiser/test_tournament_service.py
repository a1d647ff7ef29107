"""TournamentService on gRPC, in front of an organiser that does as the tests say."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any, cast

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.config.tournament import Unfit
from arena.errors import (
    InputError,
    LimitError,
    StorageError,
    TournamentExistsError,
    UnfitError,
    UnknownTournamentError,
)
from arena.organiser import tournament_service
from arena.organiser.director import Director
from arena.organiser.journal import (
    Journal,
    MatchFault,
    Started,
    TournamentState,
    VoidMatch,
)
from arena.organiser.tournament_service import TournamentService
from arena.rating.tally import StandingSoFar
from arena.referee.clock import LoopClock
from arena.referee.faults import Fault, SeatFault
from arena.results.messages import TournamentPhase, read_fixture, read_result, read_seat_fault
from arena.server.auth import TokenFile
from arena.server.callers import Callers
from arena.server.limits import SessionLimits
from arena.server.rpc import write
from arena.server.session import Introduction, Session
from arena.storage.records import (
    BotRecord,
    FixtureRecord,
    MatchReport,
    SeatTimes,
    StoredMatch,
)
from arena.v1 import results_pb2, tournament_pb2
from arena.v1.tournament_pb2_grpc import add_TournamentServiceServicer_to_server
from tests.server.served import call, make_tokens, served

GAMES = ["byzanz", "schwarzmarkt"]
STATE = TournamentState(
    name="cup",
    game="byzanz",
    players=3,
    bots=(BotRecord("ann", "1", "red"), BotRecord("ben")),
    phase=TournamentPhase.RUNNING,
    played=2,
    scheduled=6,
    commitment="c0ffee",
)
FIXTURE = FixtureRecord(3, "2-1", 2, 1, 2, 5, 0, ("ann", "ben", "cem"))
FAULT = SeatFault(1, 17, Fault.TIMEOUT, "too \x1b[31mslow", forfeited=False)
MATCH = StoredMatch(
    FIXTURE,
    MatchReport(
        match="2-1",
        scores=(10, -3, 7),
        ranks=(1, 3, 2),
        forfeits=(None, Fault.CRASH, None),
        faults=(FAULT,),
        times=(SeatTimes(12, 1.25, 0.5, 0.000001),) * 3,
        moves=40,
        replay="",
    ),
)

SERVICE = "arena.v1.TournamentService"


class FakeOrganiser:
    """Returns what it was given, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.is_stopping = False
        self.state = STATE
        self.journal = Journal(lambda: self.state)
        self.lobby: list[Session] = []

    def sessions(self) -> Sequence[Session]:
        return self.lobby

    def kick(self, bot: str, reason: str) -> bool:
        self._ask("kick", bot, reason)
        return bot == "here"

    async def start(self, config: str, unfit: Unfit) -> Started:
        self._ask("start", config, unfit)
        return Started(self.state, "the config", True, {"far": "not there"}, ("even",))

    async def stop(self, name: str, *, at_once: bool) -> TournamentState:
        self._ask("stop", name, at_once)
        return replace(self.state, phase=TournamentPhase.STOPPING)

    async def follow(self, name: str) -> Journal:
        self._ask("follow", name)
        return self.journal

    def end(self, phase: TournamentPhase) -> None:
        self.state = replace(self.state, phase=phase)
        self.journal.add(self.state)
        self.journal.close()

    def _ask(self, *words: Any) -> None:
        self.asked.append(words)
        if self.error is not None:
            raise self.error


def serving(
    path: Path, organiser: FakeOrganiser, tokens: TokenFile | None = None
) -> AbstractAsyncContextManager[grpc.aio.Channel]:
    """Serve; gives a channel."""
    service = TournamentService(cast("Director", organiser), Callers(tokens), GAMES, 0.2)
    return served(path, GAMES, add_TournamentServiceServicer_to_server, service)


async def ask(channel: grpc.aio.Channel, method: str, request: Any, token: str = "") -> bytes:
    """Call a method with one response."""
    (response,) = await call(channel, f"{SERVICE}/{method}", request, token)
    return response


def follow(channel: grpc.aio.Channel, after: int = 0) -> Any:
    """Return the stream that follows the cup."""
    method: Any = channel.unary_stream(
        f"/{SERVICE}/FollowTournament",
        request_serializer=tournament_pb2.FollowTournamentRequest.SerializeToString,
        response_deserializer=tournament_pb2.FollowTournamentResponse.FromString,
    )
    return method(tournament_pb2.FollowTournamentRequest(tournament="cup", after=after))


async def hear(stream: Any, into: list[Any] | None = None) -> list[Any]:
    """Return all events until the stream ends."""
    events = [] if into is None else into
    while (response := await stream.read()) is not grpc.aio.EOF:
        events += response.events
    return events


CALLS = {
    "ListBots": tournament_pb2.ListBotsRequest(),
    "KickBot": tournament_pb2.KickBotRequest(),
    "StartTournament": tournament_pb2.StartTournamentRequest(),
    "FollowTournament": tournament_pb2.FollowTournamentRequest(),
    "StopTournament": tournament_pb2.StopTournamentRequest(),
}


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize(
    ("who", "code"),
    [
        ("nobody", grpc.StatusCode.UNAUTHENTICATED),
        ("stranger", grpc.StatusCode.UNAUTHENTICATED),
        ("bot", grpc.StatusCode.PERMISSION_DENIED),
    ],
)
async def test_only_organisers_are_served(tmp_path, caplog, method, who, code):
    """Without a token, with an unknown one or with a bot's nothing happens, and none is logged."""
    file, made = make_tokens(tmp_path)
    tokens = {"nobody": "", "stranger": "arena-guess", **made}
    caplog.set_level(0)
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser, file) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await ask(channel, method, CALLS[method], tokens[who])
        assert error.value.code() is code
        assert not organiser.asked
        await ask(channel, "ListBots", CALLS["ListBots"], tokens["admin"])
    assert not any(token in caplog.text for token in tokens.values() if token)


async def test_the_lobby_is_listed_by_name(tmp_path):
    """Each bot with the games it plays of those offered, since when, its matches and places."""
    organiser = FakeOrganiser()
    for name, games in (("zoe", ()), ("ann", ("byzanz", "chess"))):
        profile = Introduction(name, "2", "go", "", frozenset(games), 8)
        organiser.lobby.append(Session(profile, SessionLimits(), LoopClock(), None))
    cast("dict[str, object]", organiser.lobby[1].seats)["m1"] = object()
    async with serving(tmp_path, organiser) as channel:
        data = await ask(channel, "ListBots", tournament_pb2.ListBotsRequest())
    ann, zoe = tournament_pb2.ListBotsResponse.FromString(data).bots
    assert ann.connected_at.ToDatetime(UTC) == organiser.lobby[1].opened_at
    ann.ClearField("connected_at")
    assert ann == tournament_pb2.LobbyBot(
        name="ann", version="2", language="go", games=["byzanz"], present=True, free=7, playing=1
    )
    assert list(zoe.games) == GAMES


@pytest.mark.parametrize(("bot", "kicked"), [("here", True), ("gone", False)])
async def test_a_bot_is_kicked(tmp_path, bot, kicked):
    """The reason is passed on, cut to its limit, and the answer says whether the bot was there."""
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser) as channel:
        request = tournament_pb2.KickBotRequest(bot=bot, reason="x" * 300)
        data = await ask(channel, "KickBot", request)
    assert tournament_pb2.KickBotResponse.FromString(data).kicked is kicked
    assert organiser.asked == [("kick", bot, "x" * 200)]


@pytest.mark.parametrize(
    ("number", "unfit"),
    [
        (tournament_pb2.UNFIT_POLICY_UNSPECIFIED, Unfit.STOP),
        (tournament_pb2.UNFIT_POLICY_STOP, Unfit.STOP),
        (tournament_pb2.UNFIT_POLICY_LEAVE_OUT, Unfit.LEAVE_OUT),
        (tournament_pb2.UNFIT_POLICY_ENTER, Unfit.ENTER),
    ],
)
async def test_a_tournament_is_started(tmp_path, number, unfit):
    """The organiser is asked as the request says, and the response tells all it knows."""
    organiser = FakeOrganiser()
    request = tournament_pb2.StartTournamentRequest(config_toml="x = 1", unfit=number)
    async with serving(tmp_path, organiser) as channel:
        data = await ask(channel, "StartTournament", request)
    assert organiser.asked == [("start", "x = 1", unfit)]
    response = tournament_pb2.StartTournamentResponse.FromString(data)
    assert response.resumed
    assert response.config_toml == "the config"
    assert list(response.notes) == ["even"]
    assert [(bot.name, bot.reason) for bot in response.refused] == [("far", "not there")]
    state = response.state
    assert (state.name, state.played, state.scheduled) == ("cup", 2, 6)
    assert state.phase == results_pb2.TOURNAMENT_PHASE_RUNNING
    assert state.commitment == "c0ffee"
    assert [(bot.name, bot.version, bot.group) for bot in state.bots] == [
        ("ann", "1", "red"),
        ("ben", "", ""),
    ]
    assert not state.HasField("created")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("no such game"), grpc.StatusCode.INVALID_ARGUMENT),
        (TournamentExistsError("another", []), grpc.StatusCode.ALREADY_EXISTS),
        (UnfitError("far is not there"), grpc.StatusCode.FAILED_PRECONDITION),
        (UnknownTournamentError("none"), grpc.StatusCode.NOT_FOUND),
        (StorageError("the disk is full"), grpc.StatusCode.FAILED_PRECONDITION),
    ],
)
async def test_what_goes_wrong_is_told_by_its_status(tmp_path, error, code):
    """Every method ends with the status of the error and its words."""
    organiser = FakeOrganiser()
    organiser.error = error
    async with serving(tmp_path, organiser) as channel:
        for method in ("StartTournament", "StopTournament"):
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await ask(channel, method, CALLS[method])
            assert raised.value.code() is code
            assert raised.value.details() == str(error)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await hear(follow(channel))
        assert raised.value.code() is code


@pytest.mark.parametrize("method", CALLS)
async def test_garbage_is_refused(tmp_path, method):
    """What is no message, or says what no message can say, is an invalid argument."""
    async with serving(tmp_path, FakeOrganiser()) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await ask(channel, method, b"\xff\xff\xff")
        assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_an_unfit_policy_that_is_not_known(tmp_path):
    """It is refused, not taken for another."""
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await ask(channel, "StartTournament", b"\x10\x63")
        assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert not organiser.asked


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_tournament_is_stopped(tmp_path, at_once):
    """It is said whether running matches may finish."""
    organiser = FakeOrganiser()
    request = tournament_pb2.StopTournamentRequest(tournament="cup", at_once=at_once)
    async with serving(tmp_path, organiser) as channel:
        data = await ask(channel, "StopTournament", request)
    assert organiser.asked == [("stop", "cup", at_once)]
    state = tournament_pb2.StopTournamentResponse.FromString(data).state
    assert state.phase == results_pb2.TOURNAMENT_PHASE_STOPPING


async def test_a_follower_is_told_everything_until_the_end(tmp_path):
    """First the state, then what happens, equal when it is read again, and a final state."""
    standing = StandingSoFar("ann", 4, 3, ranks=5, scores=70)
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser) as channel:
        stream = follow(channel)
        first = (await stream.read()).events
        assert [event.state.name for event in first] == ["cup"]
        organiser.journal.add(MATCH)
        organiser.journal.add(MatchFault(FIXTURE, FAULT))
        organiser.journal.add(VoidMatch(FIXTURE, "the arena stumbled"))
        organiser.journal.add((standing,))
        organiser.end(TournamentPhase.COMPLETE)
        ended, fault, void, standings, last = await hear(stream)
    assert read_result(ended.ended) == MATCH
    assert read_fixture(fault.fault.fixture) == FIXTURE
    assert read_seat_fault(fault.fault.fault) == FAULT
    assert read_fixture(void.voided.fixture) == FIXTURE
    assert void.voided.reason == "the arena stumbled"
    (bot,) = standings.standings.bots
    assert (bot.name, bot.matches, bot.wins, bot.mean_rank, bot.mean_score) == (
        "ann",
        4,
        3,
        1.25,
        17.5,
    )
    assert last.state.phase == results_pb2.TOURNAMENT_PHASE_COMPLETE
    numbers = [event.number for event in (*first, ended, fault, void, standings, last)]
    assert numbers == list(range(numbers[0], numbers[0] + 6))


async def test_a_follower_that_comes_back_misses_nothing(tmp_path):
    """It names the last event it knows and gets those after it; the state is not said again."""
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser) as channel:
        stream = follow(channel)
        (first,) = (await stream.read()).events
        stream.cancel()
        organiser.journal.add(MATCH)
        organiser.end(TournamentPhase.STOPPED)
        events = await hear(follow(channel, first.number))
        assert [event.WhichOneof("event") for event in events] == ["ended", "state"]


@pytest.mark.parametrize("number", [1, 2**63])
async def test_a_follower_with_a_number_that_is_forgotten(tmp_path, number):
    """It is told how things stand, as a new one is."""
    organiser = FakeOrganiser()
    organiser.journal.add(MATCH)
    organiser.end(TournamentPhase.STOPPED)
    async with serving(tmp_path, organiser) as channel:
        (event,) = await hear(follow(channel, number))
        assert event.state.phase == results_pb2.TOURNAMENT_PHASE_STOPPED


async def test_a_follower_of_an_arena_that_stops(tmp_path):
    """It is told that the arena goes away, not that the tournament is over."""
    organiser = FakeOrganiser()
    async with serving(tmp_path, organiser) as channel:
        stream = follow(channel)
        await stream.read()
        organiser.journal.add(MATCH)
        organiser.is_stopping = True
        organiser.end(TournamentPhase.STOPPED)
        events: list[Any] = []
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await hear(stream, events)
        assert error.value.code() is grpc.StatusCode.UNAVAILABLE
        assert [event.WhichOneof("event") for event in events] == ["ended"]


async def test_a_follower_that_reads_too_slowly_delays_nobody(tmp_path, monkeypatch):
    """It is dropped when it does not read at all; the journal never waits for it."""
    is_dropped = asyncio.Event()

    async def write_noting(*arguments):
        try:
            await write(*arguments)
        except LimitError:
            is_dropped.set()
            raise

    monkeypatch.setattr(tournament_service, "write", write_noting)
    organiser = FakeOrganiser()
    detail = "x" * 10_000
    async with serving(tmp_path, organiser) as channel:
        stream = follow(channel)
        await stream.read()
        for _ in range(1_500):
            organiser.journal.add(VoidMatch(FIXTURE, detail))
        await is_dropped.wait()
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await hear(stream)
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_the_service_is_known_to_those_who_ask_for_the_arenas_health(tmp_path):
    """It serves as soon as the arena does."""
    async with serving(tmp_path, FakeOrganiser()) as channel:
        request = health_pb2.HealthCheckRequest(service=SERVICE)
        stub = cast("Any", health_pb2_grpc.HealthStub(channel))
        answer = await stub.Check(request)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_journal_remembers_so_much_and_no_more():
    """Who is too far behind is told the state and goes on from the newest event."""
    journal = Journal(lambda: STATE)
    ((start, state),) = journal.read(0, 10)
    assert state == STATE
    for number in range(2_000):
        journal.add(VoidMatch(FIXTURE, str(number)))
    assert journal.read(start, 1)[0][1] == VoidMatch(FIXTURE, "0")
    journal.add(VoidMatch(FIXTURE, "one too many"))
    assert journal.read(start, 1) == [(start + 2_001, STATE)]
    assert journal.read(start + 2_000, 9) == [(start + 2_001, VoidMatch(FIXTURE, "one too many"))]
    assert journal.read(start + 2_001, 9) == []
