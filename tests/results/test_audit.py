from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from arena.config.tournament import differences, read_config
from arena.errors import InputError
from arena.results.audit.audit import audit_results
from arena.results.audit.report import AuditReport
from arena.results.export import export_results
from tests.played_tournament import CLUMSY, FRAIL, create, finish, publish

MATCHES = 12


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("high_card")]  # its matches are short


@pytest.fixture
def directory(tmp_path) -> Path:
    """A finished tournament, with its database."""
    return finish(tmp_path / "copy")


@pytest.fixture
def published(directory):
    """One without a database."""
    return publish(directory)


@pytest.fixture(params=["database", "published"])
def either(request, directory):
    """One with and one without a database."""
    return directory if request.param == "database" else publish(directory)


def told(report: AuditReport) -> str:
    return "\n".join(map(str, report.problems))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_sound_directory(either):
    """Nothing is wrong with what was just written, with or without its database."""
    report = audit_results(either)

    assert (report.problems, report.notes, report.is_ok) == ([], [], True)
    assert (report.matches, report.scheduled, report.is_complete) == (MATCHES, MATCHES, True)
    assert (report.from_files, report.from_database, report.not_replayed) == (MATCHES, 0, 0)


def test_progress(directory):
    """Whoever waits is told how far it is."""
    steps = []
    audit_results(directory, on_progress=lambda *step: steps.append(step))

    assert ("playing replays", MATCHES, MATCHES) in steps


class TestReplays:
    def test_from_the_database(self, directory):
        """Where there is no file the database has the replay."""
        for match in ("1-1", "2-2", "3-3"):
            (directory / "replays" / f"{match}.jsonl").unlink()
        report = audit_results(directory, allows_missing=True)

        assert report.is_ok
        assert (report.from_files, report.from_database, report.not_replayed) == (9, 3, 0)

    def test_nowhere(self, published):
        """Without a database what has no file is not played again, and that is said."""
        shutil.rmtree(published / "replays")
        report = audit_results(published, allows_missing=True)

        assert report.is_ok
        assert (report.from_files, report.not_replayed) == (0, MATCHES)

    def test_missing(self, either):
        """A replay that was exported and is gone is missed, wherever else it may be."""
        (either / "replays" / "2-2.jsonl").unlink()
        report = audit_results(either)

        assert told(report).startswith(f"{either / 'replays' / '2-2.jsonl'}: is missing")
        assert (report.missing, len(report.problems)) == (1, 1)

    def test_not_exported(self, tmp_path):
        """Replays that were never exported are not missed."""
        directory = publish(finish(tmp_path / "few", replays=2))
        report = audit_results(directory)

        assert (report.problems, report.from_files, report.not_replayed) == ([], 2, MATCHES - 2)

    def test_all_are_due_where_nothing_lists_them(self, published):
        """Without timing.json every replay that may be shown should be there."""
        for name in ("timing.json", "manifest.json", "replays/2-2.jsonl"):
            (published / name).unlink()

        assert told(audit_results(published)) == (
            f"{published / 'replays' / '2-2.jsonl'}: is missing"
        )

    def test_another_in_the_database(self, directory):
        """A file that obeys the rules, but is not what the database has, is told."""
        path = directory / "replays" / "1-1.jsonl"
        path.write_text(re.sub(r'"ms":[\d.]+', '"ms":7.7', path.read_text(), count=1))

        assert told(audit_results(directory)) == f"{path}: is not the replay that the database has"

    def test_of_no_match(self, either):
        """A replay that belongs to nothing is told."""
        replays = either / "replays"
        shutil.copy(replays / "1-1.jsonl", replays / "9-9.jsonl")
        report = audit_results(either)

        assert told(report) == f"{replays / '9-9.jsonl'}: is a replay of a match that is not listed"

    def test_of_another_match(self, either):
        """A replay under the name of another match is wrong from its first line."""
        replays = either / "replays"
        shutil.copy(replays / "1-1.jsonl", replays / "1-2.jsonl")
        report = audit_results(either)

        assert told(report) == f"{replays / '1-2.jsonl'}:1: match must be '1-2', not '1-1'"

    def test_a_wrong_move(self, either):
        """What the rules forbid is told with its line."""
        path = either / "replays" / "1-1.jsonl"
        edit(path, '"n":3,"seat":2', '"n":3,"seat":1')
        report = audit_results(either)

        assert told(report) == f"{path}:4: seat 2 is to act, not 1"

    def test_a_fault_that_is_not_listed(self, either):
        """Faults in replay and list must be the same."""
        path = next(
            path
            for path in sorted((either / "replays").iterdir())
            if '"fault":"illegal_move"' in path.read_text()
        )
        edit(path, '"fault":"illegal_move"', '"fault":"protocol_error"')
        report = audit_results(either)

        assert re.fullmatch(
            re.escape(str(path)) + r":\d+: the move says protocol_error of seat \d, "
            r"but illegal_move is listed",
            told(report),
        )


