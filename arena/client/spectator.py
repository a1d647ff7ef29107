"""Watching matches of another process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from arena.client.channel import Destination
from arena.v1 import watch_pb2
from arena.v1.watch_pb2_grpc import WatchServiceStub


async def list_matches(destination: Destination) -> Sequence[watch_pb2.MatchSummary]:
    """Return the matches of an arena; raises AioRpcError."""
    async with destination.dial() as channel:
        response: watch_pb2.ListMatchesResponse = await WatchServiceStub(channel).ListMatches(
            watch_pb2.ListMatchesRequest(), metadata=destination.metadata
        )
    return list(response.matches)


async def follow(destination: Destination, match_id: str) -> AsyncIterator[watch_pb2.WatchResponse]:
    """Yield the pieces of a match as they come; raises AioRpcError."""
    async with destination.dial() as channel:
        request = watch_pb2.WatchRequest(match_id=match_id)
        call = WatchServiceStub(channel).Watch(request, metadata=destination.metadata)
        async for response in call:
            yield response
