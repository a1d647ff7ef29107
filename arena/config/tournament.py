"""The file `tournament.toml`: a tournament as a person settles it, and as it is run again.

    format = "arena-tournament/1"
    name = "spring"
    game = "byzanz"
    players = 4
    rounds = 20
    seed = "7"
    salt = "…64 hexadecimal digits…"

    [options]          # of the game, with their content
    [schedule]         # format, focus, rotation, deals, tables, mix_groups, max_matches, until
    [rules]            # move_time, bank, start_timeout, max_faults, show_names, fresh
    [run]              # concurrency, workers, engine, isolation: may differ each time it is run
    [bots.NAME]        # as in a bots.toml

Only name, game, players and bots must be there. Whatever is not understood is refused.
"""

from __future__ import annotations

import enum
import re
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w

from arena.config.bot_spec import BotSpec, spec_to_table, specs_from_tables
from arena.config.toml_table import TomlTable
from arena.errors import InputError
from arena.games.game import AnyGame, Json
from arena.games.registry import get_game
from arena.games.shuffle import SEED_BYTES, read_master_seed
from arena.inert import cut
from arena.rating.stopping_rule import SettledRule, parse_rule
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.sandbox.isolation import Isolation, default_isolation, parse_isolation
from arena.schedule.plan import Deals, Format, Rotation, SchedulePlan, Tables
from arena.storage.records import BotRecord, TournamentRecord

FORMAT = "arena-tournament/1"
UNLIMITED = "unlimited"
_SECRETS = ("seed", "salt")
_WHAT_IS_PLAYED = ("name", "game", "players")  # the rest hardly matters where these differ
_LONGEST_SHOWN = 60  # characters of a value
_MOST_NAMED = 5  # bots


