from __future__ import annotations

import pytest

from arena.games.byzanz.events import Discarded, LotTurned
from arena.games.byzanz.moves import Discard
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.counts import size
from arena.games.game import Seat, seen_by
from tests.games.byzanz.positions import (
    GAME,
    assert_refused,
    cards,
    legal,
    names,
    play,
    position,
    read,
)

LOT = "2*grain-1 2*olives-1 spice-4"


def winner(hand):
    """Return seat 1 of four about to give one of five cards, with that hand."""
    return position(["", hand, "", ""], phase=ByzanzPhase.GIVE, to_act=1, lot=LOT)


def over_limit(hand, **more):
    """Return seat 1 of four over the hand limit, an auction to follow."""
    more = {"offers": (5, 4), **more}
    return position(["", hand, "", ""], phase=ByzanzPhase.LIMIT, to_act=1, **more)


def test_seven_cards_are_allowed():
    """B6.1: a hand of exactly 7 asks for nothing."""
    state = winner("wine-1 wine-2 wood-1")

    play(state, "give grain-1")

    assert size(state.hands[1]) == 7
    assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 2)


def test_more_than_seven_must_be_cut_down_before_the_next_auction():
    """B6.1: with 8 cards the next lot is not turned over until one has left."""
    state = winner("wine-1 wine-2 wood-1 wood-2")
    deck_size = state.observe(None).deck_size

    events = play(state, "give grain-1")

    assert not any(isinstance(event, LotTurned) for event in events)
    assert (state.phase, state.to_act) == (ByzanzPhase.LIMIT, 1)
    assert (state.lot, state.observe(None).deck_size) == (0, deck_size)
    events = play(state, "discard wine-1")
    assert isinstance(events[-1], LotTurned)
    assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 2)


@pytest.mark.parametrize(
    ("phase", "more", "moves", "then"),
    [
        pytest.param(
            ByzanzPhase.TAKE,
            {"offers": (3, 2, 4, 5), "market": "olives-1 grain-1"},
            ("take olives", "discard olives-1"),
            (ByzanzPhase.TAKE, 0),
            id="the next taker",
        ),
        pytest.param(
            ByzanzPhase.GIVE,
            {"offers": (3, 0, 4, 5), "lot": "olives-1 grain-1"},
            ("give olives-1", "discard grain-1"),
            (ByzanzPhase.TAKE, 1),
            id="the market",
        ),
        pytest.param(
            ByzanzPhase.TAKE,
            {
                "offers": (3, 5, 4, 2),
                "market": "olives-1 grain-1",
                "takes": 3,
                "round_number": 6,
            },
            ("take olives", "discard olives-1"),
            (ByzanzPhase.FINAL, 3),
            id="the final sales",
        ),
    ],
)
def test_the_limit_comes_before(phase, more, moves, then):
    """B6.1: who gets too much cuts its hand down before anything else happens."""
    state = position(["", "7*?", "", ""], phase=phase, to_act=1, **more)

    play(state, moves[0])
    assert (state.phase, state.to_act) == (ByzanzPhase.LIMIT, 1)
    play(state, moves[1])
    assert (state.phase, state.to_act) == then


def test_cards_are_discarded_one_decision_at_a_time():
    """B6.1: with 9 cards two discards are asked for, one after the other."""
    state = over_limit("3*wine-1 3*wood-2 2*spice-1 grain-4")

    assert play(state, "discard wine-1") == [Discarded(Seat(1), 8)]
    assert (state.phase, state.to_act, size(state.hands[1])) == (ByzanzPhase.LIMIT, 1, 8)
    play(state, "discard grain-4")
    assert (state.phase, size(state.hands[1])) == (ByzanzPhase.AUCTION, 7)
    assert state.discards[1] == cards("wine-1 grain-4")


