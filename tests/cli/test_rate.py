from __future__ import annotations

import json

import pytest

from arena.results.export import EXPORTS
from tests.played_tournament import files_in, finish, publish

pytestmark = pytest.mark.slow


@pytest.fixture
def results(high_card, tmp_path):
    """The results of a finished tournament."""
    return finish(tmp_path / "small", replays=4)


def files(directory) -> dict[str, bytes]:
    found = files_in(directory)
    return {name: found[name] for name in found if not name.startswith("arena.db")}


def test_everything_is_written_again(run, results):
    """What was lost or spoilt comes back as it was, from the database."""
    before = files(results)
    for name in EXPORTS:
        (results / name).unlink(missing_ok=True)  # nobody has signed them
    (results / "replays" / "1-1.jsonl").write_text("{}\n")
    done = run("rate", results)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("small: highcard, 4 bots, 3 at a table, 12 matches on 1 deal\n")
    assert done.out.endswith(f"exports written to {results}\n")
    assert files(results) == before
    assert run("verify", results).code == 0


def test_a_published_directory(run, results):
    """Without a database the leaderboards are made again from matches.jsonl."""
    before = files(publish(results))
    sources = {"leaderboard.json", "matches.jsonl", "timing.json", "chain.jsonl", "manifest.sig"}
    for name in {*EXPORTS} - sources:
        (results / name).write_text("spoilt")
    done = run("rate", results, "--quiet")

    assert done == (0, "", "")
    assert files(results) == before


def test_json(run, results):
    """With --json the leaderboard is printed as it is written."""
    done = run("rate", results, "--json")

    assert (done.code, done.err) == (0, "")
    assert done.out == (results / "leaderboard.json").read_text()


@pytest.mark.parametrize("model", ["openskill", "plackett-luce", "score"])
def test_another_model(run, results, model):
    """Another model's leaderboard is written beside that of the usual one, which stays."""
    before = files(results)
    done = run("rate", results, "--model", model)
    after = files(results)
    board = json.loads(after.pop(f"leaderboard.{model}.json"))

    assert (done.code, done.err) == (0, "")
    assert f"Ratings: {model}" in done.out
    assert board["model"] == model
    assert after == before
    assert run("verify", results).code == 0


class TestReplays:
    def test_as_many_as_there_are(self, run, results):
        """Unless told otherwise no replays are added."""
        run("rate", results)
        assert len(list((results / "replays").iterdir())) == 4

    @pytest.mark.parametrize(("asked", "there"), [("all", 12), ("7", 7), ("none", 4)])
    def test_as_many_as_asked_for(self, run, results, asked, there):
        """More are written if asked for; none is removed."""
        assert run("rate", results, "--replays", asked).code == 0
        assert len(list((results / "replays").iterdir())) == there

    @pytest.mark.parametrize("asked", ["-1", "some", "1.5", "²"])
    def test_nonsense(self, run, results, asked):
        """Anything else is refused."""
        done = run("rate", results, f"--replays={asked}")
        assert (done.code, done.out) == (2, "")
        assert "must be all, none or a number" in done.err


def test_the_progress(run, results, monkeypatch):
    """On a terminal a line on stderr shows how far it is, and is gone afterwards."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("arena.cli.meter._EVERY_S", -1.0)
    done = run("rate", results)

    assert "rating [##############################] 12/12" in done.err
    assert done.err.endswith("\r")
    assert "\r" not in done.out


def test_no_results(run, tmp_path):
    """A directory of something else is bad input."""
    done = run("rate", tmp_path)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"arena: {tmp_path}: not a results directory")


def test_no_such_database(run, results, tmp_path):
    """A database that is not there is bad input, and none is made."""
    done = run("rate", results, "--db", tmp_path / "nowhere.db")

    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert not (tmp_path / "nowhere.db").exists()