def test_in_several_processes(tmp_path):
    """Whatever is wrong is told in the same order and words, from files and from the database."""
    tournament = create(tmp_path / "byzanz", rounds=2)
    tournament.play()
    export_results(tournament.store, tournament.directory)
    tournament.store.close()
    replays = tournament.directory / "replays"
    for match in ("2-1", "2-3"):
        (replays / f"{match}.jsonl").unlink()
    for match in ("1-2", "3-1", "7-3"):
        edit(replays / f"{match}.jsonl", '"n":9,"seat":', '"n":9,"seat":1')
    shutil.copy(replays / "4-1.jsonl", replays / "4-2.jsonl")
    steps: list[tuple[str, int, int]] = []
    one = audit_results(tournament.directory, processes=1, allows_missing=True)
    two = audit_results(
        tournament.directory,
        processes=2,
        on_progress=lambda *step: steps.append(step),
        allows_missing=True,
    )

    assert len(two.problems) == 4
    assert (two.from_files, two.from_database, two.not_replayed) == (22, 2, 0)
    assert two == one
    assert ("playing replays", 24, 24) in steps


class TestMatches:
    def test_a_missing_line(self, either):
        """A match that should be listed is missed by name."""
        path = either / "matches.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:4] + lines[5:]))
        report = audit_results(either)

        assert f"{path}: match 2-2 is missing" in told(report)

    @pytest.mark.parametrize("order", [(1, 0), (0, 0)])
    def test_order(self, either, order):
        """Lines stand in canonical order, each once."""
        path = either / "matches.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([lines[place] for place in order] + lines[2:]))

        assert "is out of order or listed twice" in told(audit_results(either))

    def test_a_better_score(self, either):
        """A score that is not the replay's is told, and by whom it is contradicted."""
        path = either / "matches.jsonl"
        line = json.loads(path.read_text().splitlines()[2])
        scores = json.dumps(line["scores"], separators=(",", ":"))
        edit(path, f'"scores":{scores}', '"scores":[9,0,0]')
        report = audit_results(either)

        assert str(either / "replays" / f"{line['match']}.jsonl") in told(report) or (
            f"{path}:3: scores [9, 0, 0], but the database has" in told(report)
        )
        assert str(either / "leaderboard.json") in told(report)

    def test_a_match_of_others(self, either):
        """Who played is a matter of the schedule."""
        path = either / "matches.jsonl"
        edit(path, '{"bot":"steady"', '{"bot":"frail"')
        report = audit_results(either)

        assert f"{path}:1: bots must be ['" in told(report)
        assert report.notes

    def test_all_of_a_kind_are_not_listed(self, published):
        """A file that is wrong everywhere is not listed line by line without end."""
        path = published / "matches.jsonl"
        line = path.read_text().splitlines(keepends=True)[0]
        path.write_text(line * 50)
        report = audit_results(published)

        assert len(report.problems) < 40
        assert "there are more problems than are listed here" in told(report)


class TestSeed:
    def test_another_seed(self, published):
        """Another master seed contradicts the commitment and every deal."""
        edit(published / "tournament.toml", 'seed = "7"', 'seed = "8"')
        report = audit_results(published)

        assert f"{published / 'timing.json'}: commitment is not the SHA-256 of salt and seed" in (
            told(report)
        )
        assert f"{published / 'matches.jsonl'}:1: seed must be" in told(report)

    def test_another_config_than_stored(self, directory):
        """With a database the config is compared key by key."""
        edit(directory / "tournament.toml", "max_faults = 3", "max_faults = 4")
        report = audit_results(directory)

        assert (
            f"{directory / 'tournament.toml'}: rules.max_faults is 4, was 3 "
            "when the tournament was created"
        ) in told(report)

    def test_how_it_was_run(self, either):
        """`[run]` and comments may change."""
        edit(either / "tournament.toml", "concurrency = 64", "concurrency = 80 # faster")

        assert audit_results(either).is_ok

    def test_without_timing(self, published):
        """Without timing.json the commitment and the page cannot be checked, and that is said."""
        (published / "timing.json").unlink()
        (published / "manifest.json").unlink()
        report = audit_results(published)

        assert report.is_ok
        assert any("commitment" in note for note in report.notes)
        assert any("leaderboard.html" in note for note in report.notes)


