"""`arena watch`: follow a match of a running arena."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence

import grpc
import grpc.aio

from arena.cli import DONE, STOPPED, WRONG
from arena.cli.options import DEFAULT_ADDRESS, add_server, write_file
from arena.cli.terminal import add_colour, add_help, is_coloured, seat_names, styles
from arena.client.channel import Destination, destination_from
from arena.client.spectator import follow, list_matches
from arena.client.tls_mistakes import describe_failure
from arena.counted import counted
from arena.errors import FormatError, InputError
from arena.games.game import AnyGame
from arena.games.registry import get_game
from arena.inert import inert
from arena.server.loop import run_async
from arena.v1 import watch_pb2
from arena.wire.codec import codec_for
from arena.wire.faults import read_fault

_PACE_S = 0.5  # between moves, on a terminal
_LONGEST_PACE_S = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena watch`."""
    parser.add_argument(
        "match", nargs="?", metavar="MATCH", help="the match to follow (default: list the matches)"
    )
    parser.add_argument(
        "--bot",
        metavar="NAME",
        help="follow the match that this bot plays, or wait for it to play one",
    )
    parser.add_argument(
        "--next",
        action="store_true",
        help="wait for the next match and follow it from its first move; with --bot the next of "
        "that bot",
    )
    parser.add_argument(
        "--pace",
        type=float,
        metavar="SECONDS",
        help=f"pause after each move (default: {_PACE_S} on a terminal, else 0)",
    )
    add_server(parser)
    parser.add_argument("--replay", metavar="FILE", help="write the replay here at the end")
    add_colour(parser)
    add_help(
        parser,
        "arena watch",
        "arena watch cup/3-1 --server 127.0.0.1:50051",
        "arena watch --bot alice --next",
    )


def run(args: argparse.Namespace) -> int:
    """List the matches, or follow one to its end."""
    is_chosen = args.bot is not None or args.next
    if args.match is not None and is_chosen:
        raise InputError("MATCH names one match, --bot and --next choose one: give one of the two")
    if args.bot == "":
        raise InputError("--bot needs the name of a bot")
    if args.pace is not None and not 0 <= args.pace <= _LONGEST_PACE_S:
        raise InputError(f"--pace must be 0 to {_LONGEST_PACE_S:g} seconds, not {args.pace}")
    destination = destination_from({"ARENA_ADDRESS": DEFAULT_ADDRESS, **os.environ}, args.server)
    try:
        if args.match is None and not is_chosen:
            return run_async(_list(destination))
        return run_async(_follow(destination, args))
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            reason = run_async(describe_failure(destination, error.details() or ""))
            raise InputError(reason) from None
        if error.code() is grpc.StatusCode.UNIMPLEMENTED:
            raise InputError(f"what answers at {destination.address} shows no matches") from None
        raise InputError(f"the arena refused: {error.details()}") from None


async def _list(destination: Destination) -> int:
    matches = await list_matches(destination)
    for match in matches:
        bots = ", ".join(inert(seat.bot) or "?" for seat in match.seats)
        state = "ended" if match.ended else f"running, {counted(match.moves, 'move')}"
        print(f"{inert(match.match_id)}  {inert(match.game)}  {bots}  ({state})")
    if not matches:
        print("no match is running here or has ended recently")
    return DONE


async def _follow(destination: Destination, args: argparse.Namespace) -> int:
    request = watch_pb2.WatchRequest(match_id=args.match, bot=args.bot, next=args.next)
    usual_s = _PACE_S if sys.stdout.isatty() else 0.0
    pace_s = usual_s if args.pace is None else args.pace
    if args.match is None:
        which = "the next match" if args.next else "a match"
        whose = f" of {inert(args.bot)}" if args.bot else ""
        print(f"waiting for {which}{whose}", file=sys.stderr)
    viewer: _Viewer | None = None
    try:
        async for response in follow(destination, request):
            kind = response.WhichOneof("piece")
            if kind == "table":
                viewer = _Viewer(response.table, is_coloured(args.color))
            elif viewer is not None and kind == "events":
                viewer.tell(response.events)
                await asyncio.sleep(pace_s)
            elif viewer is not None and kind == "ended":
                viewer.end(response.ended)
                return _keep_replay(args.replay, response.ended.replay)
    except grpc.aio.AioRpcError as error:
        if viewer is None or error.code() is not grpc.StatusCode.UNAVAILABLE:
            raise
    print("arena: the arena went away before the match ended", file=sys.stderr)
    return STOPPED


def _keep_replay(path: str | None, replay: str) -> int:
    if path is None:
        return DONE
    if not replay:
        print("arena: the replay is not released yet", file=sys.stderr)
        return WRONG
    write_file(path, replay)
    return DONE


class _Viewer:
    """Tells a match as it goes on."""

    def __init__(self, table: watch_pb2.WatchedTable, coloured: bool) -> None:
        self._game: AnyGame = get_game(table.game).configure(json.loads(table.options_json))
        self._codec = codec_for(self._game)
        bots = [seat.bot or "?" for seat in table.seats]
        self._names: Sequence[str] = seat_names(bots, coloured)
        self._heading, self._aside = styles(coloured)
        print(self._heading(f"{self._game.title}, match {inert(table.match_id)}"))
        print(self._game.show_table(self._codec.read_observation(table), self._names), flush=True)

    def tell(self, events: watch_pb2.WatchedEvents) -> None:
        """Tell what has happened."""
        for fault in events.faults:
            cost = " and forfeits" if fault.forfeited else ""
            print(self._aside(f"{self._names[fault.seat]}: {_fault_word(fault.fault)}{cost}"))
        if events.WhichOneof("events") is not None:
            for event in self._codec.read_events(events):
                print(self._game.tell(event, self._names))
        sys.stdout.flush()

    def end(self, ended: watch_pb2.WatchedEnd) -> None:
        """Tell how it ended."""
        if ended.void_reason:
            print(f"void: {inert(ended.void_reason)}")
            return
        print(self._heading("rank  score  bot"))
        for seat in sorted(range(len(ended.ranks)), key=lambda seat: ended.ranks[seat]):
            forfeit = ended.forfeits[seat]
            note = f"  forfeit:{_fault_word(forfeit)}" if forfeit else ""
            print(f"{ended.ranks[seat]:>4}  {ended.scores[seat]:>5}  {self._names[seat]}{note}")


def _fault_word(number: int) -> str:
    try:
        fault = read_fault(number)
    except FormatError:
        return f"fault {number}"
    return fault.value if fault else ""
