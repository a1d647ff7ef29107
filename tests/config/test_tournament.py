from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from arena.config.bot_spec import BotSpec
from arena.config.tournament import (
    RunSettings,
    TournamentConfig,
    describe_differences,
    differences,
    read_config,
    with_chance,
    write_config,
)
from arena.errors import InputError
from arena.rating.stopping_rule import parse_rule
from arena.referee.clock import TimeControl
from arena.referee.faults import FaultPolicy
from arena.schedule.plan import Deals, Format, Rotation, Tables
from arena.storage.records import BotRecord

HEAD = 'format = "arena-tournament/1"\nname = "cup"\ngame = "byzanz"\nplayers = 3\n'
CARDS = HEAD.replace("byzanz", "schwarzmarkt") + "[options]\n"
BOTS = '[bots.a]\nbuiltin = "random"\n[bots."b c"]\nrun = ["./b"]\ngroup = "x"\n'
SALT = "5a" * 32

PLAIN = TournamentConfig(
    name="cup",
    game="byzanz",
    players=3,
    bots={
        "a": BotSpec("a", builtin="random"),
        "b c": BotSpec("b c", command=("./b",), dir=Path(), group="x"),
    },
)
FULL = dataclasses.replace(
    PLAIN,
    options={"deck": "uneven"},
    rounds=7,
    format=Format.GAUNTLET,
    focus="a",
    rotation=Rotation.LATIN,
    deals=Deals.PER_TABLE,
    tables=Tables.BALANCED,
    mixes_groups=True,
    max_matches=99,
    until=parse_rule("settled@97.5"),
    seed="seven",
    salt=SALT,
    control=TimeControl(None, 2.5, 7.0),
    policy=FaultPolicy(1),
    shows_names=False,
    fresh=True,
    run=RunSettings(3, 2, "inline"),
)


class TestReading:
    def test_what_must_be_there_is_enough(self):
        """Name, game, players and bots settle a tournament; the rest is as it always was."""
        assert read_config(HEAD + BOTS, "cup.toml") == dataclasses.replace(
            PLAIN, deals=Deals.SHARED
        )

    @pytest.mark.parametrize("config", [PLAIN, dataclasses.replace(FULL, options={})])
    def test_what_is_written_is_read_again(self, config):
        """Every choice survives being written."""
        assert read_config(write_config(config), "x") == config

    @pytest.mark.parametrize("key", ["fresh", "isolate"])
    def test_new_processes_by_both_names(self, key):
        """Files from before the key had its name mean the same."""
        assert read_config(f"{HEAD}[rules]\n{key} = true\n{BOTS}", "x").fresh

    def test_options_of_the_game(self):
        """Options come with their content, and are the game's to judge."""
        text = 'format = "arena-tournament/1"\nname = "c"\ngame = "schwarzmarkt"\nplayers = 3\n'
        config = read_config(f"{text}{BOTS}", "x")
        assert config.configured_game().name == "schwarzmarkt"
        with pytest.raises(InputError, match=r"^x: .*nonsense"):
            read_config(f"{text}[options]\nnonsense = 1\n{BOTS}", "x")
        with pytest.raises(InputError, match=r"^x: option cards: lacks 'track'"):
            read_config(f"{text}[options]\ncards = {{offers = 3}}\n{BOTS}", "x")

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "not a tournament file: it must say format"),
            ("= 3", "not TOML: "),
            ('format = "arena-tournament/2"', "not a tournament file"),
            ("a = " + "[" * 20_000, "not TOML"),
            (HEAD, r"has no bots: write a table \[bots.NAME\] for each"),
            (HEAD + "bots = 3", "has no bots"),
            (HEAD + "bots = {a = 3}", r"\[bots.a\]: must be a table"),
            (HEAD + "[bots.a]\ngroup = 3", r"\[bots.a\]: group must be a text"),
            (HEAD.replace('name = "cup"\n', "") + BOTS, "name is missing"),
            (HEAD.replace("players = 3\n", "") + BOTS, "players is missing"),
            (HEAD.replace('"byzanz"', '"chess"') + BOTS, "unknown game 'chess'"),
            (HEAD.replace("= 3", "= 2") + BOTS, "byzanz is for 3 to 6 players, not 2"),
            (HEAD.replace("= 3", '= "3"') + BOTS, "players must be a whole number, not '3'"),
            (HEAD.replace("= 3", "= true") + BOTS, "players must be a whole number, not True"),
            (HEAD + "rounds = 1.5\n" + BOTS, "rounds must be a whole number, not 1.5"),
            (HEAD + "color = 3\n" + BOTS, "unknown key color"),
            (HEAD + "seed = 7\n" + BOTS, "seed must be a text in quotation marks, not 7"),
            (HEAD + 'seed = "hex:1"\n' + BOTS, "exactly 64 hexadecimal digits"),
            (HEAD + 'salt = "AA"\n' + BOTS, "a salt is 64 hexadecimal digits"),
            (HEAD + f'salt = "5a {SALT[2:]}"\n' + BOTS, "a salt is 64 hexadecimal digits"),
            (HEAD + "schedule = 3\n" + BOTS, r"\[schedule\] must be a table"),
            (HEAD + "[schedule]\nround = 3\n" + BOTS, "unknown key schedule.round"),
            (HEAD + "[schedule]\nformat = 'x'\n" + BOTS, "schedule.format must be one of 'round-"),
            (HEAD + "[schedule]\ndeals = 1\n" + BOTS, "schedule.deals must be a text"),
            (HEAD + "[schedule]\nmix_groups = 1\n" + BOTS, "schedule.mix_groups must be true or"),
            (HEAD + "[schedule]\nmax_matches = 'x'\n" + BOTS, "schedule.max_matches must be a"),
            (HEAD + "[schedule]\nuntil = 'x'\n" + BOTS, "'x' is not a stopping rule"),
            (HEAD + "[rules]\nmove_time = 'x'\n" + BOTS, "rules.move_time must be a number of"),
            (HEAD + "[rules]\nmove_time = -1\n" + BOTS, "the move time must be 0 to"),
            (HEAD + "[rules]\nmove_time = nan\n" + BOTS, "the move time must be 0 to"),
            (HEAD + "[rules]\nmax_faults = 0\n" + BOTS, "after 1 fault or more"),
            (HEAD + "[rules]\nmax_faults = 9999999999\n" + BOTS, "at most 1000000, not 9999999999"),
            (HEAD + "[rules]\nbanks = 1\n" + BOTS, "unknown key rules.banks"),
            (HEAD + "[run]\nconcurrency = 0\n" + BOTS, "concurrency must be 1 to 10000, not 0"),
            (HEAD + "[run]\nengine = 'x'\n" + BOTS, "there is no engine 'x'"),
            (HEAD + "[run]\nthreads = 1\n" + BOTS, "unknown key run.threads"),
            (CARDS + "cards = 3\n" + BOTS, "option cards: must be a table"),
            (CARDS + "cards = 'x.toml'\n" + BOTS, "must be the content of a card file"),
            (CARDS + "cards = {}\n" + BOTS, "option cards: lacks 'track'"),
        ],
    )
    def test_errors_name_file_and_place(self, text, reason):
        """Whatever is not understood is refused, with the file and the key."""
        with pytest.raises(InputError, match=rf"^cup.toml(:\d+)?: .*{reason}"):
            read_config(text, "cup.toml")


