from __future__ import annotations

import pytest

from arena.games.byzanz.cards import CARD_NAMES
from arena.games.counts import size
from tests.games.byzanz.positions import PACK, cards, dealt, names, position, words


def test_a_text_of_cards_counts_equal_ones():
    """`2*wine-1` stands for two cards."""
    assert words("2*wine-1 trader ?") == ["wine-1", "wine-1", "trader", "?"]
    assert names(cards("trader 2*wine-1")) == "wine-1 wine-1 trader"


def test_a_position_holds_the_whole_pack():
    """Cards that a position does not mention are still somewhere in it."""
    state = position(["cloth-1 ?", "", "trader"], market="3*wood-1", kept=["wine-4"])

    assert state.inventory() == dict(PACK)
    assert [size(hand) for hand in state.hands] == [2, 0, 1]
    assert size(state.lot) == 6
    assert len(state.deck) == 4 + 2 + 5 * 12


def test_a_dealt_match_starts_as_told():
    """The hands and the top of the deck are those asked for."""
    state = dealt(3, ["4*trader", "cloth-4 2*cloth-3"], "3*wine-1 3*wood-1 grain-4")

    assert names(state.hands[0]) == "trader trader trader trader"
    assert size(state.hands[1]) == 4
    assert state.lot == cards("3*wine-1 3*wood-1")
    assert CARD_NAMES[state.deck[state.drawn]] == "grain-4"
    assert state.inventory() == dict(PACK)


@pytest.mark.parametrize("hand", ["3*cloth-4", "17*trader"])
def test_a_position_with_too_many_of_a_card_is_refused(hand):
    """Nobody can hold three cards of which there are two."""
    with pytest.raises(ValueError, match="more cards than there are"):
        position([hand, "", ""])


def test_a_position_with_too_large_a_lot_is_refused():
    """A lot has as many cards as the offer card says."""
    with pytest.raises(ValueError, match="only 6 cards"):
        position(["", "", ""], lot="6*cloth-1 wine-1")
