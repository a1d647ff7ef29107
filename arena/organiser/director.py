"""The tournaments of a server: those that run, and those that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ParamSpec, TypeVar

from arena.config.tournament import TournamentConfig, Unfit, read_config
from arena.errors import ForbiddenError, InputError, StoppingError
from arena.organiser.directories import ResultsDirectories, ResultsFiles, ResultsPage
from arena.organiser.journal import Journal, Started, TournamentState
from arena.organiser.running import RunningTournament
from arena.rating.leaderboard import Leaderboard
from arena.results.messages import TournamentPhase
from arena.server.app import Arena
from arena.server.session import Session
from arena.signing import OrganiserKey
from arena.storage.chain import ChainLink

_WHERE = "the config"
_READERS = 2

Params = ParamSpec("Params")
ResultT = TypeVar("ResultT")


class Director:
    """Runs tournaments among the bots of an arena, and shows their results.

    Each is kept in a directory of its name. One that was stopped, or whose arena was, goes on when
    it is started again.
    """

    def __init__(self, arena: Arena, directory: Path, key: OrganiserKey | None = None) -> None:
        """Keep results below the directory, which is made when needed; `key` signs them."""
        self._arena = arena
        self._key = key
        self._directories = ResultsDirectories(directory, key)
        self._runs: dict[str, RunningTournament] = {}  # those that run, and those that failed
        self._refreshing = asyncio.Lock()
        # Readers take turns: however many there are, the matches come first.
        self._reading = asyncio.Semaphore(_READERS)
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether the arena is about to end."""
        return self._is_stopping

    def sessions(self) -> Sequence[Session]:
        """Return the bots in the lobby."""
        return self._arena.lobby.sessions()

    def kick(self, bot: str, reason: str) -> bool:
        """End a bot's session; return whether it had one."""
        return self._arena.lobby.kick(bot, reason)

    # Running.

    async def start(self, config: str, unfit: Unfit) -> Started:
        """Begin or go on with a tournament; returns before the first match.

        Raises InputError for a config that cannot be played here, TournamentExistsError,
        UnfitError, StorageError.
        """
        if self._is_stopping:
            raise StoppingError("the arena is stopping: try again later")
        asked = read_config(config, _WHERE)
        self._check(asked)
        run = self._runs.get(asked.name)
        if run is not None and not run.is_over:
            run.check_same(asked, unfit)
            return await run.started()
        run = self._runs[asked.name] = RunningTournament(
            self._arena, self._directories.place(asked.name), asked, unfit, self._key
        )
        run.task.add_done_callback(lambda _task: self._forget(run))
        return await run.started()

    def _check(self, asked: TournamentConfig) -> None:
        """Raise InputError unless it is one for a server."""
        self._directories.place(asked.name)
        games = self._arena.options.games
        if asked.game not in games:
            raise InputError(f"{asked.game} is not offered here (there are: {', '.join(games)})")

    def _forget(self, run: RunningTournament) -> None:
        """Leave a tournament to the directories, unless only this run knows why it failed."""
        state = run.state
        is_telling = state.phase is TournamentPhase.FAILED and state.scheduled > 0
        if self._runs.get(state.name) is run and not is_telling:
            del self._runs[state.name]

    async def stop(self, name: str, *, at_once: bool) -> TournamentState:
        """End a run; of one that does not run, return the state."""
        run = self._runs.get(name)
        if run is not None:
            run.stop(at_once=at_once)
        return await self.state(name)

    async def follow(self, name: str) -> Journal:
        """Return what happens; of one that does not run, how it stands."""
        run = self._runs.get(name)
        if run is not None:
            return run.journal
        state = await self.state(name)
        journal = Journal(lambda: state)
        journal.close()
        return journal

    async def close(self, grace_s: float, hurry: asyncio.Event | None = None) -> None:
        """Stop all that runs: matches have the grace to finish, unless somebody is in a hurry."""
        self._is_stopping = True
        runs = [run for run in self._runs.values() if not run.task.done()]
        if not runs:
            return
        for run in runs:
            run.stop(at_once=False)
        ending = asyncio.ensure_future(asyncio.wait([run.task for run in runs]))
        hurrying = asyncio.ensure_future((hurry or asyncio.Event()).wait())
        try:
            waited: set[asyncio.Future[object]] = {ending, hurrying}  # type: ignore[arg-type]
            await asyncio.wait(waited, timeout=grace_s, return_when=asyncio.FIRST_COMPLETED)
            for run in runs:
                run.stop(at_once=True)
            await ending  # what was played is written before the arena goes
        finally:
            hurrying.cancel()

    # Reading.

    async def states(self) -> Sequence[TournamentState]:
        """Return those that run, then the others, each newest first."""
        running = [run.state for run in reversed(self._runs.values())]
        known = {state.name for state in running}
        kept = [
            await self._read(self._directories.try_state, name)
            for name in await self._read(self._directories.names)
            if name not in known
        ]
        kept.sort(key=lambda state: state.created.timestamp() if state.created else 0.0)
        return [*running, *reversed(kept)]

    async def state(self, name: str) -> TournamentState:
        """Return how far a tournament is; raises UnknownTournamentError."""
        run = self._runs.get(name)
        return run.state if run else await self._read(self._directories.state, name)

    async def leaderboard(self, name: str) -> tuple[str, Leaderboard]:
        """Return leaderboard.json, at most a few seconds old; raises UnreleasedError."""
        await self._refresh(name)
        return await self._read(self._directories.leaderboard, name)

    async def page(self, name: str) -> str:
        """Return leaderboard.html as it is; raises UnreleasedError."""
        return await self._read(self._directories.page, name)

    async def results(self, name: str, start: int, limit: int) -> ResultsPage:
        """Return the matches with a result at these places of the canonical order."""
        return await self._read(self._directories.results, name, start, limit)

    async def chain(self, name: str, after: int, limit: int) -> tuple[str, list[ChainLink]]:
        """Return what the first match is linked to, and links from behind that place."""
        return await self._read(self._directories.chain, name, after, limit)

    async def replay(self, name: str, match: str) -> str:
        """Return a replay; raises UnreleasedError while its deal is a secret."""
        return await self._read(self._directories.replay, name, match)

    async def log(self, name: str, bot: str) -> str:
        """Return the end of what a bot has printed, for its author and organisers."""
        return await self._read(self._directories.log, name, bot)

    async def files(self, name: str, max_replays: int | None, *, is_admin: bool) -> ResultsFiles:
        """Return the files to send; raises ForbiddenError for others while it is not complete."""
        await self._refresh(name)
        if not is_admin and not await self._read(self._directories.is_complete, name):
            raise ForbiddenError(
                f"the files of {name!r} are for its organisers until the tournament is complete"
            )
        return await self._read(self._directories.files, name, max_replays)

    async def _read(
        self, method: Callable[Params, ResultT], *args: Params.args, **kwargs: Params.kwargs
    ) -> ResultT:
        """Call a method of the directories beside the loop."""
        async with self._reading:
            return await asyncio.to_thread(method, *args, **kwargs)

    async def _refresh(self, name: str) -> None:
        """See that the files tell of what has been played."""
        run = self._runs.get(name)
        if run is not None and not run.is_over:
            await run.export()
            return
        async with self._refreshing:
            await self._read(self._directories.refresh, name)
