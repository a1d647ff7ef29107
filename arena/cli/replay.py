"""`arena replay`: print a recorded match, move by move."""

from __future__ import annotations

import argparse
import sys

from arena.cli import DONE, WRONG
from arena.cli.options import read_file, write_file
from arena.cli.terminal import add_colour, add_help, is_coloured, seat_names, styles
from arena.errors import InputError, ReplayError
from arena.games.game import AnyState, Seat, seen_by
from arena.inert import inert
from arena.referee.faults import ended_by
from arena.referee.follow import FollowedMove, FollowedReplay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena replay`."""
    parser.add_argument("file", metavar="FILE", help="a replay file")
    parser.add_argument(
        "--seat", type=int, metavar="N", help="show only what this seat saw (default: everything)"
    )
    parser.add_argument("--step", action="store_true", help="wait for Enter after each move")
    parser.add_argument(
        "--html",
        metavar="OUT",
        help="write one web page that shows the match and needs no server, instead of printing it",
    )
    add_colour(parser)
    add_help(
        parser,
        "arena replay match.jsonl --seat 0 --step",
        "arena replay match.jsonl --html match.html",
    )


def run(args: argparse.Namespace) -> int:
    """Tell the match; return 1 if the replay turns out wrong on the way."""
    data = read_file(args.file)
    if args.html is not None and (args.step or args.seat is not None):
        raise InputError("--html writes all views at once: leave out --seat and --step")
    try:
        if args.html is not None:
            return _write_page(data, args.html)
        replay = FollowedReplay(data)
        players = len(replay.header.seats)
        if args.seat is not None and args.seat not in range(players):
            raise InputError(f"--seat must be 0 to {players - 1} in this match, not {args.seat}")
        teller = _ReplayTeller(replay, args.seat, is_coloured(args.color))
        teller.tell_start()
        for followed in replay:
            teller.tell_move(followed)
            if args.step and not _wait():
                return 0
        teller.tell_end()
    except ReplayError as error:
        sys.stdout.flush()
        print(f"{args.file}:{error.line}: {inert(error.reason)}", file=sys.stderr)
        return WRONG
    return 0


def _write_page(data: bytes, path: str) -> int:
    from arena.web.documents import ReplayFile  # noqa: PLC0415 - seldom needed
    from arena.web.single import single_page  # noqa: PLC0415 - likewise

    write_file(path, single_page(ReplayFile(data)))
    print(f"wrote {path}: open it in a browser")
    return DONE


def _wait() -> bool:
    """Wait for Enter; return False if the person has seen enough."""
    sys.stdout.flush()
    print("-- Enter: next move, q: quit -- ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    return bool(answer) and answer.strip().lower() not in ("q", "quit")


class _ReplayTeller:
    """Tells one match to one reader: somebody who saw everything, or one seat."""

    def __init__(self, replay: FollowedReplay, seat: int | None, coloured: bool) -> None:
        self.replay = replay
        self.game = replay.game
        self.seat = None if seat is None else Seat(seat)
        bots = [entrant.bot for entrant in replay.header.seats]
        self.names = seat_names(bots, coloured)
        self.heading, self.aside = styles(coloured)
        self._seen = replay.state.observe(self.seat)  # before the move that is told next

    def tell_start(self) -> None:
        header = self.replay.header
        print(self.heading(f"{self.game.title}, match {inert(header.match)}"))
        for name, entrant in zip(self.names, header.seats, strict=True):
            print(f"  {name} version {inert(entrant.version)}")
        print(self._seed_line())
        self._tell_table(self.replay.state)
        for event in self.game.opening(self.replay.state):
            print(self.game.tell(event, self.names))

    def _seed_line(self) -> str:
        seed = self.replay.header.seed
        if self.seat is not None:
            return f"As seat {self.seat} saw it."
        return "The deal is not from a seed." if seed is None else f"Seed of the deal: {seed.hex()}"

    def _tell_table(self, state: AnyState) -> None:
        print()
        print(self.game.show_table(state.observe(self.seat), self.names))
        seats = range(state.seats) if self.seat is None else [self.seat]
        for seat in seats:
            hand = self.game.show_hand(state.observe(Seat(seat)))
            print("\n".join(f"    {self.names[seat]} {line}" for line in hand.splitlines()))
        print()

    def tell_move(self, followed: FollowedMove) -> None:
        """Tell what the move brought about, and what is known only from the record."""
        if followed.seat == self.seat and followed.legal > 1:
            hand = self.game.show_hand(self._seen)
            print(self.aside("\n".join(f"    {line}" for line in hand.splitlines())))
        remarks = []
        if followed.fault is not None:
            remarks.append(f"{followed.fault.value}: the referee made the move")
        if self.seat is None:
            if followed.legal == 1:
                remarks.append("forced")
            elif isinstance(followed.ms, int | float) and not isinstance(followed.ms, bool):
                remarks.append(f"{followed.legal} legal, {followed.ms:g} ms")
        if isinstance(followed.note, str) and self.seat in (None, followed.seat):
            remarks.append(f"note: {inert(followed.note)}")
        remark = f"  ({'; '.join(remarks)})" if remarks else ""
        for event in followed.events:
            seen = event if self.seat is None else seen_by(event, self.seat)
            if seen is not None:
                print(self.game.tell(seen, self.names) + self.aside(remark))
                remark = ""
        self._seen = followed.state.observe(self.seat)

    def tell_end(self) -> None:
        outcome = self.replay.outcome
        if outcome is None:
            return
        print()
        print(self.heading("Outcome"))
        width = max(len(name) for name in self.names)
        for seat in sorted(range(len(self.names)), key=lambda seat: outcome.ranks[seat]):
            forfeit = self.replay.forfeits[seat]
            ended = f"  {ended_by(forfeit)}" if forfeit else ""
            name = self.names[seat]
            print(f"  {outcome.ranks[seat]}. {name:<{width}} {outcome.scores[seat]:>4}{ended}")
