"""TournamentService on gRPC: organisers run tournaments among the bots of the lobby."""

from __future__ import annotations

from collections.abc import Sequence

from arena.config.tournament import Unfit
from arena.errors import FormatError, LimitError, StoppingError
from arena.organiser.director import Director
from arena.organiser.journal import (
    Event,
    Journal,
    MatchFault,
    Started,
    TournamentState,
    VoidMatch,
)
from arena.organiser.results_service import state_message
from arena.rating.tally import StandingSoFar
from arena.results.messages import UNFIT, fault_message, fixture_message, result_message
from arena.server.callers import Callers
from arena.server.rpc import Context, write
from arena.server.session import Session
from arena.storage.records import StoredMatch
from arena.v1 import tournament_pb2

_AT_ONCE = 200  # events in a message
_MOST_FOLLOWERS = 100
_LONGEST_REASON = 200

_UNFIT = {number: unfit for unfit, number in UNFIT.items()}
_UNFIT[tournament_pb2.UNFIT_POLICY_UNSPECIFIED] = Unfit.STOP


class TournamentService:
    """Lets organisers start, follow and stop tournaments."""

    def __init__(
        self,
        director: Director,
        callers: Callers,
        games: Sequence[str],
        write_timeout_s: float = 10.0,
    ) -> None:
        """Serve those who may; `games` are the ones offered here."""
        self._director = director
        self._callers = callers
        self._games = games
        self._write_timeout_s = write_timeout_s
        self._followers = 0

    async def ListBots(
        self, _request: tournament_pb2.ListBotsRequest, context: Context
    ) -> tournament_pb2.ListBotsResponse:
        """Return who is in the lobby."""
        self._callers.check_admin(context)
        sessions = sorted(self._director.sessions(), key=lambda session: session.bot)
        return tournament_pb2.ListBotsResponse(bots=map(self._lobby_bot, sessions))

    async def KickBot(
        self, request: tournament_pb2.KickBotRequest, context: Context
    ) -> tournament_pb2.KickBotResponse:
        """End a bot's session."""
        self._callers.check_admin(context)
        kicked = self._director.kick(request.bot, request.reason[:_LONGEST_REASON])
        return tournament_pb2.KickBotResponse(kicked=kicked)

    async def StartTournament(
        self, request: tournament_pb2.StartTournamentRequest, context: Context
    ) -> tournament_pb2.StartTournamentResponse:
        """Begin a tournament, or go on with it."""
        self._callers.check_admin(context)
        unfit = _UNFIT.get(request.unfit)
        if unfit is None:
            raise FormatError(f"unfit {request.unfit} is not known")
        return _started_message(await self._director.start(request.config_toml, unfit))

    async def FollowTournament(
        self, request: tournament_pb2.FollowTournamentRequest, context: Context
    ) -> None:
        """Tell what happens until the end."""
        self._callers.check_admin(context)
        if self._followers >= _MOST_FOLLOWERS:
            raise LimitError(f"{_MOST_FOLLOWERS} follow tournaments already: try again later")
        journal = await self._director.follow(request.tournament)
        self._followers += 1
        try:
            await self._tell(journal, request.after, context)
        finally:
            self._followers -= 1

    async def StopTournament(
        self, request: tournament_pb2.StopTournamentRequest, context: Context
    ) -> tournament_pb2.StopTournamentResponse:
        """End a run."""
        self._callers.check_admin(context)
        state = await self._director.stop(request.tournament, at_once=request.at_once)
        return tournament_pb2.StopTournamentResponse(state=state_message(state))

    async def _tell(self, journal: Journal, after: int, context: Context) -> None:
        """Write what happens; raises StoppingError if the arena ends before the tournament does."""
        while True:
            events = journal.read(after, _AT_ONCE)
            if events:
                after = events[-1][0]
                if self._director.is_stopping and _is_stopped(events[-1][1]):
                    del events[-1]  # not the end: it goes on when the arena is back
                message = tournament_pb2.FollowTournamentResponse(
                    events=[_event_message(number, event) for number, event in events]
                )
                await write(context, message, self._write_timeout_s)
            elif journal.is_over:
                break
            else:
                await journal.change()
        if self._director.is_stopping:
            raise StoppingError("the arena is stopping: start the tournament again later")

    def _lobby_bot(self, session: Session) -> tournament_pb2.LobbyBot:
        profile = session.profile
        return tournament_pb2.LobbyBot(
            name=session.bot,
            version=profile.version,
            language=profile.language,
            games=[game for game in self._games if profile.plays(game)],
            present=session.is_present,
            free=max(0, session.free),
            playing=len(session.seats),
            connected_at=session.opened_at,
        )


def _is_stopped(event: Event) -> bool:
    return isinstance(event, TournamentState) and event.phase.is_final and not event.phase.is_done


def _started_message(started: Started) -> tournament_pb2.StartTournamentResponse:
    return tournament_pb2.StartTournamentResponse(
        state=state_message(started.state),
        resumed=started.is_resumed,
        refused=[
            tournament_pb2.RefusedBot(name=name, reason=reason)
            for name, reason in started.refused.items()
        ],
        notes=started.notes,
        config_toml=started.config,
    )


def _event_message(number: int, event: Event) -> tournament_pb2.TournamentEvent:
    message = tournament_pb2.TournamentEvent(number=number)
    if isinstance(event, TournamentState):
        message.state.CopyFrom(state_message(event))
    elif isinstance(event, StoredMatch):
        message.ended.CopyFrom(result_message(event, is_released=False))
    elif isinstance(event, MatchFault):
        message.fault.fixture.CopyFrom(fixture_message(event.fixture))
        message.fault.fault.CopyFrom(fault_message(event.fault))
    elif isinstance(event, VoidMatch):
        message.voided.fixture.CopyFrom(fixture_message(event.fixture))
        message.voided.reason = event.reason
    else:
        message.standings.bots.extend(map(_standing_message, event))
    return message


def _standing_message(standing: StandingSoFar) -> tournament_pb2.StandingSoFar:
    return tournament_pb2.StandingSoFar(
        name=standing.name,
        matches=standing.matches,
        wins=standing.wins,
        mean_rank=round(standing.mean_rank, 4),
        mean_score=round(standing.mean_score, 4),
    )
