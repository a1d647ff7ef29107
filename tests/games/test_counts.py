from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.counts import (
    MAX_COUNT,
    MAX_SIZE,
    UNIT,
    contains,
    count,
    intersect,
    pack,
    size,
    submultisets,
    types,
    unpack,
)

LAST = len(UNIT) - 1

handfuls = st.lists(st.integers(0, LAST), max_size=60)
"""Any cards; few enough of each and together."""

similar = st.lists(st.sampled_from([0, 1, 2, 7, LAST]), max_size=40)
"""Cards of few types, so that two handfuls have much in common."""


def model(counts: int) -> Counter[int]:
    """Return packed cards as a Counter, read lane by lane."""
    return Counter({card: n for card in range(len(UNIT)) if (n := counts >> 8 * card & 0xFF)})


@settings(deadline=None)
@given(handfuls)
def test_packing_counts_each_card(cards):
    """A packed multiset holds each card as often as it was given, in its own lane."""
    assert model(pack(cards)) == Counter(cards)


@settings(deadline=None)
@given(handfuls)
def test_unpacking_gives_the_cards_in_rising_order(cards):
    """Unpacking undoes packing, whatever the order was."""
    assert unpack(pack(cards)) == tuple(sorted(cards))


@settings(deadline=None)
@given(handfuls)
def test_types_are_the_different_cards(cards):
    """Each card is named once, in rising order."""
    assert types(pack(cards)) == tuple(sorted(set(cards)))


@settings(deadline=None)
@given(handfuls)
def test_size_is_the_number_of_cards(cards):
    """The remainder by 255 counts all cards."""
    assert size(pack(cards)) == len(cards)


@settings(deadline=None)
@given(handfuls, st.integers(0, LAST))
def test_count_is_the_number_of_one_card(cards, card):
    """A count is that of its own lane, whatever lies beside it."""
    assert count(pack(cards), card) == cards.count(card)


@settings(deadline=None)
@given(similar, similar)
def test_addition_puts_multisets_together(a, b):
    """The sum of two packed multisets holds the cards of both."""
    assert pack(a) + pack(b) == pack(a + b)


@settings(deadline=None)
@given(similar, similar)
def test_subtraction_takes_what_was_added(a, b):
    """Taking away what is contained leaves the rest."""
    assert pack(a + b) - pack(b) == pack(a)


@settings(deadline=None)
@given(similar, similar)
def test_contains_compares_card_by_card(whole, part):
    """A part lies within a whole if no card of it is more frequent."""
    assert contains(pack(whole), pack(part)) == (Counter(part) <= Counter(whole))


@settings(deadline=None)
@given(similar, similar)
def test_a_whole_contains_each_of_its_parts(a, b):
    """Whatever was added is contained."""
    assert contains(pack(a + b), pack(a))
    assert contains(pack(a + b), pack(b))


@settings(deadline=None)
@given(similar, similar)
def test_intersection_takes_the_lesser_count(a, b):
    """The cards in both are as frequent as in the one that has fewer."""
    assert model(intersect(pack(a), pack(b))) == Counter(a) & Counter(b)


@settings(deadline=None)
@given(similar, st.integers())
def test_contains_is_safe_for_any_number(whole, part):
    """A number that is no multiset within the whole is not contained, however large or negative."""
    packed = pack(whole)
    is_part = part in set(submultisets(packed)) if 0 <= part <= packed else False

    assert contains(packed, part) == is_part


@pytest.mark.parametrize(
    "part",
    [-1, -UNIT[3], 128 * UNIT[3], 255 * UNIT[3], UNIT[4], UNIT[LAST] << 8, 1 << 5000, -(1 << 5000)],
)
def test_numbers_that_are_no_cards_are_not_contained(part):
    """Negative numbers, overfull lanes and lanes beyond the last are no part of a hand."""
    assert not contains(5 * UNIT[3], part)


def test_a_borrow_from_the_next_lane_is_noticed():
    """Two of a card do not lie within one of it and one of the next, though the number is less."""
    assert 2 * UNIT[0] < UNIT[0] + UNIT[1]
    assert not contains(UNIT[0] + UNIT[1], 2 * UNIT[0])


def test_nothing_lies_within_everything():
    """The empty multiset is contained in all, and contains only itself."""
    assert contains(0, 0)
    assert contains(UNIT[0], 0)
    assert not contains(0, UNIT[0])


def test_a_lane_holds_up_to_its_limit():
    """The greatest count of a card reads back, beside the greatest of its neighbour."""
    full = MAX_COUNT * UNIT[5] + MAX_COUNT * UNIT[6]

    assert count(full, 5) == count(full, 6) == MAX_COUNT == 127
    assert size(full) == MAX_SIZE == 254
    assert contains(full, MAX_COUNT * UNIT[5])
    assert intersect(full, MAX_COUNT * UNIT[6]) == MAX_COUNT * UNIT[6]


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), max_size=7))
def test_submultisets_are_all_parts_each_once(cards):
    """Every choice of a number of each card is listed once, the empty one first."""
    parts = submultisets(pack(cards))
    ranges = [range(cards.count(card) + 1) for card in range(6)]
    expected = {
        pack(card for card, number in enumerate(numbers) for _ in range(number))
        for numbers in product(*ranges)
    }

    assert parts[0] == 0
    assert len(parts) == len(set(parts))
    assert set(parts) == expected


def test_nothing_unpacks_to_nothing():
    """The empty multiset has no cards, no types and one part."""
    assert unpack(0) == types(0) == ()
    assert size(0) == 0
    assert submultisets(0) == [0]
