"""The bots that an arena starts itself: their processes, and the sessions these open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time

from arena.config.bot_spec import BotSpec
from arena.launch.exits import Exit
from arena.launch.launcher import Launcher
from arena.launch.process import BotProcess
from arena.server.auth import Tickets
from arena.server.lobby import Lobby
from arena.server.private_socket import PrivateSocket, PrivateSockets
from arena.server.session import Session, SessionPhase
from arena.v1 import play_pb2

LOG = logging.getLogger("arena.roster")

_LAST_WORDS = 300
_LEAVING_S = 1.0  # for a bot whose session is over to end by itself


class LaunchedBots:
    """Keeps one process for each bot; one that has ended is started again when it is needed."""

    def __init__(
        self,
        lobby: Lobby,
        launcher: Launcher,
        tickets: Tickets,
        sockets: PrivateSockets,
        suffix: str = "",
    ) -> None:
        """Prepare; nothing is started before it is needed. Each bot dials a socket of its own.

        With a suffix to the names of their sessions the same bots can be in the lobby once more.
        """
        self._lobby = lobby
        self._launcher = launcher
        self._tickets = tickets
        self._sockets = sockets
        self._dialled: dict[str, PrivateSocket] = {}  # by the names of bots
        self._suffix = suffix
        self._started_at: dict[str, float] = {}  # by the system's clock
        self._processes: dict[str, BotProcess] = {}
        self._sessions: dict[str, Session] = {}  # the last of each process

    async def build(self, spec: BotSpec) -> None:
        """Build the bot if need be; raises InputError or LaunchError."""
        await self._launcher.build(spec)

    async def session(self, spec: BotSpec) -> Session | None:
        """Return the bot's session once it is present; None if its process ended before.

        Raises InputError, BuildError or LaunchError if it cannot be started, SocketLostError if it
        could not dial.
        """
        await self._start(spec)
        arriving = asyncio.ensure_future(self._lobby.arrival(spec.name + self._suffix))
        ending = asyncio.ensure_future(self._processes[spec.name].wait())
        try:
            await asyncio.wait({arriving, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not arriving.done():
                return None
            session = self._sessions[spec.name] = arriving.result()
            session.find_shortage = self._processes[spec.name].find_shortage
            return session
        finally:
            arriving.cancel()
            ending.cancel()

    def explain(self, name: str, reason: str) -> str:
        """Return why a bot is not there, with what is known of its process.

        Raises SocketLostError if it could not have come.
        """
        process = self._processes.get(name)
        if process is None:
            return reason
        self._dialled[name].check(self._started_at[name])
        if process.exit is not None:
            reason = f"the process {process.exit.describe()} before it was ready"
        words = process.tail.decode(errors="replace").strip().splitlines()
        return f"{reason}; last output: {words[-1][:_LAST_WORDS]}" if words else reason

    async def dismiss(self) -> None:
        """Send all the bots away and end their processes."""
        goodbye = play_pb2.Goodbye(
            reason=play_pb2.Goodbye.REASON_FINISHED, message="there is nothing more to play"
        )
        for session in filter(None, map(self._find, self._processes)):
            session.part(goodbye)
        await asyncio.gather(*map(self._end, self._processes.values()))
        self._processes.clear()
        await asyncio.gather(*map(self._sockets.close, self._dialled.values()))
        self._dialled.clear()

    async def _end(self, process: BotProcess) -> None:
        await _let_end(process)
        await self._launcher.stop(process)

    def _find(self, name: str) -> Session | None:
        return self._lobby.find(name + self._suffix)

    async def _start(self, spec: BotSpec) -> None:
        """See that the bot's process runs."""
        process = self._processes.get(spec.name)
        if process is not None and process.is_running:
            last = self._sessions.get(spec.name)
            if last is None or last.phase is not SessionPhase.ENDED:
                return
            # It has left or was sent away and cannot come back: its token is used up.
            await _let_end(process)
        if spec.name not in self._dialled:
            self._dialled[spec.name] = await self._sockets.open()
        socket = self._dialled[spec.name]
        socket.mend()
        self._started_at[spec.name] = time.monotonic()
        admitted = spec.name + self._suffix
        self._tickets.withdraw(admitted)  # whatever a process before did not use
        token = self._tickets.issue(admitted, socket.address.text)
        environment = {"ARENA_ADDRESS": socket.address.text, "ARENA_TOKEN": token}
        if process is None:
            process = await self._launcher.start(spec, environment)
        else:
            process = await self._launcher.restart(process, environment)
        self._processes[spec.name] = process
        self._sessions.pop(spec.name, None)
        process.on_exit(lambda end: self._on_exit(spec.name, end))
        LOG.info("bot started", extra={"bot": spec.name, "pid": process.pid})

    def _on_exit(self, name: str, end: Exit) -> None:
        """Tell the bot's matches what became of it."""
        LOG.info("bot ended", extra={"bot": name, "detail": end.describe()})
        session = self._find(name)
        if session is not None:
            session.end(end.fault, f"the process {end.describe()}")


async def _let_end(process: BotProcess) -> None:
    """Give a process whose session is over the time to end by itself."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LEAVING_S):
            await process.wait()
