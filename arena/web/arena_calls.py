"""Calls to a running arena, with the token of whoever looks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import grpc
import grpc.aio
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from arena.client.channel import Destination
from arena.errors import (
    ArenaError,
    ForbiddenError,
    InputError,
    LimitError,
    LostError,
    TokenError,
    UnknownDocumentError,
    UnreleasedError,
)
from arena.v1 import results_pb2, table_pb2, tournament_pb2, watch_pb2
from arena.v1.results_pb2_grpc import ResultsServiceStub
from arena.v1.table_pb2_grpc import TableServiceStub
from arena.v1.tournament_pb2_grpc import TournamentServiceStub
from arena.v1.watch_pb2_grpc import WatchServiceStub

_CALL_S = 20.0

_ERRORS: dict[grpc.StatusCode, type[ArenaError]] = {
    grpc.StatusCode.NOT_FOUND: UnknownDocumentError,
    grpc.StatusCode.FAILED_PRECONDITION: UnreleasedError,
    grpc.StatusCode.PERMISSION_DENIED: ForbiddenError,
    grpc.StatusCode.UNAUTHENTICATED: TokenError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: LimitError,
    grpc.StatusCode.INVALID_ARGUMENT: InputError,
    grpc.StatusCode.UNIMPLEMENTED: InputError,
}


@dataclass(frozen=True, slots=True)
class WantedMatch:
    """A match that a person wants to play."""

    game: str
    bots: Sequence[str]  # by seat, the person's among them
    move_time_s: float
    bank_s: float


class ArenaCalls:
    """One channel to an arena. Every call raises what its status says, LostError among them."""

    def __init__(self, destination: Destination) -> None:
        """Prepare to dial; the token of the destination is the gateway's own."""
        self._destination = destination
        self._channel: grpc.aio.Channel | None = None

    async def close(self) -> None:
        """Hang up."""
        if self._channel is not None:
            channel, self._channel = self._channel, None
            await channel.close()

    def _dial(self) -> grpc.aio.Channel:
        if self._channel is None:
            self._channel = self._destination.dial()
        return self._channel

    async def list_tournaments(
        self, token: str | None = None
    ) -> Sequence[results_pb2.TournamentState]:
        """Return all tournaments."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.ListTournamentsRequest()
        return (await self._ask(stub.ListTournaments, request, token)).tournaments  # type: ignore[no-any-return]

    async def tournament(self, name: str) -> results_pb2.TournamentState:
        """Return how far a tournament is."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.GetTournamentRequest(tournament=name)
        return (await self._ask(stub.GetTournament, request)).state  # type: ignore[no-any-return]

    async def leaderboard(self, name: str) -> str:
        """Return leaderboard.json."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.GetLeaderboardRequest(tournament=name)
        return (await self._ask(stub.GetLeaderboard, request)).leaderboard_json  # type: ignore[no-any-return]

    async def page(self, name: str) -> str:
        """Return leaderboard.html, "" if the arena is too old to send it."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.GetLeaderboardRequest(tournament=name, with_page=True)
        return (await self._ask(stub.GetLeaderboard, request)).page_html  # type: ignore[no-any-return]

    async def results(self, name: str, start: int) -> results_pb2.ListResultsResponse:
        """Return a page of matches."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.ListResultsRequest(tournament=name, start=start)
        return await self._ask(stub.ListResults, request)  # type: ignore[no-any-return]

    async def replay(self, name: str, match: str) -> str:
        """Return a replay of a tournament."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.GetReplayRequest(tournament=name, match_id=match)
        return (await self._ask(stub.GetReplay, request)).replay  # type: ignore[no-any-return]

    async def log(self, name: str, bot: str, token: str) -> str:
        """Return the end of a bot's log, if it is the token of its author or an organiser."""
        stub = ResultsServiceStub(self._dial())
        request = results_pb2.GetLogRequest(tournament=name, bot=bot)
        return (await self._ask(stub.GetLog, request, token)).log  # type: ignore[no-any-return]

    async def list_bots(self, token: str | None = None) -> Sequence[tournament_pb2.LobbyBot]:
        """Return the bots in the lobby; for organisers."""
        stub = TournamentServiceStub(self._dial())
        return (await self._ask(stub.ListBots, tournament_pb2.ListBotsRequest(), token)).bots  # type: ignore[no-any-return]

    async def list_matches(self) -> Sequence[watch_pb2.MatchSummary]:
        """Return the matches that run, and the last that have ended."""
        return (await self.listed()).matches

    async def listed(self, token: str | None = None) -> watch_pb2.ListMatchesResponse:
        """Return the same, and whether it is an organiser's token."""
        stub = WatchServiceStub(self._dial())
        return await self._ask(stub.ListMatches, watch_pb2.ListMatchesRequest(), token)  # type: ignore[no-any-return]

    async def watch(
        self, match: str, token: str, *, everything: bool = False
    ) -> AsyncIterator[watch_pb2.WatchResponse]:
        """Yield the pieces of a match, with its tables or with everything if the token may."""
        stub = WatchServiceStub(self._dial())
        request = watch_pb2.WatchRequest(match_id=match, with_tables=True, everything=everything)
        metadata = replace(self._destination, token=token).metadata
        try:
            async for response in stub.Watch(request, metadata=metadata):
                yield response
        except grpc.aio.AioRpcError as error:
            raise _judge(error) from None

    async def reserve_bots(self, bots: Sequence[str], token: str) -> None:
        """Keep casual matches away from these bots for a minute."""
        stub = TableServiceStub(self._dial())
        await self._ask(stub.ReserveBots, table_pb2.ReserveBotsRequest(bots=bots), token)

    async def start_match(self, table: WantedMatch, token: str) -> str:
        """Begin a match and return its name."""
        stub = TableServiceStub(self._dial())
        request = table_pb2.StartMatchRequest(
            game=table.game,
            bots=table.bots,
            move_time=_duration(table.move_time_s),
            bank=_duration(table.bank_s),
        )
        return (await self._ask(stub.StartMatch, request, token)).match_id  # type: ignore[no-any-return]

    async def is_admin(self, token: str) -> bool:
        """Return whether this token is an organiser's."""
        try:
            await self.list_bots(token)
        except (ForbiddenError, TokenError):
            return False
        return True

    async def is_known(self, token: str) -> bool:
        """Return whether somebody was given this token."""
        try:
            await self.list_tournaments(token)
        except TokenError:
            return False
        return True

    async def _ask(self, method: Any, request: Message, token: str | None = None) -> Any:
        destination = (
            self._destination if token is None else replace(self._destination, token=token)
        )
        try:
            return await method(request, metadata=destination.metadata, timeout=_CALL_S)
        except grpc.aio.AioRpcError as error:
            raise _judge(error) from None


def _duration(seconds: float) -> Duration:
    value = Duration()
    value.FromMilliseconds(round(seconds * 1000))
    return value


def _judge(error: grpc.aio.AioRpcError) -> ArenaError:
    details = error.details() or error.code().name
    kind = _ERRORS.get(error.code(), LostError)
    return (
        LostError(f"the arena cannot be reached: {details}") if kind is LostError else kind(details)
    )
