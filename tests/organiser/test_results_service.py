"""ResultsService on gRPC, in front of a reader that holds what the tests put there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import grpc
import grpc.aio
import pytest

from arena.errors import (
    ForbiddenError,
    ResultsError,
    UnknownMatchError,
    UnknownTournamentError,
    UnreleasedError,
)
from arena.organiser.director import Director
from arena.organiser.directories import ResultsPage
from arena.organiser.journal import TournamentState
from arena.organiser.results_service import ResultsService
from arena.rating.leaderboard import Leaderboard, Standing
from arena.referee.faults import Fault, SeatFault
from arena.results.messages import TournamentPhase, read_result
from arena.server.auth import TokenFile
from arena.server.callers import Callers
from arena.storage.records import BotRecord, FixtureRecord, MatchReport, StoredMatch
from arena.v1 import results_pb2
from arena.v1.results_pb2_grpc import add_ResultsServiceServicer_to_server
from tests.server.served import call, make_tokens, served

CREATED = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
STATE = TournamentState(
    "cup", "byzanz", 3, (BotRecord("ann", "1"),), TournamentPhase.STOPPED, created=CREATED
)
MATCH = StoredMatch(
    FixtureRecord(0, "1-1", 1, 1, 1, 1, 0, ("ann", "ben", "cem")),
    MatchReport(
        match="1-1",
        scores=(5, 9, 1),
        ranks=(2, 1, 3),
        forfeits=(None, None, Fault.TIMEOUT),
        faults=(SeatFault(2, 8, Fault.TIMEOUT, "it held tea", forfeited=True),),
        times=(),
        moves=99,
        replay="",
    ),
)
STANDING = Standing(
    1, "ann", "1", 20.5, 25.0, 1.5, 6, 4, 1.5, None, 12.25, None, (4, 1, 1), {}, 2, ()
)
BOARD = Leaderboard("cup", "byzanz", 3, 6, 6, 2, 2, "7", "trueskill", 0.0, (STANDING,), {}, None)

CALLS = {
    "ListTournaments": results_pb2.ListTournamentsRequest(),
    "GetTournament": results_pb2.GetTournamentRequest(tournament="cup"),
    "GetLeaderboard": results_pb2.GetLeaderboardRequest(tournament="cup"),
    "ListResults": results_pb2.ListResultsRequest(tournament="cup"),
    "GetReplay": results_pb2.GetReplayRequest(tournament="cup", match_id="1-1"),
    "FetchResults": results_pb2.FetchResultsRequest(tournament="cup"),
}


class FakeFiles:
    """Two messages of pieces."""

    def __init__(self) -> None:
        self.is_closed = False
        self._pieces = [
            [("replays/1-1.jsonl", b"one", False), ("replays/1-1.jsonl", b"two", True)],
            [("tournament.toml", b"", True)],
        ]

    def read(self) -> Sequence[tuple[str, bytes, bool]]:
        return self._pieces.pop(0) if self._pieces else []

    def close(self) -> None:
        self.is_closed = True


class FakeReader:
    """Holds one tournament."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.kept = STATE
        self.board = BOARD
        self.page = ResultsPage([(MATCH, False)], True, 7)
        self.sent = FakeFiles()

    async def states(self) -> Sequence[TournamentState]:
        self._ask("states")
        return [STATE]

    async def state(self, name: str) -> TournamentState:
        self._ask("state", name)
        return self.kept

    async def leaderboard(self, name: str) -> tuple[str, Leaderboard]:
        self._ask("leaderboard", name)
        return "{}", self.board

    async def results(self, name: str, start: int, limit: int) -> ResultsPage:
        self._ask("results", name, start, limit)
        return self.page

    async def replay(self, name: str, match: str) -> str:
        self._ask("replay", name, match)
        return "lines"

    async def log(self, name: str, bot: str) -> str:
        self._ask("log", name, bot)
        return "printed"

    async def files(self, name: str, max_replays: int | None, *, is_admin: bool) -> FakeFiles:
        self._ask("files", name, max_replays, is_admin)
        return self.sent

    def _ask(self, *words: Any) -> None:
        self.asked.append(words)
        if self.error is not None:
            raise self.error


