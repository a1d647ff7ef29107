"""TableService on gRPC: single matches among bots of the lobby, for people who play themselves."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Literal

from google.protobuf.duration_pb2 import Duration

from arena.errors import FormatError, InputError, LimitError, UnfitError
from arena.games.game import AnyGame
from arena.games.registry import get_game
from arena.referee.clock import TimeControl
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.replay import Entrant
from arena.server.app import Arena
from arena.server.callers import Callers
from arena.server.rpc import Context
from arena.server.session import Session
from arena.v1 import table_pb2
from arena.wire.play import NANOS, duration

_MOST_TABLES = 100
_MOST_RESERVED = 16
_RESERVED_S = 60.0
_LONGEST_S = 3_600.0
_MOVE_TIME_S = 120.0
_BANK_S = 600.0


class TableService:
    """Starts matches that count for nothing."""

    def __init__(
        self, arena: Arena, callers: Callers, on_end: Callable[[PlayedMatch], None]
    ) -> None:
        """Seat the bots of an arena."""
        self._arena = arena
        self._callers = callers
        self._on_end = on_end
        self._running = 0

    async def ReserveBots(
        self, request: table_pb2.ReserveBotsRequest, context: Context
    ) -> table_pb2.ReserveBotsResponse:
        """Keep casual matches away from bots that are wanted at a table."""
        self._callers.check_table(context, request.bots)
        if len(request.bots) > _MOST_RESERVED:
            raise FormatError(f"name up to {_MOST_RESERVED} bots, not {len(request.bots)}")
        self._arena.lobby.reserve(request.bots, _RESERVED_S)
        return table_pb2.ReserveBotsResponse(lasts=duration(_RESERVED_S))

    async def StartMatch(
        self, request: table_pb2.StartMatchRequest, context: Context
    ) -> table_pb2.StartMatchResponse:
        """Begin a match."""
        self._callers.check_table(context, request.bots)
        if self._running >= _MOST_TABLES:
            raise LimitError(f"{_MOST_TABLES} such matches run already: try again later")
        game = self._game(request)
        sessions = self._sessions(game, request.bots)
        control = TimeControl(
            _seconds(request, "move_time", _MOVE_TIME_S), _seconds(request, "bank", _BANK_S)
        )
        match_id = f"table-{secrets.token_hex(4)}"
        entrants = [Entrant(session.bot, session.profile.version) for session in sessions]
        fixture = plan_match(game, secrets.token_bytes(32), match_id, 1, entrants)
        done = self._arena.hall.start(fixture, sessions, Conditions(control))
        self._running += 1
        done.add_done_callback(lambda done: self._ended(done.result()))
        return table_pb2.StartMatchResponse(match_id=match_id)

    def _ended(self, played: PlayedMatch) -> None:
        self._running -= 1
        self._on_end(played)

    def _game(self, request: table_pb2.StartMatchRequest) -> AnyGame:
        games = self._arena.options.games
        if request.game not in games:
            raise InputError(
                f"{request.game!r} is not offered here (there are: {', '.join(games)})"
            )
        try:
            options = json.loads(request.options_json or "{}")
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict):
            raise FormatError("options_json must be a JSON object")
        game = get_game(request.game).configure(options)
        game.check_table(len(request.bots))
        return game

    def _sessions(self, game: AnyGame, bots: Sequence[str]) -> list[Session]:
        if len(set(bots)) < len(bots):
            raise InputError("a bot can sit at a table only once")
        there = {session.bot: session for session in self._arena.lobby.sessions()}
        refused = {}
        for bot in bots:
            session = there.get(bot)
            if session is None:
                refused[bot] = "is not in the lobby"
            elif not session.profile.plays(game.name):
                refused[bot] = f"does not play {game.name}"
            elif session.free < 1:
                refused[bot] = "plays as many matches as it takes at once"
        if refused:
            raise UnfitError("the table cannot be seated", refused)
        return [there[bot] for bot in bots]


def _seconds(
    request: table_pb2.StartMatchRequest, field: Literal["move_time", "bank"], usual_s: float
) -> float:
    if not request.HasField(field):
        return usual_s
    value: Duration = getattr(request, field)
    seconds = value.ToNanoseconds() / NANOS
    if not 0 <= seconds <= _LONGEST_S:
        raise FormatError(f"{field} must be 0 to {_LONGEST_S:g} seconds")
    return seconds
