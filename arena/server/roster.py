"""The bots of a competition, by name: whoever is present, and is waited for if not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.config.bot_spec import BotSpec
from arena.errors import InputError, LaunchError
from arena.referee.faults import Fault
from arena.referee.replay import Entrant
from arena.server.launched import LaunchedBots
from arena.server.lobby import Lobby
from arena.server.players import Absence
from arena.server.session import Session, SessionPhase


class Roster:
    """Finds the sessions of bots for their matches.

    Bots that are `connected` start themselves; the others are started when they are needed for a
    match, never within one.
    """

    def __init__(
        self, lobby: Lobby, specs: Sequence[BotSpec], launched: LaunchedBots | None = None
    ) -> None:
        """Prepare; without `launched` all bots are connected ones."""
        self._lobby = lobby
        self._launched = launched
        self._specs = {spec.name: spec for spec in specs}
        self._present: dict[str, Session] = {}  # as each was last found
        self._given_up: set[str] = set()
        self._starting: dict[str, asyncio.Lock] = {name: asyncio.Lock() for name in self._specs}

    async def ready(
        self, name: str, game: str, timeout_s: float, attempts: int = 1
    ) -> Session | Absence:
        """Return the bot's session with a free place, or why it is not there in time.

        A bot that is there and plays as many matches as it takes is waited for without a limit.
        One that fails to start is tried again up to so many `attempts`, but once it has failed in
        all of them only once each time, until it is there again: it must not stall the others.

        Raises SocketLostError if it could not have come in, LaunchError if the arena could start
        nothing: neither is its fault.
        """
        seat = await self._try(name, game, timeout_s)
        for _ in range(0 if name in self._given_up else attempts - 1):
            if not isinstance(seat, Absence):
                break
            seat = await self._try(name, game, timeout_s)
        if isinstance(seat, Absence):
            self._given_up.add(name)
            self._present.pop(name, None)
        else:
            self._given_up.discard(name)
            self._present[name] = seat
        return seat

    async def ready_all(
        self, names: Sequence[str], game: str, timeout_s: float, attempts: int = 1
    ) -> list[Session | Absence]:
        """Return all the bots' sessions, started side by side.

        None of them is full when this returns: whoever begins a match at once takes no place that
        another match was given. One that was lost meanwhile is for the match to judge.
        """
        while True:
            seats = await asyncio.gather(
                *(self.ready(name, game, timeout_s, attempts) for name in names)
            )
            if not any(map(_is_full, seats)):  # as one may be that was ready before the others
                return list(seats)

    def entrant(self, name: str) -> Entrant:
        """Return the bot under the version its entry gives, or it itself if it was ready."""
        session = self._present.get(name)
        version = self._specs[name].version or (session.profile.version if session else "")
        return Entrant(name, version)

    async def dismiss(self) -> None:
        """Send launched bots away and end their processes."""
        if self._launched is not None:
            await self._launched.dismiss()

    async def _try(self, name: str, game: str, timeout_s: float) -> Session | Absence:
        spec = self._specs[name]
        while True:
            try:
                if self._launched is not None:  # a build has a time limit of its own
                    await self._launched.build(spec)
                async with asyncio.timeout(timeout_s), self._starting[name]:
                    session = await self._session(spec)
            except TimeoutError:
                return self._absence(name, f"not ready within {timeout_s:g} s")
            except InputError as error:
                return Absence(Fault.NO_START, str(error))
            except LaunchError as error:  # the machine's shortage, whoever was to be started
                raise LaunchError(f"{name}: {error}") from error
            if session is None:
                return self._absence(name, "ended before it said hello")
            if not session.profile.plays(game):
                return Absence(Fault.NO_START, f"does not play {game}")
            if session.free > 0:
                return session
            await self._lobby.change()

    async def _session(self, spec: BotSpec) -> Session | None:
        if self._launched is None or spec.connected:
            return await self._lobby.arrival(spec.name)
        return await self._launched.session(spec)

    def _absence(self, name: str, reason: str) -> Absence:
        detail = self._launched.explain(name, reason) if self._launched is not None else reason
        return Absence(Fault.NO_START, detail)


def _is_full(seat: Session | Absence) -> bool:
    if isinstance(seat, Absence) or seat.phase is SessionPhase.ENDED:
        return False
    return len(seat.seats) >= seat.profile.max_matches