def serving(
    path: Path, reader: FakeReader, tokens: TokenFile | None = None
) -> AbstractAsyncContextManager[grpc.aio.Channel]:
    """Serve; gives a channel."""
    service = ResultsService(cast("Director", reader), Callers(tokens))
    return served(path, ["byzanz"], add_ResultsServiceServicer_to_server, service)


async def ask(
    channel: grpc.aio.Channel, method: str, request: Any = None, token: str = ""
) -> list[Any]:
    """Call a method; return its responses."""
    request = CALLS[method] if request is None else request
    responses = await call(channel, f"arena.v1.ResultsService/{method}", request, token)
    return [getattr(results_pb2, f"{method}Response").FromString(each) for each in responses]


@pytest.mark.parametrize("method", CALLS)
async def test_only_those_with_a_token_may_read(tmp_path, method):
    """Any token of the arena will do; without one nothing is told."""
    file, tokens = make_tokens(tmp_path)
    reader = FakeReader()
    async with serving(tmp_path, reader, file) as channel:
        for token in ("", "arena-guess"):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await ask(channel, method, token=token)
            assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert not reader.asked
        for token in tokens.values():
            reader.sent = FakeFiles()
            assert await ask(channel, method, token=token)


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UnknownTournamentError("none"), grpc.StatusCode.NOT_FOUND),
        (UnknownMatchError("none"), grpc.StatusCode.NOT_FOUND),
        (UnreleasedError("later"), grpc.StatusCode.FAILED_PRECONDITION),
        (ForbiddenError("not yours"), grpc.StatusCode.PERMISSION_DENIED),
        (ResultsError(Path("timing.json"), "torn"), grpc.StatusCode.DATA_LOSS),
    ],
)
async def test_what_goes_wrong_is_told_by_its_status(tmp_path, method, error, code):
    """Every method ends with the status of the error and its words."""
    reader = FakeReader()
    reader.error = error
    async with serving(tmp_path, reader) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await ask(channel, method)
    assert raised.value.code() is code
    assert raised.value.details() == str(error)


@pytest.mark.parametrize("method", CALLS)
async def test_garbage_is_refused(tmp_path, method):
    """What is no message is an invalid argument."""
    async with serving(tmp_path, FakeReader()) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await ask(channel, method, b"\xff\xff\xff")
        assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_tournaments_are_listed(tmp_path):
    """All of them, or one, with when it was begun."""
    reader = FakeReader()
    async with serving(tmp_path, reader) as channel:
        (listed,) = await ask(channel, "ListTournaments")
        (got,) = await ask(channel, "GetTournament")
    assert list(listed.tournaments) == [got.state]
    assert got.state.phase == results_pb2.TOURNAMENT_PHASE_STOPPED
    assert got.state.created.ToDatetime(UTC) == CREATED
    assert reader.asked == [("states",), ("state", "cup")]


@pytest.mark.parametrize("phase", TournamentPhase)
async def test_every_phase_can_be_told(tmp_path, phase):
    """Each by the value of its name."""
    reader = FakeReader()
    reader.kept = replace(STATE, phase=phase)
    async with serving(tmp_path, reader) as channel:
        (got,) = await ask(channel, "GetTournament")
    name = results_pb2.TournamentPhase.Name(got.state.phase)
    assert name == f"TOURNAMENT_PHASE_{phase.name}"


async def test_a_leaderboard(tmp_path):
    """The whole file, and the lines as fields; complete only when the seed is told."""
    reader = FakeReader()
    async with serving(tmp_path, reader) as channel:
        (got,) = await ask(channel, "GetLeaderboard")
        reader.board = replace(BOARD, seed="", is_complete=False)
        (early,) = await ask(channel, "GetLeaderboard")
    assert got.leaderboard_json == "{}"
    assert got.complete
    assert not early.complete
    (line,) = got.bots
    assert line == results_pb2.LeaderboardLine(
        rank=1,
        name="ann",
        version="1",
        rating=20.5,
        mu=25.0,
        sigma=1.5,
        matches=6,
        wins=4,
        mean_rank=1.5,
        mean_score=12.25,
        forfeits=2,
    )