class TestDifferences:
    def test_none(self):
        """A config does not differ from itself, nor by how it is run."""
        assert differences(FULL, FULL) == []
        assert differences(FULL, dataclasses.replace(FULL, run=RunSettings())) == []

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"rounds": 8}, "rounds is 8, was 7"),
            ({"focus": None}, "schedule.focus is not set, was a"),
            ({"until": None}, "schedule.until is not set, was settled@97.5"),
            ({"control": TimeControl(1.0, 2.5, 7.0)}, "rules.move_time is 1.0, was unlimited"),
            ({"policy": FaultPolicy(2)}, "rules.max_faults is 2, was 1"),
            ({"bots": {"a": PLAIN.bots["a"]}}, "bots.b c.group is not set, was x"),
            ({"options": {}}, "options.deck is not set, was uneven"),
        ],
    )
    def test_each_is_named(self, change: dict[str, Any], told: str):
        """What would give other results is named by its key, with both values."""
        assert told in map(str, differences(dataclasses.replace(FULL, **change), FULL))

    def test_what_matters_most_comes_first(self):
        """Whoever asks for another tournament reads first what is played, and by whom."""
        many = {f"n{number}": BotSpec(f"n{number}", builtin="random") for number in range(7)}
        asked = dataclasses.replace(
            FULL, game="schwarzmarkt", options={}, rounds=8, bots={"a": FULL.bots["a"], **many}
        )
        game, *bots, options, rounds = describe_differences(asked, FULL)
        assert game == "game is byzanz (asked for: schwarzmarkt)"
        assert bots == ["it has no bot n0, n1, n2, n3, n4 and 2 more", "it also has the bot b c"]
        assert options == "options.deck is uneven (asked for: not set)"
        assert rounds == "rounds is 7 (asked for: 8)"

    def test_long_and_secret_values(self):
        """A value is cut where it is long, and one that nobody may know is not shown."""
        cards = {"cards": "x" * 1_000}
        asked = dataclasses.replace(FULL, seed="other", options=cards, shows_names=True)
        assert describe_differences(asked, FULL) == [
            f"options.cards is not set (asked for: {'x' * 59}…)",
            "options.deck is uneven (asked for: not set)",
            "rules.show_names is false (asked for: true)",
            "seed is different",
        ]
        assert describe_differences(FULL, FULL) == []

    def test_every_setting_counts(self):
        """There is no setting, but how it is run, in which two configs differ unnoticed."""
        plain = dataclasses.replace(PLAIN, name="other")
        for field in dataclasses.fields(TournamentConfig):
            if field.name != "run":
                mixed = dataclasses.replace(FULL, **{field.name: getattr(plain, field.name)})
                if mixed != FULL:
                    assert differences(mixed, FULL), field.name


class TestChance:
    def test_drawn(self):
        """Without seed and salt both are drawn, differently each time."""
        one, other = with_chance(PLAIN), with_chance(PLAIN)
        assert one.seed.startswith("hex:")
        assert len(one.master) == len(bytes.fromhex(one.salt)) == 32
        assert one.seed != other.seed
        assert one.salt != other.salt

    def test_given(self):
        """What is given stays; what is not is as it was stored."""
        assert with_chance(FULL) == FULL
        asked = dataclasses.replace(PLAIN, seed="8")
        assert with_chance(asked, FULL) == dataclasses.replace(PLAIN, seed="8", salt=SALT)


def test_plan():
    """The plan has all the bots, with versions and groups, and what the schedule depends on."""
    plan = FULL.plan(FULL.entrants({"a": "1.2"}))
    assert plan.bots == (BotRecord("a", "1.2", ""), BotRecord("b c", "", "x"))
    assert (plan.rounds, plan.focus, plan.max_matches) == (7, "a", 99)
    assert (plan.format, plan.rotation) == (Format.GAUNTLET, Rotation.LATIN)
    assert (plan.deals, plan.tables, plan.mixes_groups) == (Deals.PER_TABLE, Tables.BALANCED, True)
