"""An arena for bots that it starts itself, which dial a socket that nobody else knows."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.launch.launcher import Launcher
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import AdmitAll, Tickets, TicketsFirst
from arena.server.dial_in import DialIn
from arena.server.launched import LaunchedBots
from arena.server.limits import SessionLimits
from arena.server.metrics import Metrics
from arena.server.private_socket import PrivateSocket
from arena.server.roster import Roster


@dataclass(frozen=True, slots=True)
class PrivateArena:
    """An open arena with all that it takes to start bots for it."""

    arena: Arena
    launcher: Launcher
    tickets: Tickets
    address: Address  # of the private socket
    socket: PrivateSocket
    bound: Sequence[Address]  # where others may dial in

    def roster(
        self, specs: Sequence[BotSpec], suffix: str = "", address: Address | None = None
    ) -> Roster:
        """Return a roster of these bots; for the suffix see LaunchedBots.

        From now on nobody else can come in under the names of those that are launched.
        """
        for spec in specs:
            if not spec.connected:
                self.tickets.reserve(spec.name)
        launched = LaunchedBots(
            self.arena.lobby,
            self.launcher,
            self.tickets,
            address or self.address,
            self.socket,
            suffix,
        )
        return Roster(self.arena.lobby, specs, launched)


@contextlib.asynccontextmanager
async def open_private(
    launcher: Launcher,
    games: Sequence[str],
    dial_in: DialIn | None = None,
    limits: SessionLimits | None = None,
    metrics: Metrics | None = None,
) -> AsyncIterator[PrivateArena]:
    """Open an arena on a private socket and where others dial in; raises InputError.

    The launcher is to outlive it: bots are told goodbye before they are ended.
    """
    dial_in = dial_in or DialIn()
    tickets = Tickets()
    others = (dial_in.tokens or AdmitAll()) if dial_in.addresses else None
    options = ArenaOptions(
        games=games,
        admission=TicketsFirst(tickets, others),
        has_tokens=dial_in.tokens is not None,
        limits=limits or SessionLimits(),
        tls=dial_in.tls,
        metrics=metrics,
        # Else a bot could follow another match on its deal by the socket it was given.
        has_spectators=bool(dial_in.addresses),
        listeners=1 + len(dial_in.addresses),
    )
    with (
        launcher.keeper.temporary_directory("arena-") as directory,
        launcher.keeper.temporary_directory("arena-") as spare,
    ):
        address = Address(f"unix:{directory}/arena.sock")
        async with Arena(options) as arena:
            _, *bound = await arena.listen([address, *dial_in.addresses])
            with PrivateSocket(Path(directory, "arena.sock"), Path(spare, "arena.sock")) as socket:
                yield PrivateArena(arena, launcher, tickets, address, socket, bound)
