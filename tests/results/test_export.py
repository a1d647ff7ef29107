from __future__ import annotations

import json
import os
import re
from datetime import datetime, timedelta
from typing import Any

import pytest

from arena.config.tournament import RunSettings
from arena.errors import ResultsError
from arena.games.shuffle import deal_seed
from arena.rating.stopping_rule import parse_rule
from arena.results.archive import open_archive
from arena.results.export import export_results, write_results
from tests.played_tournament import CREATED, PlayedTournament, create, random_bots

EXPORTS = {
    "crosstable.csv",
    "leaderboard.csv",
    "leaderboard.html",
    "leaderboard.json",
    "leaderboard.md",
    "matches.jsonl",
    "timing.json",
}
REPRODUCIBLE = EXPORTS - {"timing.json"}


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("high_card")]  # its matches are short


@pytest.fixture
def small(tmp_path):
    """A tournament of which nothing has been played yet."""
    tournament = create(tmp_path / "small", game="highcard")
    yield tournament
    tournament.store.close()


def lines_of(tournament: PlayedTournament) -> list[dict[str, Any]]:
    text = (tournament.directory / "matches.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def timing_of(tournament: PlayedTournament) -> dict[str, Any]:
    return dict(json.loads((tournament.directory / "timing.json").read_text()))


def replays_of(tournament: PlayedTournament) -> list[str]:
    return sorted(path.stem for path in (tournament.directory / "replays").glob("*"))


class TestFiles:
    def test_all_are_written(self, small):
        """Every export is there, and nothing half written beside it."""
        small.play()
        board = export_results(small.store, small.directory)

        there = {path.name for path in small.directory.iterdir()}
        assert there - {"arena.db-wal", "arena.db-shm"} == {
            *EXPORTS,
            "chain.jsonl",
            "manifest.json",
            "tournament.toml",
            "arena.db",
            "replays",
        }
        assert replays_of(small) == sorted(fixture.match for fixture in small.fixtures)
        assert board.matches == len(small.fixtures) == 24
        assert json.loads((small.directory / "leaderboard.json").read_text())["matches"] == 24

    def test_what_is_not_ours_stays(self, small):
        """Config and logs are as they were."""
        (small.directory / "logs").mkdir()
        (small.directory / "logs" / "frail.stderr").write_text("words")
        config = (small.directory / "tournament.toml").read_bytes()
        small.play()
        export_results(small.store, small.directory)

        assert (small.directory / "tournament.toml").read_bytes() == config
        assert (small.directory / "logs" / "frail.stderr").read_text() == "words"

    def test_a_line_of_a_match(self, small):
        """A line says everything that is needed to check a match, in canonical order."""
        small.play()
        export_results(small.store, small.directory)
        lines = lines_of(small)

        assert [line["match"] for line in lines] == [f.match for f in small.fixtures]
        fixture, line = small.fixtures[5], lines[5]
        assert (line["index"], line["round"], line["table"]) == (5, fixture.round, fixture.table)
        assert (line["block"], line["deal"], line["seating_number"]) == (
            fixture.block,
            fixture.deal,
            fixture.seating,
        )
        assert line["seating"] == [{"bot": bot, "version": "1.0"} for bot in fixture.bots]
        assert line["seed"] == deal_seed(small.config.master, fixture.deal).hex()
        header = json.loads(small.store.replay(fixture.match).split("\n")[0])
        assert (line["relabel"], line["options"]) == (header["relabel"], header["options"])
        assert line["rated"] is True
        faulty = [line for line in lines if line["faults"]]
        assert set(faulty[0]["faults"][0]) == {"seat", "move", "fault", "detail", "forfeited"}

    def test_two_tournaments_alike(self, small, tmp_path):
        """All but what tells times is the same byte for byte when it is played again elsewhere."""
        other = create(tmp_path / "other", game="highcard", run=RunSettings(concurrency=3))
        for tournament, step in ((small, 24), (other, 5)):
            while tournament.store.progress().results < 24:
                tournament.play(step)
            export_results(tournament.store, tournament.directory)
        other.store.close()

        for name in REPRODUCIBLE:
            one, two = ((each.directory / name).read_text() for each in (small, other))
            if name == "leaderboard.html":
                one, two = (re.sub("<dt>ended.*?</dd>", "", page) for page in (one, two))
            assert one == two

    def test_times_are_apart(self, small):
        """Whatever is not reproducible is in timing.json, match by match."""
        small.play()
        export_results(small.store, small.directory)
        timing = timing_of(small)

        assert list(timing["matches"]) == [fixture.match for fixture in small.fixtures]
        attempts, started, ended, seats = timing["matches"]["1-1"]
        assert (attempts, seats[1]) == (1, [4, 123.457, 50.0, 1.0])
        assert ended >= started > 0
        assert timing["seed"] == small.config.master.hex()
        assert timing["salt"] == small.config.salt

    def test_the_page_links_to_the_replays_there(self, small):
        """The page links to every replay in the directory, and says when the last match ended."""
        small.play()
        for limit, count in ((0, 0), (3, 3), (None, 24), (0, 24)):
            export_results(small.store, small.directory, replays=limit)
            page = (small.directory / "leaderboard.html").read_text()
            linked = set(re.findall(r'href="replays/(.*?)\.jsonl"', page))
            assert linked == set(replays_of(small))
            assert timing_of(small)["replays"] == [f.match for f in small.fixtures][:count]
        ended = max(match[2] for match in timing_of(small)["matches"].values())
        moment = datetime.fromisoformat(CREATED) + timedelta(seconds=ended)
        page = (small.directory / "leaderboard.html").read_text()
        assert f'<time datetime="{moment.isoformat(timespec="seconds")}"' in page


class TestSecrets:
    def test_nothing_leaks_between_the_matches_of_a_deal(self, small):
        """Until all matches on a deal are done its seed, labels and replays are held back."""
        small.play(15)  # deal 1 is done with 12
        board = export_results(small.store, small.directory)
        lines = lines_of(small)

        assert board.seed == ""
        assert all(line["seed"] and line["relabel"] for line in lines[:12])
        assert all(line["seed"] is line["relabel"] is None for line in lines[12:])
        assert replays_of(small) == sorted(fixture.match for fixture in small.fixtures[:12])
        assert lines[13]["scores"]

    def test_the_master_seed(self, small):
        """No export names master seed or salt, or the seed of a deal that is being played."""
        small.play(15)
        export_results(small.store, small.directory)

        secrets = [small.config.master.hex(), small.config.salt]
        secrets.append(deal_seed(small.config.master, 2).hex())
        for name in EXPORTS:
            text = (small.directory / name).read_text()
            assert not [secret for secret in secrets if secret in text], name
            assert not re.search(r"seed\W+7\b", text), name
        timing = timing_of(small)
        assert (timing["complete"], timing["seed"], timing["salt"]) == (False, None, None)
        assert len(timing["commitment"]) == 64

    def test_all_is_published_in_the_end(self, small):
        """With the last match everything is released."""
        small.play(15)
        export_results(small.store, small.directory)
        small.play()
        board = export_results(small.store, small.directory)

        assert board.seed == "7"
        assert all(line["seed"] and line["relabel"] for line in lines_of(small))
        assert len(replays_of(small)) == 24
        assert timing_of(small)["complete"] is True


class TestCounting:
    def test_a_parked_match(self, small):
        """Its block is listed but not rated; the tournament is complete without it."""
        small.park("2-2")
        small.play()
        board = export_results(small.store, small.directory)
        lines = lines_of(small)

        assert (board.matches, board.parked) == (21, ("2-2",))
        assert [line["match"] for line in lines if not line["rated"]] == ["2-1", "2-3"]
        assert board.seed == "7"
        assert timing_of(small)["void"] == [
            ["2-2", n, "the arena <i>fell</i> over"] for n in (1, 2, 3)
        ]

    @pytest.fixture
    def early(self, tmp_path, monkeypatch):
        """A tournament that ends when it is settled, and it is at the first look."""
        monkeypatch.setattr("arena.rating.settling.is_settled", lambda *_: True)
        rule, bots = parse_rule("settled@50"), random_bots("a", "b", "c")
        tournament = create(tmp_path, game="highcard", rounds=12, until=rule, bots=bots)
        yield tournament
        tournament.store.close()

    def test_beyond_the_stopping_point(self, early):
        """Matches after the order was settled are kept, and not rated."""
        early.play(33)
        board = export_results(early.store, early.directory)
        lines = lines_of(early)

        assert (board.settled_after, board.matches, len(lines)) == (10, 30, 33)
        assert [line["rated"] for line in lines] == [True] * 30 + [False] * 3
        assert board.seed == "7"

    def test_running_matches_keep_a_settled_tournament_secret(self, early):
        """As long as somebody still plays nothing more is released."""
        early.play(31)
        early.store.claim("another", 1)
        board = export_results(early.store, early.directory)

        assert (board.settled_after, board.seed) == (10, "")
        assert lines_of(early)[30]["seed"] is None


class TestReplays:
    @pytest.mark.parametrize(("replays", "expected"), [(0, 0), (5, 5), (None, 24), (99, 24)])
    def test_how_many(self, small, replays, expected):
        """The first ones are written, as many as asked for."""
        small.play()
        export_results(small.store, small.directory, replays=replays)

        names = {fixture.match for fixture in small.fixtures[:expected]}
        assert set(replays_of(small)) == names if expected else not replays_of(small)

    def test_they_are_written_once(self, small):
        """A replay that is there is not written again."""
        small.play()
        export_results(small.store, small.directory)
        path = small.directory / "replays" / "1-1.jsonl"
        before = path.stat().st_ino
        export_results(small.store, small.directory)

        assert path.stat().st_ino == before

    def test_an_older_file_is_another_tournaments(self, small):
        """A file that was there before the tournament, or an empty one, is replaced."""
        small.play()
        directory = small.directory / "replays"
        directory.mkdir()
        (directory / "1-1.jsonl").write_text("{}")
        os.utime(directory / "1-1.jsonl", (0, 0))
        (directory / "1-2.jsonl").write_text("")
        export_results(small.store, small.directory)

        for match in ("1-1", "1-2"):
            assert (directory / f"{match}.jsonl").read_text() == small.store.replay(match)

    def test_they_are_repaired_if_asked(self, small):
        """Then also files that only say something else are replaced."""
        small.play()
        export_results(small.store, small.directory)
        path = small.directory / "replays" / "1-1.jsonl"
        sound = path.read_bytes()
        path.write_bytes(sound.replace(b"steady", b"steadi"))
        export_results(small.store, small.directory)
        assert path.read_bytes() != sound
        with open_archive(small.directory) as archive:
            write_results(archive, repairs_replays=True)
        assert path.read_bytes() == sound


def test_what_was_played_meanwhile_is_written(small):
    """An archive that was read before more was played does not replace newer files by older."""
    small.play(15)
    with open_archive(small.directory) as archive:
        small.play()
        export_results(small.store, small.directory)
        newer = {name: (small.directory / name).read_bytes() for name in EXPORTS}
        board = write_results(archive)

    assert board.matches == 24
    assert newer == {name: (small.directory / name).read_bytes() for name in EXPORTS}


class TestPlacesThatCannotBeWrittenTo:
    def test_a_file_in_the_way(self, small):
        """A file where the directory of replays should be is named."""
        small.play()
        (small.directory / "replays").write_text("")
        with pytest.raises(ResultsError, match=r"replays: cannot be written to: File exists"):
            export_results(small.store, small.directory)

    def test_a_directory_below_a_file(self, small):
        """So is a results directory that cannot be."""
        with pytest.raises(ResultsError, match=r"cannot be written to: Not a directory"):
            export_results(small.store, small.directory / "tournament.toml" / "below")


class TestAtomicity:
    def test_a_kill_before_the_first_file(self, small):
        """Whoever is killed at that point has replaced nothing."""

        class Killed(BaseException):
            pass

        def fail(boundary: str) -> None:
            assert boundary == "before export"
            raise Killed

        small.play(15)
        export_results(small.store, small.directory)
        before = {name: (small.directory / name).read_bytes() for name in EXPORTS}
        small.play()
        with pytest.raises(Killed):
            export_results(small.store, small.directory, fail_point=fail)

        assert before == {name: (small.directory / name).read_bytes() for name in EXPORTS}
        assert not list(small.directory.glob(".*"))


def test_progress(small):
    """Whoever waits is told how far it is."""
    small.play()
    told = []
    export_results(small.store, small.directory, on_progress=lambda *step: told.append(step))

    assert ("rating", 24, 24) in told
    assert ("writing replays", 24, 24) in told
