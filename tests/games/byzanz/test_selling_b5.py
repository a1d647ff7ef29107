from __future__ import annotations

import pytest

from arena.games.byzanz.cards import is_sale, kept_of, profit_of
from arena.games.byzanz.events import Sold
from arena.games.byzanz.moves import Sell
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import UNIT
from arena.games.game import Seat, seen_by
from tests.games.byzanz.positions import assert_refused, cards, legal, names, play, position

NO_SALES = [
    "cloth-1",
    "2*cloth-1",
    "4*cloth-1",
    "2*cloth-1 wine-1",
    "cloth-1 wine-1 trader",
    "cloth-1 wine-1 wood-1",
    "2*trader",
    "4*trader",
    "3*cloth-1 trader",
]


@pytest.mark.parametrize(
    ("sale", "points"),
    [
        ("cloth-4 cloth-1 cloth-1", 4),
        ("cloth-4 cloth-3 trader", 4),
        ("trader trader spice-2", 2),
        ("3*trader", 5),
    ],
)
def test_worked_example_3(sale, points):
    """Worked example 3, B5.2: the highest card scores, three traders score 5."""
    state = position([sale, "", ""])

    play(state, f"sell {sale}")

    assert state.observe(None).points == (points, 0, 0)
    assert state.hands[0] == 0


@pytest.mark.parametrize(
    "sale", ["3*cloth-1", "cloth-1 cloth-2 cloth-4", "2*wine-1 trader", "grain-3 2*trader"]
)
def test_three_cards_of_one_kind_are_a_sale(sale):
    """B5.1: any values of one kind, traders standing in for missing cards, can be sold."""
    state = position([f"{sale} olives-1", "", ""])

    play(state, f"sell {sale}")

    assert names(state.hands[0]) == "olives-1"


@pytest.mark.parametrize("text", NO_SALES)
def test_anything_else_is_no_sale(text):
    """B5.1: fewer or more than three cards, or goods of two kinds, cannot be sold."""
    assert not is_sale(cards(text))
    assert_refused(position([text, "", ""]), f"sell {text}", "B5.1")


@pytest.mark.parametrize("sale", ["3*cloth-1", "2*cloth-1 trader", "cloth-1 2*trader", "3*trader"])
def test_cards_not_in_the_hand_cannot_be_sold(sale):
    """B5.4: each card of a sale must be in the hand as often as it is sold."""
    state = position(["cloth-1 trader cloth-2 cloth-3", "5*cloth-1", "3*trader"])

    assert_refused(state, f"sell {sale}", "B5.4")


@pytest.mark.parametrize("counts", [-1, 128 * UNIT[0], 3 * UNIT[30], 1 << 3000])
def test_a_sale_of_impossible_cards_is_refused(counts):
    """B5.4: numbers that are no cards at all are refused like any other."""
    assert_refused(position(["6*cloth-1", "", ""]), Sell(counts), "B5.4")


def test_a_sale_of_nothing_is_refused():
    """B5.1: three cards are sold, not none."""
    assert_refused(position(["6*cloth-1", "", ""]), Sell(0), "B5.1")


def test_a_sale_is_shown_to_all():
    """B5.1: everybody sees the three cards."""
    state = position(["cloth-4 cloth-1 trader", "", ""])

    (sold,) = play(state, "sell cloth-1 cloth-4 trader")

    assert sold == Sold(Seat(0), cards("cloth-4 cloth-1 trader"), 3)
    assert seen_by(sold, None) is sold


@pytest.mark.parametrize(
    ("sale", "kept"),
    [
        ("cloth-1 cloth-2 cloth-3", "cloth-3"),
        ("cloth-2 2*cloth-4", "cloth-4"),
        ("3*wine-1", "wine-1"),
        ("olives-1 2*trader", "olives-1"),
        ("3*trader", "trader"),
    ],
)
def test_the_highest_card_is_kept_and_two_leave_the_game(sale, kept):
    """B5.2: one card becomes profit, the other two are out of the game."""
    state = position([sale, "", ""])
    out = state.out

    play(state, f"sell {sale}")

    assert names(state.kept[0]) == kept
    assert state.out == out + cards(sale) - cards(kept)


def test_a_kept_trader_is_worth_5():
    """B5.2: a trader kept from a sale of three counts 5, the two others are out of the game."""
    assert profit_of(cards("trader")) == 5
    assert profit_of(cards("2*trader wine-4 cloth-1")) == 15
    assert kept_of(cards("3*trader")) == 24


