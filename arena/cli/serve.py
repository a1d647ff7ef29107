"""`arena serve`: a server that bots dial into."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

from arena.cli import DONE, complain
from arena.cli.listening import add_listen_options, addresses, tls, token_file
from arena.cli.logs import add_log_options, set_up_logs
from arena.cli.options import (
    DEFAULT_ADDRESS,
    add_game_options,
    configure_game,
    make_directory,
    write_file,
)
from arena.cli.signals import handled
from arena.cli.terminal import add_help
from arena.cli.times import add_time_options, conditions_from
from arena.cli.web import add_web_options, web_address
from arena.cli.web_beside import arena_flags, private_address, web_beside
from arena.errors import InputError
from arena.games.registry import game_names, get_game
from arena.organiser.director import Director
from arena.organiser.results_service import ResultsService
from arena.organiser.tournament_service import TournamentService
from arena.referee.match import PlayedMatch
from arena.server.address import Address, parse_address
from arena.server.app import Arena, ArenaOptions
from arena.server.auth import AdmitAll, TokenFile
from arena.server.callers import Callers
from arena.server.casual import CasualHost, CasualTable
from arena.server.limits import SessionLimits
from arena.server.loop import run_async
from arena.server.metrics import Metrics
from arena.server.table_service import TableService
from arena.signing import find_key
from arena.v1.results_pb2_grpc import add_ResultsServiceServicer_to_server
from arena.v1.table_pb2_grpc import add_TableServiceServicer_to_server
from arena.v1.tournament_pb2_grpc import add_TournamentServiceServicer_to_server

LOG = logging.getLogger("arena.serve")

DEFAULT_RESULTS = "results"
_LONGEST_GRACE_S = 1_000_000
_NO_TLS = {"ARENA_TLS": "", "ARENA_CA_FILE": "", "ARENA_CERT_FILE": "", "ARENA_KEY_FILE": ""}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena serve`."""
    parser.usage = "arena serve [flags]"
    what = parser.add_argument_group("what is played")
    what.add_argument(
        "--game",
        action="append",
        metavar="GAME",
        help="offer this game; may be repeated (default: all games)",
    )
    what.add_argument(
        "--casual",
        action="append",
        default=[],
        metavar="GAME:PLAYERS",
        help="whenever PLAYERS bots wait, let them play a match of GAME; may be repeated "
        "(default: no casual matches)",
    )
    add_game_options(what)
    add_listen_options(parser.add_argument_group("connections"), DEFAULT_ADDRESS)
    add_web_options(parser.add_argument_group("web pages"), None)
    add_time_options(parser.add_argument_group("time and faults"))
    keeping = parser.add_argument_group("results")
    keeping.add_argument(
        "--replays",
        metavar="DIR",
        help="write the replays of casual matches to this directory (default: do not keep them)",
    )
    keeping.add_argument(
        "--results",
        default=DEFAULT_RESULTS,
        metavar="DIR",
        help="keep each tournament that organisers start with arena tournament --server in "
        f"DIR/NAME (default: {DEFAULT_RESULTS})",
    )
    running = parser.add_argument_group("operation")
    running.add_argument(
        "--max-sessions",
        type=int,
        default=SessionLimits().max_sessions,
        metavar="N",
        help=f"accept at most N bots at once (default: {SessionLimits().max_sessions})",
    )
    running.add_argument(
        "--grace",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="time for running matches to end when the server stops (default: 30)",
    )
    running.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        help="serve Prometheus metrics over HTTP (default: none)",
    )
    running.add_argument(
        "--reflection", action="store_true", help="let gRPC tools list the services"
    )
    add_log_options(running, "info")
    add_help(
        parser,
        "arena serve --casual byzanz:4",
        "arena serve --listen 0.0.0.0:50051 --tokens tokens.json --tls-cert cert.pem "
        "--tls-key key.pem",
        group=running,
    )


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM."""
    set_up_logs(args.log, args.log_level)
    names = args.game or list(game_names())
    for name in names:
        get_game(name)
    casual = [_parse_casual(text, names, args.option) for text in args.casual]
    if args.option and not casual:
        raise InputError("--option is for casual matches: give --casual GAME:PLAYERS")
    if args.max_sessions < 1:
        raise InputError("--max-sessions must be at least 1")
    if not 0 <= args.grace <= _LONGEST_GRACE_S:
        raise InputError(f"--grace must be 0 to {_LONGEST_GRACE_S} seconds, not {args.grace}")
    if args.replays:
        make_directory(args.replays)
    if args.metrics:
        _check_metrics(args.metrics)
    _check_results(Path(args.results))
    tokens = token_file(args)
    if args.web:
        web_address(args)
        if tokens is not None and not os.environ.get("ARENA_TOKEN"):
            raise InputError(
                "--web with --tokens needs a token for the pages: arena token add web --tokens "
                f"{args.tokens}, and set ARENA_TOKEN to what it prints"
            )
    options = ArenaOptions(
        games=names,
        admission=tokens or AdmitAll(),
        has_tokens=tokens is not None,
        limits=SessionLimits(max_sessions=args.max_sessions),
        tls=tls(args),
        reflection=args.reflection,
        metrics=Metrics() if args.metrics else None,
        listeners=len(addresses(args, DEFAULT_ADDRESS)),
    )
    return run_async(_serve(args, options, casual))


def _check_metrics(text: str) -> None:
    """Raise InputError unless figures can be shown there: plain HTTP is for this machine alone."""
    try:
        address = parse_address(text)
    except InputError:
        address = None
    if address is None or address.is_unix:
        raise InputError(f"--metrics {text!r} must be HOST:PORT")
    if not address.is_local:
        raise InputError(
            f"--metrics {text} can be reached from other machines without TLS and tokens: "
            "use 127.0.0.1, with a proxy if necessary"
        )


def _check_results(directory: Path) -> None:
    """Raise InputError unless tournaments can be kept there; it is made with the first one."""
    place = directory.absolute()
    while not place.exists():
        place = place.parent
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        raise InputError(f"--results {directory}: {place} is not a writable directory")


def _parse_casual(text: str, names: Sequence[str], options: Sequence[str]) -> CasualTable:
    name, _, number = text.partition(":")
    if name not in names:
        raise InputError(f"--casual {text!r}: the games offered are {', '.join(names)}")
    if not number.isascii() or not number.isdigit():
        raise InputError(f"--casual {text!r} must be GAME:PLAYERS, such as byzanz:4")
    game = configure_game(name, options)
    game.check_table(int(number[:9]))
    return CasualTable(game, int(number))


async def _serve(args: argparse.Namespace, options: ArenaOptions, casual: list[CasualTable]) -> int:
    stopping, again = asyncio.Event(), asyncio.Event()

    def interrupt(_number: int) -> None:
        (again if stopping.is_set() else stopping).set()

    with handled(interrupt):  # before there is anything to clean up
        await _serve_until(stopping, again, args, options, casual)
    LOG.info("stopped")
    return DONE


async def _serve_until(
    stopping: asyncio.Event,
    again: asyncio.Event,
    args: argparse.Namespace,
    options: ArenaOptions,
    casual: list[CasualTable],
) -> None:
    keep = _keeper(args.replays)
    async with (
        contextlib.AsyncExitStack() as exits,
        Arena(options) as arena,
        direct(arena, Path(args.results), keep) as director,
    ):
        host = CasualHost(arena, casual, conditions_from(args), keep)
        private = [exits.enter_context(private_address())] if args.web else []
        bound = await arena.listen([*addresses(args, DEFAULT_ADDRESS), *private])
        with _metrics_page(args.metrics, options.metrics):
            _announce(bound[: len(bound) - len(private)], options)
            for address in private:
                gateway = web_beside(args, arena_flags(address), _NO_TLS)
                await exits.enter_async_context(gateway)
            playing = asyncio.ensure_future(host.run())
            waiting = asyncio.ensure_future(stopping.wait())
            await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()
            LOG.info("stopping", extra={"matches": arena.hall.running, "grace_s": args.grace})
            await _stop(arena, director, args.grace, again)
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing


@contextlib.asynccontextmanager
async def direct(
    arena: Arena, directory: Path, keep: Callable[[PlayedMatch], None]
) -> AsyncIterator[Director]:
    """Offer tournaments and single matches; no tournament runs on when this is left."""
    tokens = arena.options.admission
    callers = Callers(tokens if isinstance(tokens, TokenFile) else None)
    director = Director(arena, directory, find_key(os.environ))
    games, timeout_s = arena.options.games, arena.options.limits.write_timeout_s
    organising = TournamentService(director, callers, games, timeout_s)
    arena.install(add_TournamentServiceServicer_to_server, organising)
    reading = ResultsService(director, callers, timeout_s)
    arena.install(add_ResultsServiceServicer_to_server, reading)
    arena.install(add_TableServiceServicer_to_server, TableService(arena, callers, keep))
    try:
        yield director
    finally:
        await director.close(0.0)


async def _stop(arena: Arena, director: Director, grace_s: float, again: asyncio.Event) -> None:
    """Stop within the grace, or at once when asked again."""
    until = time.monotonic() + grace_s
    # First the tournaments, while bots that lose their connection can still come back.
    await director.close(grace_s, again)
    arena.lobby.is_stopping = True
    draining = asyncio.ensure_future(arena.hall.drain(max(0.0, until - time.monotonic())))
    asked = asyncio.ensure_future(again.wait())
    await asyncio.wait({draining, asked}, return_when=asyncio.FIRST_COMPLETED)
    draining.cancel()
    asked.cancel()
    await arena.stop(0.0, "the arena is stopping")


def _announce(bound: Sequence[Address], options: ArenaOptions) -> None:
    for address in bound:
        is_tls = options.tls is not None and not address.is_unix
        every = ", every address of this machine" if address.is_wildcard else ""
        print(f"listening on {address.text}{' (TLS)' if is_tls else ''}{every}")
        settings = [f"ARENA_ADDRESS={address.dialled_here}"]
        if options.has_tokens:
            settings.append("ARENA_TOKEN=…")
        if is_tls:
            settings.append("ARENA_CA_FILE=…")
        where = " on this machine" if address.is_wildcard else ""
        print(f"  a bot{where} connects with: {' '.join(settings)} ./mybot")
        if address.is_wildcard:
            print(
                f"  from other machines: ARENA_ADDRESS=HOST:{address.port}, where HOST is a name "
                "or address of this machine that is in its certificate"
            )
    if not options.has_tokens:
        print("  without tokens: bots play under the names they give")
    print(f"games: {', '.join(options.games)}", flush=True)


@contextlib.contextmanager
def _metrics_page(address: str | None, metrics: Metrics | None) -> Iterator[None]:
    """Serve the figures while the arena runs."""
    if address is None or metrics is None:
        yield
        return
    from prometheus_client import start_http_server  # noqa: PLC0415 - slow, and seldom needed

    place = parse_address(address)
    try:
        server, thread = start_http_server(int(place.port), place.host, metrics.registry)
    except OSError as error:
        raise InputError(f"--metrics {address}: {error.strerror or error}") from None
    print(f"metrics on http://{place.at_port(server.server_port).text}/metrics", flush=True)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _keeper(directory: str | None) -> Callable[[PlayedMatch], None]:
    """Return what to do with a casual match that has ended."""

    def keep(played: PlayedMatch) -> None:
        if directory is not None and played.outcome is not None:
            try:
                write_file(str(Path(directory, f"{played.fixture.match}.jsonl")), played.replay)
            except InputError as error:
                complain(error)

    return keep
