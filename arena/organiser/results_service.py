"""ResultsService on gRPC: tournaments, leaderboards, matches, replays, files."""

from __future__ import annotations

import asyncio

from google.protobuf.timestamp_pb2 import Timestamp

from arena.errors import FormatError
from arena.organiser.director import Director
from arena.organiser.directories import ResultsPage
from arena.organiser.journal import TournamentState
from arena.rating.leaderboard import Standing
from arena.results.messages import result_message
from arena.server.callers import Callers
from arena.server.rpc import Context, write
from arena.storage.records import StoredMatch
from arena.v1 import results_pb2

_MOST_LISTED = 1_000


class ResultsService:
    """Shows the tournaments of a server and their results."""

    def __init__(self, director: Director, callers: Callers, write_timeout_s: float = 10.0) -> None:
        """Serve those who may read."""
        self._director = director
        self._callers = callers
        self._write_timeout_s = write_timeout_s

    async def ListTournaments(
        self, _request: results_pb2.ListTournamentsRequest, context: Context
    ) -> results_pb2.ListTournamentsResponse:
        """Return all tournaments."""
        self._callers.check_reader(context)
        states = await self._director.states()
        return results_pb2.ListTournamentsResponse(tournaments=map(state_message, states))

    async def GetTournament(
        self, request: results_pb2.GetTournamentRequest, context: Context
    ) -> results_pb2.GetTournamentResponse:
        """Return one of them."""
        self._callers.check_reader(context)
        state = await self._director.state(request.tournament)
        return results_pb2.GetTournamentResponse(state=state_message(state))

    async def GetLeaderboard(
        self, request: results_pb2.GetLeaderboardRequest, context: Context
    ) -> results_pb2.GetLeaderboardResponse:
        """Return a leaderboard."""
        self._callers.check_reader(context)
        text, board = await self._director.leaderboard(request.tournament)
        page = await self._director.page(request.tournament) if request.with_page else ""
        return results_pb2.GetLeaderboardResponse(
            leaderboard_json=text,
            complete=board.is_complete,
            bots=map(_line_message, board.bots),
            page_html=page,
        )

    async def ListResults(
        self, request: results_pb2.ListResultsRequest, context: Context
    ) -> results_pb2.ListResultsResponse:
        """Return a page of matches; bots' authors get of a secret deal scores and ranks alone."""
        is_admin = self._callers.check_reader(context)
        if request.limit > _MOST_LISTED:
            raise FormatError(f"limit must be up to {_MOST_LISTED}, not {request.limit}")
        limit = request.limit or _MOST_LISTED
        page = await self._director.results(request.tournament, request.start, limit)
        response = results_pb2.ListResultsResponse(
            matches=[
                _result_message(match, page, is_released=is_released, is_admin=is_admin)
                for match, is_released in page.matches
            ]
        )
        if page.next_start is not None:
            response.next_start = page.next_start
        return response

    async def GetReplay(
        self, request: results_pb2.GetReplayRequest, context: Context
    ) -> results_pb2.GetReplayResponse:
        """Return a replay."""
        self._callers.check_reader(context)
        text = await self._director.replay(request.tournament, request.match_id)
        return results_pb2.GetReplayResponse(replay=text)

    async def GetLog(
        self, request: results_pb2.GetLogRequest, context: Context
    ) -> results_pb2.GetLogResponse:
        """Return the end of a log."""
        self._callers.check_author(context, request.bot)
        log = await self._director.log(request.tournament, request.bot)
        return results_pb2.GetLogResponse(log=log)

    async def ListChain(
        self, request: results_pb2.ListChainRequest, context: Context
    ) -> results_pb2.ListChainResponse:
        """Return links of a chain."""
        self._callers.check_reader(context)
        if request.limit > _MOST_LISTED:
            raise FormatError(f"limit must be up to {_MOST_LISTED}, not {request.limit}")
        limit = request.limit or _MOST_LISTED
        first, links = await self._director.chain(request.tournament, request.after, limit)
        return results_pb2.ListChainResponse(
            first_link=first,
            links=[
                results_pb2.ChainLink(
                    place=link.place,
                    match_id=link.match,
                    result=link.result,
                    replay=link.replay,
                    link=link.link,
                )
                for link in links
            ],
        )

    async def FetchResults(
        self, request: results_pb2.FetchResultsRequest, context: Context
    ) -> None:
        """Write the files, replays first."""
        is_admin = self._callers.check_reader(context)
        most = request.max_replays if request.HasField("max_replays") else None
        files = await self._director.files(request.tournament, most, is_admin=is_admin)
        try:
            while pieces := await asyncio.to_thread(files.read):
                chunks = [
                    results_pb2.FileChunk(name=name, data=data, last=is_last)
                    for name, data, is_last in pieces
                ]
                response = results_pb2.FetchResultsResponse(chunks=chunks)
                await write(context, response, self._write_timeout_s)
        finally:
            files.close()


def state_message(state: TournamentState) -> results_pb2.TournamentState:
    """Return how far a tournament is, as a message."""
    created = None
    if state.created is not None:
        created = Timestamp()
        created.FromDatetime(state.created)
    return results_pb2.TournamentState(
        name=state.name,
        game=state.game,
        players=state.players,
        bots=[
            results_pb2.TournamentBot(name=bot.name, version=bot.version, group=bot.group)
            for bot in state.bots
        ],
        phase=state.phase.value,
        reason=state.reason,
        played=state.played,
        parked=state.parked,
        scheduled=state.scheduled,
        commitment=state.commitment,
        created=created,
        hides_names=state.hides_names,
    )


def _result_message(
    match: StoredMatch, page: ResultsPage, *, is_released: bool, is_admin: bool
) -> results_pb2.MatchResult:
    return result_message(
        match,
        is_released=is_released,
        shows_bots=is_admin or is_released or page.shows_names,
        shows_all=is_admin or is_released,
    )


def _line_message(standing: Standing) -> results_pb2.LeaderboardLine:
    return results_pb2.LeaderboardLine(
        rank=standing.rank,
        name=standing.name,
        version=standing.version,
        rating=standing.rating,
        mu=standing.mu,
        sigma=standing.sigma,
        matches=standing.matches,
        wins=standing.wins,
        mean_rank=standing.mean_rank,
        mean_score=standing.mean_score,
        forfeits=standing.forfeits,
    )
