"""`arena check`: the entrance exam of a bot, before it enters a competition."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.cli import DONE, WRONG
from arena.cli.builds import BuildView
from arena.cli.isolation import add_isolation, asked_isolation, confine, describe_isolation
from arena.cli.options import add_game_options, configure_game
from arena.cli.terminal import add_colour, add_help, is_coloured
from arena.cli.times import add_time_options, conditions_from
from arena.config.bot_fields import check_command, check_name
from arena.config.bot_spec import BotSpec, parse_bot
from arena.errors import InputError, OptionError
from arena.examine.card import Line, Mark, lines
from arena.examine.exam import ExamPlan, examine
from arena.examine.finding import Finding, Verdict
from arena.games.game import AnyGame
from arena.games.registry import game_names, get_game
from arena.inert import inert
from arena.server.loop import run_async

_FILE = "bots.toml"  # examined if nothing else is asked for

_COLOURS = {
    Mark.PASSED: "32",
    Mark.FAILED: "1;31",
    Mark.WARNING: "33",
    Mark.NOTE: "36",
    Mark.NOT_APPLICABLE: "2",
    Mark.ASIDE: "2",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `arena check`."""
    parser.usage = (
        "arena check [--bot BOT] [flags]\n       arena check [flags] -- COMMAND [ARGUMENT ...]"
    )
    what = parser.add_argument_group("what is checked")
    what.add_argument(
        "command", nargs="*", metavar="COMMAND", help="the program and its arguments, after --"
    )
    what.add_argument(
        "--bot",
        metavar="BOT",
        help="a built-in bot (planner), a program (name=mine,cmd=./mybot, or stdio=./mybot if it "
        "reads and writes lines), or a bot from a file (bots.toml:NAME) "
        f"(default: the bot in {_FILE})",
    )
    what.add_argument(
        "--game",
        action="append",
        default=[],
        metavar="GAME",
        help="check the bot in this game; may be repeated (default: all games it plays)",
    )
    add_game_options(what)
    add_isolation(what)
    add_time_options(parser.add_argument_group("time and faults"))
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print the report card as JSON")
    output.add_argument("--quiet", action="store_true", help="print only what is wrong")
    add_colour(output)
    add_help(
        parser,
        "arena check",
        "arena check --bot bots.toml:mine --game byzanz",
        "arena check -- python3 mybot.py",
        group=output,
    )


def run(args: argparse.Namespace) -> int:
    """Examine the bot and print its report card."""
    spec = _spec(args)
    games = _games(args.game or game_names(), args.option)
    isolation = asked_isolation(args)
    confinement = confine(isolation, [spec], [])
    plan = ExamPlan(spec, games, conditions_from(args), args.game, confinement)
    if not (args.json or args.quiet) and (told := describe_isolation(isolation, [spec])):
        print(told, file=sys.stderr)
    # What the arena logs about a bot that misbehaves is on the card.
    logging.disable(logging.CRITICAL)
    coloured = is_coloured(args.color)

    def show(finding: Finding) -> None:
        if args.json or (args.quiet and finding.verdict is not Verdict.FAILED):
            return
        for line in lines(finding):
            print(_styled(line, coloured), flush=True)

    builds = BuildView(is_shown=not (args.json or args.quiet))
    try:
        card = run_async(examine(plan, show, builds))
    finally:
        logging.disable(logging.NOTSET)
    if args.json:
        print(json.dumps(card.to_json(), ensure_ascii=False, indent=1))
    else:
        mark = Mark.PASSED if card.is_fit else Mark.FAILED
        print(_styled(Line(mark, card.summary()), coloured))
    return DONE if card.is_fit else WRONG


def _styled(line: Line, coloured: bool) -> str:
    text = inert(line.text)
    if not coloured:
        return text
    word = line.mark.value
    if word and text.startswith(word):  # of a finding, only its mark is coloured
        return f"\x1b[{_COLOURS[line.mark]}m{word}\x1b[0m{text[len(word) :]}"
    return f"\x1b[{_COLOURS[line.mark]}m{text}\x1b[0m"


def _spec(args: argparse.Namespace) -> BotSpec:
    if args.bot and args.command:
        raise InputError("name the bot to check with either -- COMMAND or --bot BOT, not both")
    if args.command:
        command = check_command(args.command, "the command")
        return BotSpec(name=_name_of(command), command=command)
    bot = args.bot or _FILE
    if not args.bot and not Path(_FILE).is_file():
        raise InputError(
            "name the bot to check: arena check -- ./mybot, or arena check --bot BOT; "
            f"without either, arena checks the bot in {_FILE}, which is not in this directory"
        )
    specs = parse_bot(bot)
    if len(specs) != 1:
        names = ", ".join(spec.name for spec in specs)
        raise InputError(
            f"{bot} names {len(specs)} bots ({names}): choose one, "
            f"for example: arena check --bot {bot}:{specs[0].name}"
        )
    if specs[0].connected:
        raise InputError("a connected bot cannot be checked: give the command that starts it")
    return replace(specs[0], has_own_name=True)


def _name_of(command: Sequence[str]) -> str:
    """Return a name for a bot given as a command: the file it runs, as far as can be told."""
    files = [word for word in command if not word.startswith("-")]
    scripts = [word for word in files[1:] if Path(word).is_file()]
    try:
        return check_name(Path((scripts or files)[0]).stem)
    except (InputError, IndexError):
        return "bot"


def _games(names: Sequence[str], options: Sequence[str]) -> list[AnyGame]:
    """Return the games, each under those of the options that it has."""
    games = [get_game(name) for name in dict.fromkeys(names)]
    known = {spec.name for game in games for spec in game.option_specs}
    for text in options:
        option = text.partition("=")[0]
        if option not in known:
            raise OptionError(f"none of {', '.join(names)} has an option {option!r}")
    return [
        configure_game(
            game.name,
            [
                text
                for text in options
                if text.partition("=")[0] in {spec.name for spec in game.option_specs}
            ],
        )
        for game in games
    ]
