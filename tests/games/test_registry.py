"""Games that installed packages bring: a real distribution with an entry point, made here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from highcard.rules import HighCard

from arena.cli import main
from arena.errors import UnknownGameError
from arena.games import registry
from arena.games.byzanz import Byzanz
from arena.games.registry import BUILT_IN, game_names, get_game
from arena.testing import check_game
from tests.plug_ins import put_on_path

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that puts a distribution on the path, with one entry point."""
    registry.get_game.cache_clear()

    def put(name: str, target: str, **modules: str) -> None:
        put_on_path(tmp_path / name, monkeypatch, "arena.games", f"{name} = {target}", **modules)

    yield put
    registry.get_game.cache_clear()


@pytest.fixture
def high_card_plug_in(install: Install) -> None:
    install("highcard", "highcard_game:HighCard", highcard_game=HIGH_CARD)


HIGH_CARD = "from highcard.rules import HighCard as HighCard\n"


class TestBuiltInGames:
    def test_their_names(self):
        """The built-in games are there without anything installed."""
        assert set(game_names()) >= {"byzanz", "schwarzmarkt"}
        assert list(game_names()) == sorted(game_names())

    @pytest.mark.parametrize("name", BUILT_IN)
    def test_they_are_what_they_are_called(self, name):
        """A game has the name it is registered under, a title, sizes and its default options."""
        game = get_game(name)

        assert game.name == name
        assert game.title
        assert list(game.table_sizes) == sorted(set(game.table_sizes))
        assert dict(game.options) == {}

    def test_a_game_is_made_once(self):
        """A game is immutable and shared."""
        assert get_game("byzanz") is get_game("byzanz")

    @pytest.mark.parametrize(
        "name", ["", "chess", "Byzanz", "byzanz ", "arena.games.byzanz", "\x1b"]
    )
    def test_an_unknown_game(self, name):
        """The complaint lists the games there are."""
        with pytest.raises(UnknownGameError, match="there are: byzanz, schwarzmarkt") as caught:
            get_game(name)
        assert str(caught.value).isprintable()


@pytest.mark.usefixtures("high_card_plug_in")
class TestPlugIns:
    def test_it_is_found(self):
        """An installed game stands beside the built-in ones."""
        assert game_names() == ("byzanz", "highcard", "schwarzmarkt")
        assert isinstance(get_game("highcard"), HighCard)

    def test_it_is_listed(self, capsys):
        """`arena games` lists it."""
        assert main(["games"]) == 0
        assert "highcard: High Card, 3 to 4 players\n" in capsys.readouterr().out
        assert main(["games", "--json"]) == 0
        listed = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
        assert listed["highcard"]["players"] == [3, 4]

    def test_it_can_be_played_watched_and_verified(self, tmp_path, capsys):
        """The random bot plays it, and its replay can be told and verified."""
        file = str(tmp_path / "match.jsonl")

        assert main(["play", "highcard", "--bots", "random,random,random", "--replay", file]) == 0
        assert main(["replay", file]) == 0
        assert ": trick won." in capsys.readouterr().out
        assert main(["verify", file]) == 0
        assert f"{file}: ok, highcard, " in capsys.readouterr().out

    def test_other_bots_do_not_know_it(self, capsys):
        """A bot made for another game is refused."""
        assert main(["play", "highcard", "--bots", "greedy,random,random"]) == 2
        assert "unknown bot 'greedy' for highcard (there are: random)" in capsys.readouterr().err

    def test_it_keeps_the_contract(self):
        """The kit checks an installed game like any other."""
        check_game(get_game("highcard"), matches=1)


BROKEN = {
    "no module": ("nowhere:Game", ""),
    "no class": ("broken_game:Missing", ""),
    "an error in its module": ("broken_game:Game", "1 / 0"),
    "a syntax error": ("broken_game:Game", "class"),
    "a class that takes arguments": (
        "broken_game:Game",
        "class Game:\n    def __init__(self, x): pass",
    ),
    "an error of two lines": ("broken_game:Game", "raise RuntimeError('one\\ntwo\\x1b')"),
    "not a game": ("broken_game:Game", "class Game:\n    name = 'broken'"),
    "another name": ("broken_game:Game", "from highcard.rules import HighCard as Game"),
    "an abstract game": ("broken_game:Game", "from arena.games.game import Game"),
}


@pytest.mark.parametrize(("target", "source"), BROKEN.values(), ids=BROKEN)
class TestBrokenPlugIns:
    def test_the_complaint_names_it(self, install, capsys, target, source):
        """Whatever is wrong with it, the complaint is one line that names game and package."""
        install("broken", target, broken_game=source)

        with pytest.raises(UnknownGameError) as caught:
            get_game("broken")
        assert "'broken'" in str(caught.value)
        assert target in str(caught.value)
        assert main(["play", "broken", "--bots", "random,random,random"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert captured.err.rstrip("\n").isprintable()

    def test_the_other_games_can_be_played(self, install, capsys, target, source):
        """A package that is broken breaks nothing else."""
        install("broken", target, broken_game=source)

        assert main(["play", "byzanz", "--bots", "random,random,random", "--quiet"]) == 0


class TestNames:
    def test_a_built_in_game_cannot_be_replaced(self, install):
        """An entry point with the name of a built-in game is passed over."""
        install("byzanz", "highcard_game:HighCard", highcard_game=HIGH_CARD)

        assert game_names() == ("byzanz", "schwarzmarkt")
        assert isinstance(get_game("byzanz"), Byzanz)

    def test_the_registry_forgets_what_was_uninstalled(self):
        """Without the distribution the game is unknown."""
        with pytest.raises(UnknownGameError):
            get_game("highcard")


def test_two_packages_that_bring_the_same_game(monkeypatch):
    """Neither wins silently: the complaint names both."""
    points = [
        EntryPoint("twins", value, registry.ENTRY_POINT_GROUP) for value in ("one:Game", "two:Game")
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: points)

    with pytest.raises(UnknownGameError, match=r"several packages .* one:Game and two:Game"):
        registry.get_game("twins")


def test_table_sizes_with_a_gap_are_listed():
    """A game for 2 or 4 players does not claim to be for 3."""

    class Gappy(HighCard):
        table_sizes = (2, 4)

    assert Gappy().describe_tables() == "2, 4 players"
