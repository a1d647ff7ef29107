from __future__ import annotations

from collections import Counter

import pytest

from arena.games.game import Outcome
from benchmarks.strength import HEADER, Contest, _tally, contests, main, measure, seatings

TINY = [
    "--games=schwarzmarkt",
    "--players=3",
    "--matches=4",
    "--tiers",
    "random",
    "greedy",
    "searcher:iterations=4",
]


@pytest.mark.slow
def test_the_same_seed_makes_the_same_table_however_many_processes(capsys, tmp_path):
    """A tiny run is repeatable, and what is written is what is printed."""
    out = tmp_path / "strength.md"
    assert main([*TINY, "--processes=1"]) == 0
    alone = capsys.readouterr().out
    assert main([*TINY, "--processes=2", f"--out={out}"]) == 0

    assert capsys.readouterr().out == alone == out.read_text(encoding="utf-8")
    assert alone.startswith(HEADER)
    assert alone.count("\n") == 4  # two lines of head, two contests


def test_another_seed_deals_other_cards():
    """The master seed decides about the deals."""
    contest = Contest("schwarzmarkt", 3, "greedy", "random")

    assert measure(contest, 4, b"one") != measure(contest, 4, b"two")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_both_tiers_get_every_seat_equally_often(players):
    """In the two matches of a deal each seat is once of the upper tier and once of the lower."""
    for deal in range(players):
        first, second = seatings(players, deal)

        assert all(a != b for a, b in zip(first, second, strict=True))
        assert abs(sum(first) - sum(second)) == players % 2


@pytest.mark.parametrize("players", [3, 5])
def test_the_double_seat_of_an_odd_table_moves_on(players):
    """Over as many deals as there are seats, every two neighbours share a tier equally often."""
    double: Counter[int] = Counter()
    for deal in range(players):
        first = seatings(players, deal)[0]
        double.update(seat for seat in range(players) if first[seat] == first[seat - 1])

    assert double == Counter(range(players))


def test_a_tally_counts_pairs_of_seats():
    """Every upper seat is compared with every lower one; a tie is half a win."""
    tally = _tally(Outcome((9, 5, 9, 2), (1, 3, 1, 4)), (True, False, False, True))

    assert tally.seats == (2, 2)
    assert tally.ranks == (5, 4)
    assert tally.scores == (11, 14)
    assert (tally.comparisons, tally.won) == (4, 1.5)


def test_each_tier_meets_the_one_below_at_every_table_size():
    """Without a choice of sizes all of a game's are measured."""
    found = list(contests(["byzanz"], None, ["random", "greedy", "planner"]))

    assert len(found) == 8
    assert found[0] == Contest("byzanz", 3, "greedy", "random")
    assert found[1] == Contest("byzanz", 3, "planner", "greedy")


def test_a_bot_that_does_not_exist_is_reported(capsys):
    """The reason goes to the error output, and the exit code is that of wrong input."""
    assert main(["--games=byzanz", "--players=3", "--tiers", "random", "oracle"]) == 2
    assert "unknown bot 'oracle'" in capsys.readouterr().err
