"""The real arena on a private socket, with the bot as its only guest."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from arena.errors import ShortcomingError
from arena.examine.candidate import Candidate
from arena.examine.proxy import Proxy
from arena.examine.table import inline_player, make_fixture
from arena.games.game import AnyGame
from arena.launch.exits import Exit
from arena.referee.clock import SeatClock
from arena.referee.faults import Fault, FaultPolicy
from arena.referee.match import Conditions, PlayedMatch
from arena.referee.player import Player
from arena.server.players import SessionPlayer
from arena.server.private import open_private
from arena.server.session import Session

ADVICE = {
    Fault.TIMEOUT: "answer within the move time: search less, and read Decision.move_time and bank",
    Fault.ILLEGAL_MOVE: "move_index is the place in legal_moves, from 0 to legal_count - 1",
    Fault.PROTOCOL_ERROR: "set move_index in every answer; 0 must be set explicitly, as the field "
    "is optional",
    Fault.FLOOD: "send one answer for each decision and nothing else",
    Fault.CRASH: "the last lines it printed show where it fails",
    Fault.OUT_OF_MEMORY: "use less memory, or ask the organiser for more",
    Fault.DISCONNECT: "keep the stream open until the arena says goodbye",
    Fault.NO_START: "start faster, or ask for a longer start timeout",
    Fault.OUT_OF_PROCESSES: "start fewer processes and threads, or ask the organiser for more",
    Fault.OUT_OF_DISK: "write less, or ask the organiser for more disk space",
}

MakePlayer = Callable[[Session, str], SessionPlayer]


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the bot sits in a match of the exam, and who plays the other seats."""

    game: AnyGame
    deal: int
    seats: int
    seat: int
    others: str = "planner"


class Host:
    """Opens the arena and plays matches there. An async context manager.

    With a proxy, the bot dials that instead, and the way to the arena can be cut.
    """

    def __init__(
        self,
        candidate: Candidate,
        conditions: Conditions,
        games: Sequence[AnyGame],
        *,
        is_proxied: bool = False,
    ) -> None:
        """Prepare; the arena opens with the context."""
        self.clocks: list[SeatClock] = []
        self.proxy: Proxy | None = None
        self._candidate = candidate
        self._conditions = replace(
            conditions, policy=FaultPolicy(1)
        )  # the first fault tells enough
        self._games = sorted({game.name for game in games})
        self._is_proxied = is_proxied
        self._played = 0
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        opening = open_private(self._candidate.launcher, self._games)
        private = await self._stack.enter_async_context(opening)
        self._arena, self._tickets = private.arena, private.tickets
        self._socket = (await private.sockets.open()).address.text
        self._dialled = self._socket
        if self._is_proxied:
            proxy = Proxy(f"{self._dialled}.proxy", self._dialled)
            self.proxy = await self._stack.enter_async_context(proxy)
            self._dialled = proxy.address
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stack.aclose()

    async def close(self) -> None:
        """Say goodbye and close the arena."""
        await self._arena.stop(0.0)

    @property
    def refusal(self) -> str:
        """Why the last hello was refused that was; empty if none was."""
        return self._tickets.last_refusal

    async def session(self) -> Session:
        """Return the bot's session, started if need be; raises ShortcomingError if it fails to."""
        name, lobby = self._candidate.name, self._arena.lobby
        session = lobby.find(name)
        if session is not None and session.free > 0 and self._candidate.is_running:
            return session
        token = self._tickets.issue(name, self._socket)
        process = await self._candidate.start(self._dialled, token)
        process.on_exit(self._on_exit)
        limit = self._conditions.control.start_timeout_s
        session = await self._candidate.during(lobby.wait_for(name, limit))
        if session is None:
            reason = f": {self.refusal}" if self.refusal else ""
            raise ShortcomingError(f"not ready for a match within {limit:g} s{reason}")
        session.find_shortage = process.find_shortage
        return session

    async def play(self, seating: Seating, make_player: MakePlayer = SessionPlayer) -> PlayedMatch:
        """Play a match to its end, or to the bot's first fault."""
        session = await self.session()
        self._played += 1
        names = [seating.others] * seating.seats
        names[seating.seat] = self._candidate.name
        fixture = make_fixture(seating.game, f"exam-{self._played}", seating.deal, names)
        players: list[Player] = [
            make_player(session, fixture.match) if seat == seating.seat else _inline(seating, seat)
            for seat in range(seating.seats)
        ]
        hall = self._arena.hall
        try:
            played = await hall.start(fixture, players, self._conditions)
        finally:
            hall.abort([fixture.match], "the situation has ended")
        self.clocks.append(played.clocks[seating.seat])
        return played

    def _on_exit(self, end: Exit) -> None:
        session = self._arena.lobby.find(self._candidate.name)
        if session is not None and not self._candidate.is_running:
            session.end(end.fault, f"the process {end.describe()}")


def check_faults(played: PlayedMatch, seat: int) -> None:
    """Raise ShortcomingError if the seat made a fault."""
    for fault in played.faults:
        if fault.seat == seat:
            text = f"{fault.fault.value} at move {fault.move}"
            detail = f"{text}: {fault.detail}" if fault.detail else text
            is_late = fault.fault is Fault.TIMEOUT
            raise ShortcomingError(detail, ADVICE[fault.fault], is_late=is_late)


def _inline(seating: Seating, seat: int) -> Player:
    return inline_player(seating.game, seating.others, seat)
