from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.results.export import export_results
from tests.played_tournament import create, finish, publish

pytestmark = pytest.mark.slow

REFERENCE = Path(__file__).parents[2] / "results/reference-byzanz-4p"


@pytest.fixture
def small(high_card, tmp_path):
    """A tournament of which nothing has been played yet."""
    tournament = create(tmp_path / "small", game="highcard")
    yield tournament
    tournament.store.close()


@pytest.fixture
def results(high_card, tmp_path):
    """The results of a finished tournament."""
    directory = finish(tmp_path / "small", rounds=2)
    (directory / "logs").mkdir()
    (directory / "logs" / "frail.stderr").write_bytes(
        b"first\n" * 50 + b"\x1b[31mboom\x07\nlast words\n"
    )
    return directory


def test_the_tournament(run, results):
    """Leaderboard, how far it is, faults with their reasons, the seed and the page are shown."""
    done = run("show", results)

    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "small: highcard, 4 bots, 3 at a table, 24 matches on 2 deals"
    assert lines[1].startswith("rank  bot ")
    assert "24 of 24 matches played, complete" in lines
    assert any(line.startswith("faults of clumsy: ") for line in lines)
    assert any(line.endswith(" × crash: exit code 1: \\x1b[31mno <b>more</b>") for line in lines)
    assert lines[-2:] == ["seed: 7", f"page: {results / 'leaderboard.html'}"]
    assert "\x1b" not in done.out


def test_half_a_tournament(run, small):
    """Before the end the standings so far are shown, exported or not, and no seed."""
    small.park("2-2")
    small.play(15)
    done = run("show", small.directory)

    assert (done.code, done.err) == (0, "")
    assert "15 of 24 matches played, not complete" in done.out
    assert "parked: 2-2\n" in done.out
    assert "seed: published when the tournament is complete\n" in done.out
    assert "page:" not in done.out
    export_results(small.store, small.directory)
    small.play(3)
    assert "18 of 24 matches played, not complete" in run("show", small.directory).out


def test_wide_names(run, high_card, tmp_path):
    """Columns stay in line behind names that take more room than they have characters."""
    results = finish(tmp_path / "wide", bots=("名前", "latin", "third"))
    lines = run("show", results, "--bot", "third").out.splitlines()

    against = lines[lines.index("against") + 1 :][:2]
    assert sorted(line[: line.index("%") - 3] for line in against) == ["  latin  ", "  名前   "]


def test_a_running_tournament(run, small):
    """That somebody plays right now is said."""
    small.play(3)
    small.store.claim("somebody", 1)

    assert "3 of 24 matches played, running" in run("show", small.directory).out


def test_published(run, results):
    """Without a database the same is shown."""
    with_database = run("show", results), run("show", results, "--bot", "frail")
    publish(results)

    assert (run("show", results), run("show", results, "--bot", "frail")) == with_database


def test_json(run, results):
    """With --json it is the leaderboard with what else is known."""
    done = run("show", results, "--json")
    value = json.loads(done.out)

    assert (done.code, done.err) == (0, "")
    assert value["bots"] == json.loads((results / "leaderboard.json").read_text())["bots"]
    assert (value["complete"], value["results"]) == (True, 24)
    assert value["page"] == str(results / "leaderboard.html")


