"""Running tournaments on a server from afar, and reading their results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Self

import grpc
import grpc.aio
from google.protobuf.message import Message

from arena.client.channel import Destination
from arena.client.tls_mistakes import describe_failure
from arena.config.tournament import Unfit
from arena.errors import ArenaError, InputError, LostError, UnknownTournamentError
from arena.results.messages import UNFIT
from arena.storage.chain import ChainLink
from arena.v1 import results_pb2, tournament_pb2
from arena.v1.results_pb2_grpc import ResultsServiceStub
from arena.v1.tournament_pb2_grpc import TournamentServiceStub

LOST = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN)
"""What a call ends with when the arena has gone away, or is about to."""


class OrganiserClient:
    """One channel to an arena, dialled when it is first used. An async context manager.

    Every method raises LostError if the arena cannot be reached or goes away, InputError if it
    refuses, and UnknownTournamentError if it knows no such tournament.
    """

    def __init__(self, destination: Destination) -> None:
        """Prepare to dial."""
        self._destination = destination
        self._channel: grpc.aio.Channel | None = None
        self._metadata = destination.metadata

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.hang_up()

    async def hang_up(self) -> None:
        """Close the channel; the next call dials anew."""
        if self._channel is not None:
            channel, self._channel = self._channel, None
            await channel.close()

    async def list_bots(self) -> Sequence[tournament_pb2.LobbyBot]:
        """Return the bots in the lobby."""
        request = tournament_pb2.ListBotsRequest()
        response: tournament_pb2.ListBotsResponse
        response = await self._ask(self._tournaments.ListBots, request)
        return response.bots

    async def kick(self, bot: str, reason: str) -> bool:
        """End a bot's session; return whether it had one."""
        request = tournament_pb2.KickBotRequest(bot=bot, reason=reason)
        response: tournament_pb2.KickBotResponse
        response = await self._ask(self._tournaments.KickBot, request)
        return response.kicked

    async def start(self, config: str, unfit: Unfit) -> tournament_pb2.StartTournamentResponse:
        """Begin or go on with a tournament; returns when its bots have been checked."""
        request = tournament_pb2.StartTournamentRequest(config_toml=config, unfit=UNFIT[unfit])
        response: tournament_pb2.StartTournamentResponse
        response = await self._ask(self._tournaments.StartTournament, request)
        return response

    async def follow(self, name: str, after: int) -> AsyncIterator[tournament_pb2.TournamentEvent]:
        """Yield what happens behind an event; the last one is a final state."""
        request = tournament_pb2.FollowTournamentRequest(tournament=name, after=after)
        async for response in self._listen(self._tournaments.FollowTournament, request):
            for event in response.events:
                yield event

    async def stop(self, name: str, *, at_once: bool) -> results_pb2.TournamentState:
        """End a run."""
        request = tournament_pb2.StopTournamentRequest(tournament=name, at_once=at_once)
        response: tournament_pb2.StopTournamentResponse
        response = await self._ask(self._tournaments.StopTournament, request)
        return response.state

    async def find_tournament(self, name: str) -> results_pb2.TournamentState | None:
        """Return how far a tournament is, None if there is none of that name."""
        request = results_pb2.GetTournamentRequest(tournament=name)
        response: results_pb2.GetTournamentResponse
        try:
            response = await self._ask(self._results.GetTournament, request)
        except UnknownTournamentError:
            return None
        return response.state

    async def list_results(self, name: str) -> AsyncIterator[results_pb2.MatchResult]:
        """Yield all matches that have been played, in canonical order."""
        start: int | None = 0
        while start is not None:
            request = results_pb2.ListResultsRequest(tournament=name, start=start)
            response: results_pb2.ListResultsResponse
            response = await self._ask(self._results.ListResults, request)
            for match in response.matches:
                yield match
            start = response.next_start if response.HasField("next_start") else None

    async def list_chain(self, name: str, after: int) -> tuple[str, list[ChainLink]]:
        """Return what the first match is linked to, and all links from behind that place."""
        links: list[ChainLink] = []
        while True:
            request = results_pb2.ListChainRequest(tournament=name, after=after + len(links))
            response: results_pb2.ListChainResponse
            response = await self._ask(self._results.ListChain, request)
            links += [
                ChainLink(link.place, link.match_id, link.result, link.replay, link.link)
                for link in response.links
            ]
            if not response.links:
                return response.first_link, links

    async def fetch_files(
        self, name: str, max_replays: int | None = None
    ) -> AsyncIterator[tuple[str, bytes]]:
        """Yield the files of a tournament, name and content, replays first."""
        request = results_pb2.FetchResultsRequest(tournament=name, max_replays=max_replays)
        pieces: list[bytes] = []
        async for response in self._listen(self._results.FetchResults, request):
            for chunk in response.chunks:
                pieces.append(chunk.data)
                if chunk.last:
                    yield chunk.name, b"".join(pieces)
                    pieces = []

    async def _ask(self, method: Any, request: Message) -> Any:
        try:
            return await method(request, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise await self._judge(error) from None

    async def _listen(self, method: Any, request: Message) -> AsyncIterator[Any]:
        try:
            async for response in method(request, metadata=self._metadata):
                yield response
        except grpc.aio.AioRpcError as error:
            raise await self._judge(error) from None

    @property
    def _tournaments(self) -> TournamentServiceStub:
        return TournamentServiceStub(self._dial())

    @property
    def _results(self) -> ResultsServiceStub:
        return ResultsServiceStub(self._dial())

    def _dial(self) -> grpc.aio.Channel:
        if self._channel is None:
            self._channel = self._destination.dial()
        return self._channel

    async def _judge(self, error: grpc.aio.AioRpcError) -> ArenaError:
        code, details = error.code(), error.details() or "no reason given"
        if code in LOST:
            return LostError(await describe_failure(self._destination, details))
        kind = UnknownTournamentError if code is grpc.StatusCode.NOT_FOUND else InputError
        return kind(f"the arena refused: {details} ({code.name})")
