"""A database is made again from the files beside it."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from arena.config.tournament import TournamentConfig
from arena.engines.inline import InlineEngine
from arena.errors import DamagedError, InputError, ResultsError
from arena.results.audit.audit import audit_results
from arena.tournament.tournament import open_tournament
from arena.tournament.watcher import Watcher
from tests.tournament.test_tournament import CUP

pytestmark = pytest.mark.slow

TWICE = dataclasses.replace(CUP, rounds=2)
SAME = ("chain.jsonl", "matches.jsonl", "leaderboard.json", "leaderboard.csv", "tournament.toml")


async def play(directory: Path, asked: TournamentConfig = TWICE, *, recovers: bool = False) -> int:
    """Play what is missing, write the files, and return how many matches were recovered."""
    async with (
        open_tournament(asked, directory, recovers=recovers) as tournament,
        InlineEngine(tournament.config) as engine,
    ):
        await tournament.prepare(engine)
        await tournament.play(engine, 2, Watcher())
        await tournament.export()
        return tournament.recovered or 0


def lose_database(directory: Path) -> None:
    """Remove it with all that belongs to it."""
    for path in directory.glob("arena.db*"):
        path.unlink()


def contents(directory: Path) -> dict[str, bytes]:
    """Return what must not change."""
    return {name: (directory / name).read_bytes() for name in SAME}


async def test_every_match_is_kept(tmp_path):
    """Nothing is played again, the chain goes on, and what is recovered can be verified."""
    await play(tmp_path)
    before = contents(tmp_path)
    lose_database(tmp_path)
    assert await play(tmp_path, recovers=True) == 6
    assert contents(tmp_path) == before
    assert audit_results(tmp_path).is_ok


async def test_what_is_not_whole_is_played_again(tmp_path):
    """A match without its replay is open; the same bots end it in the same way."""
    await play(tmp_path)
    before = (tmp_path / "leaderboard.json").read_bytes()
    lose_database(tmp_path)
    (tmp_path / "replays" / "1-2.jsonl").unlink()
    with pytest.raises(ResultsError, match="does not agree with the database"):
        await play(tmp_path, recovers=True)  # the chain tells of the lost match
    (tmp_path / "chain.jsonl").rename(tmp_path / "chain.before")
    assert await play(tmp_path) == 0
    assert (tmp_path / "leaderboard.json").read_bytes() == before
    assert audit_results(tmp_path).is_ok


async def test_an_older_copy_is_brought_up_to_date(tmp_path):
    """What it lacks is added in the order of the chain, which then agrees again."""
    async with open_tournament(TWICE, tmp_path) as tournament:
        await tournament.prepare(InlineEngine(tournament.config))
    older = tmp_path / "older"
    shutil.copy(tmp_path / "arena.db", older)
    await play(tmp_path)
    before = contents(tmp_path)
    lose_database(tmp_path)
    older.rename(tmp_path / "arena.db")
    assert await play(tmp_path, recovers=True) == 6
    assert contents(tmp_path) == before
    assert await play(tmp_path, recovers=True) == 0  # once more changes nothing


@pytest.mark.parametrize("name", ["replays/1-2.jsonl", "matches.jsonl"])
async def test_what_the_chain_contradicts_is_refused(tmp_path, name):
    """A file that was altered is named, and no database is left behind."""
    await play(tmp_path)
    lose_database(tmp_path)
    text = (tmp_path / name).read_text()
    old = '"scores":['
    assert old in text
    (tmp_path / name).write_text(text.replace(old, f"{old}9", 1))
    with pytest.raises(ResultsError, match=name):
        await play(tmp_path, recovers=True)
    assert not (tmp_path / "arena.db").exists()


async def test_a_damaged_database_says_how(tmp_path):
    """The way that the error names is the way that works."""
    await play(tmp_path)
    (tmp_path / "arena.db").write_bytes(b"not any more" * 1000)
    with pytest.raises(DamagedError, match=r"move it away and .* `arena tournament DIR --recover`"):
        await play(tmp_path)
    lose_database(tmp_path)
    assert await play(tmp_path, recovers=True) == 6


async def test_nothing_is_recovered_without_seed_or_times(tmp_path):
    """Both are needed, and whichever is missing is named."""
    await play(tmp_path)
    lose_database(tmp_path)
    config = tmp_path / "tournament.toml"
    text = config.read_text()
    config.write_text(text.replace('seed = "7"', 'seed = ""'))
    with pytest.raises(InputError, match="has no seed or no salt"):
        await play(tmp_path, recovers=True)
    config.write_text(text)
    (tmp_path / "timing.json").unlink()
    with pytest.raises(InputError, match=r"timing\.json: is missing"):
        await play(tmp_path, recovers=True)
