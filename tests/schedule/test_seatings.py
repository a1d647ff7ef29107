from __future__ import annotations

import math
from collections import Counter
from itertools import chain, combinations, islice, pairwise, permutations, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InputError
from arena.schedule.plan import Rotation
from arena.schedule.seatings import (
    count_seatings,
    latin_seatings,
    seatings,
    spread_seats,
    vary_neighbours,
)

SIZES = range(3, 7)


def seat_counts(placed):
    return Counter((bot, seat) for seating in placed for seat, bot in enumerate(seating))


def neighbour_counts(placed):
    return Counter(chain.from_iterable(pairwise((*seating, seating[0])) for seating in placed))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8, 11, 12, 14])
def test_latin_seatings_are_exactly_even_in_seats_and_neighbours(players):
    """Every bot is k-1 times in every seat and every ordered pair k times side by side."""
    made = latin_seatings(players)
    everybody = set(range(players))

    assert len(made) == len(set(made)) == players * (players - 1)
    assert all(set(seating) == everybody for seating in made)
    assert set(seat_counts(made).values()) == {players - 1}
    assert neighbour_counts(made) == dict.fromkeys(permutations(everybody, 2), players)


@pytest.mark.parametrize("players", [9, 10, 15])
def test_where_no_latin_seatings_are_known_the_error_names_the_alternatives(players):
    """A table size without latin seatings is refused with what can be used instead."""
    for ask in (seatings, lambda rotation, players, _: count_seatings(rotation, players)):
        with pytest.raises(InputError, match=f"tables of {players}; use cyclic, full or none"):
            ask(Rotation.LATIN, players, 1)


@pytest.mark.parametrize("players", [2, *SIZES, 7, 9, 10])
def test_cyclic_seatings_turn_one_circle(players):
    """Every bot has every seat once in a block, always with the same neighbours."""
    made = seatings(Rotation.CYCLIC, players, 1)

    assert made[0] == tuple(range(players))
    assert set(seat_counts(made).values()) == {1}
    assert len(made) == players
    assert set(neighbour_counts(made).values()) == {players}


@pytest.mark.parametrize("players", SIZES)
def test_circles_take_turns_from_round_to_round(players):
    """Over a full turn of circles every ordered pair is side by side equally often."""
    turn = {3: 2, 4: 6, 5: 4, 6: 10}[players]
    made = [
        order
        for number in range(1, turn + 1)
        for order in seatings(Rotation.CYCLIC, players, number)
    ]

    assert len(neighbour_counts(made)) == players * (players - 1)
    assert len(set(neighbour_counts(made).values())) == 1
    assert seatings(Rotation.CYCLIC, players, turn + 1) == seatings(Rotation.CYCLIC, players, 1)


@pytest.mark.parametrize("players", [2, *SIZES, 7, 9])
def test_without_rotation_every_bot_has_every_seat_once_in_k_rounds(players):
    """One seating a round, and k rounds, wherever they begin a cycle, put all in all seats."""
    for start in (1, players + 1, 7 * players + 1):
        rounds = [seatings(Rotation.NONE, players, start + step) for step in range(players)]
        assert all(len(made) == 1 for made in rounds)
        assert set(seat_counts(chain.from_iterable(rounds)).values()) == {1}
        assert len(seat_counts(chain.from_iterable(rounds))) == players**2


@pytest.mark.parametrize("players", SIZES)
def test_full_seatings_are_all_in_lexicographic_order(players):
    """Full rotation is every seating once, in a stable order."""
    made = seatings(Rotation.FULL, players, 3)

    assert len(made) == math.factorial(players)
    assert list(made) == sorted(set(made))


@pytest.mark.parametrize("rotation", Rotation)
@pytest.mark.parametrize("players", SIZES)
def test_seatings_are_counted_without_making_them(rotation, players):
    """The count is the number of seatings of any round."""
    for number in (1, 2, 9):
        assert len(seatings(rotation, players, number)) == count_seatings(rotation, players)


def test_counting_full_seatings_of_a_huge_table_is_instant():
    """Nobody builds twenty factorial seatings to count them."""
    assert count_seatings(Rotation.FULL, 20) == math.factorial(20)


@pytest.mark.slow
@given(st.data())
def test_spread_seats_are_even_to_within_one(data):
    """Any tables get seats in which no bot is in one seat twice more often than in another."""
    players = data.draw(st.sampled_from(SIZES))
    bots = data.draw(st.integers(players, 15))
    possible = list(combinations(range(bots), players))
    tables = data.draw(st.lists(st.sampled_from(possible), max_size=60))

    placed = spread_seats(tables)

    assert [tuple(sorted(table)) for table in placed] == tables
    counts = seat_counts(placed)
    for bot in set(chain.from_iterable(tables)):
        by_seat = [counts[bot, seat] for seat in range(players)]
        assert max(by_seat) - min(by_seat) <= 1


@pytest.mark.parametrize("players", [*SIZES, 8])
def test_varied_neighbours_even_out(players):
    """One table that plays again and again has all its bots side by side about equally often."""
    rounds = vary_neighbours(repeat([tuple(range(players))]), players)
    placed = [table for (table,) in islice(rounds, 4 * players * (players - 1))]

    counts = neighbour_counts(placed)
    assert len(counts) == players * (players - 1)
    assert max(counts.values()) - min(counts.values()) <= 2
