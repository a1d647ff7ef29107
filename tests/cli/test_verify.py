from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.played_tournament import create, finish, publish
from tests.recorded import SHORT

pytestmark = pytest.mark.slow


@pytest.fixture
def wrong(replays: dict[str, Path], tmp_path: Path) -> Path:
    """A replay whose line 5 is wrong."""
    lines = replays["byzanz"].read_text().splitlines(keepends=True)
    file = tmp_path / "wrong.jsonl"
    file.write_text("".join([*lines[:4], lines[4].replace('"seat":', '"seat":1'), *lines[5:]]))
    return file


def test_a_sound_replay(run, replays):
    """A replay that agrees with the rules and its seed is ok."""
    for name, file in replays.items():
        moves = file.read_text().count('"type":"move"')
        done = run("verify", file)
        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"{file}: ok, {name}, {moves} moves, set-up and chance derived from the seed\n"
        )


def test_a_constructed_deal(run, replays):
    """Without a seed there is nothing to derive, and verify says so."""
    lines = replays["schwarzmarkt"].read_text().splitlines(keepends=True)
    head = json.loads(lines[0]) | {"seed": None}
    replays["schwarzmarkt"].write_text("".join([json.dumps(head) + "\n", *lines[1:]]))
    done = run("verify", replays["schwarzmarkt"])

    assert done.code == 0
    assert "no seed, so only the rules were checked" in done.out


def test_a_wrong_replay(run, wrong):
    """The file, the line and the reason are named, and the exit code is 1."""
    done = run("verify", wrong)

    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(f"{wrong}:5: seat ")
    assert done.out.count("\n") == 1


def test_several_files(run, replays, wrong):
    """Every file is checked, whatever is wrong with those before."""
    done = run("verify", wrong, *replays.values())

    assert done.code == 1
    assert [line.split(": ")[1][:3] for line in done.out.splitlines()] == ["sea", "ok,", "ok,"]


def test_a_directory(run, replays, wrong, tmp_path):
    """A directory stands for all *.jsonl files below it, in order."""
    deeper = tmp_path / "deeper" / "still"
    deeper.mkdir(parents=True)
    replays["byzanz"].rename(deeper / "byzanz.jsonl")
    (tmp_path / "notes.txt").write_text("not a replay")
    done = run("verify", tmp_path)

    assert done.code == 1
    assert [line.split(":")[0] for line in done.out.splitlines()] == [
        str(deeper / "byzanz.jsonl"),
        str(replays["schwarzmarkt"]),
        str(wrong),
    ]


def test_quiet(run, replays, wrong):
    """With --quiet only what is wrong is printed."""
    assert run("verify", "--quiet", *replays.values()) == (0, "", "")
    done = run("verify", "--quiet", *replays.values(), wrong)
    assert done.code == 1
    assert done.out.startswith(f"{wrong}:5: ")
    assert done.out.count("\n") == 1


def test_json(run, replays, wrong):
    """With --json there is an object a file."""
    done = run("verify", "--json", replays["byzanz"], wrong)
    sound, other = map(json.loads, done.out.splitlines())

    assert done.code == 1
    assert sound == {
        "file": str(replays["byzanz"]),
        "ok": True,
        "game": "byzanz",
        "match": f"m{SHORT['byzanz']}",
        "moves": replays["byzanz"].read_text().count('"type":"move"'),
        "derived": True,
    }
    assert list(other) == ["file", "ok", "line", "problem"]
    assert (other["ok"], other["line"]) == (False, 5)


class TestExitCodes:
    def test_a_missing_file(self, run, tmp_path):
        """A file that cannot be opened is bad input."""
        done = run("verify", tmp_path / "nowhere.jsonl")

        assert (done.code, done.out) == (2, "")
        assert done.err == (
            f"arena: {tmp_path / 'nowhere.jsonl'}: cannot be read: No such file or directory\n"
        )

    @pytest.mark.parametrize("first", [True, False])
    def test_a_missing_file_among_wrong_ones(self, run, wrong, tmp_path, first):
        """Bad input outweighs a wrong replay, wherever it stands; the others are still checked."""
        files = [tmp_path / "nowhere", wrong] if first else [wrong, tmp_path / "nowhere"]
        done = run("verify", *files)

        assert done.code == 2
        assert done.out.startswith(f"{wrong}:5: ")
        assert done.err.count("\n") == 1

    def test_a_directory_without_replays(self, run, tmp_path, replays):
        """A directory in which there is nothing to verify is bad input."""
        empty = tmp_path / "empty"
        empty.mkdir()
        done = run("verify", empty)

        assert (done.code, done.out) == (2, "")
        assert done.err == f"arena: {empty}: no *.jsonl replay in this directory\n"

    def test_an_empty_directory_among_files(self, run, tmp_path, replays):
        """The other files are still checked."""
        empty = tmp_path / "empty"
        empty.mkdir()
        done = run("verify", empty, *replays.values())

        assert done.code == 2
        assert done.out.count(": ok, ") == 2

    @pytest.mark.parametrize("content", [b"", b"\x00" * 50, b"\xff\xfe\x00", b"text\n"])
    def test_a_file_of_another_kind(self, run, tmp_path, content):
        """A file that is no replay is a wrong replay."""
        file = tmp_path / "x.jsonl"
        file.write_bytes(content)
        done = run("verify", file)

        assert (done.code, done.err) == (1, "")
        assert done.out.startswith(f"{file}:1: ")

    def test_no_file(self, run):
        """Without a file there is nothing to do."""
        assert run("verify").code == 2


