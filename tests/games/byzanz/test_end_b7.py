from __future__ import annotations

import pytest

from arena.errors import IllegalMoveError, MatchNotOverError
from arena.games.byzanz.events import SalesEnded
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.game import Outcome, Seat
from tests.games.byzanz.positions import assert_refused, dealt, legal, names, play, position


def final(hands, *, speaker=0, kept=()):
    """Return the final sales of the last round at their first seat."""
    rounds = {3: 8, 4: 6, 5: 6, 6: 4}[len(hands)]
    return position(
        hands,
        phase=ByzanzPhase.FINAL,
        to_act=speaker,
        speaker=speaker,
        kept=kept,
        round_number=rounds,
    )


def ended(hands, kept):
    """Return the outcome of a match that ends with these hands and profits."""
    state = final(hands, kept=kept)
    play(state, *["done"] * len(hands))
    return state.outcome()


@pytest.mark.parametrize(("offers", "first"), [((2, 3, 4, 5), 0), ((4, 5, 2, 3), 2)])
def test_final_sales_start_with_the_lowest_offer_card(offers, first):
    """B7.1: after the last market the seat with the round's lowest offer card sells first."""
    state = position(
        [""] * 4,
        phase=ByzanzPhase.TAKE,
        to_act=first,
        offers=offers,
        market="wine-1",
        round_number=6,
    )

    play(state, "take wine")

    assert (state.phase, state.to_act) == (ByzanzPhase.FINAL, first)


def test_final_sales_go_round_once_clockwise():
    """B7.1: after seat 2 come 3, 0 and 1, and then the match is over."""
    state = final([""] * 4, speaker=2)
    order = []
    while state.to_act is not None:
        order.append(state.to_act)
        assert play(state, "done") == [SalesEnded(Seat(order[-1]))]

    assert order == [2, 3, 0, 1]
    assert state.phase is ByzanzPhase.OVER


def test_a_seat_makes_all_its_sales_and_then_says_done():
    """B7.1: the turn stays with a seat that sells until it says done."""
    state = final(["3*wine-1 3*trader", "3*wood-2", ""])

    play(state, "sell 3*wine-1", "sell 3*trader")
    assert state.to_act == 0
    play(state, "done")
    assert state.to_act == 1
    assert_refused(state, "sell 3*wine-1", "B5.4")
    play(state, "sell 3*wood-2", "done", "done")
    assert state.outcome().scores == (6, 2, 0)


def test_a_seat_may_keep_what_it_could_sell():
    """B7.1: final sales are optional."""
    state = final(["3*wine-1", "", ""])

    assert legal(state) == ["done", "sell wine-1 wine-1 wine-1"]
    play(state, "done")
    assert names(state.hands[0]) == "wine-1 wine-1 wine-1"


def test_a_seat_that_cannot_sell_is_asked_too():
    """B7.1: its only move is done."""
    state = final(["wine-1 wood-1", "", ""])

    assert state.to_act == 0
    assert legal(state) == ["done"]


@pytest.mark.parametrize(
    "phase", [ByzanzPhase.AUCTION, ByzanzPhase.GIVE, ByzanzPhase.TAKE, ByzanzPhase.LIMIT]
)
def test_done_belongs_in_the_final_sales(phase):
    """B7.1: nobody is done before the last market."""
    state = position(
        ["8*?", "", ""],
        phase=phase,
        offers=(2, 4, 6) if phase is ByzanzPhase.TAKE else (),
        market="wine-1" if phase is ByzanzPhase.TAKE else "",
    )

    assert_refused(state, "done", "B7.1")


def test_the_score_is_the_sum_of_the_profit_cards():
    """B7.2: kept goods count their value, a kept trader 5, cards in hand nothing."""
    outcome = ended(["4*wine-1 wood-4", "", ""], ["wine-4 2*cloth-1", "2*trader", "olives-3"])

    assert outcome == Outcome((6, 10, 3), (2, 1, 3))


def test_more_cards_in_hand_win_on_equal_points():
    """B7.2: of two seats with 4 points the one with more cards left is ahead."""
    outcome = ended(["wine-1", "wine-1 wood-1", ""], ["cloth-4", "grain-4", "trader"])

    assert outcome == Outcome((4, 4, 5), (3, 2, 1))


def test_points_come_before_cards_in_hand():
    """B7.2: seven cards do not make up for a point."""
    assert ended(["7*?", "", ""], ["cloth-3", "cloth-4", ""]).ranks == (2, 1, 3)


def test_traders_count_among_the_cards_in_hand():
    """B7.2, Ruling: three traders are more cards than two goods."""
    outcome = ended(["2*wine-4", "3*trader", ""], ["cloth-4", "grain-4", ""])

    assert outcome.ranks == (2, 1, 3)


def test_players_still_equal_share_the_rank():
    """B7.2, Ruling: equal points and equal hands share a rank, and the next rank is skipped."""
    outcome = ended(["wine-1", "trader", "wood-1 wood-2"], ["cloth-4", "grain-4", "olives-3"])

    assert outcome == Outcome((4, 4, 3), (1, 1, 3))


@pytest.mark.parametrize(
    ("kept", "ranks"),
    [
        (["", "", "", ""], (1, 1, 1, 1)),
        (["cloth-4", "", "", "grain-4"], (1, 3, 3, 1)),
        (["cloth-1", "cloth-2", "grain-2", ""], (3, 1, 1, 4)),
        (["cloth-4", "cloth-2", "grain-2", "wine-2"], (1, 2, 2, 2)),
        (["cloth-4", "cloth-3", "grain-3", "wine-2"], (1, 2, 2, 4)),
    ],
)
def test_ranks_start_at_1_and_skip_after_ties(kept, ranks):
    """B7.2: equal seats get the same rank, and as many ranks are skipped as share one."""
    assert ended([""] * 4, kept).ranks == ranks


def test_there_is_no_outcome_before_the_end():
    """B7.2: points are counted when the last seat is done."""
    state = final(["", "", ""])
    play(state, "done", "done")

    with pytest.raises(MatchNotOverError):
        state.outcome()
    play(state, "done")
    assert state.outcome() == Outcome((0, 0, 0), (1, 1, 1))


@pytest.mark.parametrize("line", ["pass", "done", "sell 3*wine-1", "bid wine-1", "take wine"])
def test_nothing_can_be_done_when_the_match_is_over(line):
    """B7.2: after the end there are no moves, and none is accepted."""
    state = final(["3*wine-1", "", ""])
    play(state, "done", "done", "done")

    assert legal(state) == []
    assert_refused(state, line, "B7.2")


def test_there_is_no_default_move_when_the_match_is_over():
    """B7.2: nobody owes a move, so that none can be made for anybody."""
    state = final(["", "", ""])
    play(state, "done", "done", "done")

    with pytest.raises(IllegalMoveError, match="over"):
        state.default_move()


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_match_of_default_moves_ends(seats):
    """B7.1: the harmless moves alone lead to an end, with nobody having sold anything."""
    state = dealt(seats)
    while state.to_act is not None:
        state.apply(state.default_move())

    assert state.outcome().scores == (0,) * seats
    assert state.phase is ByzanzPhase.OVER
