from __future__ import annotations

import pytest

from arena.errors import FormatError
from arena.games.counts import MAX_COUNT, MAX_SIZE, pack, unpack
from arena.wire.reading import read_counts, read_indices


def test_lists_of_cards_are_multisets():
    """The lowest card is 1 in a list of enum values and 0 in one of numbers; order is nothing."""
    assert read_counts([3, 1, 3], 25, "hand") == pack([0, 2, 2])
    assert read_indices([3, 0, 3], 25, "cards") == pack([0, 3, 3])
    assert read_counts([], 25, "hand") == read_indices([], 25, "cards") == 0


def test_as_many_cards_as_there_can_be():
    """The limits themselves are allowed."""
    most = [1] * MAX_COUNT + [2] * MAX_COUNT
    assert len(most) == MAX_SIZE
    assert len(unpack(read_counts(most, 25, "hand"))) == MAX_SIZE


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ([1, 26, 0], "hand names card 26: there are 1 to 25"),
        ([25, 0], "hand names card 0: there are 1 to 25"),
        ([256], "hand names a card that does not exist"),
        ([-1], "hand names a card that does not exist"),
        ([1] * (MAX_COUNT + 1), "hand lists more cards than there can be"),
        ([1] * MAX_SIZE + [2], "hand lists more cards than there can be"),
    ],
)
def test_lists_that_make_no_sense(cards, complaint):
    """They are refused by the name of the list, however often they come."""
    for _ in range(2):
        with pytest.raises(FormatError) as caught:
            read_counts(cards, 25, "hand")
        assert str(caught.value) == complaint
