"""The committed reference tournaments are what the program plays today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import DONE, main
from arena.config.tournament import read_config
from arena.engines.inline import InlineEngine
from arena.schedule.schedule import make_schedule
from arena.storage.records import FixtureRecord, MatchReport

RESULTS = Path(__file__).parents[2] / "results"
REFERENCES = ["reference-byzanz-4p", "reference-schwarzmarkt-4p"]
MOST_BYTES = 1_000_000
SLOW = "searcher"  # its matches are played again by `make reference` alone
LEAST = 20  # matches to play again


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
def test_reference_is_consistent(name, capsys):
    """Schedule, ratings, leaderboards, seeds and the kept replays follow from each other."""
    assert main(["verify", str(RESULTS / name)]) == DONE, capsys.readouterr().out


def test_references_are_small():
    """Together they stay below a megabyte."""
    sizes = [
        path.stat().st_size
        for name in REFERENCES
        for path in (RESULTS / name).rglob("*")
        if path.is_file()
    ]

    assert sum(sizes) < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
async def test_matches_come_out_the_same(name):
    """Matches of the quick bots, played again from the config alone, end as committed."""
    directory = RESULTS / name
    text = (directory / "tournament.toml").read_text(encoding="utf-8")
    config = read_config(text, name)
    committed = {}
    for line in (directory / "matches.jsonl").read_text(encoding="utf-8").splitlines():
        match = json.loads(line)
        committed[match["match"]] = match
    fixtures = [
        fixture for fixture in make_schedule(config.plan()).fixtures if SLOW not in fixture.bots
    ]

    async def play(fixture: FixtureRecord) -> MatchReport:
        async with InlineEngine(config) as engine:
            report = await engine.play(fixture, dict.fromkeys(config.bots, "1"))
        assert isinstance(report, MatchReport)
        return report

    assert len(fixtures) >= LEAST
    for fixture in fixtures[:LEAST]:
        report = await play(fixture)
        expected = committed[fixture.match]
        assert list(report.scores) == expected["scores"], fixture.match
        assert list(report.ranks) == expected["ranks"]
        assert report.moves == expected["moves"]
        assert list(fixture.bots) == [seat["bot"] for seat in expected["seating"]]