class TestResults:
    @pytest.fixture
    def results(self, high_card, tmp_path):
        """The results of a finished tournament."""
        return finish(tmp_path / "small", replays=4)

    def test_sound_results(self, run, results):
        """What was checked, and from where the replays came, is said."""
        done = run("verify", results)

        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"{results}: ok, 12 of 12 matches, complete\n"
            "  replayed: 4 from files, 8 from the database\n"
        )
        assert run("verify", "--quiet", results) == (0, "", "")

    @pytest.mark.parametrize("number", [0, -1, 257])
    def test_a_number_at_once_that_makes_no_sense(self, run, results, number):
        """At least one replay is checked at once, and not thousands."""
        done = run("verify", results, "-j", number)

        assert (done.code, done.out) == (2, "")
        assert done.err == f"arena: --concurrency must be 1 to 256, not {number}\n"

    def test_published_results(self, run, results):
        """Without a database it is said how many were not played again."""
        done = run("verify", publish(results))

        assert (done.code, done.err) == (0, "")
        assert done.out == (
            f"{results}: ok, 12 of 12 matches, complete\n"
            "  replayed: 4 from files, 0 from the database\n"
            "  not replayed, because their replays are not here: 8 matches\n"
        )

    def test_wrong_results(self, run, results):
        """File and line of what is wrong come first, and the exit code is 1."""
        path = results / "leaderboard.csv"
        path.write_text(path.read_text().replace("frail", "fr\x1bil"))
        done = run("verify", results)

        assert (done.code, done.err) == (1, "")
        assert done.out.startswith(f"{path}:")
        assert f"{results}: WRONG, 12 of 12 matches, complete\n" in done.out
        assert run("verify", "--quiet", results).out.count("\n") == 1

    def test_json(self, run, results):
        """With --json there is an object for the whole directory."""
        (results / "crosstable.csv").unlink()
        done = run("verify", "--json", results)
        value = json.loads(done.out)

        assert (done.code, done.err) == (1, "")
        assert (value["ok"], value["complete"], value["matches"]) == (False, True, 12)
        assert (value["replays_from_files"], value["replays_from_database"]) == (4, 8)
        assert value["problems"] == [
            {
                "file": str(results / "crosstable.csv"),
                "line": None,
                "problem": "is missing; `arena rate` writes it",
            }
        ]

    def test_unfinished_results(self, run, high_card, tmp_path):
        """That a tournament is not complete is said, and is nothing wrong."""
        tournament = create(tmp_path / "half", game="highcard", rounds=1)
        tournament.play(5)
        done = run("verify", tournament.directory)
        tournament.store.close()

        assert (done.code, done.err) == (0, "")
        assert "5 of 12 matches, NOT COMPLETE: only the matches so far were checked" in done.out
        assert "nothing has been exported yet" in done.out

    def test_what_cannot_be_read(self, run, results):
        """Without config and database there is nothing to judge by."""
        (results / "tournament.toml").unlink()
        done = run("verify", publish(results))

        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"arena: {results / 'tournament.toml'}: is missing")

    def test_its_replays_alone(self, run, results):
        """The directory of replays is one of plain replays."""
        done = run("verify", results / "replays")

        assert (done.code, done.err) == (0, "")
        assert done.out.count(": ok, highcard, ") == 4

    def test_results_among_replays(self, run, results, replays, tmp_path):
        """Results below a directory are verified as a whole, replays beside them one by one."""
        done = run("verify", tmp_path)

        assert (done.code, done.err) == (0, "")
        lines = [line for line in done.out.splitlines() if ": ok, " in line]
        assert [line.split(":")[0] for line in lines] == [
            str(replays["byzanz"]),
            str(replays["schwarzmarkt"]),
            str(results),
        ]

    def test_a_database_elsewhere(self, run, results, tmp_path):
        """With --db the database is taken from there, and goes by no name that tells a password."""
        place = tmp_path / "elsewhere.db"
        (results / "arena.db").rename(place)
        done = run("verify", results, "--db", place)

        assert (done.code, done.err) == (0, "")
        assert "4 from files, 8 from the database" in done.out
        assert run("verify", results, "--db", tmp_path / "nowhere.db").code == 2
