from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from arena.config.bot_spec import BotSpec, parse_bot
from arena.errors import InputError

GOOD = """
[bots.mine]
run = "./mybot --level 3"
build = ["make all", ["cp", "a b", "c"]]
dir = "sub"
env = { LEVEL = "3" }
version = "2"
memory_mb = 512
group = "home"

[bots."with space"]
run = ["python3", "-m", "my bot"]

[bots.p2]
builtin = "planner"
seed = 4
connected = false

[bots.far]
connected = true
"""


def test_each_table_is_a_bot(tmp_path: Path) -> None:
    """All bots of a file come in its order, their directories relative to it."""
    file = tmp_path / "bots.toml"
    file.write_text(GOOD)
    assert parse_bot(str(file)) == [
        BotSpec(
            "mine",
            command=("./mybot", "--level", "3"),
            build=(("make", "all"), ("cp", "a b", "c")),
            dir=tmp_path / "sub",
            env={"LEVEL": "3"},
            version="2",
            memory_mb=512,
            group="home",
        ),
        BotSpec("with space", command=("python3", "-m", "my bot"), dir=tmp_path),
        BotSpec("p2", builtin="planner", seed="4"),
        BotSpec("far", connected=True),
    ]


def test_one_bot_can_be_chosen(tmp_path: Path) -> None:
    """`FILE:NAME` is one bot of the file; a name that is not in it is told with those that are."""
    file = tmp_path / "bots.toml"
    file.write_text(GOOD)
    assert [spec.name for spec in parse_bot(f"{file}:with space")] == ["with space"]
    with pytest.raises(InputError, match=r"no bot 'you' in it \(there are: mine, with space, p2"):
        parse_bot(f"{file}:you")


def test_a_program_to_be_bridged(tmp_path: Path) -> None:
    """As a text or a list of words; like a command it runs where the file is."""
    file = tmp_path / "bots.toml"
    file.write_text("[bots.a]\nstdio = 'awk -f b.awk'\n[bots.b]\nstdio = ['awk', '-f', 'b c']\n")
    a, b = parse_bot(str(file))
    assert a == BotSpec("a", stdio=("awk", "-f", "b.awk"), dir=tmp_path)
    assert b == BotSpec("b", stdio=("awk", "-f", "b c"), dir=tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ": has no bots: write a table [bots.NAME] for each"),
        ("bots = 3", ": has no bots"),
        ("[bots]", ": has no bots"),
        ("[bots]\na = 3", ": [bots.a]: must be a table, not 3"),
        ("\nbot = 3", ":2: unknown key 'bot': bots are tables [bots.NAME]"),
        ("[bots.a\n", "line 1"),
        ("x = " + "[" * 20000, "cannot be read"),
        ("[bots.a]\nrun = 'x'\n[bots.a]\nrun = 'y'", "cannot be read: Cannot declare"),
        ("[bots.b]\nrun = 'x'\n[bots.a]\nrnu = 'x'", ":4: [bots.a]: unknown key 'rnu' (the keys"),
        ("[bots.a]\n\nrun = 3", ":3: [bots.a]: run must be a text or a list of texts, not 3"),
        ("[bots.a]\nrun = ''", ":2: [bots.a]: run is empty"),
        ("[bots.a]\nrun = []", "run is empty"),
        ("[bots.a]\nrun = ['']", "run is empty"),
        ("[bots.a]\nrun = ['x', 3]", "each word of run must be a text in quotation marks, not 3"),
        ('[bots.a]\nrun = "\'"', "cannot be split into words"),
        ("[bots.a]\nbuild = 'make'", 'build must be a list of commands such as ["make"], not a te'),
        ("[bots.a]\nbuild = [3]", "a command of build must be a text or a list of texts, not 3"),
        ("[bots.a]\nbuild = ['']", "a command of build is empty"),
        ("[bots.a]\ndir = 3", "dir must be a text"),
        ("[bots.a]\ndir = ''", "dir is empty"),
        ("[bots.a]\nenv = ['x']", "env must be a table of texts, not a list"),
        ("[bots.a]\n[bots.a.env]\nX = 3", "[bots.a]: env: X must be a text in quotation"),
        ("[bots.a]\nenv = { ARENA_TOKEN = 'x' }", "names that begin with ARENA_ are reserved"),
        ("[bots.a]\nenv = { 'X=Y' = 'x' }", "'X=Y' cannot be the name of a variable"),
        ('[bots.a]\nenv = { X = "\\u0000" }', "env: X must not contain a zero byte"),
        ("[bots.a]\nversion = 2", "version must be a text in quotation marks, not 2"),
        ("[bots.a]\nbuiltin = true", "builtin must be a text in quotation marks, not true or fal"),
        ("[bots.a]\nconnected = 'yes'", "connected must be true or false, not a text"),
        ("[bots.a]\ngroup = 'x/y'", "group 'x/y' must not contain /"),
        ("[bots.a]\nmemory_mb = '512'", "memory_mb must be a whole number of megabytes, not a t"),
        ("[bots.a]\nmemory_mb = true", "memory_mb must be a whole number of megabytes"),
        ("[bots.a]\nmemory_mb = -1", "memory_mb must be 1 to"),
        ("[bots.a]\nseed = 1.5", "seed must be a text"),
        ("[bots.a]\nstdio = 3", "stdio must be a text or a list of texts, not 3"),
        ("[bots.a]\nrun = 'x'\nstdio = 'y'", ":1: [bots.a]: give exactly one of"),
        ("[bots.a]\nversion = '1'", ":1: [bots.a]: give exactly one of"),
        ("[bots.a]\nrun = 'x'\nconnected = true", ":1: [bots.a]: give exactly one of"),
        ("[bots.a]\nconnected = true\ndir = 'x'", "dir has no effect for a connected bot"),
        ("[bots.a]\nbuiltin = 'planner'\nbuild = []", "build has no effect for a built-in bot"),
        ("[bots.a]\nbuiltin = 'plan'", ":1: [bots.a]: there is no built-in bot 'plan'"),
        ("[bots.'.a']\nrun = 'x'", ":1: [bots..a]: name '.a' must not begin with a dot"),
        ("[bots.'']\nrun = 'x'", "name must have 1 to 64 characters"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """Each mistake names the file, the line where it is plain, the table and the key."""
    file = tmp_path / "bots.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        parse_bot(str(file))
    assert str(caught.value).startswith(str(file))
    assert told in str(caught.value)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A directory, and a file that is not UTF-8."""
    (tmp_path / "a.toml").mkdir()
    (tmp_path / "b.toml").write_bytes(b"\xff")
    for name, told in (("a", "Is a directory"), ("b", "utf-8")):
        with pytest.raises(InputError, match=rf"{name}.toml: cannot be read: .*{told}"):
            parse_bot(str(tmp_path / f"{name}.toml"))


WORDS = "[bots.a] [bots.'b'] run build env dir = 'x' [ ] { } , 3 true \n # [[bots.a]]".split(" ")


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.lists(st.sampled_from(WORDS)).map(" ".join), st.text()))
@example("[[bots.a]]\nrun = 'x'")
@example("bots.a.run = 'x'\nbots.a.b = 3")
def test_nothing_but_input_errors(tmp_path: Path, text: str) -> None:
    """Whatever a file says, it is understood or refused."""
    file = tmp_path / "bots.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        specs = parse_bot(str(file))
    except InputError:
        return
    assert specs