def test_traders_in_another_sale_leave_the_game():
    """B5.2: two traders sold with a spice-1 are worth nothing."""
    state = position(["spice-1 2*trader", "", ""])
    out = state.out

    play(state, "sell spice-1 2*trader")

    assert state.points[0] == 1
    assert state.out == out + cards("2*trader")


def test_profit_adds_up():
    """B5.2: several sales score the sum of what they keep."""
    state = position(["3*wine-2 3*trader", "", ""], kept=["cloth-4"])

    play(state, "sell 3*wine-2", "sell 3*trader")

    assert state.points[0] == 4 + 2 + 5
    assert state.kept[0] == cards("cloth-4 wine-2 trader")


EXTRA = {
    ByzanzPhase.AUCTION: "pass",
    ByzanzPhase.GIVE: "give grain-1",
    ByzanzPhase.TAKE: "take grain",
    ByzanzPhase.LIMIT: "discard cloth-1",
    ByzanzPhase.FINAL: "done",
}


def selling(phase):
    """Return a position with seat 1 of four at a decision of that phase, with much to sell."""
    return position(
        ["", "3*cloth-1 3*wine-2 4*trader cloth-4", "", ""],
        phase=phase,
        to_act=1,
        lot="5*grain-1" if phase in {ByzanzPhase.AUCTION, ByzanzPhase.GIVE} else "",
        market="grain-1" if phase is ByzanzPhase.TAKE else "",
        offers=(4, 2, 5, 3) if phase is ByzanzPhase.TAKE else (),
    )


@pytest.mark.parametrize("phase", EXTRA)
def test_a_sale_may_be_made_at_every_own_decision(phase):
    """B5.3, Ruling: bid, give, take, hand limit and final decisions all allow sales."""
    lines = legal(selling(phase))

    assert EXTRA[phase] in lines
    assert {
        "sell cloth-1 cloth-1 cloth-1",
        "sell cloth-1 cloth-4 trader",
        "sell wine-2 trader trader",
        "sell trader trader trader",
    } <= set(lines)


@pytest.mark.parametrize("phase", set(EXTRA) - {ByzanzPhase.LIMIT})
def test_a_sale_comes_before_the_decision_itself(phase):
    """B5.3, Ruling: after any number of sales the same seat still owes the same decision."""
    state = selling(phase)

    play(state, "sell 3*cloth-1", "sell 3*wine-2", "sell 3*trader")

    assert (state.phase, state.to_act) == (phase, 1)
    assert names(state.hands[1]) == "cloth-4 trader"
    play(state, EXTRA[phase])
    assert (state.phase, state.to_act) != (phase, 1)


def test_sales_over_the_limit_stop_when_it_is_kept():
    """B5.3, B6.1: eleven cards allow two sales in a row, the second ends the decision."""
    state = selling(ByzanzPhase.LIMIT)

    play(state, "sell 3*cloth-1")
    assert (state.phase, state.to_act) == (ByzanzPhase.LIMIT, 1)
    play(state, "sell 3*wine-2")
    assert state.phase is ByzanzPhase.AUCTION


def test_another_seats_decision_allows_no_sale_of_ours():
    """B5.3, Ruling: a sale is made from the hand of the seat to act only."""
    state = position(["", "3*cloth-1", ""])

    assert legal(state) == ["pass"]
    assert_refused(state, "sell 3*cloth-1", "B5.4")


def test_cards_in_a_bid_cannot_be_sold():
    """B5.4: a laid card is not in the hand, until a pass takes it back."""
    state = position(["3*wine-1 wood-4", "wood-2", ""])
    play(state, "bid wine-1", "bid wood-2", "pass")

    assert not any(line.startswith("sell") for line in legal(state))
    assert_refused(state, "sell 3*wine-1", "B5.4")
    play(state, "pass")
    assert state.hands[0] == cards("3*wine-1 wood-4")


def test_a_bidder_may_sell_what_is_still_in_the_hand():
    """B5.3, B5.4: selling between two bids leaves the laid cards where they are."""
    state = position(["wine-1 wood-4 3*cloth-1", "wood-2", ""])
    play(state, "bid wine-1", "bid wood-2", "pass")

    play(state, "sell 3*cloth-1", "bid wood-4")

    assert state.laid[0] == cards("wine-1 wood-4")
    assert state.points[0] == 1
    assert state.to_act == 1
