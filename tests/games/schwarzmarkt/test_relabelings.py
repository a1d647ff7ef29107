"""Renaming the goods: which renamings there are and what they do to a deal."""

from collections import Counter
from itertools import permutations

import pytest

from arena.games.counts import pack, unpack
from tests.games.schwarzmarkt.positions import BASIC, PRINTED, UNEVEN

# Neighbours in the offers of two pairs; potatoes and flour are neighbours, too.
CIRCLE = ("potatoes", "butter", "sugar", "coffee", "flour")


def rotations_and_reflections():
    found = set()
    for turn in range(5):
        turned = CIRCLE[turn:] + CIRCLE[:turn]
        for image in (turned, turned[::-1]):
            found.add(tuple(BASIC.kinds.index(name) for name in image))
    return found


def test_the_basic_deck_has_the_ten_symmetries_of_the_circle():
    """The renamings are exactly the rotations and reflections of the circle of goods."""
    labels = BASIC.relabelings()

    assert set(labels) == rotations_and_reflections()
    assert len(labels) == 10


def test_the_identity_comes_first():
    """The first renaming changes nothing, with every deck."""
    assert BASIC.relabelings()[0] == (0, 1, 2, 3, 4)
    assert UNEVEN.relabelings() == ((0, 1, 2, 3, 4),)


def test_renamings_are_found_once():
    """The renamings are computed when first asked for and kept."""
    assert BASIC.relabelings() is BASIC.relabelings()


def configured(**parts):
    return BASIC.configure({"cards": {**PRINTED, **parts}})


def test_offers_that_treat_all_goods_alike_allow_every_renaming():
    """With one offer of each single good all 120 renamings are equivalent."""
    offers = [{good: 1} for good in CIRCLE] * 4

    assert set(configured(offers=offers).relabelings()) == set(permutations(range(5)))


def test_copies_of_an_offer_count():
    """An offer there are more copies of stays itself."""
    offers = [{good: 1} for good in CIRCLE] * 4 + [{"sugar": 1}]

    labels = configured(offers=offers).relabelings()

    assert len(labels) == 24
    assert {image[2] for image in labels} == {2}


def test_a_deck_of_a_card_file_counts():
    """A good there is more of in the deck stays itself; the offers alone do not decide."""
    decks = {**PRINTED["decks"]}
    decks["basic"] = {**decks["basic"], "coffee": 13}

    labels = configured(decks=decks).relabelings()

    assert set(labels) == {(0, 1, 2, 3, 4), (1, 0, 4, 3, 2)}  # the reflection through coffee


@pytest.mark.parametrize("labels", sorted(rotations_and_reflections()))
def test_a_renamed_deal_is_a_proper_deal(labels):
    """Renaming keeps every card of the game: the deck and the set of offers are the same."""
    setup = BASIC.setup(b"renamed", 4)

    renamed = BASIC.relabel(setup, labels)

    assert BASIC.setup_from_json(BASIC.setup_to_json(renamed), 4) == renamed
    assert renamed.goods_pile == tuple(labels[good] for good in setup.goods_pile)
    for hand, other in zip(setup.hands, renamed.hands, strict=True):
        assert Counter(labels[good] for good in hand) == Counter(other)


def test_offers_are_renamed_with_the_goods_and_text_cards_stay():
    """An offer becomes the offer of the renamed goods, in its place; a text card stays."""
    labels = (1, 2, 3, 4, 0)
    setup = BASIC.setup(b"renamed", 3)
    cards = BASIC.material.cards

    renamed = BASIC.relabel(setup, labels)

    for old, new in zip(setup.black_market_pile, renamed.black_market_pile, strict=True):
        if cards[old].effect is None:
            wanted = pack(labels[good] for good in unpack(cards[old].demand))
            assert cards[new].demand == wanted
        else:
            assert new == old


def test_a_deal_may_be_asked_for_renamed():
    """A match dealt with labels starts from the renamed set-up."""
    labels = (4, 3, 2, 1, 0)

    state = BASIC.deal(b"renamed", 3, labels)

    renamed = BASIC.relabel(BASIC.setup(b"renamed", 3), labels)
    assert state.goods == [pack(hand) for hand in renamed.hands]
    assert state.black_market_pile == list(renamed.black_market_pile)
