from __future__ import annotations

import difflib
from itertools import islice

import pytest

from arena.games.registry import BUILT_IN, get_game
from tests.golden.regenerate import DIRECTORY, play_through, playthroughs

MOST_BYTES = 150_000
MOST_SHOWN = 60


@pytest.mark.parametrize("file", playthroughs())
def test_the_match_goes_as_it_always_did(file):
    """A seeded match of random moves is the same as in its golden file, line by line."""
    game, players = playthroughs()[file]
    expected = (DIRECTORY / file).read_text(encoding="utf-8").splitlines()
    played = play_through(file, game, players).splitlines()

    if played != expected:
        diff = difflib.unified_diff(expected, played, file, "played now", lineterm="", n=6)
        shown = "\n".join(islice(diff, MOST_SHOWN))
        pytest.fail(
            f"{file} differs. If that is meant: make golden, and review the diff.\n{shown}",
            pytrace=False,
        )


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_table_size_has_a_golden_file(name):
    """Each built-in game has a playthrough for each number of players."""
    missing = [
        players
        for players in get_game(name).table_sizes
        if not (DIRECTORY / f"{name}-{players}p.txt").is_file()
    ]

    assert not missing, "make golden writes them"


def test_there_are_no_other_files():
    """A golden file that nothing compares with would only look like a test."""
    assert {path.name for path in DIRECTORY.glob("*.txt")} == set(playthroughs())


def test_the_files_can_be_read_by_a_person():
    """A golden file stays small enough to review."""
    for file in playthroughs():
        assert (DIRECTORY / file).stat().st_size < MOST_BYTES
