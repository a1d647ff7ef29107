"""`arena match`: matches between bots that are programs of their own."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.cli import DONE, INTERRUPTED, STOPPED, WRONG
from arena.cli.builds import BuildView
from arena.cli.isolation import add_isolation, asked_isolation, confine, describe_isolation
from arena.cli.listening import (
    add_listen_options,
    addresses,
    describe_listening,
    tls,
    token_file,
)
from arena.cli.logs import add_log_options, set_up_logs
from arena.cli.options import (
    add_game_options,
    add_seed,
    configure_game,
    make_directory,
    master_seed,
    write_file,
)
from arena.cli.progress import (
    Progress,
    Standings,
    describe_absence,
    describe_match,
    match_to_json,
)
from arena.cli.signals import handled
from arena.cli.terminal import add_colour, add_help, is_coloured, styles
from arena.cli.times import add_time_options, conditions_from
from arena.config.bot_spec import BotSpec, check_names, parse_bot
from arena.errors import InputError
from arena.games.game import AnyGame
from arena.inert import inert
from arena.launch.confinement import Confinement
from arena.launch.launcher import Launcher
from arena.launch.program import find_program
from arena.referee.faults import Fault
from arena.referee.fixture import plan_match
from arena.referee.match import Conditions, PlayedMatch
from arena.server.address import Address
from arena.server.app import Arena
from arena.server.dial_in import DialIn
from arena.server.loop import run_async
from arena.server.private import open_private
from arena.server.roster import Roster

_GRACE_S = 30.0
_REPORTING_S = 0.2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena match`."""
    parser.usage = "arena match GAME --bot BOT --bot BOT ... [flags]"
    what = parser.add_argument_group("what is played")
    what.add_argument("game", metavar="GAME", help="byzanz, schwarzmarkt, … (see arena games)")
    add_game_options(what)
    what.add_argument(
        "--matches",
        type=int,
        default=1,
        metavar="N",
        help="play N deals; the bots change seats after each (default: 1)",
    )
    what.add_argument(
        "-j",
        "--concurrency",
        type=int,
        default=1,
        metavar="N",
        help="play N matches at once (default: 1)",
    )
    add_seed(what)
    bots = parser.add_argument_group("bots")
    bots.add_argument(
        "--bot",
        action="append",
        required=True,
        metavar="BOT",
        help="a built-in bot (planner), a program (name=mine,cmd=./mybot, or stdio=./mybot if it "
        "reads and writes lines), a bot that connects by itself (name=far,connected), or a file "
        "of bots (bots.toml); once for each seat",
    )
    bots.add_argument(
        "--hide-names", action="store_true", help="do not tell bots whom they play against"
    )
    add_isolation(bots)
    add_time_options(parser.add_argument_group("time and faults"))
    output = parser.add_argument_group("output")
    output.add_argument(
        "--replay",
        metavar="FILE",
        help="write the replay to this file, or the replays of several matches to this directory",
    )
    output.add_argument(
        "--logs", metavar="DIR", help="write what the bots print to this directory, a file each"
    )
    output.add_argument("--json", action="store_true", help="print one JSON object per match")
    output.add_argument("--quiet", action="store_true", help="print only the seed and outcomes")
    add_colour(output)
    add_listen_options(parser.add_argument_group("bots that connect by themselves"), None)
    logs = parser.add_argument_group("logs and help")
    add_log_options(logs, "warning")
    add_help(
        parser,
        "arena match byzanz --bot planner --bot greedy --bot name=mine,cmd=./mybot",
        "arena match byzanz --bot bots.toml --bot greedy --bot random --matches 20 -j 4",
        group=logs,
    )


@dataclass(frozen=True, slots=True)
class _MatchSettings:
    """Everything the flags say."""

    game: AnyGame
    specs: Sequence[BotSpec]
    master: bytes
    conditions: Conditions
    matches: int
    concurrency: int
    confinement: Confinement


