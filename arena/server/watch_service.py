"""WatchService on gRPC: spectators."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio

from arena.errors import FormatError, LimitError, UnknownMatchError, UnreleasedError
from arena.server.callers import Callers
from arena.server.hall import Hall, HostedMatch, Spectator
from arena.server.status import end_call
from arena.v1 import watch_pb2

_MOST_LISTED = 200


class WatchService:
    """Shows the matches of a hall."""

    def __init__(
        self,
        hall: Hall,
        callers: Callers,
        write_timeout_s: float = 10.0,
        most_spectators: int = 200,
    ) -> None:
        """Let so many people watch at once; whoever does not read for so long must leave."""
        self._hall = hall
        self._callers = callers
        self._write_timeout_s = write_timeout_s
        self._most = most_spectators
        self._spectators = 0

    def handler(self) -> grpc.GenericRpcHandler:
        """Return what a server is to be given."""
        listing: Any = grpc.unary_unary_rpc_method_handler(
            self.list_matches,
            response_serializer=watch_pb2.ListMatchesResponse.SerializeToString,
        )
        watching: Any = grpc.unary_stream_rpc_method_handler(self.watch)
        return grpc.method_handlers_generic_handler(
            "arena.v1.WatchService", {"ListMatches": listing, "Watch": watching}
        )

    async def list_matches(
        self, _request: bytes, _context: grpc.aio.ServicerContext[Any, Any]
    ) -> watch_pb2.ListMatchesResponse:
        """Return the matches that run and the last that ended."""
        matches = self._hall.matches()[:_MOST_LISTED]
        return watch_pb2.ListMatchesResponse(matches=[_summary(hosted) for hosted in matches])

    async def watch(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Follow one match. What is not released is for organisers alone.

        Others play the same deal later, and even what everybody at the table sees tells of it.
        """
        try:
            hosted = self._hall.find(_read_request(request).match_id)
            if not hosted.is_released and not self._callers.shows_token_of_admin(context):
                raise UnreleasedError(
                    "this match is shown when every match on its deal is over, "
                    "and before to the organiser's token alone"
                )
            if self._spectators >= self._most:
                raise LimitError(f"{self._most} spectators are here already: try again later")
        except (FormatError, LimitError, UnknownMatchError, UnreleasedError) as error:
            await end_call(context, error)
            return
        spectator = hosted.watch()
        self._spectators += 1
        try:
            is_slow = await self._show(spectator, context)
        finally:
            self._spectators -= 1
            hosted.leave(spectator)
        if is_slow:  # whose place is free by now: it may take its time to read this
            slow = LimitError("too slow a reader: watch again and read faster")
            await end_call(context, slow)

    async def _show(
        self, spectator: Spectator, context: grpc.aio.ServicerContext[Any, Any]
    ) -> bool:
        """Write until the end; return whether the spectator was too slow for that."""
        while (message := await spectator.queue.get()) is not None:
            try:
                async with asyncio.timeout(self._write_timeout_s):
                    await context.write(message)
            except TimeoutError:
                return True
            if spectator.is_dropped:
                return True
        return False


def _read_request(data: bytes) -> watch_pb2.WatchRequest:
    try:
        return watch_pb2.WatchRequest.FromString(data)
    except Exception:  # noqa: BLE001 - whatever the decoder says, it is the client's message
        raise FormatError("not a WatchRequest") from None


def _summary(hosted: HostedMatch) -> watch_pb2.MatchSummary:
    match = hosted.match
    return watch_pb2.MatchSummary(
        match_id=hosted.id,
        game=match.game.name,
        seats=hosted.seats(),
        ended=match.is_over,
        moves=match.moves,
    )
