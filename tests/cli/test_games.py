from __future__ import annotations

import json

import pytest


def test_the_games_are_listed(run):
    """Each game is listed with its title, table sizes and options."""
    done = run("games")

    assert done.code == 0
    assert done.err == ""
    assert "byzanz: Byzanz, 3 to 6 players\n" in done.out
    assert "schwarzmarkt: Schwarzmarkt, 3 to 5 players\n" in done.out
    assert "--option deck=VALUE" in done.out
    assert "--option cards=FILE" in done.out


def test_the_games_as_json(run):
    """The same as JSON, for programs."""
    done = run("games", "--json")
    games = {game["name"]: game for game in json.loads(done.out)}

    assert done.code == 0
    assert list(games) == ["byzanz", "schwarzmarkt"]
    assert games["byzanz"] == {
        "name": "byzanz",
        "title": "Byzanz",
        "players": [3, 4, 5, 6],
        "options": [],
    }
    assert [option["name"] for option in games["schwarzmarkt"]["options"]] == ["deck", "cards"]
    assert set(games["schwarzmarkt"]["options"][0]) == {"name", "summary", "default"}


CARD_FILES = {
    "missing": (None, ": cannot be read: No such file or directory"),
    "no TOML": (b"track = [\n", ":2: not valid TOML: Invalid value"),
    "no text": (b'title = "\xff"\n', ":1: not UTF-8 text"),
    "no cards": (b"title = 1\n", ":1: lacks 'track'"),
    "empty": (b"", ":1: lacks 'track'"),
}


@pytest.mark.parametrize("command", ["match", "tournament", "check", "play"])
@pytest.mark.parametrize("kind", [*CARD_FILES, "a directory"])
def test_a_bad_card_file_is_named(run, tmp_path, command, kind):
    """Whoever reads it says which file and what is wrong there, and writes nothing."""
    path = tmp_path / "cards.toml"
    content, told = CARD_FILES.get(kind, (None, ": cannot be read: Is a directory"))
    if kind == "a directory":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    bots = ["--bot", "random"] * 3
    flags = {
        "match": ["schwarzmarkt", *bots],
        "tournament": ["--game", "schwarzmarkt", "--players", 3, *bots, "--out", tmp_path / "out"],
        "check": ["--game", "schwarzmarkt", "random"],
        "play": ["schwarzmarkt"],
    }
    done = run(command, *flags[command], "--option", f"cards={path}")
    assert (done.code, done.out, done.err) == (2, "", f"arena: {path}{told}\n")
    assert not (tmp_path / "out").exists()
