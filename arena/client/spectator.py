"""Watching matches of another process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from arena.client.channel import Destination
from arena.v1 import watch_pb2


async def list_matches(destination: Destination) -> Sequence[watch_pb2.MatchSummary]:
    """Return the matches of an arena; raises AioRpcError."""
    async with destination.dial() as channel:
        method: Any = channel.unary_unary(
            "/arena.v1.WatchService/ListMatches",
            request_serializer=watch_pb2.ListMatchesRequest.SerializeToString,
            response_deserializer=watch_pb2.ListMatchesResponse.FromString,
        )
        response: watch_pb2.ListMatchesResponse = await method(
            watch_pb2.ListMatchesRequest(), metadata=destination.metadata
        )
    return list(response.matches)


async def follow(destination: Destination, match_id: str) -> AsyncIterator[watch_pb2.WatchResponse]:
    """Yield the pieces of a match as they come; raises AioRpcError."""
    async with destination.dial() as channel:
        method: Any = channel.unary_stream(
            "/arena.v1.WatchService/Watch",
            request_serializer=watch_pb2.WatchRequest.SerializeToString,
            response_deserializer=watch_pb2.WatchResponse.FromString,
        )
        request = watch_pb2.WatchRequest(match_id=match_id)
        async for response in method(request, metadata=destination.metadata):
            yield response