def run(args: argparse.Namespace) -> int:
    """Play the matches and print how they ended."""
    set_up_logs(args.log, args.log_level)
    game = configure_game(args.game, args.option)
    specs = check_names([spec for text in args.bot for spec in parse_bot(text)])
    game.check_table(len(specs))
    if args.matches < 1 or args.concurrency < 1:
        raise InputError("--matches and --concurrency must be at least 1")
    if any(spec.connected for spec in specs) and not args.listen:
        raise InputError("a connected bot needs an address to connect to: give --listen HOST:PORT")
    for spec in specs:
        if not spec.connected and not spec.build:  # a build may yet make the program
            try:
                find_program(spec, {**os.environ, **spec.env})
            except InputError as error:
                raise InputError(f"bot {spec.name}: {error}") from None
    _check_places(args)
    isolation = asked_isolation(args)
    confinement = confine(isolation, specs, [args.logs, args.replay, args.tokens, args.tls_key])
    conditions = replace(conditions_from(args), shows_names=not args.hide_names)
    master, seed_text = master_seed(args.seed)
    settings = _MatchSettings(
        game, specs, master, conditions, args.matches, args.concurrency, confinement
    )
    if not args.json:
        print(f"{game.title}, {len(specs)} players, seed {inert(seed_text)}", flush=True)
    if not (args.json or args.quiet) and (told := describe_isolation(isolation, specs)):
        print(told, file=sys.stderr)
    return run_async(_MatchRun(settings, args, seed_text).play())


def _check_places(args: argparse.Namespace) -> None:
    """Raise InputError for places that could not be written to, before anything is played."""
    if args.replay and args.matches > 1:
        make_directory(args.replay)
    elif args.replay and Path(args.replay).is_dir():
        raise InputError(f"--replay {args.replay} is a directory: name a file for one match")
    if args.logs:
        make_directory(args.logs)


