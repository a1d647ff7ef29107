from __future__ import annotations

from functools import cache

import pytest
from highcard.rules import HighCard

from arena.cli import init
from arena.config.bot_spec import read_specs
from arena.starter.languages import languages
from arena.starter.toolchain import python_command

find_python = cache(python_command)  # it starts one


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The directory that the commands are run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(init, "python_command", find_python)
    return tmp_path


def test_a_project_is_made_and_the_next_commands_told(run, here):
    """All that comes next is printed as it can be typed."""
    finished = run("init", "python", "My Bot", "--game", "schwarzmarkt")

    assert finished.code == 0, finished.err
    lines = [line.strip() for line in finished.out.splitlines()]
    assert lines[:3] == [
        "created My Bot: a bot called my-bot in Python, which plays schwarzmarkt",
        "next:",
        "cd 'My Bot'",
    ]
    assert lines[3].startswith("edit my_bot.py ")
    assert lines[4].split("  ")[0].endswith("arena check")
    assert " -m unittest " in lines[5]
    assert " match schwarzmarkt --bot bots.toml --bot greedy --bot random" in lines[6]
    assert lines[7].startswith("ARENA_ADDRESS=HOST:PORT ARENA_TOKEN=TOKEN ")
    (spec,) = read_specs(here / "My Bot" / "bots.toml")
    assert spec.name == "my-bot"
    assert 'name = "my-bot"' in (here / "My Bot" / "my_bot.py").read_text()


def test_a_project_for_a_game_is_made(run, here):
    """It is named after its directory, and all that comes next is printed."""
    finished = run("init", "game", "Sea Trade")

    assert finished.code == 0, finished.err
    lines = [line.strip() for line in finished.out.splitlines()]
    assert lines[:3] == [
        "created Sea Trade: a game called sea_trade, for now the game High Card",
        "next:",
        "cd 'Sea Trade'",
    ]
    assert " -m pip install --editable '.[test]'" in lines[3]
    assert lines[4].startswith("edit sea_trade/rules.py ")
    assert " -m pytest " in lines[5]
    assert " play sea_trade --bots random,random,random --watch" in lines[6]
    assert " match sea_trade --bot random --bot random --bot random" in lines[7]
    assert (here / "Sea Trade" / "sea_trade" / "rules.py").is_file()


def test_a_bot_may_be_called_otherwise(run, here):
    """--name counts more than the directory."""
    finished = run("init", "python", "here", "--name", "other")

    assert finished.code == 0
    assert read_specs(here / "here" / "bots.toml")[0].name == "other"


def test_the_directory_may_be_the_one_one_is_in(run, here, monkeypatch):
    """A dot is named after the directory it means."""
    (here / "mine").mkdir()
    monkeypatch.chdir(here / "mine")
    finished = run("init", "python", ".")

    assert finished.code == 0
    assert read_specs(here / "mine" / "bots.toml")[0].name == "mine"


def test_what_the_machine_lacks_is_told_in_one_line(run, here, monkeypatch):
    """The project is made all the same."""
    monkeypatch.setenv("PATH", str(here))
    finished = run("init", "rust", "mine")

    assert finished.code == 0
    assert "before it can play: cargo is missing: install Rust" in finished.out.splitlines()[1]
    assert (here / "mine" / "bots.toml").is_file()


@pytest.mark.parametrize("arguments", [[], ["--list"]])
def test_the_languages_are_listed(run, monkeypatch, here, arguments):
    """Each with whether the machine has it, and what it needs."""
    monkeypatch.setenv("PATH", str(here))
    finished = run("init", *arguments)
    rows = {line.split()[0]: line.split(maxsplit=2)[1:] for line in finished.out.splitlines()}

    assert finished.code == 0
    assert list(rows) == [language.name for language in languages()]
    assert rows["python"] == ["here", "only arena"]
    assert rows["go"][0] == "missing"
    assert rows["go"][1].startswith("Go 1.")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["python"], "name the directory to create: arena init python DIR"),
        (["pithon", "mine"], "did you mean python?"),
        (["python", "mine", "--game", "chess"], "unknown game 'chess'"),
        (["python", "mine", "--game", HighCard.name], "there is no template for "),
        (["python", "mine", "--name", "My Bot"], "the bot cannot be called 'My Bot'"),
        (["python", "mine", "--name", ""], "the bot cannot be called ''"),
        (["python", "full"], "full: is not empty (something)"),
        (["python", "full/something"], "full/something: a file of that name exists"),
        (["python", "full/something/mine"], "a file of that name exists"),
        (["python", "/proc/mine"], "/proc/mine: cannot be written: "),
        (["python", "x\0y"], "DIR must not contain a zero byte"),
        (["python", "mine", "more"], "unrecognized arguments"),
        (["game"], "name the directory to create: arena init game DIR"),
        (["game", "mine", "--game", "byzanz"], "--game is for bots"),
        (["game", "mine", "--name", "my-game"], "the game cannot be called 'my-game'"),
        (["game", "mine", "--name", ""], "the game cannot be called ''"),
        (["game", "mine", "--name", "byzanz"], "there is one of that name"),
        (["game", "json"], "the game cannot be called 'json': Python has that name"),
        (["game", "full"], "full: is not empty (something)"),
        (["game", "full/something/mine"], "a file of that name exists"),
        (["game", "/proc/mine"], "/proc/mine: cannot be written: "),
    ],
)
@pytest.mark.usefixtures("high_card")
def test_bad_usage_is_told_and_nothing_made(run, here, arguments, complaint):
    """What was typed wrong is named on stderr, with exit code 2."""
    (here / "full").mkdir()
    (here / "full" / "something").touch()
    finished = run("init", *arguments)

    assert finished.code == 2
    assert complaint in finished.err
    assert not finished.out
    assert [path.name for path in here.iterdir()] == ["full"]
