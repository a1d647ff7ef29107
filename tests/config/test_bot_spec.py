from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.config.bot_spec import BotSpec, check_names, parse_bot, spec_to_table, specs_from_tables
from arena.errors import InputError, UnknownBotError

KEYS = (
    "name, builtin, cmd, stdio, connected, dir, group, version, seed, "
    "memory_mb, cpus, processes, disk_mb, isolation"
)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("planner", BotSpec("planner", builtin="planner", has_own_name=False)),
        (
            "searcher:iterations=200",
            BotSpec(
                "searcher:iterations=200", builtin="searcher:iterations=200", has_own_name=False
            ),
        ),
        ("builtin=random", BotSpec("random", builtin="random", has_own_name=False)),
        ("name=p2,builtin=planner,seed=4", BotSpec("p2", builtin="planner", seed="4")),
        (
            "name=s,builtin=searcher:iterations=200",
            BotSpec("s", builtin="searcher:iterations=200"),
        ),
        (
            'name=mine,cmd="./mybot --level 3"',
            BotSpec("mine", command=("./mybot", "--level", "3")),
        ),
        (
            "name=mine,cmd=./mybot --level 3,version=1.2",  # as a shell leaves it
            BotSpec("mine", command=("./mybot", "--level", "3"), version="1.2"),
        ),
        (
            """ name = "a, b" , cmd = "./x 'y, z' \\"q\\"" """,
            BotSpec("a, b", command=("./x", "y, z", "q")),
        ),
        ("""name=a,cmd="my bot" 'c,d' e\\,f""", BotSpec("a", command=("my bot", "c,d", "e,f"))),
        ("name=a,cmd='x \"y\"',dir=d/e", BotSpec("a", command=("x", "y"), dir=Path("d/e"))),
        ('name=old,stdio="awk -f bot.awk"', BotSpec("old", stdio=("awk", "-f", "bot.awk"))),
        ("name=far,connected", BotSpec("far", connected=True)),
        ("connected,name=far,group=guests", BotSpec("far", connected=True, group="guests")),
        ("name=a,cmd=x,memory_mb=512", BotSpec("a", command=("x",), memory_mb=512)),
    ],
)
def test_what_a_person_may_write(text: str, spec: BotSpec) -> None:
    """Each way of naming a bot means what it says."""
    assert parse_bot(text) == [spec]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "there is no built-in bot ''"),
        ("mybot", "there is no built-in bot 'mybot' (there are: random, greedy, planner, searcher"),
        ("./mybot", "for a program write name=mine,cmd=./mybot"),
        ("planner:level=3", "planner takes no settings"),
        ("searcher:iterations=x", "iterations must be a whole number, not 'x'"),
        ("name=a,pipe=x", f"unknown key 'pipe' (the keys are: {KEYS})"),
        ("planner,seed=4", "unknown key 'planner'"),
        ("name=a", "give exactly one of"),
        ("name=a,cmd=x,connected", "give exactly one of"),
        ("name=a,cmd=x,builtin=planner", "give exactly one of"),
        ("name=a,cmd=x,stdio=y", "give exactly one of: a command to run, a stdio program to"),
        ("name=a,stdio=y,connected", "give exactly one of"),
        ("name=a,stdio=y,stdio=z", "stdio is given twice"),
        ("name=a,stdio=", "stdio is empty"),
        ("cmd=x", "the bot needs a name: write name=…"),
        ("connected", "the bot needs a name"),
        ("name=a,connected=yes", "connected takes no value"),
        ("name,cmd=x", "name takes a value: write name=…"),
        ("name=a,name=b,cmd=x", "name is given twice"),
        ("name=a,cmd=x,cmd=y", "cmd is given twice"),
        ("name=a,,cmd=x", "nothing stands before character 8"),
        ("name=a,cmd=x,", "a comma too many?"),
        ('name=a,cmd="x', "the quotation mark at character 12 stands open"),
        ("name=a,cmd=x\\", "the backslash at character 13 stands open"),
        ("name=a,cmd=", "cmd is empty"),
        ("name=a,cmd=''", "cmd is empty"),
        ('name=a,cmd="x \'y"', "cannot be split into words: No closing quotation"),
        ("name=a,cmd=x\0y", "cmd must not contain a zero byte"),
        ("name=a,cmd=x\ud800", "cannot be written in this system's encoding"),
        ("name=a,cmd=x,dir=", "dir is empty"),
        ("name=,cmd=x", "name must have 1 to 64 characters, not 0"),
        (f"name={'a' * 65},cmd=x", "name must have 1 to 64 characters, not 65"),
        (f"name={'🂡' * 64},cmd=x", "longer than 200 bytes"),
        ("name=a/b,cmd=x", "must not contain / or \\"),
        ("name='a\\b',cmd=x", "must not contain / or \\"),
        ("name=.a,cmd=x", "must not begin with a dot"),
        ("name=' a',cmd=x", "must not begin or end with a space"),
        ("name=a\x1bb,cmd=x", "cannot be printed"),
        ("name=a\u202eb,cmd=x", "cannot be printed"),
        ("name=a,cmd=x,group=../x", "group '../x' must not contain /"),
        ("name=a,cmd=x,version='\n'", "version must be at most 64 printable characters"),
        ("name=a,cmd=x,memory_mb=much", "whole number of megabytes, not 'much'"),
        ("name=a,cmd=x,memory_mb=0", "memory_mb must be 1 to"),
        ("name=a,cmd=x,memory_mb=99999999999", "memory_mb must be 1 to"),
        ("name=a,builtin=planner,dir=x", "dir has no effect for a built-in bot"),
        ("name=a,connected,seed=x", "seed has no effect for a connected bot"),
        ("gone.toml", "gone.toml: cannot be read: No such file or directory"),
        ("gone.toml:a", "gone.toml: cannot be read: No such file or directory"),
        ("gone\0.toml", "zero byte"),
    ],
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    """Each mistake gets an error that says what it is and what to do."""
    with pytest.raises(InputError) as caught:
        parse_bot(text)
    assert told in str(caught.value)