class TestBot:
    def test_everything_about_it(self, run, results):
        """Standing, faults, last words, deals, the others and its matches are shown."""
        done = run("show", results, "--bot", "frail")

        assert (done.code, done.err) == (0, "")
        out = done.out
        assert out.startswith("frail version 1.0: rank ")
        assert "× crash: exit code 1: \\x1b[31mno <b>more</b>" in out
        assert "last words" in out
        assert "\\x1b[31mboom\\x07" in out
        assert "\x1b" not in out
        assert out.index("best deals") < out.index("worst deals") < out.index("\nagainst\n")
        assert "forfeit:crash, faults: crash" in out
        assert out.count("[frail]") == 18

    def test_the_last_matches(self, run, results):
        """--matches limits the list to the last ones."""
        done = run("show", results, "--bot", "frail", "--matches", 2)
        assert done.out.count("[frail]") == 2
        assert "16 earlier matches are not listed (--matches 18)" in done.out
        assert "[frail]" not in run("show", results, "--bot", "frail", "--matches", 0).out

    def test_numbers(self, run, results):
        """What is said is what the matches say."""
        value = json.loads(run("show", results, "--bot", "clumsy", "--json").out)
        lines = [json.loads(line) for line in (results / "matches.jsonl").read_text().splitlines()]
        mine = [line for line in lines if {"bot": "clumsy", "version": "1.0"} in line["seating"]]
        ranks: dict[int, list[int]] = {}
        above = {"steady": 0}
        for line in mine:
            bots = [seat["bot"] for seat in line["seating"]]
            rank = line["ranks"][bots.index("clumsy")]
            ranks.setdefault(line["deal"], []).append(rank)
            if "steady" in bots:
                above["steady"] += rank < line["ranks"][bots.index("steady")]

        assert value["standing"]["name"] == "clumsy"
        assert value["played"] == len(mine) == len(value["matches"]) == 18
        for deal in value["deals"]:
            found = ranks[deal["deal"]]
            assert deal["mean_rank"] == pytest.approx(sum(found) / len(found), abs=1e-4)
        assert [deal["mean_rank"] for deal in value["deals"]] == sorted(
            deal["mean_rank"] for deal in value["deals"]
        )
        steady = next(other for other in value["others"] if other["name"] == "steady")
        assert steady["above"] == above["steady"]
        assert sum(fault["count"] for fault in value["faults"]) == sum(
            value["standing"]["faults"].values()
        )

    def test_before_its_first_match(self, run, small):
        """A bot that has not played has a standing, and nothing else."""
        done = run("show", small.directory, "--bot", "frail")

        assert (done.code, done.err) == (0, "")
        assert "0 matches, 0 won" in done.out
        assert "deals" not in done.out

    def test_an_unknown_name(self, run, results):
        """The error lists the names there are."""
        done = run("show", results, "--bot", "nobody\x1b")

        assert (done.code, done.out) == (2, "")
        assert done.err == (
            "arena: no bot 'nobody\\x1b' in this tournament; "
            "the bots are: steady, other, clumsy, frail\n"
        )

    def test_a_negative_number(self, run, results):
        """Fewer than no matches cannot be listed."""
        done = run("show", results, "--bot", "frail", "--matches", "-1")
        assert (done.code, done.out) == (2, "")


def test_no_results(run, tmp_path):
    """A directory of something else is bad input."""
    done = run("show", tmp_path / "nowhere")

    assert (done.code, done.out) == (2, "")
    assert "not a results directory" in done.err


def test_the_field(run):
    """The hardest mix, and mean ranks with and without each bot are shown, and what they mean."""
    done = run("show", REFERENCE, "--field")

    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "the hardest mix of opponents"
    assert lines[1].split() == ["bot", "in", "the", "mix", "share", "above", "mean", "rank"]
    assert sorted(line.split()[0] for line in lines[3:7]) == [
        "greedy",
        "greedy-twin",
        "planner",
        "random",
    ]
    assert "leads that depend on who else plays" in lines
    value = json.loads(run("show", REFERENCE, "--field", "--json").out)
    assert value["reason"] == ""
    assert sum(bot["weight"] for bot in value["mix"]) == pytest.approx(1, abs=0.001)
    assert {split["bot"] for split in value["company"]} == set(value["mean_ranks"])
    assert set(value["company"][0]["present"]) == set(value["mean_ranks"]) - {
        value["company"][0]["bot"]
    }


def test_the_field_before_the_first_match(run, small):
    """Without matches the reason is said instead."""
    none = run("show", small.directory, "--field")
    assert (none.code, none.err) == (0, "")
    assert "left out: it takes two bots that have played" in none.out
    assert "no match that counts has been played" in none.out


def test_a_field_with_few_deals(run, results, monkeypatch):
    """What cannot be known is left out with the reason; in a narrow terminal, tables are split."""
    monkeypatch.setenv("COLUMNS", "44")
    lines = run("show", results, "--field").out.splitlines()

    assert lines[1] == "left out: too few deals to tell: clumsy and"
    assert any(line.startswith("too few deals to tell: it takes 10") for line in lines)
    tables = [line for line in lines if line.startswith("bot ")]
    assert len(tables) > 1
    assert max(map(len, lines)) <= 44


def test_one_view_at_a_time(run, results):
    """--bot, --versus and --field exclude each other."""
    done = run("show", results, "--field", "--bot", "frail")

    assert done.code == 2
    assert "give only one of --bot, --versus and --field" in done.err
