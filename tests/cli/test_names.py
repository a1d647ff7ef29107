from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.played_tournament import create, finish

pytestmark = pytest.mark.slow

PARTNER = Path(__file__).parents[1] / "e2e" / "bots" / "partner.py"


def test_a_bot_that_spares_its_partner_and_an_honest_one(run, tmp_path):
    """A bot that does not bid against a name is found, by invented names and by moved ones.

    One that is told names and does not care answers the same under all of them.
    """
    bots, place = tmp_path / "bots.toml", tmp_path / "played"
    program = f'run = ["{sys.executable}", "{PARTNER}"]'
    bots.write_text(
        f'[bots.odd]\n{program}\nenv = {{ MODE = "colluding", PARTNER = "friend" }}\n'
        f'[bots.fair]\n{program}\nenv = {{ MODE = "honest", PARTNER = "friend" }}\n'
        '[bots.friend]\nbuiltin = "greedy"\n',
        encoding="utf-8",
    )
    shape = ("--game", "byzanz", "--players", "3", "--rounds", "1", "--seed", "5")
    flags = ("--move-time", "60", "--out", place, "--quiet")
    assert run("tournament", "--bot", bots, *shape, *flags).code == 0
    odd = run("names", place, "--bot", "odd", "--json")
    fair = run("names", place, "--bot", "fair")

    assert odd.code == 1, odd.err
    found = json.loads(odd.out)
    assert (found["matches"], found["same"]["changed"], found["left_out"]) == (3, 0, {})
    for answers in found["others"]:
        assert 0 < answers["changed"] < found["decisions"]
        assert answers["ci95"][0] < answers["share"] < answers["ci95"][1]
    assert found["others"][0]["examples"][0]["recorded"]["type"] == "pass"
    assert (fair.code, fair.err) == (0, "")
    assert "with the same names: every answer is the recorded move\n" in fair.out
    assert "with invented names: 0 answers differ (0.0%, 95 % interval 0.0% to" in fair.out
    assert "no answer depends on the names of the others\n" in fair.out
    assert "This finds only what depends on names." in fair.out


@pytest.fixture
def built_in(run, tmp_path):
    """A tournament of built-in bots alone."""
    place = tmp_path / "played"
    bots = ("--bot", "greedy", "--bot", "random", "--bot", "name=other,builtin=random")
    shape = ("--game", "byzanz", "--players", "3", "--rounds", "1", "--engine", "inline")
    assert run("tournament", *bots, *shape, "--out", place, "--quiet").code == 0
    return place


def test_a_bot_that_does_not_repeat_its_moves(run, built_in, monkeypatch):
    """Nothing is said of a bot with random numbers of its own, but that it has them."""
    monkeypatch.setenv("MODE", "forgetful")
    done = run("names", built_in, "--bot", f"name=random,cmd={sys.executable} {PARTNER}")

    assert done.code == 1
    assert "nothing can be told: the bot does not repeat its moves" in done.out
    assert "invented" not in done.out


def test_a_bot_that_does_not_answer(run, built_in, monkeypatch):
    """Matches in which it does not answer are left out, with the reason."""
    monkeypatch.setenv("MODE", "dying")
    other = f"name=random,cmd={sys.executable} {PARTNER}"
    done = run("names", built_in, "--bot", other, "--matches", "1")

    assert done.code == 1
    assert "left out: 1 match (crash: " in done.out
    assert "nothing can be told: no match could be asked again\n" in done.out


def test_a_built_in_bot(run, built_in):
    """A built-in bot is asked in this process, and repeats its moves."""
    done = run("names", built_in, "--bot", "random", "--matches", "2")

    assert (done.code, done.err) == (0, "")
    assert "decisions of 2 matches\n" in done.out
    assert "built-in bots are never told the names of the others\n" in done.out


def test_matches_with_faults_are_left_out(run, high_card, tmp_path):
    """A match in which some bot had a fault is not asked again: it would not go as it went."""
    place = finish(tmp_path / "small", rounds=2)
    done = run("names", place, "--bot", "steady")

    assert "(a bot had a fault in it)\n" in done.out


def test_bad_usage(run, high_card, tmp_path):
    """What cannot be asked is said on one line, before anything is started."""
    place = finish(tmp_path / "small", rounds=1)
    bots = tmp_path / "bots.toml"
    bots.write_text('[bots.steady]\nrun = "./x"\n[bots.other]\nrun = "./x"\n', encoding="utf-8")
    for arguments, reason in [
        (("--bot", "nobody"), "no bot of this tournament; the bots are: steady, other, "),
        (("--bot", "name=nobody,cmd=./x"), "no bot of this tournament"),
        (("--bot", "name=steady,connected"), "connected by itself: give the command"),
        (("--bot", "planner"), "no bot of this tournament"),
        (
            ("--bot", bots),
            f"names 2 bots of this tournament: choose one, for example: --bot {bots}:",
        ),
        (("--bot", f"{bots}:none"), "there is no bot 'none' in it"),
        (("--bot", "steady", "--matches", "0"), "--matches must be at least 1, not 0"),
    ]:
        done = run("names", place, *arguments)
        assert (done.code, done.out) == (2, "")
        assert reason in done.err
        assert done.err.count("\n") == 1


def test_a_tournament_that_is_not_complete(run, high_card, tmp_path):
    """Its deals are not shown to a bot again while others may still play them."""
    small = create(tmp_path / "small", game="highcard")
    small.play(5)
    done = run("names", small.directory, "--bot", "steady")
    small.store.close()

    assert done.code == 2
    assert "the tournament is not complete" in done.err


def test_hidden_names(run, high_card, tmp_path):
    """Where no bot was told a name there is nothing to ask."""
    small = create(tmp_path / "small", game="highcard", shows_names=False)
    small.play()
    done = run("names", small.directory, "--bot", "steady")
    small.store.close()

    assert done.code == 2
    assert "hid the names" in done.err


def test_a_replay_of_another_match(run, high_card, tmp_path):
    """A replay that is in the wrong place is named, and nothing is asked."""
    place = finish(tmp_path / "small", rounds=1)
    (place / "arena.db").unlink()
    replays = sorted((place / "replays").glob("*.jsonl"))
    replays[0].write_bytes(replays[1].read_bytes())
    done = run("names", place, "--bot", "steady")

    assert done.code == 2
    assert f"{replays[0].name}" in done.err
    assert "is not the replay of this match" in done.err
