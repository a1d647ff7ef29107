from __future__ import annotations

import json
import os
import shutil
from types import SimpleNamespace

import pytest

from arena.errors import ArenaError, InputError, ResultsError
from arena.results.archive import is_results_directory, open_archive, read_store
from arena.results.export import export_results
from arena.storage.opening import open_store
from tests.played_tournament import create, finish, publish

pytestmark = pytest.mark.usefixtures("high_card")  # its matches are short


@pytest.fixture
def directory(tmp_path):
    """A tournament of which everything but a parked match was played."""
    return finish(tmp_path / "small", rounds=2, parked="2-2")


@pytest.fixture
def small(directory):
    """The same with its database open."""
    with open_store(directory / "arena.db", "small") as store:
        yield SimpleNamespace(directory=directory, store=store)


@pytest.fixture
def published(directory):
    """The directory without its database."""
    return publish(directory)


def test_both_ways_say_the_same(small, tmp_path):
    """What the files tell is what the database tells, but for how exactly times are known."""
    stored = read_store(small.store, small.directory)
    copy = tmp_path / "copy"
    shutil.copytree(small.directory, copy, ignore=shutil.ignore_patterns("arena.db*"))
    with open_archive(copy) as listed:
        assert listed.store is None
        assert listed.tournament == stored.tournament
        assert listed.config == stored.config
        assert tuple(listed.fixtures) == tuple(stored.fixtures)
        assert [match.fixture for match in listed.matches] == [m.fixture for m in stored.matches]
        for one, other in zip(listed.matches, stored.matches, strict=True):
            for name in ("scores", "ranks", "forfeits", "faults", "moves"):
                assert getattr(one.report, name) == getattr(other.report, name)
            assert one.report.times[1].decisions == other.report.times[1].decisions
            assert one.report.times[1].used_s == pytest.approx(other.report.times[1].used_s, 1e-3)
        assert listed.parked == stored.parked
        assert listed.bot_timings == stored.bot_timings
        assert tuple(listed.void) == tuple(stored.void)
    assert (copy / "replays" / "1-1.jsonl").read_text() == small.store.replay("1-1")


def test_the_database_comes_first(small):
    """Where there is a database the files are not looked at."""
    (small.directory / "matches.jsonl").write_text("nonsense")
    with open_archive(small.directory) as archive:
        assert archive.store is not None
        assert len(archive.matches) == 23


def test_a_database_elsewhere(small, tmp_path):
    """With --db it may lie anywhere."""
    small.store.close()
    place = tmp_path / "elsewhere.db"
    (small.directory / "arena.db").rename(place)
    with open_archive(small.directory, str(place)) as archive:
        assert archive.store is not None
        assert len(archive.matches) == 23


def test_the_directory_names_the_tournament_if_nothing_else_does(small):
    """Without a config the database is asked for a tournament of the directory's name."""
    (small.directory / "tournament.toml").unlink()
    with open_archive(small.directory) as archive:
        assert archive.tournament.name == "small"


def test_a_database_without_config(small):
    """Where the directory's name does not help, it is said what is missing."""
    (small.directory / "tournament.toml").unlink()
    moved = small.directory.rename(small.directory.with_name("moved"))
    with pytest.raises(ResultsError, match=r"tournament.toml: is missing, and the database has no"):
        open_archive(moved)


def test_a_database_of_another_tournament(small):
    """A database that does not know the tournament is told."""
    path = small.directory / "tournament.toml"
    path.write_text(path.read_text().replace('name = "small"', 'name = "large"'))
    with pytest.raises(ResultsError, match=r"tournament.toml: the database has no .* 'large'"):
        open_archive(small.directory)


def test_before_the_first_match(tmp_path):
    """A tournament that has just been created can be opened."""
    tournament = create(tmp_path / "new", game="highcard")
    export_results(tournament.store, tournament.directory)
    with open_archive(tournament.directory) as archive:
        assert (len(archive.matches), len(archive.fixtures)) == (0, 24)
    tournament.store.close()
    with open_archive(publish(tournament.directory)) as archive:
        assert (len(archive.matches), len(archive.fixtures)) == (0, 24)


class TestStderr:
    def test_the_end_of_it(self, small):
        """The end of what a bot printed is kept, whatever bytes it is of."""
        logs = small.directory / "logs"
        logs.mkdir()
        (logs / "frail.stderr").write_bytes(b"x" * 5000 + b"\xff last words")
        archive = read_store(small.store, small.directory)

        assert archive.stderr("frail").endswith("\ufffd last words")
        assert len(archive.stderr("frail")) <= 2000
        assert archive.stderr("steady") == ""

    def test_of_the_worker_that_heard_of_it_last(self, small):
        """Where workers have logs of their own, it is that which was written to last."""
        logs = small.directory / "logs"
        (logs / "worker-2").mkdir(parents=True)
        (logs / "frail.stderr").write_text("early")
        (logs / "worker-2" / "frail.stderr").write_text("late")
        os.utime(logs / "frail.stderr", (0, 0))
        (logs / "worker-9.stderr").write_text("a bot's that is named so")
        archive = read_store(small.store, small.directory)

        assert archive.stderr("frail") == "late"
        (logs / "worker-2" / "frail.stderr").write_text("")
        assert archive.stderr("frail") == "early"
        assert archive.stderr("steady") == ""

    def test_a_name_that_leads_elsewhere(self, small, tmp_path):
        """No name of a bot opens a file outside of the logs."""
        (small.directory / "logs").mkdir()
        (tmp_path / "secret.stderr").write_text("secret")

        assert read_store(small.store, small.directory).stderr("../../secret") == ""