async def test_a_page_of_results(tmp_path):
    """From a place on, up to a limit, with where the next page begins."""
    reader = FakeReader()
    async with serving(tmp_path, reader) as channel:
        request = results_pb2.ListResultsRequest(tournament="cup", start=4, limit=3)
        (got,) = await ask(channel, "ListResults", request)
        reader.page = ResultsPage([], True, None)
        (last,) = await ask(channel, "ListResults")
        too_many = results_pb2.ListResultsRequest(tournament="cup", limit=1_001)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await ask(channel, "ListResults", too_many)
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reader.asked == [("results", "cup", 4, 3), ("results", "cup", 0, 1_000)]
    assert got.next_start == 7
    assert not last.HasField("next_start")
    assert read_result(got.matches[0]) == MATCH


@pytest.mark.parametrize("shows_names", [True, False])
@pytest.mark.parametrize("is_released", [True, False])
@pytest.mark.parametrize("role", ["bot", "admin"])
async def test_a_bot_gets_of_a_secret_deal_scores_and_ranks_alone(
    tmp_path, role, is_released, shows_names
):
    """And where names are hidden, not even who played; an organiser sees what happened."""
    file, tokens = make_tokens(tmp_path)
    reader = FakeReader()
    reader.page = ResultsPage([(MATCH, is_released)], shows_names, None)
    async with serving(tmp_path, reader, file) as channel:
        (got,) = await ask(channel, "ListResults", token=tokens[role])
    (match,) = got.matches
    assert (list(match.scores), list(match.ranks)) == ([5, 9, 1], [2, 1, 3])
    assert match.released is is_released
    is_open = role == "admin" or is_released
    assert bool(match.faults) is is_open
    assert bool(match.moves) is is_open
    assert bool(match.fixture.bots) is (is_open or shows_names)
    assert (b"tea" in match.SerializeToString()) is is_open


async def test_a_replay(tmp_path):
    """The text as it was written."""
    reader = FakeReader()
    async with serving(tmp_path, reader) as channel:
        (got,) = await ask(channel, "GetReplay")
    assert got.replay == "lines"
    assert reader.asked == [("replay", "cup", "1-1")]


async def test_a_log_is_for_its_author_and_for_organisers(tmp_path):
    """Others are refused, everybody where nobody can prove who they are."""
    tokens, made = make_tokens(tmp_path)
    reader = FakeReader()
    own, other = (results_pb2.GetLogRequest(tournament="cup", bot=bot) for bot in ("bot", "max"))
    async with serving(tmp_path, reader, tokens) as channel:
        for request, role in ((own, "bot"), (own, "admin"), (other, "admin")):
            (got,) = await ask(channel, "GetLog", request, made[role])
            assert got.log == "printed"
        with pytest.raises(grpc.aio.AioRpcError, match="author"):
            await ask(channel, "GetLog", other, made["bot"])
        with pytest.raises(grpc.aio.AioRpcError, match="no token"):
            await ask(channel, "GetLog", own)
    async with serving(tmp_path, reader) as channel:
        with pytest.raises(grpc.aio.AioRpcError, match="author"):
            await ask(channel, "GetLog", own)
    assert len(reader.asked) == 3


@pytest.mark.parametrize("most", [None, 0, 5])
@pytest.mark.parametrize("role", ["bot", "admin"])
async def test_the_files_of_a_tournament(tmp_path, role, most):
    """All pieces in their order; the reader is told who asks, and everything is closed."""
    file, tokens = make_tokens(tmp_path)
    reader = FakeReader()
    request = results_pb2.FetchResultsRequest(tournament="cup", max_replays=most)
    async with serving(tmp_path, reader, file) as channel:
        responses = await ask(channel, "FetchResults", request, tokens[role])
    assert reader.asked == [("files", "cup", most, role == "admin")]
    chunks = [
        (chunk.name, chunk.data, chunk.last) for response in responses for chunk in response.chunks
    ]
    assert chunks == [
        ("replays/1-1.jsonl", b"one", False),
        ("replays/1-1.jsonl", b"two", True),
        ("tournament.toml", b"", True),
    ]
    assert reader.sent.is_closed