def test_the_limit_decision_offers_discards_and_sales():
    """B6.1: each different card can be discarded, each sale be made, and nothing else done."""
    state = over_limit("3*wine-1 wood-2 spice-1 grain-4 cloth-3 olives-2")

    assert legal(state) == [
        "discard cloth-3",
        "discard spice-1",
        "discard wine-1",
        "discard wood-2",
        "discard grain-4",
        "discard olives-2",
        "sell wine-1 wine-1 wine-1",
    ]
    assert_refused(state, "pass", "B3.4")
    assert_refused(state, "bid wood-2", "B3.4")
    assert_refused(state, "give wood-2", "B3.8")
    assert_refused(state, "done", "B7.1")


@pytest.mark.parametrize("left", [5, 6, 7])
def test_a_sale_ends_the_limit_decision_at_seven_or_fewer(left):
    """B6.1: from 8, 9 or 10 cards one sale is enough, and the match goes on at once."""
    state = over_limit(f"3*wine-1 {left}*?")

    play(state, "sell 3*wine-1")

    assert size(state.hands[1]) == left
    assert (state.phase, state.to_act) == (ByzanzPhase.AUCTION, 0)


def test_a_sale_that_leaves_more_than_seven_does_not_end_it():
    """B6.1: from 11 cards a sale leaves 8, and another decision follows."""
    state = over_limit("3*wine-1 8*?")

    play(state, "sell 3*wine-1")

    assert (state.phase, state.to_act, size(state.hands[1])) == (ByzanzPhase.LIMIT, 1, 8)


def test_nobody_discards_below_the_limit():
    """B6.1: with seven cards or fewer there is no discard."""
    for state in (
        position(["7*?", "", ""]),
        position(["wine-1", "", ""], phase=ByzanzPhase.FINAL),
        winner("wine-1"),
    ):
        card = names(state.hands[0] or state.hands[1]).split()[0]
        assert_refused(state, f"discard {card}", "B6.1")


@pytest.mark.parametrize("move", ["discard grain-4", Discard(99), Discard(-1)])
def test_only_a_card_of_the_hand_can_be_discarded(move):
    """B6.1: a card that is not in the hand cannot be discarded."""
    assert_refused(over_limit("3*wine-1 5*wood-2"), move, "B6.1")


def test_discarded_cards_leave_the_game():
    """B6.2: a discard is in no hand, on no market, and not among the cards publicly out."""
    state = over_limit("3*wine-1 4*wood-2 cloth-4")
    out = state.out

    play(state, "discard cloth-4")

    assert state.discards[1] == cards("cloth-4")
    assert "cloth-4" not in names(state.hands[1]).split()
    assert (state.market, state.out) == (0, out)


def test_a_discard_is_face_down():
    """B6.2, Ruling: the others learn that a card was discarded, its owner knows which."""
    state = over_limit("3*wine-1 4*wood-2 cloth-4")

    discarded = play(state, "discard cloth-4")[0]

    assert discarded == Discarded(Seat(1), 3)
    assert seen_by(discarded, Seat(1)) is discarded
    for seat in (None, Seat(0), Seat(2)):
        assert seen_by(discarded, seat) == Discarded(Seat(1), None)


def test_the_others_learn_how_many_were_discarded():
    """B6.2, Ruling: the number of discards is public, the cards are their owner's to see."""
    state = over_limit("3*wine-1 5*wood-2 cloth-4")
    play(state, "discard cloth-4", "discard wine-1")

    for seat in (None, Seat(0), Seat(2)):
        assert state.observe(seat).face_down == (0, 2, 0, 0)
        assert state.observe(seat).own_discards == 0
    assert state.observe(Seat(1)).own_discards == cards("cloth-4 wine-1")


def test_a_discard_is_recorded_without_its_card_for_the_public():
    """B6.2, Ruling: the public's move says only that a card was discarded."""
    assert GAME.public_move(read("discard cloth-4")) == {"type": "discard"}


@pytest.mark.parametrize(
    "line", ["pass", "bid wine-1", "give wood-1", "take trader", "sell 3*cloth-1", "done"]
)
def test_all_other_moves_are_public(line):
    """What each seat may see: bids, sales, gives and takes are made in the open."""
    move = read(line)

    assert GAME.public_move(move) == GAME.move_to_json(move)