class TestExports:
    @pytest.mark.parametrize("name", ["leaderboard.csv", "leaderboard.html", "crosstable.csv"])
    def test_missing(self, either, name):
        """A leaderboard that is not there is missed."""
        (either / name).unlink()

        assert told(audit_results(either)) == f"{either / name}: is missing; `arena rate` writes it"

    def test_the_line_is_named(self, either):
        """The first line that is different is named."""
        path = either / "leaderboard.md"
        edit(path, "steady", "steadi")
        line = next(
            number
            for number, text in enumerate(path.read_text().splitlines(), 1)
            if "steadi" in text
        )

        assert told(audit_results(either)) == f"{path}:{line}: is not what the matches make"

    def test_replays_that_were_taken_away(self, either):
        """The page is what it was, whichever replays are published with it."""
        for path in (either / "replays").iterdir():
            path.unlink()

        assert audit_results(either, allows_missing=True).is_ok

    def test_an_end_beyond_all_time(self, published):
        """A timing.json that says so is not what the page was made of."""
        (published / "manifest.json").unlink()
        path = published / "timing.json"
        path.write_text(re.sub(r'("1-1":\[1,[-\d.]+,)[-\d.]+', r"\g<1>1e300", path.read_text()))

        assert re.fullmatch(
            rf"{published / 'leaderboard.html'}:\d+: is not what the matches and timing.json make",
            told(audit_results(published)),
        )


class TestDatabase:
    def change(self, directory: Path, statement: str) -> None:
        with closing(sqlite3.connect(directory / "arena.db")) as database:
            database.execute(statement)
            database.commit()

    def test_no_config(self, tmp_path):
        """Without a config the stored one is used, and the loss is told."""
        directory = finish(tmp_path / "small")
        (directory / "tournament.toml").unlink()

        assert told(audit_results(directory)) == f"{directory / 'tournament.toml'}: is missing"

    def test_another_result(self, directory):
        """A result that was changed in the database contradicts the files and the replay."""
        self.change(directory, 'UPDATE results SET moves = moves + 1 WHERE "index" = 0')
        report = audit_results(directory)

        assert re.search(r"matches.jsonl:1: moves \d+, but the database has \d+", told(report))

    def test_another_schedule(self, directory):
        """A schedule that is not the one the config makes is told."""
        self.change(directory, 'UPDATE fixtures SET deal = 9 WHERE "index" = 3')
        report = audit_results(directory)

        assert f"{directory / 'arena.db'}: match 2-1 is not the one of the schedule" in told(report)

    def test_another_seed(self, directory):
        """A seed that is not the one of the config is told."""
        self.change(directory, "UPDATE tournament SET salt = zeroblob(32)")
        report = audit_results(directory)

        assert f"{directory / 'arena.db'}: the salt is not the one of the config" in told(report)

    def test_a_replay_of_another_match(self, directory):
        """A replay in the database is played again where there is no file."""
        (directory / "replays" / "1-1.jsonl").unlink()
        other = 'SELECT replay FROM results WHERE "index" = 1'
        self.change(directory, f'UPDATE results SET replay = ({other}) WHERE "index" = 0')

        assert told(audit_results(directory, allows_missing=True)) == (
            f"{directory / 'arena.db'}: replay of match 1-1, line 1: match must be '1-1', not '1-2'"
        )


