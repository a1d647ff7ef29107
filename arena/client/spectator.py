"""Watching matches of another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import grpc.aio

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


async def follow(
    destination: Destination, request: watch_pb2.WatchRequest
) -> AsyncIterator[watch_pb2.WatchResponse]:
    """Yield the pieces of a match; raises AioRpcError.

    They are read as they come, however slowly they are taken: an arena drops who reads slowly.
    """
    pieces: asyncio.Queue[watch_pb2.WatchResponse | grpc.aio.AioRpcError | None] = asyncio.Queue()

    async def read(channel: grpc.aio.Channel) -> None:
        call = WatchServiceStub(channel).Watch(request, metadata=destination.metadata)
        try:
            async for response in call:
                pieces.put_nowait(response)
            pieces.put_nowait(None)
        except grpc.aio.AioRpcError as error:
            pieces.put_nowait(error)

    async with destination.dial() as channel:
        reading = asyncio.ensure_future(read(channel))
        try:
            while (piece := await pieces.get()) is not None:
                if isinstance(piece, grpc.aio.AioRpcError):
                    raise piece
                yield piece
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
