"""What a person writes for a bot, judged and made a value.

`--bot` takes, and `parse_bot` reads:

    planner, searcher:iterations=200        a built-in bot
    name=p2,builtin=planner,seed=4          the same, under a name of its own
    name=mine,cmd="./mybot --level 3"       a program to start
    name=old,stdio="awk -f bot.awk"         a program that reads and writes lines, bridged
    name=far,connected                      a session that waits in the lobby
    bots.toml, bots.toml:NAME               all bots of a file, or one of them
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.bots.catalog import TIERS, make_bot
from arena.config.bot_fields import Command, Fields, check_name, check_text, fold_name
from arena.config.bot_option import is_long_form, parse_option
from arena.config.bots_file import read_bot_tables, read_bots_file
from arena.errors import InputError, UnknownBotError
from arena.games.registry import get_game
from arena.sandbox.isolation import Isolation

_LIMITS = ("memory_mb", "cpus", "processes", "disk_mb")
_FILE = re.compile(r"(?P<path>.+?\.toml)(?::(?P<name>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BotSpec:
    """One bot as a person named it.

    Exactly one of `command`, `stdio`, `builtin` and `connected` is set.
    """

    name: str
    command: Command | None = None  # the program and its arguments
    stdio: Command | None = None  # the same, of one that reads and writes lines: it is bridged
    builtin: str | None = None  # as the catalog of built-in bots knows it, settings included
    connected: bool = False  # not started here: a session that waits in the lobby
    dir: Path | None = None  # where the command runs; None: where the arena runs
    env: Mapping[str, str] = field(default_factory=dict, hash=False)
    version: str = ""
    build: tuple[Command, ...] = ()  # commands to run once before the first start
    seed: str | None = None  # handed to the bot as ARENA_SEED
    group: str | None = None
    memory_mb: int | None = None  # limits for all its processes together; None: see arena.sandbox
    cpus: float | None = None
    processes: int | None = None
    disk_mb: int | None = None
    isolation: Isolation | None = None  # None: as the others
    read: tuple[Path, ...] = ()  # what it may read besides its directory and its toolchain
    write: tuple[Path, ...] = ()  # what it may change besides
    build_network: bool = False  # whether its build commands may use the network
    has_own_name: bool = True  # False: named after its built-in bot, and may be numbered


def parse_bot(text: str) -> list[BotSpec]:
    """Return the bots that one value of `--bot` names; raises InputError and nothing else."""
    try:
        if is_long_form(text):
            return [_make_spec(parse_option(text))]
        found = _FILE.fullmatch(text)
        if found is None:
            return [_make_spec(Fields(builtin=text))]
    except UnknownBotError as error:
        raise UnknownBotError(f"--bot {text!r}: {error}") from None
    except InputError as error:
        raise InputError(f"--bot {text!r}: {error}") from None
    specs = read_specs(Path(check_text(found["path"], "--bot")))
    if found["name"] is None:
        return specs
    chosen = [spec for spec in specs if spec.name == found["name"]]
    if not chosen:
        known = ", ".join(spec.name for spec in specs)
        raise InputError(
            f"{found['path']}: there is no bot {found['name']!r} in it (there are: {known})"
        )
    return chosen


def read_specs(path: Path) -> list[BotSpec]:
    """Return all bots of a `bots.toml`, in its order; raises InputError that names the place."""
    return _make_specs(read_bots_file(path))


def specs_from_tables(
    file: str, text: str, tables: Mapping[str, object], base: Path
) -> dict[str, BotSpec]:
    """Return the bots of the tables `[bots.NAME]` in the text of a `tournament.toml`, by name.

    `file` is what errors call it, `base` what directories are relative to. Raises InputError.
    """
    specs = check_names(_make_specs(read_bot_tables(file, text, tables, base)))
    return {spec.name: spec for spec in specs}


def spec_to_table(spec: BotSpec, base: Path) -> dict[str, object]:
    """Return what `[bots.NAME]` says of the bot in a file in the directory `base`."""
    table: dict[str, object] = {}
    if spec.builtin is not None:
        table["builtin"] = spec.builtin
    elif spec.connected:
        table["connected"] = True
    else:
        key = "run" if spec.stdio is None else "stdio"
        table[key] = list(spec.stdio or spec.command or ())
        table["dir"] = os.path.relpath(spec.dir or Path.cwd(), base)
    if spec.build:
        table["build"] = [list(command) for command in spec.build]
    if spec.env:
        table["env"] = dict(spec.env)
    for key in ("version", "seed", "group", *_LIMITS, "build_network"):
        if value := getattr(spec, key):
            table[key] = value
    if spec.isolation is not None:
        table["isolation"] = spec.isolation.text
    for key, paths in (("read", spec.read), ("write", spec.write)):
        if paths:
            table[key] = [os.path.relpath(path, base) for path in paths]
    return table


def _make_specs(entries: Sequence[tuple[str, Fields]]) -> list[BotSpec]:
    specs = []
    for where, fields in entries:
        try:
            specs.append(_make_spec(fields))
        except UnknownBotError as error:
            raise UnknownBotError(f"{where}: {error}") from None
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    return specs


def check_names(specs: Sequence[BotSpec]) -> list[BotSpec]:
    """Return the bots under names that differ; raises InputError for two of one given name.

    Built-in bots that were given no name are numbered where they meet: `planner`, `planner-2`.
    Names that differ only in case or in how an accent is written count as the same, because
    files are named after them.
    """
    taken: dict[str, str] = {}
    for spec in specs:
        if spec.has_own_name:
            key = fold_name(spec.name)
            if key in taken:
                both = " and ".join(dict.fromkeys((repr(taken[key]), repr(spec.name))))
                raise InputError(f"two bots are called {both}: give each a name of its own")
            taken[key] = spec.name
    named = []
    for spec in specs:
        name, number = spec.name, 1
        while not spec.has_own_name and fold_name(name) in taken:
            number += 1
            name = f"{spec.name}-{number}"
        taken[fold_name(name)] = name
        named.append(spec if name == spec.name else replace(spec, name=check_name(name)))
    return named


def _make_spec(fields: Fields) -> BotSpec:
    builtin = fields.get("builtin")
    is_connected = fields.get("connected", False)
    if len(fields.keys() & {"command", "stdio", "builtin"}) + is_connected != 1:
        raise InputError(
            "give exactly one of: a command to run, a stdio program to bridge, a built-in bot, "
            "or that it is connected"
        )
    if builtin is not None:
        _check_builtin(builtin)
    name = fields.get("name", builtin)
    if name is None:
        raise InputError("the bot needs a name: write name=…")
    _refuse_useless(fields)
    return BotSpec(
        name=check_name(name),
        command=fields.get("command"),
        stdio=fields.get("stdio"),
        builtin=builtin,
        connected=is_connected,
        dir=fields.get("dir"),
        env=fields.get("env", {}),
        version=fields.get("version", ""),
        build=fields.get("build", ()),
        seed=fields.get("seed"),
        group=fields.get("group"),
        memory_mb=fields.get("memory_mb"),
        cpus=fields.get("cpus"),
        processes=fields.get("processes"),
        disk_mb=fields.get("disk_mb"),
        isolation=fields.get("isolation"),
        read=fields.get("read", ()),
        write=fields.get("write", ()),
        build_network=fields.get("build_network", False),
        has_own_name="name" in fields,
    )


def _refuse_useless(fields: Fields) -> None:
    """Refuse what would have no effect, rather than let a person believe in it."""
    if fields.get("connected"):
        started = "dir env version build seed isolation read write build_network".split()
        kind, useless = "connected", (*started, *_LIMITS)
    elif "builtin" in fields:
        kind, useless = "built-in", ("dir", "build", "build_network")
    else:
        return
    for key in useless:
        if key in fields:
            raise InputError(f"{key} has no effect for a {kind} bot")


def _check_builtin(text: str) -> None:
    tier, colon, _ = text.partition(":")
    if tier not in TIERS:
        raise UnknownBotError(
            f"there is no built-in bot {text!r} (there are: {', '.join(TIERS)}); "
            "for a program write name=mine,cmd=./mybot (or stdio=./mybot), "
            "a file of bots ends in .toml"
        )
    if colon:
        make_bot(text, get_game("byzanz"), b"")  # settings mean the same in every game