class _MatchRun:
    """One call of the command."""

    def __init__(self, settings: _MatchSettings, args: argparse.Namespace, seed_text: str) -> None:
        self._settings = settings
        self._args = args
        self._seed_text = seed_text
        self._heading, self._aside = styles(is_coloured(args.color))
        self._progress = Progress(settings.matches, is_shown=not (args.quiet or args.json))
        self._standings = Standings()
        self._reports: dict[int, str] = {}  # of matches that ended before an earlier one
        self._printed = 0
        self._stopping = asyncio.Event()
        self._abort = asyncio.Event()
        self._played = 0
        self._launched = {spec.name for spec in settings.specs if not spec.connected}
        self._absences: dict[str, list[str]] = {}  # why a launched bot did not start, by match

    async def play(self) -> int:
        """Open an arena, start the bots, play, and leave nothing behind."""
        args = self._args
        # Signals are ours from here to the end: one that comes late must not cut the cleaning up.
        with handled(self._interrupt):
            logs = Path(args.logs) if args.logs else None
            is_told = not (args.quiet or args.json)
            dial_in = DialIn(addresses(args, None), token_file(args), tls(args))
            async with (
                Launcher(
                    logs,
                    builds=BuildView(is_shown=is_told),
                    confinement=self._settings.confinement,
                ) as launcher,
                open_private(launcher, [self._settings.game.name], dial_in) as private,
            ):
                self._tell_addresses(private.bound)
                await self._play_all(private.arena, private.roster(self._settings.specs))
        self._progress.close()
        for _, text in sorted(self._reports.items()):  # an earlier one has not been played
            print(text, flush=True)
        if self._played > 1 and not args.json:
            print(self._standings.describe(self._heading), flush=True)
        for bot, reasons in self._absences.items():
            print(describe_absence(bot, reasons, self._played), file=sys.stderr)
        if self._played == self._settings.matches:  # a signal during the last one stopped nothing
            return WRONG if self._absences else DONE
        return INTERRUPTED if self._abort.is_set() else STOPPED

    def _tell_addresses(self, bound: Sequence[Address]) -> None:
        waited = [spec.name for spec in self._settings.specs if spec.connected]
        for address in bound:
            print(describe_listening(address, waited), file=sys.stderr)

    def _interrupt(self, number: int) -> None:
        if self._stopping.is_set():
            self._abort.set()
            return
        self._stopping.set()
        if self._played < self._settings.matches:
            name = signal.Signals(number).name
            print(
                f"arena: {name}: running matches have {_GRACE_S:g} s to finish; "
                "repeat to stop at once",
                file=sys.stderr,
            )

    async def _play_all(self, arena: Arena, roster: Roster) -> None:
        running: set[asyncio.Task[None]] = set()
        numbers = iter(range(1, self._settings.matches + 1))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while not self._stopping.is_set():
                while len(running) < self._settings.concurrency and (number := next(numbers, 0)):
                    running.add(asyncio.ensure_future(self._play_one(arena, roster, number)))
                if not running:
                    break
                done, _ = await asyncio.wait(
                    {*running, stopping}, return_when=asyncio.FIRST_COMPLETED
                )
                running -= done
                for task in done - {stopping}:
                    task.result()
            if running:
                await self._wind_up(arena, running)
        finally:
            stopping.cancel()
            await _cancel(running)

    async def _wind_up(self, arena: Arena, running: set[asyncio.Task[None]]) -> None:
        """Give running matches a grace; a second signal ends it."""
        aborting = asyncio.ensure_future(self._abort.wait())
        draining = asyncio.ensure_future(arena.hall.drain(_GRACE_S))
        await asyncio.wait({aborting, draining}, return_when=asyncio.FIRST_COMPLETED)
        aborting.cancel()
        draining.cancel()
        await arena.hall.drain(0.0)
        # Those that had a match report it now; the rest still waits for bots to start.
        done, _ = await asyncio.wait(running, timeout=_REPORTING_S)
        running -= done
        for task in done:
            task.result()

    async def _play_one(self, arena: Arena, roster: Roster, number: int) -> None:
        settings = self._settings
        # Seats rotate from deal to deal, so that no bot keeps the first seat.
        shift = (number - 1) % len(settings.specs)
        names = [spec.name for spec in (*settings.specs[shift:], *settings.specs[:shift])]
        timeout = settings.conditions.control.start_timeout_s
        seats = await roster.ready_all(names, settings.game.name, timeout)
        if self._stopping.is_set():
            return  # whoever was ready too late does not begin any more
        match_id = str(number)
        entrants = [roster.entrant(name) for name in names]
        fixture = plan_match(settings.game, settings.master, match_id, number, entrants)
        conditions = replace(
            settings.conditions,
            on_events=lambda _state, _events: self._progress.moved(match_id),
            on_fault=lambda fault: self._progress.fault(fixture, fault),
        )
        self._report(number, await arena.hall.start(fixture, seats, conditions))

    def _report(self, number: int, played: PlayedMatch) -> None:
        self._progress.ended(played.fixture.match)
        args = self._args
        replay = None
        if played.outcome is not None:
            self._played += 1
            self._standings.add(played)
            for fault in played.faults:
                bot = played.fixture.seats[fault.seat].bot
                if fault.fault is Fault.NO_START and bot in self._launched:
                    self._absences.setdefault(bot, []).append(fault.detail)
            if args.replay:
                several = self._settings.matches > 1
                name = f"{played.fixture.match}.jsonl"
                replay = str(Path(args.replay, name)) if several else args.replay
                write_file(replay, played.replay)
        if args.json:
            text = json.dumps(match_to_json(played, self._seed_text))
        else:
            text = describe_match(played, self._heading)
            if replay is not None and not args.quiet:
                text += "\n" + self._aside(f"replay: {replay}")
        self._reports[number] = text
        while (due := self._printed + 1) in self._reports:  # in order, whichever ends first
            print(self._reports.pop(due), flush=True)
            self._printed = due


async def _cancel(tasks: set[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
