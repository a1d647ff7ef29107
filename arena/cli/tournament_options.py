"""The flags of `arena tournament`, and the config that they and a file settle together."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from arena.cli.options import configure_game, how_many, read_options, read_text_file
from arena.cli.times import add_max_faults, add_times
from arena.config.bot_fields import check_name
from arena.config.bot_spec import (
    BotSpec,
    check_names,
    parse_bot,
)
from arena.config.tournament import (
    ENGINES,
    TournamentConfig,
    Unfit,
    check_run,
    check_salt,
    read_config,
    write_config,
)
from arena.errors import InputError
from arena.games.registry import get_game
from arena.rating.stopping_rule import parse_rule
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.results.archive import CONFIG_FILE
from arena.schedule.plan import Deals, Format, Rotation, Tables

_USUAL_PLAYERS = 4
RESULTS = Path("results")


def add_tournament_options(parser: argparse.ArgumentParser) -> None:
    """Add what settles a tournament. No flag has a default here: a file may say otherwise."""
    what = parser.add_argument_group("what is played")
    what.add_argument(
        "source",
        nargs="?",
        metavar="FILE|DIR",
        help="a tournament.toml, or a results directory to go on with; flags change what it says",
    )
    what.add_argument("--game", metavar="GAME", help="byzanz, schwarzmarkt, … (see arena games)")
    what.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a game option"
    )
    what.add_argument("--players", type=int, metavar="N", help="seats at a table (default: 4)")
    what.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="BOT",
        help="a built-in bot (planner), a program (name=mine,cmd=./mybot, or stdio=./mybot if it "
        "reads and writes lines), one that dials in (name=far,connected) or a file (bots.toml)",
    )
    what.add_argument("--name", help="of the tournament (default: the directory's)")
    what.add_argument(
        "--seed",
        metavar="TEXT",
        help="master seed: any text, or hex: and 64 digits (default: random, and secret until the "
        "tournament is complete)",
    )
    what.add_argument("--salt", metavar="HEX", help="of the commitment to the seed, 64 digits")
    _add_schedule(parser.add_argument_group("schedule"))
    _add_rules(parser.add_argument_group("rules"))


def _add_schedule(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--format", choices=_values(Format), help="every table, or only those with --focus"
    )
    group.add_argument("--focus", metavar="BOT", help="the bot that a gauntlet is about")
    group.add_argument(
        "--rounds", type=int, metavar="N", help="blocks that every table plays (default: 10)"
    )
    group.add_argument(
        "--rotation", choices=_values(Rotation), help="seatings of a block (default: cyclic)"
    )
    group.add_argument(
        "--deals", choices=_values(Deals), help="the same for all tables of a round, or not"
    )
    group.add_argument(
        "--tables", choices=_values(Tables), help="all sets of bots, or a balanced few of them"
    )
    group.add_argument(
        "--mix-groups",
        action=argparse.BooleanOptionalAction,
        help="let bots of one group meet",
    )
    group.add_argument(
        "--max-matches", type=int, metavar="N", help="whole blocks only, as many as fit"
    )
    group.add_argument(
        "--until",
        metavar="RULE",
        help="settled@95: stop when the order of neighbours is certain to 95 %%",
    )


def _add_rules(group: argparse._ArgumentGroup) -> None:
    add_times(group, has_defaults=False)
    group.add_argument(
        "--on-fault",
        choices=("default-move", "forfeit"),
        help="a faulty decision gets a default move until --max-faults, or forfeits at once",
    )
    add_max_faults(group, has_defaults=False)
    group.add_argument(
        "--isolate",
        action=argparse.BooleanOptionalAction,
        help="a fresh process for every match, so that a bot carries nothing over",
    )
    group.add_argument(
        "--hide-names", action="store_true", default=None, help="do not tell bots who plays"
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add how it is run this time."""
    group = parser.add_argument_group("how it is run")
    group.add_argument(
        "-j",
        "--concurrency",
        type=int,
        metavar="N",
        help="matches at once in each arena (default: 16)",
    )
    group.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="arena processes on this machine, each with its own bots (default: 1)",
    )
    group.add_argument(
        "--engine",
        choices=ENGINES,
        help="arena: bots are processes; inline: built-in bots in this process, without clocks; "
        "ray: arenas on a Ray cluster",
    )
    group.add_argument(
        "--ray-address", metavar="HOST:PORT", help="of the cluster (default: one on this machine)"
    )
    group.add_argument("--out", metavar="DIR", help="the results directory (default: results/NAME)")
    group.add_argument(
        "--db", metavar="URL", help="postgresql://… instead of arena.db in the directory"
    )
    group.add_argument(
        "--replays",
        type=how_many,
        metavar="all|none|N",
        help="write the replays of all, no or the first N matches (default: all)",
    )
    group.add_argument(
        "--unfit",
        choices=_values(Unfit),
        default=Unfit.STOP.value,
        help="what to do about bots that fail the check before play (default: stop)",
    )
    group.add_argument(
        "--save-config", metavar="FILE", help="write the tournament.toml and play nothing"
    )
    group.add_argument(
        "--show-seed",
        action="store_true",
        help="print the seed before play; whoever sees it knows every deal (default: print it "
        "when the tournament is complete)",
    )
    group.add_argument("--quiet", action="store_true", help="print only the leaderboard")
    group.add_argument("--json", action="store_true", help="print leaderboard.json at the end")


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
            f"{wrong!r} is not UTF-8 text, as everything in a {CONFIG_FILE} must be"
        ) from None
    return config, directory


def _read_source(path: Path) -> tuple[TournamentConfig, Path | None]:
    """Return the config of a file or directory, and the directory if it is one of results."""
    if path.is_dir():
        if not (path / CONFIG_FILE).exists():
            raise InputError(f"{path}: no {CONFIG_FILE} in it: not a results directory")
        return _read_file(path / CONFIG_FILE), path
    return _read_file(path), None


def _read_file(path: Path) -> TournamentConfig:
    return read_config(read_text_file(str(path)), str(path), path.parent)


def _new_config(
    args: argparse.Namespace, find_bots: Callable[[], list[BotSpec]] | None
) -> TournamentConfig:
    if args.game is None:
        raise InputError("say what is played: --game byzanz, or a tournament.toml")
    game = configure_game(args.game, args.option)
    specs = _specs(args)
    if not specs and find_bots is not None:
        specs = find_bots()
    if not specs:
        raise InputError("say who plays: --bot NAME, once for each bot")
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
        "until": parse_rule,
        "seed": str,
        "salt": check_salt,
        "isolate": bool,
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
    changes["run"] = check_run(replace(config.run, **run))
    changed = replace(config, **changes)
    changed.master  # noqa: B018 - raises InputError for a wrong seed
    changed.configured_game()
    return changed


def _change_control(args: argparse.Namespace, control: TimeControl) -> TimeControl:
    if args.no_timeout and args.move_time is not None:
        raise InputError("--no-timeout and --move-time contradict each other: give one")
    move_time = control.move_time_s if args.move_time is None else args.move_time
    return TimeControl(
        None if args.no_timeout else move_time,
        control.bank_s if args.bank is None else args.bank,
        control.start_timeout_s if args.start_timeout is None else args.start_timeout,
    )


def _change_policy(args: argparse.Namespace, policy: FaultPolicy) -> FaultPolicy:
    if args.on_fault == "forfeit":
        if args.max_faults not in (None, 1):
            raise InputError("--on-fault forfeit and --max-faults contradict each other: give one")
        return FaultPolicy(1)
    return policy if args.max_faults is None else FaultPolicy(args.max_faults)
