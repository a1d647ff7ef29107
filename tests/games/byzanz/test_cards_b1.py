from __future__ import annotations

from collections import Counter

import pytest

from arena.games.byzanz import cards as c
from arena.games.byzanz.bids import AuctionMoves
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.rules import TABLES
from arena.games.packed import list_sums
from tests.games.byzanz.positions import (
    KINDS,
    PACK,
    assert_refused,
    cards,
    dealt,
    legal,
    names,
    play,
    position,
)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_sixteen_cards(kind):
    """B1.1: a kind has 6 cards of value 1, 5 of value 2, 3 of value 3 and 2 of value 4."""
    held = Counter(name for name in c.names_of(c.DECK) if name.startswith(kind))

    assert held == {f"{kind}-1": 6, f"{kind}-2": 5, f"{kind}-3": 3, f"{kind}-4": 2}


def test_the_pack_has_96_goods_and_16_traders():
    """B1.1, B1.2: six kinds of 16 goods and 16 traders make 112 cards."""
    held = Counter(c.names_of(c.DECK))

    assert held == PACK
    assert held["trader"] == 16
    assert held.total() - held["trader"] == 96


@pytest.mark.parametrize(
    ("text", "value"), [("wine-1", 1), ("cloth-4 olives-3", 7), ("trader", 0), ("3*trader", 0)]
)
def test_only_goods_have_a_value(text, value):
    """B1.2: a trader is worth 0, goods what is printed on them."""
    assert c.value_of(cards(text)) == value


def test_a_trader_cannot_be_bid():
    """B1.2: a hand of traders offers no bid, and a bid with a trader in it is refused."""
    state = position(["2*trader wine-1", "", ""])

    assert legal(state) == ["pass", "bid wine-1", "sell wine-1 trader trader"]
    assert_refused(state, "bid trader", "B3.5")
    assert_refused(state, "bid wine-1 trader", "B3.5")


def test_a_trader_is_a_joker_in_sales():
    """B1.2: one trader completes two goods of a kind to a sale."""
    state = position(["2*wine-1 trader", "", ""])

    play(state, "sell wine-1 wine-1 trader")

    assert names(state.hands[0]) == ""


def test_traders_are_a_kind_of_their_own_on_the_market():
    """B1.2: taking a kind of goods leaves the traders on the market, and they can be taken."""
    state = position(
        ["", "", ""], phase=ByzanzPhase.TAKE, offers=(2, 4, 6), market="2*wine-1 2*trader cloth-1"
    )

    play(state, "take wine", "take trader")

    assert [names(hand) for hand in state.hands] == ["wine-1 wine-1", "trader trader", ""]
    assert names(state.market) == "cloth-1"


def test_offer_cards_are_numbered_1_to_6():
    """B1.3: all tables together use the offer cards 1 to 6."""
    assert {offer for table in TABLES.values() for offer in table.offers} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_top_offer_card_sizes_the_auction(seats):
    """B1.3: the first lot has as many cards as the highest offer card says."""
    state = dealt(seats)

    highest = {3: 6, 4: 5, 5: 5, 6: 6}[seats]

    assert len(names(state.lot).split()) == highest
    assert state.observe(None).offer == highest


def test_offer_cards_order_the_market():
    """B1.3: the lowest offer card takes first, whatever its seat."""
    state = position(
        ["", "", ""],
        phase=ByzanzPhase.TAKE,
        offers=(6, 2, 4),
        to_act=1,
        market="wine-1 wood-1 grain-1",
    )
    order = []
    for line in ("take wine", "take wood", "take grain"):
        order.append(state.to_act)
        play(state, line)

    assert order == [1, 2, 0]


@pytest.mark.parametrize(
    ("at_least", "bids"),
    [
        (1, ["cloth-1", "2*cloth-1", "wood-3", "cloth-1 wood-3", "2*cloth-1 wood-3"]),
        (2, ["2*cloth-1", "wood-3", "cloth-1 wood-3", "2*cloth-1 wood-3"]),
        (4, ["cloth-1 wood-3", "2*cloth-1 wood-3"]),
        (5, ["2*cloth-1 wood-3"]),
        (6, []),
    ],
)
def test_bids_are_all_handfuls_of_goods_that_are_enough(at_least, bids):
    """B3.5: the bids a hand can add are those of at least the value needed, each once."""
    found = AuctionMoves(cards("2*cloth-1 wood-3 trader"), at_least, ())

    assert sorted(list_sums(found.sums())) == sorted(cards(text) for text in bids)
