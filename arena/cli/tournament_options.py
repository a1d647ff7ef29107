"""The flags of `arena tournament`, and the config that they and a file settle together."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from arena.cli.isolation import add_isolation
from arena.cli.listening import add_listen_options
from arena.cli.logs import add_log_options
from arena.cli.options import configure_game, how_many, read_options, read_text_file
from arena.cli.terminal import add_colour, add_help
from arena.cli.times import add_max_faults, add_times
from arena.cli.web import add_web_options
from arena.config.bot_fields import check_name
from arena.config.bot_spec import (
    BotSpec,
    check_names,
    parse_bot,
)
from arena.config.tournament import (
    ENGINES,
    RunSettings,
    TournamentConfig,
    Unfit,
    check_run,
    check_salt,
    read_config,
    write_config,
)
from arena.errors import InputError
from arena.games.registry import get_game
from arena.rating.stopping_rule import LATEST, parse_rule
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.results.archive import CONFIG_FILE
from arena.sandbox.isolation import parse_isolation
from arena.schedule.plan import Deals, Format, Rotation, Tables

_USUAL_PLAYERS = 4
_RUN = RunSettings()
_DEFAULT = TournamentConfig(name="", game="", players=_USUAL_PLAYERS, bots={})
RESULTS = Path("results")


def add_tournament_options(parser: argparse.ArgumentParser) -> None:
    """Add all flags. None has a default here: a file may say otherwise."""
    parser.usage = (
        "arena tournament --game GAME --bot BOT --bot BOT ... [flags]\n"
        "       arena tournament FILE|DIR [flags]"
    )
    _add_game(parser.add_argument_group("what is played"))
    _add_bots(parser.add_argument_group("bots"))
    _add_schedule(parser.add_argument_group("schedule"))
    _add_rules(parser.add_argument_group("time and faults"))
    _add_run(parser.add_argument_group("how it is run"))
    _add_output(parser.add_argument_group("output"))
    add_listen_options(parser.add_argument_group("bots that connect by themselves"), None)
    add_web_options(parser.add_argument_group("web pages"), None)
    logs = parser.add_argument_group("logs and help")
    add_log_options(logs, "warning")
    add_help(
        parser,
        "arena tournament --game byzanz --bot planner --bot greedy --bot random --bot bots.toml "
        "--rounds 50",
        "arena tournament cup.toml",
        "arena tournament results/cup        (continue a tournament that was stopped)",
        group=logs,
    )


def _add_game(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "source",
        nargs="?",
        metavar="FILE|DIR",
        help="a tournament.toml, or a results directory to continue; flags override what it says",
    )
    group.add_argument("--game", metavar="GAME", help="byzanz, schwarzmarkt, … (see arena games)")
    group.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a game option; may be repeated (list them with: arena games)",
    )
    group.add_argument(
        "--players",
        type=int,
        metavar="N",
        help=f"seats at a table (default: {_USUAL_PLAYERS}, or fewer if there are fewer bots)",
    )
    group.add_argument(
        "--seed",
        metavar="TEXT",
        help="the master seed: any text, or hex: and 64 digits (default: random, and secret until "
        "the tournament is complete)",
    )
    group.add_argument(
        "--salt",
        metavar="HEX",
        help="the salt of the commitment to the seed, 64 digits (default: random)",
    )


def _add_bots(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="BOT",
        help="a built-in bot (planner), a program (name=mine,cmd=./mybot, or stdio=./mybot if it "
        "reads and writes lines), a bot that connects by itself (name=far,connected), or a file "
        "of bots (bots.toml); may be repeated",
    )
    group.add_argument(
        "--server",
        metavar="HOST:PORT",
        help="play on this `arena serve`, with the bots connected to it; the admin token is taken "
        "from ARENA_TOKEN (default: play here)",
    )
    group.add_argument(
        "--unfit",
        choices=_values(Unfit),
        default=Unfit.STOP.value,
        help="what to do with a bot that fails the check before play: stop, leave it out, or enter "
        f"it and let it forfeit (default: {Unfit.STOP.value})",
    )
    group.add_argument(
        "--fresh",
        action=argparse.BooleanOptionalAction,
        help="start new processes for every match, so that bots keep nothing in memory "
        "(default: no)",
    )
    add_isolation(group)
    group.add_argument(
        "--hide-names",
        action="store_true",
        default=None,
        help="do not tell bots whom they play against (default: tell them)",
    )


def _add_schedule(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--format",
        choices=_values(Format),
        help="play all tables, or only those with the bot of --focus "
        f"(default: {_DEFAULT.format.value})",
    )
    group.add_argument("--focus", metavar="BOT", help="the bot that a gauntlet is about")
    group.add_argument(
        "--rounds",
        type=int,
        metavar="N",
        help="in each round every table plays one deal in all its seatings "
        f"(default: {_DEFAULT.rounds})",
    )
    group.add_argument(
        "--rotation",
        choices=_values(Rotation),
        help="the seatings in which the bots play a deal; none: one; cyclic: each bot in each seat "
        "once; latin: also each bot equally often next to each other bot; full: all "
        f"(default: {_DEFAULT.rotation.value})",
    )
    group.add_argument(
        "--deals",
        choices=_values(Deals),
        help="in a round all tables play the same deal, or each its own "
        f"(default: {_DEFAULT.deals.value})",
    )
    group.add_argument(
        "--tables",
        choices=_values(Tables),
        help="play all sets of bots, or a balanced selection of them "
        f"(default: {_DEFAULT.tables.value})",
    )
    group.add_argument(
        "--mix-groups",
        action=argparse.BooleanOptionalAction,
        help="let bots of the same group play each other (default: no)",
    )
    group.add_argument(
        "--max-matches",
        type=int,
        metavar="N",
        help="play at most N matches, in complete sets of seatings (default: no limit)",
    )
    group.add_argument(
        "--until",
        metavar="RULE",
        help="settled@95: stop when each bot is above the next with 95 %% certainty "
        "(default: play all rounds)",
    )


def _add_rules(group: argparse._ActionsContainer) -> None:
    add_times(group, has_defaults=False)
    group.add_argument(
        "--on-fault",
        choices=("default-move", "forfeit"),
        help="after a fault, make a default move for the bot until --max-faults, or let it forfeit "
        "at once (default: default-move)",
    )
    add_max_faults(group, has_defaults=False)


def _add_run(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "-j",
        "--concurrency",
        type=int,
        metavar="N",
        help=f"play N matches at once in each worker (default: {_RUN.concurrency})",
    )
    group.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help=f"processes on this machine, each with its own bots (default: {_RUN.workers})",
    )
    group.add_argument(
        "--engine",
        choices=ENGINES,
        help="arena: bots are processes; inline: built-in bots in this process, without time "
        f"limits; ray: workers on a Ray cluster (default: {_RUN.engine})",
    )
    group.add_argument(
        "--ray-address",
        metavar="HOST:PORT",
        help="the Ray cluster (default: start one on this machine)",
    )


def _add_output(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--name", help="the name of the tournament (default: that of --out, or game and time)"
    )
    group.add_argument("--out", metavar="DIR", help="the results directory (default: results/NAME)")
    group.add_argument(
        "--db",
        metavar="URL",
        help="store the matches in postgresql://… (default: in arena.db in the results directory)",
    )
    group.add_argument(
        "--recover",
        action="store_true",
        help="make a lost database again from the files in the results directory, and go on "
        "(default: no)",
    )
    group.add_argument(
        "--replays",
        type=how_many,
        metavar="all|none|N",
        help="write all replays, none, or the first N (default: all)",
    )
    group.add_argument(
        "--save-config", metavar="FILE", help="write a tournament.toml and do not play"
    )
    group.add_argument(
        "--show-seed",
        action="store_true",
        help="print the seed before play, too; whoever sees it knows every deal (default: print it "
        "when the tournament is complete)",
    )
    group.add_argument("--quiet", action="store_true", help="print only the leaderboard")
    group.add_argument("--json", action="store_true", help="print the leaderboard as JSON")
    add_colour(group)


def _values(kind: type[Any]) -> list[str]:
    return [choice.value for choice in kind]


def settle(
    args: argparse.Namespace, find_bots: Callable[[], list[BotSpec]] | None = None
) -> tuple[TournamentConfig, Path]:
    """Return the tournament that flags and file settle, and its directory; raises InputError.

    Seed and salt stay empty unless one of them gives them.
    `find_bots` is asked for the bots if none are named.
    """
    directory = Path(args.out) if args.out else None
    if args.source is None:
        config = _new_config(args, find_bots)
    else:
        config, found = _read_source(Path(args.source))
        directory = directory or found
        config = _with_bots(args, config)
    config = _change(args, config)
    check_name(config.name)  # of a file, too: a directory is named after it
    directory = directory or RESULTS / config.name
    if args.source is None and args.name is None and args.out:
        config = replace(config, name=check_name(directory.resolve().name))
    try:
        write_config(config, directory).encode()
    except UnicodeEncodeError as error:
        wrong = error.object[max(0, error.start - 10) : error.end + 10]
        raise InputError(
            f"{wrong!r} is not UTF-8 text, but everything in a {CONFIG_FILE} must be"
        ) from None
    return config, directory


def _read_source(path: Path) -> tuple[TournamentConfig, Path | None]:
    """Return the config of a file or directory, and the directory if it is one of results."""
    if path.is_dir():
        if not (path / CONFIG_FILE).exists():
            raise InputError(f"{path} is not a results directory: it has no {CONFIG_FILE}")
        return _read_file(path / CONFIG_FILE), path
    return _read_file(path), None


def _read_file(path: Path) -> TournamentConfig:
    return read_config(read_text_file(str(path)), str(path), path.parent)


def _new_config(
    args: argparse.Namespace, find_bots: Callable[[], list[BotSpec]] | None
) -> TournamentConfig:
    if args.game is None:
        raise InputError("name what is played: --game byzanz, or a tournament.toml")
    game = configure_game(args.game, args.option)
    specs = _specs(args)
    if not specs and find_bots is not None:
        specs = find_bots()
    if not specs:
        raise InputError("name who plays: --bot NAME, once for each bot")
    players = args.players
    if players is None:
        fitting = [size for size in game.table_sizes if size <= len(specs)]
        players = min(_USUAL_PLAYERS, max(fitting, default=_USUAL_PLAYERS))
    game.check_table(players)
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return TournamentConfig(
        name=args.name or f"{game.name}-{players}p-{stamp}",
        game=game.name,
        options=game.options,
        players=players,
        bots={spec.name: spec for spec in specs},
    )


def _specs(args: argparse.Namespace) -> list[BotSpec]:
    return check_names([spec for text in args.bot for spec in parse_bot(text)])


def _with_bots(args: argparse.Namespace, config: TournamentConfig) -> TournamentConfig:
    """Return the config of a file with what flags say of game and bots."""
    if args.game is not None and args.game != config.game:
        raise InputError(f"{args.source} is about {config.game}, not {args.game}")
    if args.option:
        options = {**config.options, **read_options(config.game, args.option)}
        config = replace(config, options=get_game(config.game).configure(options).options)
    if args.bot:
        specs = {spec.name: spec for spec in _specs(args)}
        config = replace(config, bots={**config.bots, **specs})
    return config


def _change(args: argparse.Namespace, config: TournamentConfig) -> TournamentConfig:
    """Return the config with everything that flags change."""
    changes: dict[str, Any] = {}
    readers: Mapping[str, Callable[[Any], Any]] = {
        "name": check_name,
        "players": int,
        "rounds": int,
        "format": Format,
        "focus": str,
        "rotation": Rotation,
        "deals": Deals,
        "tables": Tables,
        "max_matches": int,
        "until": functools.partial(parse_rule, bare=LATEST),
        "seed": str,
        "salt": check_salt,
        "fresh": bool,
    }
    for key, read in readers.items():
        if (value := getattr(args, key)) is not None:
            changes[key] = read(value)
    if args.mix_groups is not None:
        changes["mixes_groups"] = args.mix_groups
    if args.hide_names is not None:
        changes["shows_names"] = False
    changes["control"] = _change_control(args, config.control)
    changes["policy"] = _change_policy(args, config.policy)
    run = {
        key: value
        for key in ("concurrency", "workers", "engine")
        if (value := getattr(args, key)) is not None
    }
    if args.isolation is not None:
        run["isolation"] = parse_isolation(args.isolation)
    changes["run"] = check_run(replace(config.run, **run))
    changed = replace(config, **changes)
    changed.master  # noqa: B018 - raises InputError for a wrong seed
    changed.configured_game()
    return changed


def _change_control(args: argparse.Namespace, control: TimeControl) -> TimeControl:
    if args.no_timeout and args.move_time is not None:
        raise InputError("--no-timeout and --move-time contradict each other: give only one")
    move_time = control.move_time_s if args.move_time is None else args.move_time
    return TimeControl(
        None if args.no_timeout else move_time,
        control.bank_s if args.bank is None else args.bank,
        control.start_timeout_s if args.start_timeout is None else args.start_timeout,
    )


def _change_policy(args: argparse.Namespace, policy: FaultPolicy) -> FaultPolicy:
    if args.on_fault == "forfeit":
        if args.max_faults not in (None, 1):
            raise InputError(
                "--on-fault forfeit and --max-faults contradict each other: give only one"
            )
        return FaultPolicy(1)
    return policy if args.max_faults is None else FaultPolicy(args.max_faults)
