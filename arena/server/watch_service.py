"""WatchService on gRPC: spectators."""

from __future__ import annotations

import asyncio

from arena.errors import ForbiddenError, LimitError, UnreleasedError
from arena.server.callers import Callers
from arena.server.hall import RECORD, Hall, HostedMatch, Sight, Spectator
from arena.server.rpc import TOO_SLOW, Context, write
from arena.v1 import watch_pb2

_MOST_LISTED = 200
_RECORD_PAUSE_S = 1.0  # a message costs more than the moves in it, and nobody sees them so fast


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

    async def ListMatches(
        self, _request: watch_pb2.ListMatchesRequest, context: Context
    ) -> watch_pb2.ListMatchesResponse:
        """Return the matches that run and the last that ended, and whether an organiser asks."""
        matches = self._hall.matches()[:_MOST_LISTED]
        return watch_pb2.ListMatchesResponse(
            matches=[_summary(hosted) for hosted in matches],
            organiser=self._callers.shows_token_of_admin(context),
        )

    async def Watch(self, request: watch_pb2.WatchRequest, context: Context) -> None:
        """Follow one match. What is not released, and everything, is for organisers alone.

        Others play the same deal later, and even what everybody at the table sees tells of it.
        """
        is_organiser = self._callers.shows_token_of_admin(context)

        def may_see(hosted: HostedMatch) -> bool:
            return hosted.is_released or is_organiser

        if request.everything and not is_organiser:
            raise ForbiddenError("only organisers see everything: use an admin token")
        hosted = self._choose(request)
        if hosted is not None and not may_see(hosted):
            raise UnreleasedError(
                "this match is shown when every match on its deal is over, "
                "and before that only with an admin token"
            )
        if self._spectators >= self._most:
            raise LimitError(f"{self._most} spectators are here already: try again later")
        self._spectators += 1
        try:
            if hosted is None:
                hosted, spectator = await self._hall.next_match(
                    lambda hosted: (
                        may_see(hosted) and (not request.bot or hosted.shows(request.bot))
                    ),
                    _sight(request),
                )
            else:
                spectator = hosted.watch(_sight(request))
            await self._show(hosted, spectator, context)
        finally:  # its place is free before it reads why: it may take its time for that
            self._spectators -= 1

    def _choose(self, request: watch_pb2.WatchRequest) -> HostedMatch | None:
        """Return the match that is asked for, None if it is one that has not begun."""
        if request.match_id or not (request.bot or request.next):
            return self._hall.find(request.match_id)
        if request.next:
            return None
        return self._hall.find_running(lambda hosted: hosted.shows(request.bot))

    async def _show(self, hosted: HostedMatch, spectator: Spectator, context: Context) -> None:
        try:
            while (message := await spectator.queue.get()) is not None:
                is_record = message is RECORD
                if is_record:
                    message = spectator.read_record()
                if message:
                    await write(context, message, self._write_timeout_s)
                if spectator.is_dropped:
                    raise LimitError(TOO_SLOW)
                if is_record:
                    await asyncio.sleep(_RECORD_PAUSE_S)
        finally:
            hosted.leave(spectator)


def _sight(request: watch_pb2.WatchRequest) -> Sight:
    if request.everything:
        return Sight.EVERYTHING
    return Sight.TABLES if request.with_tables else Sight.EVENTS


def _summary(hosted: HostedMatch) -> watch_pb2.MatchSummary:
    match = hosted.match
    return watch_pb2.MatchSummary(
        match_id=hosted.id,
        game=match.game.name,
        seats=hosted.seats(),
        ended=match.is_over,
        moves=match.moves,
    )
