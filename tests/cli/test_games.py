from __future__ import annotations

import json


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