def test_an_unknown_built_in_bot_is_told_apart() -> None:
    """Callers can tell a wrong name of a built-in bot from other mistakes."""
    with pytest.raises(UnknownBotError):
        parse_bot("plannner")


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            "name= cmd= builtin= connected dir= group= version= seed= memory_mb= , ' \" \\ = : . / "
            "planner searcher:iterations= searcher:seconds= .toml 1 nan 1e999 -1 a ( \n".split(" ")
        ),
        st.text(max_size=4),
    )
).map("".join)


@pytest.mark.slow
@settings(deadline=None)  # the first look at a built-in bot imports it
@given(st.one_of(PIECES, st.text(), st.text(string.printable)))
@example("searcher:iterations=" + "9" * 5000)
@example("searcher:seconds=nan")
@example("name=a,cmd=x,memory_mb=²")
@example("\0.toml")
@example("a" * 5000 + ".toml")
@example("/.toml")
def test_nothing_but_input_errors(text: str) -> None:
    """Whatever is written, it is understood or refused, and what is understood is consistent."""
    try:
        specs = parse_bot(text)
    except InputError:
        return
    for spec in specs:
        ways = (spec.command is not None, spec.builtin is not None, spec.connected)
        assert sum(ways) == 1
        assert 1 <= len(spec.name) <= 64


@pytest.mark.slow
@settings(deadline=None)  # the first look at a built-in bot imports it
@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_quoted_values_survive(text: str) -> None:
    """In quotation marks a value may hold anything, commas and equals signs too."""
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if "\0" not in text:
        (spec,) = parse_bot(f"name=a,cmd=x,seed={quoted},version=1")
        assert (spec.seed, spec.version) == (text, "1")


def test_unnamed_built_in_bots_are_numbered() -> None:
    """Equal built-in bots get names that differ from each other and from given ones."""
    texts = ["planner", "planner", "name=planner-2,cmd=x", "planner", "greedy"]
    named = check_names([spec for text in texts for spec in parse_bot(text)])
    assert [spec.name for spec in named] == [
        "planner",
        "planner-3",
        "planner-2",
        "planner-4",
        "greedy",
    ]
    assert check_names(named) == named


@pytest.mark.parametrize(
    ("first", "second"), [("a", "a"), ("Bot", "bot"), ("caf\u00e9", "cafe\u0301")]
)
def test_given_names_must_differ(first: str, second: str) -> None:
    """Two bots of one name are refused, as are names that would be one file somewhere."""
    specs = [BotSpec(name, command=("x",)) for name in (first, "other", second)]
    with pytest.raises(InputError, match="two bots are called"):
        check_names(specs)


def test_a_given_name_goes_before_a_numbered_one() -> None:
    """A built-in bot without a name makes room for a bot that was given its name."""
    named = check_names(parse_bot("planner") + parse_bot("name=planner,cmd=x"))
    assert [spec.name for spec in named] == ["planner-2", "planner"]


@pytest.mark.parametrize(
    "spec",
    [
        BotSpec("a", builtin="planner", seed="4"),
        BotSpec("a", connected=True, group="guests"),
        BotSpec("a", command=("./x", "y z"), dir=Path("/bots/a"), env={"LEVEL": "3"}, version="2"),
        BotSpec(
            "a", stdio=("awk", "-f", "b.awk"), dir=Path("/bots"), build=(("make",),), memory_mb=9
        ),
    ],
    ids=lambda spec: str(spec.builtin or spec.command or spec.stdio or "connected"),
)
def test_a_spec_survives_the_file_of_a_tournament(spec: BotSpec) -> None:
    """Whatever kind of bot it is, workers and later runs read what was entered."""
    base = Path("/results/cup")
    table = spec_to_table(spec, base)
    read = specs_from_tables("x", "", {"a": table}, base)["a"]
    place = None if read.dir is None else read.dir.resolve()
    assert replace(read, dir=place) == spec
