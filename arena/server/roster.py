"""The bots of a competition, kept ready: started, watched, and started again between matches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence

from arena.config.bot_spec import BotSpec
from arena.errors import InputError, LaunchError
from arena.launch.exits import Exit
from arena.launch.launcher import Launcher
from arena.launch.process import BotProcess
from arena.referee.faults import Fault
from arena.referee.replay import Entrant
from arena.server.address import Address
from arena.server.app import Arena
from arena.server.auth import Tickets
from arena.server.hall import Absence
from arena.server.session import Phase, Session
from arena.v1 import play_pb2

LOG = logging.getLogger("arena.roster")

_LAST_WORDS = 300
_LEAVING_S = 1.0  # for a bot whose session is over to end by itself


class Roster:
    """Keeps one process and one session for each bot that the arena starts itself.

    A bot whose process has ended is started again when it is needed for a match, never within
    one. Bots that are `connected` start themselves: they are waited for.
    """

    def __init__(
        self,
        arena: Arena,
        launcher: Launcher,
        tickets: Tickets,
        address: Address,
        specs: Sequence[BotSpec],
        *,
        suffix: str = "",
    ) -> None:
        """Prepare; nothing is started before it is needed. Launched bots dial `address`.

        With a suffix to the names of their sessions the same bots can be in the lobby once more.
        """
        self._arena = arena
        self._launcher = launcher
        self._tickets = tickets
        self._address = address
        self._suffix = suffix
        self._specs = {spec.name: spec for spec in specs}
        self._processes: dict[str, BotProcess] = {}
        self._sessions: dict[str, Session] = {}  # the last of each process
        self._given_up: set[str] = set()
        self._starting: dict[str, asyncio.Lock] = {name: asyncio.Lock() for name in self._specs}

    async def ready(
        self, name: str, game: str, timeout_s: float, attempts: int = 1
    ) -> Session | Absence:
        """Return the bot's session with a free place, or why it is not there in time.

        A bot that is there and plays as many matches as it takes is waited for without a limit.
        One that fails to start is tried again up to so many `attempts`, but once it has failed in
        all of them only once each time, until it is there again: it must not stall the others.
        """
        seat = await self._try(name, game, timeout_s)
        for _ in range(0 if name in self._given_up else attempts - 1):
            if not isinstance(seat, Absence):
                break
            seat = await self._try(name, game, timeout_s)
        if isinstance(seat, Absence):
            self._given_up.add(name)
        else:
            self._given_up.discard(name)
        return seat

    async def _try(self, name: str, game: str, timeout_s: float) -> Session | Absence:
        spec = self._specs[name]
        while True:
            try:
                async with asyncio.timeout(timeout_s), self._starting[name]:
                    if not spec.connected:
                        await self._start(spec)
                    session = await self._wait(name)
            except TimeoutError:
                return self._absence(spec, f"not ready within {timeout_s:g} s")
            except (InputError, LaunchError) as error:
                return Absence(Fault.NO_START, str(error))
            if session is None:
                return self._absence(spec, "ended before it said hello")
            if not session.profile.plays(game):
                return Absence(Fault.NO_START, f"does not play {game}")
            if session.free > 0:
                return session
            await self._arena.lobby.change()

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
        """Return the bot under the version it or its entry gives."""
        session = self._find(name)
        version = self._specs[name].version or (session.profile.version if session else "")
        return Entrant(name, version)

    def last_words(self, name: str) -> str:
        """Return the end of what the bot printed."""
        process = self._processes.get(name)
        return process.tail.decode(errors="replace") if process else ""

    async def dismiss(self) -> None:
        """Send all the bots away and end their processes."""
        goodbye = play_pb2.Goodbye(
            reason=play_pb2.Goodbye.REASON_FINISHED, message="there is nothing more to play"
        )
        for session in filter(None, map(self._find, self._processes)):
            session.part(goodbye)
        await asyncio.gather(*map(self._end, self._processes.values()))
        self._processes.clear()

    async def _end(self, process: BotProcess) -> None:
        """End a process that was told goodbye: by itself if it does so in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LEAVING_S):
                await process.wait()
        await self._launcher.stop(process)

    def _find(self, name: str) -> Session | None:
        return self._arena.lobby.find(name + self._suffix)

    async def _start(self, spec: BotSpec) -> None:
        """See that the bot's process runs."""
        process = self._processes.get(spec.name)
        if process is not None and process.is_running:
            last = self._sessions.get(spec.name)
            if last is None or last.phase is not Phase.ENDED:
                return
            # It has left or was sent away and cannot come back: its token is used up.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LEAVING_S):
                    await process.wait()
        admitted = spec.name + self._suffix
        self._tickets.withdraw(admitted)  # whatever a process before did not use
        token = self._tickets.issue(admitted)
        environment = {"ARENA_ADDRESS": self._address.text, "ARENA_TOKEN": token}
        if process is None:
            process = await self._launcher.start(spec, environment)
        else:
            process = await self._launcher.restart(process, environment)
        self._processes[spec.name] = process
        self._sessions.pop(spec.name, None)
        process.on_exit(lambda end: self._on_exit(spec.name, end))
        LOG.info("bot started", extra={"bot": spec.name, "pid": process.pid})

    async def _wait(self, name: str) -> Session | None:
        """Return the session once it is there; None if its process ended."""
        process = self._processes.get(name)
        while True:
            session = self._find(name)
            if session is not None and session.is_present:
                self._sessions[name] = session
                return session
            if process is not None and not process.is_running:
                return None
            await self._await_change(process)

    async def _await_change(self, process: BotProcess | None) -> None:
        waiting: list[asyncio.Future[object]] = [asyncio.ensure_future(self._arena.lobby.change())]
        if process is not None:
            waiting.append(asyncio.ensure_future(_exited(process)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    def _on_exit(self, name: str, end: Exit) -> None:
        """Tell the bot's matches what became of it."""
        LOG.info("bot ended", extra={"bot": name, "detail": end.describe()})
        session = self._find(name)
        if session is not None:
            session.end(end.fault, f"the process {end.describe()}")

    def _absence(self, spec: BotSpec, reason: str) -> Absence:
        process = self._processes.get(spec.name)
        if process is not None and process.exit is not None:
            reason = f"the process {process.exit.describe()} before it was ready"
        words = self.last_words(spec.name).strip().splitlines()
        said = f"; its last words: {words[-1][:_LAST_WORDS]}" if words else ""
        return Absence(Fault.NO_START, reason + said)


def _is_full(seat: Session | Absence) -> bool:
    if isinstance(seat, Absence) or seat.phase is Phase.ENDED:
        return False
    return len(seat.seats) >= seat.profile.max_matches


async def _exited(process: BotProcess) -> None:
    await process.wait()
