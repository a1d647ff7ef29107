from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import InputError
from arena.starter.naming import check_game_name, check_name, name_after


@pytest.mark.parametrize(
    ("directory", "name"),
    [
        ("mine", "mine"),
        ("My_Bot 2", "my-bot-2"),
        ("--Größe--", "groe"),
        ("2048", "bot-2048"),
        ("a" * 63 + "-b", "a" * 63),
    ],
)
def test_a_bot_is_named_after_its_directory(directory, name):
    """What is no small letter or digit becomes a hyphen; a letter comes first."""
    assert name_after(Path("/somewhere") / directory) == name
    assert check_name(name) == name


@pytest.mark.parametrize("directory", ["/", "/tmp/日本", "/tmp/..."])
def test_a_directory_that_gives_no_name_asks_for_one(directory):
    """Where nothing is left of the directory's name, the flag is named."""
    with pytest.raises(InputError, match="--name"):
        name_after(Path(directory))


@pytest.mark.parametrize(
    "name", ["", "Mine", "my bot", "-a", "a-", "a--b", "7up", "a/b", "é", "a\n", "a" * 65]
)
def test_a_name_that_some_build_tool_refuses_is_refused(name):
    """The text says what may be in a name."""
    with pytest.raises(InputError, match="lower-case letters, digits and single hyphens"):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        *(
            (name, "lower-case letters, digits and single underscores")
            for name in ("", "Mine", "a-b")
        ),
        *(
            (name, "lower-case letters, digits and single underscores")
            for name in ("_a", "a__b", "7up")
        ),
        ("a" * 65, "at most 64 characters"),
        ("byzanz", "there is one of that name"),
        ("json", "Python has that name already"),
        ("sys", "Python has that name already"),
        ("numpy", "Python has that name already"),
        ("arena", "Python has that name already"),
        ("class", "Python has that name already"),
    ],
)
def test_a_name_that_a_game_cannot_have(name, complaint):
    """It is the name of a Python package, too, and there is no other of it."""
    with pytest.raises(InputError, match=complaint):
        check_game_name(name)


def test_a_game_is_named_after_its_directory():
    """Where a bot would have hyphens there are underscores."""
    assert name_after(Path("/somewhere/2 Sea-Trade"), "game") == "game-2-sea-trade"
    assert check_game_name("game_2_sea_trade") == "game_2_sea_trade"
