"""S1: the material as printed, checked against the rules' own tables."""

from collections import Counter
from itertools import pairwise

import pytest

from arena.games.counts import count, unpack
from arena.games.schwarzmarkt.material import GOODS
from tests.games.schwarzmarkt.positions import (
    BASIC,
    PRINTED,
    UNEVEN,
    do,
    goods,
    position,
    whole_inventory,
)

MATERIAL = BASIC.material
OFFERS = [card for card in MATERIAL.cards if card.effect is None]


def test_the_basic_deck_has_twelve_of_each_of_five_goods():
    """S1.1: the basic deck is 12 each of potatoes, butter, sugar, coffee and flour."""
    assert GOODS == ("potatoes", "butter", "sugar", "coffee", "flour")
    assert Counter(MATERIAL.goods_cards()) == dict.fromkeys(range(5), 12)


def test_the_uneven_deck_has_sixteen_to_eight():
    """S1.1: the uneven deck is potatoes 16, flour 14, butter 12, sugar 10, coffee 8."""
    numbers = {name: count(UNEVEN.material.deck, good) for good, name in enumerate(GOODS)}

    assert numbers == {"potatoes": 16, "flour": 14, "butter": 12, "sugar": 10, "coffee": 8}
    assert len(UNEVEN.material.goods_cards()) == 60


def test_the_uneven_deck_changes_nothing_but_the_goods():
    """S1.1: the variant has the same track and the same black-market cards."""
    assert UNEVEN.material.cards == MATERIAL.cards
    assert UNEVEN.material.prices == MATERIAL.prices
    assert UNEVEN.material.steps == MATERIAL.steps


def test_wealth_starts_at_nothing_and_is_a_whole_number():
    """S1.2 (Ruling): wealth is a whole number, the same in every observation."""
    state = position(offer="potatoes-3", price=9, goods={0: "potatoes-2 flour"})
    assert state.observe(None).luxury == (0, 0, 0)

    do(state, "trade potatoes potatoes")

    for seat in (None, 0, 1, 2):
        assert state.observe(seat).luxury == (18, 0, 0)


def test_the_bank_never_runs_out():
    """S1.2 (Ruling): a trade is paid however much luxury is out already."""
    state = position(
        offer="potatoes-3", price=50, goods={0: "potatoes-3 flour"}, luxury=[10_000_000, 0, 0]
    )

    do(state, "trade potatoes potatoes potatoes")

    assert state.luxury[0] == 10_000_150


def test_change_is_given():
    """S1.2: a seat that owns one card of 10 can pay 5 of it."""
    state = position(cards={0: "new_goods"}, luxury=[10, 0, 0])

    do(state, "play new_goods")

    assert list(state.luxury) == [5, 0, 0]


def test_there_are_thirty_black_market_cards():
    """S1.3: 20 offers and 10 text cards."""
    assert len(MATERIAL.black_market_cards()) == 30
    assert sum(card.copies for card in OFFERS) == 20


def test_the_track_is_the_printed_one():
    """S1.4: 14 spaces with their prices and furthest steps."""
    assert MATERIAL.prices == (1, 3, 5, 7, 9, 12, 15, 20, 25, 30, 35, 40, 45, 50)
    assert MATERIAL.steps == (4, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0)
    assert MATERIAL.last_space == 13


def test_the_known_facts_of_the_track_hold():
    """S1.4: 1 first with 4 steps, 9 four spaces on, 12 next, 50 last, steps fall slowly to 1."""
    assert MATERIAL.prices[0] == 1
    assert MATERIAL.steps[0] == 4
    assert MATERIAL.prices[4:6] == (9, 12)
    assert MATERIAL.prices[-1] == 50
    assert len(MATERIAL.prices) == 14
    falls = [before - after for before, after in pairwise(MATERIAL.steps[:-1])]
    assert set(falls) == {0, 1}
    assert MATERIAL.steps[-2] == 1


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        ("old_debt", 2),
        ("new_goods", 2),
        ("scarce_goods", 2),
        ("foraging", 1),
        ("protection", 1),
        ("raid", 1),
        ("slow_trade", 1),
    ],
)
def test_text_cards_have_the_copies_listed(name, copies):
    """S5: the number of copies of each text card."""
    text_card = MATERIAL.cards[MATERIAL.card_by_name[name]]

    assert text_card.copies == copies
    assert text_card.effect is not None
    assert text_card.demand == 0


def test_the_offers_are_the_twenty_listed():
    """S1.3: the offers listed in the rules, each once, and no other."""
    pairs = ["potatoes-2 butter-2", "butter-2 sugar-2", "sugar-2 coffee-2", "coffee-2 flour-2"]
    pairs += ["flour-2 potatoes-2"]
    threes = [f"{good}-3" for good in GOODS]
    mixed = ["potatoes-2 sugar coffee", "butter-2 coffee flour", "sugar-2 flour potatoes"]
    mixed += ["coffee-2 potatoes butter", "flour-2 butter sugar"]
    all_but = [" ".join(good for good in GOODS if good != left_out) for left_out in GOODS]

    expected = {goods(offer) for offer in [*pairs, *threes, *mixed, *all_but]}

    assert len(expected) == 20
    assert {offer.demand for offer in OFFERS} == expected
    assert {offer.copies for offer in OFFERS} == {1}


def test_the_first_offer_is_the_known_one():
    """S1.3: the one offer known from the rulebook is 2 potatoes 2 butter."""
    assert OFFERS[0].name == "offer:potatoes-2,butter-2"


@pytest.mark.parametrize("good", range(5))
def test_each_good_is_wanted_fifteen_times_on_ten_cards(good):
    """S1.3: the offers treat all goods alike."""
    wanted = [count(offer.demand, good) for offer in OFFERS]

    assert sum(wanted) == 15
    assert sum(number > 0 for number in wanted) == 10


def test_an_offer_is_named_after_its_goods_in_canonical_order():
    """Moves: offers are written `offer:` and the goods potatoes, butter, sugar, coffee, flour."""
    for offer in OFFERS:
        parts = [part.split("-") for part in offer.name.removeprefix("offer:").split(",")]
        named = [good for good, number in parts for _ in range(int(number))]
        assert named == [GOODS[good] for good in unpack(offer.demand)]


@pytest.mark.parametrize("game", [BASIC, UNEVEN], ids=["basic", "uneven"])
def test_a_match_holds_every_card_of_the_material(game):
    """S1: the inventory of a fresh match is 60 goods and 30 black-market cards."""
    inventory = game.deal(b"seed", 4).inventory()

    assert inventory == whole_inventory(game)
    assert sum(inventory.values()) == 90


def test_the_built_in_content_has_track_offers_texts_and_decks():
    """S1: everything printed comes from the one card file beside the code."""
    assert set(PRINTED) == {"track", "offers", "texts", "decks"}
