"""`arena tournament --server`: a tournament among the bots of a server."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shlex
import signal
import sys
from pathlib import Path

from arena.atomic import replace_files
from arena.cli import DONE, INTERRUPTED, STOPPED, WRONG, complain, refusal_lines
from arena.cli.meter import Meter
from arena.cli.options import make_directory, read_text_file
from arena.cli.signals import handled
from arena.cli.tournament_options import settle
from arena.cli.tournament_view import TournamentView, print_leaderboard
from arena.client.channel import destination_from
from arena.client.organiser import OrganiserClient
from arena.client.results_fetch import RemoteChain, fetch_results, find_commitment
from arena.config.bot_spec import BotSpec
from arena.config.tournament import TournamentConfig, Unfit, read_config, write_config
from arena.counted import counted
from arena.errors import ArenaError, InputError, LostError, RewrittenError
from arena.inert import inert
from arena.results.archive import CONFIG_FILE, DATABASE_FILE, LEADERBOARD_FILE, read_leaderboard
from arena.results.messages import TournamentPhase, read_fixture, read_result, read_seat_fault
from arena.retry import pauses
from arena.server.loop import run_async
from arena.storage.records import StoredMatch
from arena.v1 import results_pb2, tournament_pb2

_PATIENCE_S = 60.0  # for an arena that has gone away to come back
_PAUSES_S = (0.1, 2.0)  # between attempts: the first, the longest
_LAST_CALL_S = 2.0
_CHAIN_EVERY_S = 1.0
_LOCAL_FLAGS = (
    "listen",
    "tokens",
    "tls_cert",
    "tls_key",
    "client_ca",
    "workers",
    "engine",
    "ray_address",
    "db",
    "recover",
    "fresh",
    "save_config",
    "show_seed",
)

_FINAL = {phase.value for phase in TournamentPhase if phase.is_final}


def run(args: argparse.Namespace) -> int:
    """Have a tournament played, follow it, fetch its results, and print its leaderboard."""
    for flag in _LOCAL_FLAGS:
        if getattr(args, flag, None):
            raise InputError(
                f"--{flag.replace('_', '-')} has no effect with --server: leave it out"
            )
    client = OrganiserClient(destination_from(os.environ, args.server))
    return run_async(_Remote(args, client).play())


class _Patience:
    """With an arena that has gone away: pauses that grow, until it has taken too long."""

    def __init__(self) -> None:
        self._until = 0.0
        self._pauses = pauses(*_PAUSES_S)
        self.is_tried = False

    async def wait(self, error: LostError) -> None:
        """Wait before the next attempt; raises the error if there is to be none."""
        now = asyncio.get_running_loop().time()
        if not self.is_tried:
            self.is_tried, self._until = True, now + _PATIENCE_S
        if now > self._until:
            raise error
        await asyncio.sleep(next(self._pauses))


class _Remote:
    """One call of the command."""

    def __init__(self, args: argparse.Namespace, client: OrganiserClient) -> None:
        self._args = args
        self._client = client
        self._is_told = not (args.quiet or args.json)
        self._view = TournamentView(is_shown=self._is_told)
        self._name = ""
        self._directory = Path()
        self._known: set[str] = set()  # matches that the view has been told of
        self._after = 0  # the last event
        self._is_started = False
        self._has_begun = False
        self._interrupts = 0
        self._calls: set[asyncio.Task[None]] = set()
        self._playing: asyncio.Task[int] | None = None

    async def play(self) -> int:
        """Play, follow, fetch, print."""
        async with self._client:
            with handled(self._interrupt):
                self._playing = asyncio.ensure_future(self._play())
                showing = asyncio.ensure_future(self._view.follow())
                try:
                    return await self._playing
                except asyncio.CancelledError:
                    if not self._interrupts:
                        raise
                    self._tell_left()
                    return INTERRUPTED
                finally:
                    showing.cancel()
                    self._view.close()
                    await asyncio.gather(*self._calls, return_exceptions=True)

    async def _play(self) -> int:
        config, self._directory = await self._settle()
        self._name = config.name
        await self._check_place()
        make_directory(str(self._directory))
        growing = asyncio.ensure_future(self._keep_chain())
        try:
            state = await self._follow(write_config(config))
        except ArenaError as error:
            if not self._is_started:
                if self._interrupts:  # the arena was asked to stop, and may say so before we leave
                    self._tell_left()
                    return INTERRUPTED
                raise
            complain(error)  # what has been played is stored, and the rest can be played later
            self._tell_left()
            return STOPPED
        finally:
            growing.cancel()
            await asyncio.gather(growing, return_exceptions=True)
        self._view.close()
        return await self._finish(state)

    # Before play.

    async def _settle(self) -> tuple[TournamentConfig, Path]:
        """Return the tournament and its directory; without `--bot` all in the lobby play."""
        args = self._args
        if args.bot or args.source is not None:
            return settle(args)
        name = args.name or _directory_name(args.out)
        known = await self._client.find_tournament(name) if name else None
        if known is not None:  # the same command again: whoever plays in it
            specs = [
                BotSpec(name=bot.name, connected=True, group=bot.group or None)
                for bot in known.bots
            ]
        else:
            specs = [
                BotSpec(name=bot.name, connected=True)
                for bot in await self._client.list_bots()
                if bot.present and (args.game is None or args.game in bot.games)
            ]
        if not specs:
            raise InputError(f"no bot that plays {args.game} is connected to {args.server}")
        return settle(args, lambda: specs)

    async def _check_place(self) -> None:
        """Raise InputError if the directory holds another tournament."""
        directory, name = self._directory, self._name
        stored = find_commitment(directory, name)
        if stored is not None or (directory / DATABASE_FILE).exists():
            known = await self._client.find_tournament(name)
            if known is None or known.commitment != stored:
                raise InputError(
                    f"{directory} holds a tournament that was played on this machine: "
                    "choose another --out"
                )
        elif (directory / CONFIG_FILE).exists():
            path = str(directory / CONFIG_FILE)
            found = read_config(read_text_file(path), path).name
            if found != name:
                raise InputError(
                    f"{directory} holds another tournament: name is {found} (asked for: {name}). "
                    "Choose another --out"
                )

    # Following.

    async def _follow(self, config: str) -> results_pb2.TournamentState:
        """Start it and follow it to its end, over lost connections and restarts of the arena."""
        patience = _Patience()
        while True:
            try:
                self._tell_started(await self._client.start(config, Unfit(self._args.unfit)))
                async for event in self._client.follow(self._name, self._after):
                    patience = _Patience()
                    self._after = event.number
                    await self._take(event)
                    if event.state.phase in _FINAL:
                        return event.state
                raise LostError("the server ended the stream before the tournament was over")
            except LostError as error:
                if not self._is_started or self._interrupts:
                    raise
                if not patience.is_tried:
                    self._view.tell(f"{inert(str(error))}; trying again for {_PATIENCE_S:g} s")
                await patience.wait(error)
            await self._client.hang_up()

    async def _keep_chain(self) -> None:
        """Keep the chain as the arena tells it, so that it cannot be told otherwise later."""
        chain = None
        while True:
            await asyncio.sleep(_CHAIN_EVERY_S)
            if not self._is_started or find_commitment(self._directory, self._name) is not None:
                continue  # nothing yet, or the arena keeps it in this very directory
            with contextlib.suppress(ArenaError):  # told by whoever follows
                chain = chain or RemoteChain(self._client, self._name, self._directory)
                await chain.grow()

    async def _take(self, event: tournament_pb2.TournamentEvent) -> None:
        """Tell the view what happened."""
        match event.WhichOneof("event"):
            case "state":
                await self._take_state(event.state)
            case "ended":
                played = read_result(event.ended)
                if played.fixture.match not in self._known:
                    self._known.add(played.fixture.match)
                    self._view.ended(played.fixture, played.report)
            case "fault":
                fault = event.fault
                self._view.fault(read_fixture(fault.fixture), read_seat_fault(fault.fault))
            case "voided":
                self._view.void(read_fixture(event.voided.fixture), event.voided.reason)

    async def _take_state(self, state: results_pb2.TournamentState) -> None:
        if not self._is_told or state.scheduled == 0:
            return  # there is nobody to show anything to
        if self._has_begun and state.played <= len(self._known):
            return
        missed: list[StoredMatch] = []
        if state.played > len(self._known):
            missed = [
                read_result(message)
                async for message in self._client.list_results(self._name)
                if message.fixture.match_id not in self._known
            ]
        self._known.update(match.fixture.match for match in missed)
        self._view.recall(missed)
        self._view.begun(len(self._known) + state.parked, state.scheduled)
        self._has_begun = True

    # Signals.

    def _interrupt(self, number: int) -> None:
        self._interrupts += 1
        is_first = self._interrupts == 1
        self._calls.add(asyncio.ensure_future(self._stop(at_once=not is_first)))
        if self._is_started and is_first:
            self._view.tell(
                f"{signal.Signals(number).name}: the server finishes the running matches; "
                "repeat to stop at once"
            )

    async def _stop(self, *, at_once: bool) -> None:
        """Ask the arena to stop; whoever is in a hurry, or has nothing to wait for, leaves."""
        is_leaving = at_once or not self._is_started
        with contextlib.suppress(ArenaError, TimeoutError):
            if self._name:
                async with asyncio.timeout(_LAST_CALL_S):
                    await self._client.stop(self._name, at_once=is_leaving)
        if is_leaving and self._playing is not None:
            self._playing.cancel()

    # Telling.

    def _tell_started(self, started: tournament_pb2.StartTournamentResponse) -> None:
        if self._is_started:
            return
        self._is_started = True
        state, tell = started.state, self._view.tell
        if find_commitment(self._directory, self._name) is None:
            replace_files(self._directory, {CONFIG_FILE: started.config_toml.encode()})
        if started.refused:
            tell("these bots cannot play:")
        for bot in started.refused:
            tell("\n".join(map(inert, refusal_lines(bot.name, bot.reason))))
        if started.resumed:
            tell(f"continuing {inert(state.name)} at {self._args.server}")
        tell(f"{counted(state.scheduled, 'match', 'es')}, {state.players} at a table")
        for note in started.notes:
            tell(inert(note))
        tell(f"commitment {inert(state.commitment)}")

    def _tell_left(self) -> None:
        if self._is_started:
            print(f"continue with: {self._resume_command()}", file=sys.stderr)
        else:
            print("arena: interrupted before any match began", file=sys.stderr)

    def _resume_command(self) -> str:
        words = ["arena", "tournament", str(self._directory), "--server", self._args.server]
        if self._args.unfit != Unfit.STOP.value:
            words += ["--unfit", self._args.unfit]
        if self._args.replays is not None:
            words += ["--replays", str(self._args.replays)]
        return shlex.join(words)

    # The end.

    async def _finish(self, state: results_pb2.TournamentState) -> int:
        if state.phase == results_pb2.TOURNAMENT_PHASE_FAILED:
            complain(ArenaError(f"the server could not continue: {state.reason}"))
            self._tell_left()
            return STOPPED
        try:
            await self._fetch(state)
        except LostError as error:
            complain(error)
            self._tell_left()
            return STOPPED
        except RewrittenError as error:
            complain(error)
            return WRONG
        if (self._directory / LEADERBOARD_FILE).exists():
            print_leaderboard(self._args, read_leaderboard(self._directory), self._directory)
        if state.phase != results_pb2.TOURNAMENT_PHASE_STOPPED:
            return DONE
        played = f"{state.played:,} of {counted(state.scheduled, 'match', 'es')} played"
        print(f"{played}; continue with: {self._resume_command()}", file=sys.stderr)
        return INTERRUPTED if self._interrupts > 1 else STOPPED

    async def _fetch(self, state: results_pb2.TournamentState) -> None:
        """Fetch the results, unless the arena keeps them in this very directory."""
        if find_commitment(self._directory, self._name) == state.commitment:
            return
        patience = _Patience()
        while True:
            try:
                with Meter(is_shown=self._is_told) as meter:
                    await fetch_results(
                        self._client, state, self._directory, self._args.replays, meter
                    )
            except LostError as error:
                await patience.wait(error)
                await self._client.hang_up()
            else:
                return


def _directory_name(path: str | None) -> str | None:
    return Path(path).resolve().name if path else None