class Unfit(enum.Enum):
    """What to do about a bot that fails the check before play."""

    STOP = "stop"  # begin nothing: its author must fix it
    LEAVE_OUT = "leave-out"  # play without it
    ENTER = "enter"  # let it forfeit whatever it does not start for


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a tournament is run this time; the results do not depend on it."""

    concurrency: int = 64  # matches at once, in each worker: a message then holds several decisions
    workers: int = 1
    engine: str = "arena"
    isolation: Isolation = field(default_factory=default_isolation)


@dataclass(frozen=True, slots=True)
class TournamentConfig:
    """A tournament with every choice settled."""

    name: str
    game: str
    players: int
    bots: Mapping[str, BotSpec]  # by name, in the order they were entered
    options: Mapping[str, Json] = field(default_factory=dict)
    rounds: int = 10
    format: Format = Format.ROUND_ROBIN
    focus: str | None = None
    rotation: Rotation = Rotation.CYCLIC
    deals: Deals = Deals.PER_TABLE
    tables: Tables = Tables.ALL
    mixes_groups: bool = False
    max_matches: int | None = None
    until: SettledRule | None = None
    seed: str = ""  # the text of the master seed; "" until it is settled
    salt: str = ""  # hexadecimal; likewise
    control: TimeControl = field(default_factory=TimeControl)
    policy: FaultPolicy = field(default_factory=FaultPolicy)
    shows_names: bool = True
    fresh: bool = False  # a new process of each bot for every match
    run: RunSettings = field(default_factory=RunSettings)

    @property
    def master(self) -> bytes:
        """The master seed."""
        return read_master_seed(self.seed)

    def configured_game(self) -> AnyGame:
        """Return the game under its options; raises InputError."""
        game = get_game(self.game).configure(self.options)
        game.check_table(self.players)
        return game

    def entrants(self, versions: Mapping[str, str] | None = None) -> tuple[BotRecord, ...]:
        """Return the bots in the order they were entered."""
        versions = versions or {}
        return tuple(
            BotRecord(name, versions.get(name, ""), spec.group or "")
            for name, spec in self.bots.items()
        )

    def record(self, text: str, bots: tuple[BotRecord, ...], created: str) -> TournamentRecord:
        """Return what is stored of the tournament; `text` is that of its tournament.toml."""
        return TournamentRecord(
            name=self.name,
            config=text,
            game=self.game,
            options=self.options,
            players=self.players,
            seed=self.master,
            seed_text=self.seed,
            salt=bytes.fromhex(self.salt),
            bots=bots,
            created=created,
        )

    def plan(self, bots: Sequence[BotRecord] | None = None) -> SchedulePlan:
        """Return all that the schedule depends on."""
        return SchedulePlan(
            bots=tuple(bots or self.entrants()),
            players=self.players,
            rounds=self.rounds,
            format=self.format,
            focus=self.focus,
            rotation=self.rotation,
            deals=self.deals,
            tables=self.tables,
            mixes_groups=self.mixes_groups,
            max_matches=self.max_matches,
        )


def with_chance(
    config: TournamentConfig, stored: TournamentConfig | None = None
) -> TournamentConfig:
    """Return the config with seed and salt: given, else those it was begun under, else random."""
    if stored is not None:
        seed, salt = stored.seed, stored.salt
    else:
        seed, salt = f"hex:{secrets.token_hex(SEED_BYTES)}", secrets.token_hex(SEED_BYTES)
    return replace(config, seed=config.seed or seed, salt=config.salt or salt)


def check_salt(text: str) -> str:
    """Return the salt if it is one; raises InputError."""
    if re.fullmatch(rf"[0-9a-f]{{{2 * SEED_BYTES}}}", text) is None:
        raise InputError("a salt is 64 hexadecimal digits, in lower case")
    return text


def read_config(text: str, where: str, base: Path = Path()) -> TournamentConfig:
    """Return the tournament that the text settles; raises InputError that names the place.

    `where` is what errors call the text, `base` what the directories of bots are relative to.
    """
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not TOML: {error}") from None
    if document.get("format") != FORMAT:
        raise InputError(f'{where}: not a tournament file: it must say format = "{FORMAT}"')
    bots = _read_bots(document.pop("bots", None), text, where, base)
    try:
        return _read(document, bots)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def config_document(config: TournamentConfig, base: Path = Path()) -> dict[str, Any]:
    """Return the config as TOML has it, every choice spelled out; `[run]` comes last."""
    control = config.control
    schedule: dict[str, Any] = {
        "format": config.format.value,
        "rotation": config.rotation.value,
        "deals": config.deals.value,
        "tables": config.tables.value,
        "mix_groups": config.mixes_groups,
    }
    if config.focus is not None:
        schedule["focus"] = config.focus
    if config.max_matches is not None:
        schedule["max_matches"] = config.max_matches
    if config.until is not None:
        schedule["until"] = config.until.text
    return {
        "format": FORMAT,
        "name": config.name,
        "game": config.game,
        "players": config.players,
        "rounds": config.rounds,
        "seed": config.seed,
        "salt": config.salt,
        "options": dict(config.options),
        "schedule": schedule,
        "rules": {
            "move_time": UNLIMITED if control.move_time_s is None else control.move_time_s,
            "bank": control.bank_s,
            "start_timeout": control.start_timeout_s,
            "max_faults": config.policy.max_faults,
            "show_names": config.shows_names,
            "fresh": config.fresh,
        },
        "bots": {name: spec_to_table(spec, base) for name, spec in config.bots.items()},
        "run": {
            "concurrency": config.run.concurrency,
            "workers": config.run.workers,
            "engine": config.run.engine,
            "isolation": config.run.isolation.text,
        },
    }


def write_config(config: TournamentConfig, base: Path = Path()) -> str:
    """Return the text of a `tournament.toml` in `base` that settles the same again."""
    return tomli_w.dumps(config_document(config, base))


def without_secrets(config: TournamentConfig) -> TournamentConfig:
    """Return the config without what is told when the tournament is complete."""
    return replace(config, seed="", salt="")


def without_run(text: str) -> str:
    """Return what a `tournament.toml` settles: without comments, and without `[run]`."""
    return tomli_w.dumps(_without_run(text))


def published(text: str, *, is_complete: bool) -> str:
    """Return the same for everybody to read: without secrets while they are some.

    What is in the bots' environment is nobody's business: there may be keys in it.
    """
    document = _without_run(text)
    if not is_complete:
        document |= dict.fromkeys(_SECRETS, "")
    for table in document["bots"].values():
        table.pop("env", None)
    return tomli_w.dumps(document)


def _without_run(text: str) -> dict[str, Any]:
    document = tomllib.loads(text)
    document.pop("run", None)
    return document


@dataclass(frozen=True, slots=True)
class ConfigDifference:
    """A choice that two configs settle differently; None: one of them does not make it."""

    key: str
    now: object
    was: object

    def __str__(self) -> str:
        if self.key in _SECRETS:
            return f"{self.key} is different"
        return f"{self.key} is {_shown(self.now)}, was {_shown(self.was)}"

    def describe(self) -> str:
        """Return the same for somebody who has asked for `now` and finds `was`."""
        if self.key in _SECRETS:
            return str(self)
        return f"{self.key} is {_shown(self.was)} (asked for: {_shown(self.now)})"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()  # as in the file
    return "not set" if value is None else cut(str(value), _LONGEST_SHOWN)


def differences(now: TournamentConfig, was: TournamentConfig) -> list[ConfigDifference]:
    """Return, by key, where two configs would give different results; bots come last."""
    first, second = _flat(config_document(now)), _flat(config_document(was))
    return [
        ConfigDifference(key, first.get(key), second.get(key))
        for key in sorted({*first, *second}, key=lambda key: (key.startswith("bots."), key))
        if first.get(key) != second.get(key) and not key.startswith("run.")
    ]


def describe_differences(asked: TournamentConfig, stored: TournamentConfig) -> list[str]:
    """Return in what a stored tournament differs from the one asked for, what matters most first.

    Empty: both would give the same results.
    """
    both = [name for name in asked.bots if name in stored.bots]
    found = differences(
        replace(asked, bots={name: asked.bots[name] for name in both}),
        replace(stored, bots={name: stored.bots[name] for name in both}),
    )
    bots = [
        f"{words} {_listed(names)}"
        for words, names in (
            ("it has no bot", [name for name in asked.bots if name not in both]),
            ("it also has the bot", [name for name in stored.bots if name not in both]),
        )
        if names
    ]
    return [
        *(difference.describe() for difference in found if difference.key in _WHAT_IS_PLAYED),
        *bots,
        *(difference.describe() for difference in found if difference.key not in _WHAT_IS_PLAYED),
    ]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _flat(value: Any, prefix: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {prefix: value}
    flat: dict[str, Any] = {}
    for key, inner in value.items():
        flat |= _flat(inner, f"{prefix}.{key}" if prefix else key)
    return flat


def _read(document: dict[str, Any], bots: Mapping[str, BotSpec]) -> TournamentConfig:
    top = TomlTable(document, "")
    top.text("format", None)
    name, game = top.text("name", None), top.text("game", None)
    players, rounds = top.number("players", None), top.number("rounds", 10)
    for key, value in (("name", name), ("game", game), ("players", players)):
        if value is None:
            raise InputError(f"{key} is missing")
    seed, salt = top.text("seed", ""), top.text("salt", "")
    read_master_seed(seed)  # raises InputError
    config = TournamentConfig(
        name=name,
        game=game,
        players=players,
        rounds=rounds,
        bots=bots,
        options=top.table("options").rest(),
        seed=seed,
        salt=salt and check_salt(salt),
        **_read_schedule(top.table("schedule")),
        **_read_rules(top.table("rules")),
        run=_read_run(top.table("run")),
    )
    top.end()
    config.configured_game()
    return config


def _read_bots(value: object, text: str, where: str, base: Path) -> dict[str, BotSpec]:
    if not isinstance(value, dict) or not value:
        raise InputError(f"{where}: has no bots: write a table [bots.NAME] for each")
    return specs_from_tables(where, text, value, base)


def _read_schedule(table: TomlTable) -> dict[str, Any]:
    until = table.text("until", None)
    found = {
        "format": table.choice("format", Format, Format.ROUND_ROBIN),
        "focus": table.text("focus", None),
        "rotation": table.choice("rotation", Rotation, Rotation.CYCLIC),
        # Not the default of new tournaments: a file keeps the meaning it had when it was written.
        "deals": table.choice("deals", Deals, Deals.SHARED),
        "tables": table.choice("tables", Tables, Tables.ALL),
        "mixes_groups": table.flag("mix_groups", False),
        "max_matches": table.number("max_matches", None),
        "until": None if until is None else parse_rule(until),
    }
    table.end()
    return found


def _read_rules(table: TomlTable) -> dict[str, Any]:
    default = TimeControl()
    control = TimeControl(
        None if table.skip("move_time", UNLIMITED) else table.seconds("move_time", 1.0),
        table.seconds("bank", default.bank_s),
        table.seconds("start_timeout", default.start_timeout_s),
    )
    fresh = table.flag("isolate", False)  # what it was called in files from before
    fresh = table.flag("fresh", fresh)
    found = {
        "control": control,
        "policy": FaultPolicy(table.number("max_faults", FaultPolicy().max_faults)),
        "shows_names": table.flag("show_names", True),
        "fresh": fresh,
    }
    table.end()
    return found


def _read_run(table: TomlTable) -> RunSettings:
    default = RunSettings()
    found = RunSettings(
        concurrency=table.number("concurrency", default.concurrency),
        workers=table.number("workers", default.workers),
        engine=table.text("engine", default.engine),
        isolation=parse_isolation(table.text("isolation", default.isolation.text)),
    )
    table.end()
    return check_run(found)


ENGINES = ("arena", "inline", "ray")


def check_run(run: RunSettings) -> RunSettings:
    """Return the settings if a tournament can be run so; raises InputError."""
    if run.engine not in ENGINES:
        raise InputError(f"there is no engine {run.engine!r} (there are: {', '.join(ENGINES)})")
    for what, value in (("concurrency", run.concurrency), ("workers", run.workers)):
        if not 1 <= value <= 10_000:
            raise InputError(f"{what} must be 1 to 10000, not {value}")
    return run
