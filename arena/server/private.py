"""An arena for bots that it starts itself, each of which dials a socket that is its alone."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from arena.config.bot_spec import BotSpec
from arena.launch.launcher import Launcher
from arena.server.address import Address
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import AdmitAll, Tickets, TicketsFirst
from arena.server.dial_in import DialIn
from arena.server.launched import LaunchedBots
from arena.server.limits import SessionLimits
from arena.server.metrics import Metrics
from arena.server.private_socket import PrivateSockets
from arena.server.roster import Roster


@dataclass(frozen=True, slots=True)
class PrivateArena:
    """An open arena with all that it takes to start bots for it."""

    arena: Arena
    launcher: Launcher
    tickets: Tickets
    sockets: PrivateSockets
    bound: Sequence[Address]  # where others may dial in

    def roster(self, specs: Sequence[BotSpec], suffix: str = "") -> Roster:
        """Return a roster of these bots; for the suffix see LaunchedBots.

        From now on nobody else can come in under the names of those that are launched.
        """
        for spec in specs:
            if not spec.connected:
                self.tickets.reserve(spec.name)
        launched = LaunchedBots(self.arena.lobby, self.launcher, self.tickets, self.sockets, suffix)
        return Roster(self.arena.lobby, specs, launched)


@contextlib.asynccontextmanager
async def open_private(
    launcher: Launcher,
    games: Sequence[str],
    dial_in: DialIn | None = None,
    limits: SessionLimits | None = None,
    metrics: Metrics | None = None,
) -> AsyncIterator[PrivateArena]:
    """Open an arena for launched bots, and where others dial in; raises InputError.

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
        has_spectators=bool(dial_in.addresses),
        listeners=max(1, len(dial_in.addresses)),
    )
    with (
        launcher.keeper.temporary_directory("arena-") as directory,
        launcher.keeper.temporary_directory("arena-") as spare,
    ):
        launcher.confinement.hide(directory, spare)
        directory.chmod(0o711)  # what is in there is closed, but for the user that a bot runs as
        async with Arena(options) as arena:
            bound = await arena.listen(dial_in.addresses)
            if dial_in.gallery is not None:
                await arena.open_gallery(dial_in.gallery)
            with PrivateSockets(arena, directory, spare) as sockets:
                yield PrivateArena(arena, launcher, tickets, sockets, bound)
