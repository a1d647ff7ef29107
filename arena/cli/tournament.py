"""`arena tournament`: a whole tournament, from the check of its bots to its leaderboard."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from arena.cli import DONE, INTERRUPTED, STOPPED, complain, refusal_lines
from arena.cli.builds import BuildView
from arena.cli.isolation import describe_isolation
from arena.cli.listening import addresses, describe_listening, tls, token_file
from arena.cli.logs import set_up_logs
from arena.cli.meter import Meter
from arena.cli.options import make_directory, write_file
from arena.cli.signals import handled
from arena.cli.tournament_options import add_tournament_options, settle
from arena.cli.tournament_view import TournamentView, print_leaderboard
from arena.cli.web import web_address
from arena.cli.web_beside import WEB_TOKEN, gallery_beside, web_beside
from arena.config.tournament import TournamentConfig, Unfit, with_chance, write_config
from arena.counted import counted
from arena.engines.making import make_engine
from arena.errors import InputError, ResultsError, StorageError, TournamentExistsError
from arena.inert import inert
from arena.results.archive import CONFIG_FILE, LOGS
from arena.results.timing_file import TIMING_FILE
from arena.schedule.balance import describe
from arena.schedule.deals import commitment
from arena.server.address import Address
from arena.server.dial_in import DialIn
from arena.server.gallery import Gallery
from arena.server.loop import run_async
from arena.signing import find_key
from arena.storage.store import FailPoint
from arena.tournament.engine import Engine
from arena.tournament.runner import EndReason, RunEnd
from arena.tournament.tournament import Preparation, Tournament, open_tournament

FAIL_POINT = "ARENA_FAIL_POINT"
"""NAME:COUNT in the environment: end the process by SIGKILL there. For tests of what survives."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena tournament`."""
    add_tournament_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play a tournament, or what is missing of one, and print its leaderboard."""
    set_up_logs(args.log, args.log_level)
    if args.web:
        web_address(args)
        if args.server:
            raise InputError(
                "--web is for tournaments that are played here: show the server of --server with "
                "arena web --arena ADDRESS"
            )
    if args.server:
        from arena.cli import tournament_remote  # noqa: PLC0415 - only when it is needed

        return tournament_remote.run(args)
    config, directory = settle(args)
    if args.save_config:
        return _save(Path(args.save_config), config)
    with _fresh(directory):
        return run_async(_TournamentRun(args, config, directory).play())


@contextlib.contextmanager
def _fresh(directory: Path) -> Iterator[None]:
    """See that the directory is there; one that was made for nothing does not stay.

    If bots were refused, what they have printed stays.
    """
    was_there = directory.exists()
    make_directory(str(directory), is_private=True)
    try:
        yield
    finally:
        if not (was_there or (directory / CONFIG_FILE).exists()):
            for path in sorted((directory / LOGS).rglob("*"), reverse=True):
                if path.is_file() and not path.stat().st_size:
                    path.unlink()
                elif path.is_dir() and not any(path.iterdir()):
                    path.rmdir()
        for place in () if was_there else (directory / LOGS, directory):
            with contextlib.suppress(OSError):  # there is something in it
                place.rmdir()


def _save(target: Path, config: TournamentConfig) -> int:
    write_file(str(target), write_config(with_chance(config), target.parent))
    print(f"written: {target}; play it with: arena tournament {shlex.quote(str(target))}")
    return DONE


def _fail_point() -> FailPoint | None:
    text = os.environ.get(FAIL_POINT)
    if not text:
        return None
    name, _, count = text.rpartition(":")
    left = int(count)

    def reach(point: str) -> None:
        nonlocal left
        left -= point == name
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return reach


class _TournamentRun:
    """One call of the command."""

    def __init__(self, args: argparse.Namespace, config: TournamentConfig, directory: Path) -> None:
        self._args = args
        self._asked = config
        self._directory = directory
        self._tournament: Tournament | None = None
        self._is_told = not (args.quiet or args.json)
        self._view = TournamentView(is_shown=self._is_told)
        self._interrupts = 0
        self._has_begun = False  # what is stored can be gone on with
        self._playing: asyncio.Task[RunEnd | None] | None = None
        self._gallery: Gallery | None = None

    async def play(self) -> int:
        """Open, check the bots, play, export, print; nothing is left behind."""
        opening = open_tournament(
            self._asked,
            self._directory,
            unfit=Unfit(self._args.unfit),
            db=self._args.db,
            fail_point=_fail_point(),
            key=find_key(os.environ),
            recovers=self._args.recover,
        )
        with handled(self._interrupt):
            try:
                async with opening as tournament, self._web():
                    return await self._play_and_tell(tournament)
            except TournamentExistsError as error:
                raise InputError(
                    f"{self._directory} holds another tournament: {error.summary}. Continue it "
                    f"with `arena tournament {self._directory}`, or choose another --out"
                ) from None
            except (StorageError, ResultsError) as error:
                if not self._has_begun:
                    raise
                complain(error)  # what has been played is stored, and the rest can be played later
                return STOPPED

    @contextlib.asynccontextmanager
    async def _web(self) -> AsyncIterator[None]:
        """Show the tournament in browsers while it runs, if asked to."""
        if not self._args.web:
            yield
            return
        with gallery_beside(os.environ) as gallery:
            place = str(gallery.directory)
            flags = ["--results", str(self._directory), "--gallery", place, "--sweep", place]
            flags += ["--db", self._args.db] if self._args.db else []
            self._gallery = gallery
            async with web_beside(self._args, flags, {WEB_TOKEN: ""}):
                yield

    async def _play_and_tell(self, tournament: Tournament) -> int:
        self._tournament = tournament
        self._playing = asyncio.ensure_future(self._play(tournament))
        try:
            end = await self._playing
        except asyncio.CancelledError:
            if not self._interrupts:
                raise
            end = None
        finally:
            self._view.close()
        if end is None:
            print("arena: interrupted before any match began", file=sys.stderr)
            return INTERRUPTED
        with Meter(is_shown=self._is_told) as meter:
            board = await tournament.export(self._args.replays, meter)
        print_leaderboard(self._args, board, self._directory)
        if end.ending is not EndReason.STOPPED:
            return DONE
        command = resume_command(self._args, self._directory)
        total = counted(board.scheduled, "match", "es")
        told = f"{board.matches:,} of {total} played; continue with: {command}"
        print(told, file=sys.stderr)
        return INTERRUPTED if self._interrupts > 1 else STOPPED

    async def _play(self, tournament: Tournament) -> RunEnd | None:
        args, config = self._args, tournament.config
        if tournament.recovered is not None:
            kept = counted(tournament.recovered, "match", "es")
            self._view.tell(f"recovered {kept} from the files in {self._directory}")
        if self._interrupts:
            return None
        if tournament.is_stored and (await tournament.progress()).is_complete:
            self._has_begun = True
            self._view.tell(f"every match of {inert(config.name)} has been played")
            return RunEnd(EndReason.COMPLETE)  # no bot need be started for what is to be written
        dial_in = DialIn(addresses(args, None), token_file(args), tls(args), self._gallery)
        engine = make_engine(
            config,
            config.run,
            logs=self._directory / LOGS,
            dial_in=dial_in,
            ray_address=args.ray_address,
            builds=BuildView(is_shown=self._is_told),
            hidden=self._hidden(),
        )
        self._tell_isolation(config)
        async with engine:
            self._tell_listening(engine, config)
            preparation = await tournament.prepare(engine)
            self._tell_preparation(preparation, tournament.config)
            if not (self._directory / TIMING_FILE).exists():
                await tournament.export(0)  # the commitment is there before the first match
            if self._interrupts:
                return None
            self._has_begun = True
            total = config.run.concurrency * config.run.workers
            following = asyncio.ensure_future(self._follow(tournament, preparation))
            try:
                return await tournament.play(engine, total, self._view)
            finally:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)

    async def _follow(self, tournament: Tournament, preparation: Preparation) -> None:
        if preparation.schedule is None and self._is_told:  # meanwhile play goes on
            self._view.recall(await tournament.played())
        await self._view.follow()

    # Signals.

    def _interrupt(self, number: int) -> None:
        self._interrupts += 1
        runner = None if self._tournament is None else self._tournament.runner
        if runner is None:
            # Once only: a second one must not keep the bots from being ended.
            if self._playing is not None and self._interrupts == 1:
                self._playing.cancel()
        elif self._interrupts == 1:
            runner.stop()
            self._view.tell(
                f"{signal.Signals(number).name}: finishing the running matches; "
                "repeat to stop at once"
            )
        else:
            runner.abort()

    # Telling.

    def _hidden(self) -> list[Path]:
        """Return what no bot may see."""
        args = self._args
        places = [args.tokens, args.tls_key]
        if args.db and "://" not in args.db:
            places.append(args.db)
        if self._gallery is not None:
            places.append(str(self._gallery.directory))
        return [self._directory, *(Path(place) for place in places if place)]

    def _tell_isolation(self, config: TournamentConfig) -> None:
        if config.run.engine != "inline":
            told = describe_isolation(config.run.isolation, tuple(config.bots.values()))
            if told is not None:
                self._view.tell(told)

    def _tell_listening(self, engine: Engine, config: TournamentConfig) -> None:
        waited = [name for name, spec in config.bots.items() if spec.connected]
        for address in engine.addresses:
            self._view.tell(describe_listening(Address(address), waited))

    def _tell_preparation(self, preparation: Preparation, config: TournamentConfig) -> None:
        schedule = preparation.schedule
        if preparation.refused:
            self._view.tell("these bots cannot play:")
        for name, reason in preparation.refused.items():
            self._view.tell("\n".join(map(inert, refusal_lines(name, reason))))
        if schedule is None:
            self._view.tell(f"continuing {inert(config.name)} in {self._directory}")
        lines = [f"commitment {commitment(config.master, bytes.fromhex(config.salt))}"]
        if self._args.show_seed:
            lines.append(f"seed {inert(config.seed)}")
        if schedule is not None:
            lines = [
                f"{counted(len(schedule.fixtures), 'match', 'es')}, {config.players} at a table",
                *describe(schedule.balance),
                *lines,
            ]
        for line in lines:
            self._view.tell(line)


def resume_command(args: argparse.Namespace, directory: Path) -> str:
    """Return the command that goes on with what was stopped, whatever it was begun with."""
    words = ["arena", "tournament", str(directory)]
    if args.db:
        words += ["--db", args.db if urlsplit(args.db).password is None else "URL"]
    if args.unfit == Unfit.ENTER.value:
        words += ["--unfit", args.unfit]
    for flag in ("listen", "tokens", "tls_cert", "tls_key", "client_ca", "ray_address", "replays"):
        value = getattr(args, flag)
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                words += [f"--{flag.replace('_', '-')}", str(each)]
    return shlex.join(words)