class TestWhatIsWrong:
    def test_no_results(self, tmp_path):
        """A directory of something else is refused with what was looked for."""
        with pytest.raises(InputError, match="not a results directory"):
            open_archive(tmp_path)
        assert not is_results_directory(tmp_path)

    @pytest.mark.parametrize("name", ["tournament.toml", "matches.jsonl"])
    def test_a_missing_file(self, published, name):
        """Without a database config and matches are needed."""
        (published / name).unlink()
        with pytest.raises(InputError, match=f"{name}: is missing, and there is no database"):
            open_archive(published)

    def test_a_file_that_cannot_be_read(self, published):
        """A file that cannot be read is named with the reason."""
        (published / "matches.jsonl").unlink()
        (published / "matches.jsonl").mkdir()
        with pytest.raises(InputError, match=r"matches.jsonl: cannot be read: Is a directory"):
            open_archive(published)

    @pytest.mark.parametrize(
        ("old", "new", "problem"),
        [
            ('"index":2', '"index":"2"', "index must be a whole number, not a string"),
            ('"index":2', '"indexx":2', "the line lacks 'index'"),
            ('"rated":false', '"rated":0', "rated must be true or false"),
            ('"options":{}', '"options":[]', "options must be an object"),
            ('"ended":["normal"', '"ended":["asleep"', "ended must say normal or"),
            ('"ranks":[', '"ranks":[0,', "ranks must have an entry for each of the 3 seats"),
            ('"scores":[', '"scores":[1.5,', "scores must be a whole number"),
            ('"match":', '"match":"1-1","match":', "not a line of JSON: a name stands twice"),
            ('"block":', "", "not a line of JSON"),
            ('"faults":[]', '"faults":[7]', "faults[0] must be an object, not a whole number"),
        ],
    )
    def test_a_malformed_line(self, published, old, new, problem):
        """File and line of what is malformed are named."""
        path = published / "matches.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        number = next(number for number, line in enumerate(lines) if old in line)
        lines[number] = lines[number].replace(old, new, 1)
        path.write_text("".join(lines))
        with pytest.raises(ResultsError) as caught:
            open_archive(published)

        assert str(caught.value).startswith(f"{path}:{number + 1}: {problem}")

    @pytest.mark.parametrize("content", ["", "{}", "[]", "{", '{"format":"arena-timing/2"}'])
    def test_malformed_timing(self, published, content):
        """A timing file that says something else is named."""
        (published / "timing.json").write_text(content)
        with pytest.raises(ResultsError, match=r"timing.json: "):
            open_archive(published)

    def test_timing_of_an_earlier_arena(self, published):
        """A timing file that does not know of replays is read."""
        timing = json.loads((published / "timing.json").read_text())
        del timing["replays"]
        (published / "timing.json").write_text(json.dumps(timing))

        assert open_archive(published).replays == ()

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("matches", {"1-1": [1, 2]}),
            ("matches", 3),
            ("void", [["1-1"]]),
            ("seed", 7),
            ("replays", [1]),
        ],
    )
    def test_wrong_timing(self, published, field, value):
        """So is one in which something has another shape."""
        timing = json.loads((published / "timing.json").read_text())
        (published / "timing.json").write_text(json.dumps(timing | {field: value}))
        with pytest.raises(ResultsError, match=f"timing.json: {field}"):
            open_archive(published)

    @pytest.mark.parametrize("old", ["players = 3", 'game = "highcard"', "[schedule]"])
    def test_a_malformed_config(self, published, old):
        """A config that settles nothing is named."""
        path = published / "tournament.toml"
        path.write_text(path.read_text().replace(old, old.replace("3", "33").replace("h", "x")))
        with pytest.raises(ResultsError, match=r"tournament.toml: "):
            open_archive(published)

    def test_text_in_another_encoding(self, published):
        """The line that is not UTF-8 is named."""
        path = published / "tournament.toml"
        path.write_bytes(b"# one\n# \xff\n" + path.read_bytes())
        with pytest.raises(ArenaError, match=r"tournament.toml:2: not UTF-8 text"):
            open_archive(published)

    def test_a_parked_match_that_is_none(self, published):
        """A match that the schedule does not know cannot be parked."""
        path = published / "leaderboard.json"
        path.write_text(path.read_text().replace('"2-2"', '"2-9"'))
        with pytest.raises(ResultsError, match=r"leaderboard.json: parked match '2-9' is not in"):
            open_archive(published)
