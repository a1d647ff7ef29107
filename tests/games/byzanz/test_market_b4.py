from __future__ import annotations

import pytest

from arena.games.byzanz.events import KindTaken, LotTurned, MarketCleared
from arena.games.byzanz.moves import Take
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import contains, size
from arena.games.game import Seat
from tests.games.byzanz.positions import assert_refused, cards, legal, names, play, position

EXAMPLE_MARKET = "3*wood-1 2*spice-1 trader 3*cloth-1 wine-1 grain-1"


def market_day(market=EXAMPLE_MARKET, *, offers=(4, 2, 5, 3), hands=("", "", "", ""), **more):
    """Return the market of a table of four at its first taker."""
    first = offers.index(min(offers))
    return position(
        hands, phase=ByzanzPhase.TAKE, to_act=first, offers=offers, market=market, **more
    )


def test_worked_example_2():
    """Worked example 2, B4.1: wood, spice, trader, cloth are taken in rising order of offers."""
    state = market_day()
    order = []
    events = []
    for kind in ("wood", "spice", "trader", "cloth"):
        order.append(state.to_act)
        events += play(state, f"take {kind}")

    assert order == [1, 3, 0, 2]
    assert [names(hand) for hand in state.hands] == [
        "trader",
        "wood-1 wood-1 wood-1",
        "cloth-1 cloth-1 cloth-1",
        "spice-1 spice-1",
    ]
    assert MarketCleared(cards("wine-1 grain-1")) in events


def test_a_taker_gets_all_cards_of_the_kind():
    """B4.1: the values do not matter, all cards of the kind are taken."""
    state = market_day("wood-1 wood-2 wood-4 spice-1")

    events = play(state, "take wood")

    assert events == [KindTaken(Seat(1), 3, cards("wood-1 wood-2 wood-4"))]
    assert state.hands[1] == cards("wood-1 wood-2 wood-4")
    assert names(state.market) == "spice-1"


def test_each_player_takes_once():
    """B4.1: with five kinds there and four players, the fourth take ends the market."""
    state = market_day("wood-1 spice-1 trader cloth-1 wine-1")
    phases = []
    for line in ("take wood", "take spice", "take trader", "take cloth"):
        play(state, line)
        phases.append(state.phase)

    assert phases == [ByzanzPhase.TAKE, ByzanzPhase.TAKE, ByzanzPhase.TAKE, ByzanzPhase.AUCTION]


def test_traders_are_a_kind():
    """B4.1: traders are offered as the last kind of the market."""
    assert legal(market_day("2*trader spice-1 cloth-4 cloth-1")) == [
        "take cloth",
        "take spice",
        "take trader",
    ]


@pytest.mark.parametrize("move", ["take wine", "take trader", Take(7), Take(-1), Take(99)])
def test_only_a_kind_that_is_there_can_be_taken(move):
    """B4.1: a kind that does not lie on the market cannot be taken."""
    assert_refused(market_day("wood-1 spice-1"), move, "B4.1")


def test_an_empty_market_asks_nobody():
    """B4.2: the first taker clears the market, and the others are not asked."""
    state = market_day("3*wood-1")

    events = play(state, "take wood")

    assert [type(event) for event in events] == [KindTaken, MarketCleared, LotTurned]
    assert events[1] == MarketCleared(0)
    assert [size(hand) for hand in state.hands] == [0, 3, 0, 0]
    assert (state.phase, state.round) == (ByzanzPhase.AUCTION, 4)


@pytest.mark.parametrize(
    ("line", "rule"), [("pass", "B3.4"), ("done", "B7.1"), ("discard wine-1", "B6.1")]
)
def test_nobody_may_decline(line, rule):
    """B4.2, Ruling: while something is there the only way on is to take a kind."""
    state = market_day("3*wood-1", hands=("", "wine-1", "", ""))

    assert legal(state) == ["take wood"]
    assert_refused(state, line, rule)


def test_what_is_left_leaves_the_game():
    """B4.3: the rest of the market is out of the game."""
    state = market_day()
    before = state.out
    play(state, "take wood", "take spice", "take trader", "take cloth")

    assert state.market == 0
    assert state.out == before + cards("wine-1 grain-1")
    assert contains(state.observe(None).out, cards("wine-1 grain-1"))


def test_the_offer_cards_go_back_highest_on_top():
    """B4.3: the next round's first auction is for the highest offer card again."""
    state = market_day("wood-1")

    events = play(state, "take wood")

    assert isinstance(events[-1], LotTurned)
    assert events[-1].offer == 5
    assert state.observe(None).offers == (0, 0, 0, 0)
    assert state.takes == 0


def test_another_round_follows_while_cards_are_left():
    """B4.4: before the last round the market is followed by an auction of the next round."""
    state = market_day("wood-1", round_number=5)

    play(state, "take wood")

    assert (state.phase, state.round) == (ByzanzPhase.AUCTION, 6)
    assert state.observe(None).deck_size == 4 + 3 + 2


def test_no_round_follows_when_the_deck_is_used_up():
    """B4.4: after the last round the final sales follow."""
    state = market_day("wood-1", round_number=6)

    events = play(state, "take wood")

    assert isinstance(events[-1], MarketCleared)
    assert (state.phase, state.round) == (ByzanzPhase.FINAL, 6)
    assert state.observe(None).deck_size == 0


def test_the_market_starts_after_the_last_auction_only():
    """B4.1: nothing is taken while a seat has no offer card."""
    state = position(
        [""] * 4,
        phase=ByzanzPhase.GIVE,
        to_act=2,
        offers=(5, 4, 0, 0),
        lot="3*wood-1",
        market="wine-1",
    )

    assert_refused(state, "take wine", "B4.1")
    play(state, "give wood-1")
    assert (state.phase, state.to_act) == (ByzanzPhase.GIVE, 3)
    assert_refused(state, "take wine", "B4.1")