class TestUnfinished:
    @pytest.fixture
    def half(self, tmp_path):
        """A tournament of which 17 matches of 24 have been played."""
        tournament = create(tmp_path / "half", game="highcard")
        tournament.play(17)
        yield tournament
        tournament.store.close()

    def test_exported(self, half):
        """What is there is verified, and it is said that it is not all."""
        export_results(half.store, half.directory)
        report = audit_results(half.directory)

        assert (report.problems, report.is_complete) == ([], False)
        assert (report.matches, report.scheduled) == (17, 24)
        assert (report.from_files, report.from_database) == (12, 5)

    def test_published(self, half):
        """Also without its database."""
        export_results(half.store, half.directory)
        half.store.close()
        report = audit_results(publish(half.directory))

        assert (report.problems, report.is_complete) == ([], False)
        assert (report.from_files, report.not_replayed) == (12, 5)

    def test_played_on(self, half):
        """Matches since the last export are not missed."""
        export_results(half.store, half.directory)
        half.play(2)
        report = audit_results(half.directory)

        assert report.problems == []
        assert "played since the last export: 2 matches" in report.notes

    def test_not_exported(self, half):
        """The database alone is verified as well."""
        report = audit_results(half.directory)

        assert (report.problems, report.matches, report.from_database) == ([], 17, 17)
        assert report.notes == ["nothing has been exported yet"]

    def test_a_replay_too_early(self, half):
        """A replay of a deal that is still played gives something away."""
        export_results(half.store, half.directory)
        path = half.directory / "replays" / "5-1.jsonl"
        path.write_text(half.store.replay("5-1") or "")

        assert told(audit_results(half.directory)) == (
            f"{path}: is of a deal that has not been played to the end yet"
        )

    def test_a_parked_match(self, half):
        """A match that could not be played is not missed, with and without the database."""
        half.park("8-1")
        half.play()
        export_results(half.store, half.directory)
        with_database = audit_results(half.directory)
        half.store.close()
        without = audit_results(publish(half.directory))

        assert (with_database.problems, without.problems) == ([], [])
        assert with_database.is_complete
        assert (without.matches, without.scheduled) == (23, 24)


class TestWhatCannotBeRead:
    def test_no_results(self, tmp_path):
        """A directory that holds something else is bad input."""
        with pytest.raises(InputError, match="not a results directory"):
            audit_results(tmp_path)

    @pytest.mark.parametrize("name", ["tournament.toml", "matches.jsonl"])
    def test_missing(self, published, name):
        """Without a database both config and matches are needed."""
        (published / name).unlink()
        with pytest.raises(InputError, match=f"{name}: is missing, and there is no database"):
            audit_results(published)


SKIPPED_TIMING = ('"arena"', '"matches"', '"void"')


def places(directory: Path) -> list[tuple[Path, int]]:
    """Return every line of every file that matters."""
    found = []
    for path in sorted(directory.rglob("*")):
        if path.suffix not in (".toml", ".jsonl", ".json", ".csv", ".md", ".html"):
            continue
        lines = list(enumerate(path.read_text().split("\n")))
        # One is as good as the other in what is compared as a whole.
        lines = lines[:: {"leaderboard.html": 25, "leaderboard.json": 5}.get(path.name, 1)]
        for number, line in lines:
            is_timing = path.name == "timing.json"
            if is_timing and re.match(r'"\d+-\d+"|' + "|".join(SKIPPED_TIMING), line):
                continue
            if line:
                found.append((path, number))
    return found


def is_meaningless(path: Path, before: bytes, after: bytes, number: int) -> bool:
    """Return whether a change means nothing: times, notes, and what TOML and JSON do not read."""
    if path.name == "tournament.toml":
        try:
            one, other = (read_config(text.decode(), "") for text in (before, after))
            return not differences(one, other)
        except (InputError, UnicodeDecodeError):
            return False
    if path.parent.name != "replays":
        return False
    try:
        one, other = (json.loads(text.split(b"\n")[number]) for text in (before, after))
    except (ValueError, IndexError):
        return False
    if not isinstance(other, dict):
        return False
    for value in (one, other):
        for free in ("ms", "note", "arena"):
            value.pop(free, None)
    return bool(one == other)


@pytest.mark.usefixtures("exports_made_once")
@pytest.mark.parametrize("keeps_database", [True, False])
def test_every_flipped_byte_is_found(tmp_path, keeps_database):
    """In whatever line one byte is changed, it is found, and the file or its like is named."""
    rng = Random(keeps_database)  # other bytes of the same lines
    directory = finish(tmp_path, bots=("steady", CLUMSY, FRAIL))
    if not keeps_database:
        publish(directory)
    for path, number in places(directory):
        before = path.read_bytes()
        lines = before.split(b"\n")
        place = sum(len(line) + 1 for line in lines[:number]) + rng.randrange(len(lines[number]))
        other = rng.choice([byte for byte in range(256) if byte != before[place]])
        after = before[:place] + bytes([other]) + before[place + 1 :]
        if is_meaningless(path, before, after, number):
            continue
        path.write_bytes(after)
        report = audit_results(directory)
        path.write_bytes(before)

        assert not report.is_ok, (path, number + 1, lines[number][:200], place, other)
        assert path.name in told(report), (path, number + 1, told(report))
    assert audit_results(directory).is_ok
