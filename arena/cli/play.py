"""`arena play`: one match in this process."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from arena.bots.bot import RandomBot
from arena.bots.catalog import TIERS, has_bot, make_bot
from arena.cli import STOPPED
from arena.cli.human import Human
from arena.cli.options import (
    add_game_options,
    add_seed,
    configure_game,
    master_seed,
    write_file,
)
from arena.cli.terminal import add_colour, add_help, is_coloured, seat_names, styles
from arena.errors import InputError, LeftError
from arena.games.game import AnyGame, AnyState, Event, Outcome, Seat, seen_by
from arena.games.shuffle import bot_seed
from arena.inert import inert
from arena.referee.fixture import plan_match
from arena.referee.match import play_match
from arena.referee.player import Chooser
from arena.referee.replay import Entrant

MATCH = "1"
HUMAN = "you"
_USUAL_PLAYERS = 4
_USUAL_BOT = "planner"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena play`."""
    parser.add_argument("game", metavar="GAME", help="byzanz, schwarzmarkt, … (see arena games)")
    parser.add_argument(
        "--bots",
        metavar="A,B,…",
        help=f"the bots by seat: {', '.join(TIERS)} (default: a table of {_USUAL_PLAYERS} with "
        f"{_USUAL_BOT} bots, or {RandomBot.name} ones in a game that has no {_USUAL_BOT})",
    )
    parser.add_argument(
        "--human",
        type=int,
        metavar="SEAT",
        help="play yourself, in this seat (from 0); the bots take the others",
    )
    parser.add_argument(
        "--web",
        nargs="?",
        const="127.0.0.1:0",
        metavar="ADDRESS",
        help="play in a browser: serve the pages at this address of this machine (default: a free "
        "port of 127.0.0.1) until Ctrl-C",
    )
    parser.add_argument("--watch", action="store_true", help="print every move")
    parser.add_argument("--replay", metavar="FILE", help="write the replay to this file")
    parser.add_argument("--json", action="store_true", help="print the outcome as JSON")
    parser.add_argument("--quiet", action="store_true", help="print only the seed and outcome")
    add_seed(parser)
    add_game_options(parser)
    add_colour(parser)
    add_help(
        parser,
        "arena play byzanz --human 0",
        "arena play byzanz --web",
        "arena play byzanz --bots planner,greedy,random --watch",
    )


def run(args: argparse.Namespace) -> int:
    """Play the match and print the outcome."""
    if args.human is not None and args.json:
        raise InputError("--human needs the terminal: leave out --json")
    game = configure_game(args.game, args.option)
    if args.web is not None:
        from arena.cli.play_web import play_in_browser  # noqa: PLC0415 - loads a whole arena

        return play_in_browser(game, args)
    master, seed_text = master_seed(args.seed)
    bots = _usual_bots(game, args.human)
    if args.bots is not None:
        bots = [name.strip() for name in args.bots.split(",")]
    coloured = is_coloured(args.color)
    entrants, players = _seat_players(game, bots, args.human, master, coloured)
    names = seat_names([entrant.bot for entrant in entrants], coloured)
    fixture = plan_match(game, master, MATCH, 1, entrants)
    watch = (args.watch and not args.quiet) or args.human is not None
    teller = _MoveTeller(game, names, args.human) if watch and not args.json else None
    try:
        if not args.json:
            print(f"{game.title}, {len(players)} players, seed {inert(seed_text)}")
        played = play_match(fixture, players, teller)
    except LeftError as error:
        print(f"arena: {error}; the match is not recorded", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        if args.human is not None or not args.replay:
            raise
        _, players = _seat_players(game, bots, None, master, coloured)
        played = play_match(fixture, players, None)  # nobody reads on, but it is to be recorded
    assert played.outcome is not None
    if args.replay:
        write_file(args.replay, played.replay)
    if args.json:
        print(json.dumps(_outcome_to_json(game, seed_text, entrants, played.outcome)))
    else:
        _print_outcome(names, played.outcome, coloured)
        if args.replay and not args.quiet:
            print(f"replay: {args.replay}")
    return 0


def _usual_bots(game: AnyGame, human: int | None) -> list[str]:
    """Return the bots that play if none are named."""
    fitting = [size for size in game.table_sizes if size <= _USUAL_PLAYERS]
    seats = max(fitting, default=game.table_sizes[0])
    bot = _USUAL_BOT if has_bot(_USUAL_BOT, game) else RandomBot.name
    return [bot] * (seats - (human is not None))


def _seat_players(
    game: AnyGame, bots: Sequence[str], human: int | None, master: bytes, coloured: bool
) -> tuple[list[Entrant], list[Chooser]]:
    """Return who sits where: the bots in order, with the person in between if there is one."""
    seats = len(bots) + (human is not None)
    if human is not None and human not in range(seats):
        raise InputError(f"--human must be a seat, 0 to {seats - 1}, not {human}")
    game.check_table(seats)
    listed = list(bots)
    if human is not None:
        listed.insert(human, HUMAN)
    names = seat_names(listed, coloured)
    entrants: list[Entrant] = []
    players: list[Chooser] = []
    for seat, name in enumerate(listed):
        if seat == human:
            players.append(Human(game, names))
            entrants.append(Entrant(HUMAN, "1"))
        else:
            bot = make_bot(name, game, bot_seed(master, MATCH, seat))
            players.append(bot)
            entrants.append(Entrant(name, bot.version))
    return entrants, players


class _MoveTeller:
    """Tells every move as it is made: all of it, or what the person at the table may see."""

    def __init__(self, game: AnyGame, names: Sequence[str], human: int | None) -> None:
        self._game = game
        self._names = names
        self._human = None if human is None else Seat(human)

    def __call__(self, state: AnyState, events: Sequence[Event]) -> None:
        for event in events:
            seen = event if self._human is None else seen_by(event, self._human)
            if seen is not None:
                print(self._game.tell(seen, self._names))


def _print_outcome(names: Sequence[str], outcome: Outcome, coloured: bool) -> None:
    heading, _ = styles(coloured)
    print(heading("rank  score  bot"))
    for seat in sorted(range(len(names)), key=lambda seat: outcome.ranks[seat]):
        print(f"{outcome.ranks[seat]:>4}  {outcome.scores[seat]:>5}  {names[seat]}")


def _outcome_to_json(
    game: AnyGame, seed: str, entrants: Sequence[Entrant], outcome: Outcome
) -> dict[str, object]:
    return {
        "game": game.name,
        "options": dict(game.options),
        "seed": seed,
        "seats": [{"bot": entry.bot, "version": entry.version} for entry in entrants],
        "scores": outcome.scores,
        "ranks": outcome.ranks,
    }
