"""S6: between the game rounds, the end of the match, and the limits of a game round."""

from typing import Any

import pytest

from arena.errors import MatchNotOverError
from arena.games.counts import pack, size
from arena.games.game import seen_by
from arena.games.schwarzmarkt.events import (
    ExchangeEnded,
    GameRoundEnded,
    GoodReturned,
    GoodsDealt,
    PileShuffled,
)
from arena.games.schwarzmarkt.moves import Return
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    ANNA,
    BASIC,
    BERT,
    UNEVEN,
    card,
    check_refused,
    do,
    goods,
    goods_list,
    hand,
    legal,
    market_names,
    names_of,
    of_type,
    position,
    whole_inventory,
)

LAST_CARD = "trade potatoes"


def last_card_position(**details):
    """Seat 0 is about to trade its last goods card."""
    held = {0: "potatoes", **details.pop("goods", {})}
    return position(offer="potatoes-3", goods=held, **details)


# S6.1


def test_worked_example_4():
    """S6.1, worked example 4: hands of 0, 4 and 7 draw 9, 5 and 2."""
    state = last_card_position(goods={1: "butter-4", 2: "sugar-7"})

    events = do(state, LAST_CARD)

    assert [(event.seat, event.number) for event in of_type(events, GoodsDealt)] == [
        (0, 9),
        (1, 5),
        (2, 2),
    ]
    assert [size(held) for held in state.goods] == [9, 9, 9]
    assert state.game_round == 2


def test_goods_are_dealt_from_the_top_of_the_shuffled_pile_seat_0_first():
    """S6.1: the pile is shuffled, then each seat in turn gets all it lacks from the top."""
    state = last_card_position(goods={1: "butter-8", 2: "sugar-7"})
    shuffled = [*state.goods_pile, *goods_list("potatoes")][::-1]

    do(state, LAST_CARD)

    assert state.goods[0] == pack(shuffled[:9])
    assert state.goods[1] == goods("butter-8") + pack(shuffled[9:10])
    assert state.goods[2] == goods("sugar-7") + pack(shuffled[10:12])
    assert state.goods_pile == shuffled[12:]


def test_the_black_market_pile_is_shuffled_after_the_goods_pile():
    """S6.1: goods pile first, black-market pile second, with what lay open in it."""
    state = last_card_position(open_cards=["raid:1"])
    unshuffled = [*state.black_market_pile, card("raid"), card("potatoes-3")]

    events = do(state, LAST_CARD)

    assert state.chance.log == ["shuffle goods", "shuffle black_market"]
    assert state.black_market_pile == unshuffled[::-1]
    goods_shuffle, market_shuffle = of_type(events, PileShuffled)
    assert (goods_shuffle.pile, market_shuffle.pile) == ("goods", "black_market")
    assert market_shuffle.order == tuple(state.black_market_pile)


def test_black_market_hands_and_luxury_goods_are_kept():
    """S6.1: only goods are filled up."""
    state = last_card_position(luxury=[4, 7, 11])
    cards = list(state.cards)

    do(state, LAST_CARD)

    assert list(state.cards) == cards
    assert list(state.luxury) == [5, 7, 11]


def test_the_goods_dealt_are_seen_by_their_owner_alone():
    """S6.1: the others see how many cards a seat is dealt."""
    state = last_card_position(goods={1: "butter-7"})

    dealt = of_type(do(state, LAST_CARD), GoodsDealt)[1]

    assert seen_by(dealt, BERT) == GoodsDealt(BERT, 2, state.goods[1] - goods("butter-7"))
    assert seen_by(dealt, ANNA) == seen_by(dealt, None) == GoodsDealt(BERT, 2, None)


def test_surplus_is_returned_in_seat_order_one_card_a_decision():
    """S6.1 (Ruling): each seat returns all its surplus before the next seat does."""
    state = last_card_position(goods={1: "butter-11", 2: "sugar-9 coffee"})
    do(state, LAST_CARD)

    asked = []
    while state.phase is SchwarzmarktPhase.RETURN:
        asked.append(state.to_act)
        do(state, legal(state)[0])

    assert asked == [1, 1, 2]
    assert [size(held) for held in state.goods] == [9, 9, 9]


def test_seat_0_returns_first():
    """S6.1 (Ruling): seats return from seat 0, whoever ended the game round."""
    state = position(
        start=1,
        to_act=2,
        offer="potatoes-3",
        goods={0: "flour-10", 1: "butter-10", 2: "potatoes"},
    )

    do(state, LAST_CARD)

    assert (state.phase, state.to_act) == (SchwarzmarktPhase.RETURN, 0)
    do(state, "return flour")
    assert state.to_act == 1


def test_the_owner_chooses_what_to_return():
    """S6.1 (Ruling): every different good of the hand may be returned, nothing else."""
    state = last_card_position(goods={1: "butter-9 coffee"})
    do(state, LAST_CARD)

    assert legal(state) == ["return butter", "return coffee"]
    check_refused(state, "return sugar", "S6.1")
    check_refused(state, Return(9), "S6.1")


def test_a_return_of_equal_cards_is_a_decision_too():
    """S6.1: a return is asked for even if only one move is legal."""
    state = last_card_position(goods={1: "butter-10"})
    do(state, LAST_CARD)

    assert legal(state) == ["return butter"]


def test_while_goods_are_to_be_returned_nothing_else_is_possible():
    """S6.1: between the game rounds there is no playing, trading or stepping."""
    state = last_card_position(goods={1: "butter-10"}, cards={1: "raid"})
    do(state, LAST_CARD)

    check_refused(state, "play raid 0", "S3.1")
    check_refused(state, "bury raid", "S3.3")
    check_refused(state, "trade butter", "S4.2")
    check_refused(state, "step 1", "S4.2")
    check_refused(state, "hold", "S4.3")
    check_refused(state, "find butter", "S5")


def test_returned_cards_join_the_pile_before_it_is_shuffled():
    """S6.1 (Ruling): a returned card lies under the pile, and is shuffled with it."""
    state = last_card_position(goods={1: "butter-10", 2: "sugar-9"})
    do(state, LAST_CARD)
    pile = names_of(state.goods_pile)
    assert state.chance.log == []

    events = do(state, "return butter")

    assert events[0] == GoodReturned(BERT, 1)
    assert names_of(reversed(events[1].order)) == f"{pile} butter"
    assert state.goods[0] == pack(events[1].order[:9])


def test_a_return_is_hidden():
    """S6.1 (Ruling): only the owner knows which card went back."""
    state = last_card_position(goods={1: "butter-10"})
    do(state, LAST_CARD)

    returned = do(state, "return butter")[0]

    assert seen_by(returned, BERT) == GoodReturned(BERT, 1)
    assert seen_by(returned, ANNA) == seen_by(returned, None) == GoodReturned(BERT, None)


def test_a_hand_of_nine_returns_nothing_and_is_dealt_nothing():
    """S6.1: exactly 9 goods stay as they are."""
    state = last_card_position(goods={1: "butter-9"})

    events = do(state, LAST_CARD)

    assert state.goods[1] == goods("butter-9")
    assert of_type(events, GoodsDealt)[1] == GoodsDealt(BERT, 0, 0)


def test_the_returning_seat_may_have_emptied_the_pile():
    """S6.1: with an empty goods pile the returned cards are what the others are dealt."""
    state = last_card_position(goods={1: "butter-9"}, rest_of_goods_to=2)
    assert not state.goods_pile
    do(state, LAST_CARD)

    while state.phase is SchwarzmarktPhase.RETURN:
        assert state.to_act == 2
        do(state, legal(state)[0])

    assert [size(held) for held in state.goods] == [9, 9, 9]
    assert len(state.goods_pile) == 33


# S6.2


@pytest.mark.parametrize("start", [0, 1, 2])
def test_the_second_round_starts_left_of_the_last_start_player(start):
    """S6.2 (Ruling): the left neighbour of the last start player starts, whoever traded last."""
    state = last_card_position(start=start, to_act=0)

    do(state, LAST_CARD)

    assert (state.game_round, state.phase) == (2, SchwarzmarktPhase.PLAY)
    assert state.start == state.to_act == (start + 1) % 3


def test_returns_do_not_change_who_starts_the_second_round():
    """S6.2 (Ruling): the last start player still counts after the returns."""
    state = last_card_position(start=2, to_act=0, goods={1: "butter-10"})

    do(state, LAST_CARD, "return butter")

    assert state.start == state.to_act == 0


def test_a_first_round_ended_by_a_limit_goes_on_in_sequence():
    """S6.2 (Ruling): however the first round ended, the left neighbour starts the second."""
    state = position(start=1, to_act=1, offer="potatoes-3", price=50, idle_rounds=5)

    do(state, "hold")

    assert (state.game_round, state.start, state.to_act) == (2, 2, 2)


# S6.3


def test_the_match_is_over_after_the_second_game_round():
    """S6.3: no seat is to act, no move is legal, and hands are not filled up."""
    state = last_card_position(game_round=2, goods={1: "butter-10"})

    events = do(state, LAST_CARD)

    assert events[-1] == GameRoundEnded(2)
    assert (state.to_act, state.phase) == (None, SchwarzmarktPhase.OVER)
    assert state.legal_moves() == []
    assert hand(state, 0) == ""
    assert size(state.goods[1]) == 10
    for move in ("step 1", "play raid 1", "hold", "return butter"):
        check_refused(state, move, "S6.3")


@pytest.mark.parametrize(
    ("luxury", "ranks"),
    [
        ([10, 20, 30], (3, 2, 1)),
        ([20, 20, 10], (1, 1, 3)),
        ([10, 20, 10], (2, 1, 2)),
        ([20, 20, 20], (1, 1, 1)),
    ],
)
def test_equal_players_share_a_rank(luxury, ranks):
    """S6.3 (Ruling): ranks start at 1; equal seats share one and the following are skipped."""
    before = [luxury[0] - 1, *luxury[1:]]  # the last card pays 1
    state = last_card_position(game_round=2, luxury=before)

    do(state, LAST_CARD)

    assert state.outcome().ranks == ranks
    assert state.outcome().scores == tuple(luxury)


def test_goods_in_hand_count_nothing():
    """S6.3: a hand full of goods does not break a tie."""
    state = last_card_position(game_round=2, luxury=[4, 5, 0], goods={1: "butter-12", 2: ""})

    do(state, LAST_CARD)

    assert state.outcome().ranks == (1, 1, 3)


def test_there_is_no_outcome_before_the_end():
    """S6.3: the outcome exists when the match is over."""
    with pytest.raises(MatchNotOverError):
        BASIC.deal(b"seed", 3).outcome()


# S6.4: exchange rounds without a trade


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_game_round_ends_after_two_idle_exchange_rounds_a_player(seats):
    """S6.4 (Ruling): 2 × players exchange rounds in a row without any trade end it."""
    state = BASIC.deal(b"idle", seats)
    idle = 0
    events: list[Any] = []
    while state.game_round == 1:
        move = state.default_move()  # never a trade, offers first
        events = state.apply(move)
        idle += len(of_type(events, ExchangeEnded))
        if state.phase is SchwarzmarktPhase.RETURN:
            break

    assert idle == 2 * seats
    assert of_type(events, GameRoundEnded) == [GameRoundEnded(1)]


def test_one_idle_round_less_does_not_end_it():
    """S6.4 (Ruling): the row must be 2 × players long."""
    state = position(offer="potatoes-3", price=50, idle_rounds=4)

    do(state, "hold")

    assert state.game_round == 1
    assert state.observe(None).idle_rounds == 5


def test_a_trade_breaks_the_row():
    """S6.4 (Ruling): an exchange round with any trade counts from nothing again."""
    state = position(offer="potatoes-3", price=45, idle_rounds=5, goods={0: "potatoes-4"})

    do(state, "trade potatoes", "hold")

    assert state.game_round == 1
    assert state.observe(None).idle_rounds == 0


@pytest.mark.parametrize("move", ["play slow_trade", "play protection 1", "bury new_goods"])
def test_text_cards_and_buried_cards_neither_break_nor_lengthen_the_row(move):
    """S6.4 (Ruling): the row of idle exchange rounds stays as it is."""
    unplayable = "new_goods new_goods foraging"
    cards = unplayable if move.startswith("bury") else move.split()[1]
    state = position(cards={0: cards}, goods={0: ""}, idle_rounds=5, luxury=[0, 9, 0])

    do(state, move)

    assert state.idle_rounds == 5
    assert (state.game_round, state.phase, state.start) == (1, SchwarzmarktPhase.PLAY, 1)


def test_the_limit_ends_the_match_in_the_second_game_round():
    """S6.4: an idle second game round ends the match."""
    state = position(offer="potatoes-3", price=50, idle_rounds=5, game_round=2)

    do(state, "hold")

    assert state.to_act is None


def test_the_row_starts_anew_in_the_second_game_round():
    """S6.4: the rows and cards of a game round are its own."""
    state = position(offer="potatoes-3", price=50, idle_rounds=5, cards_dealt_with=60)

    do(state, "hold")

    assert state.observe(None).idle_rounds == 0
    assert state.observe(None).cards_dealt_with == 0


# S6.4: the 100th card


def test_a_text_card_as_the_100th_ends_the_game_round_when_dealt_with():
    """S6.4 (Ruling): the 100th card takes effect, then the game round ends."""
    state = position(cards={0: "protection"}, cards_dealt_with=99, luxury=[0, 9, 0])

    events = do(state, "play protection 1")

    assert list(state.luxury) == [5, 4, 0]
    assert of_type(events, GameRoundEnded) == [GameRoundEnded(1)]
    assert state.game_round == 2


def test_the_99th_card_does_not_end_the_game_round():
    """S6.4 (Ruling): the limit is the 100th card."""
    state = position(cards={0: "protection"}, cards_dealt_with=98, luxury=[0, 9, 0])

    do(state, "play protection 1")

    assert (state.game_round, state.observe(None).cards_dealt_with) == (1, 99)


def test_new_goods_as_the_100th_is_carried_out_first():
    """S6.4 (Ruling): the find is made, then the game round ends with a surplus to return."""
    state = position(cards={0: "new_goods"}, cards_dealt_with=99, luxury=[5, 0, 0])
    do(state, "play new_goods")
    assert (state.game_round, state.phase) == (1, SchwarzmarktPhase.FIND)

    events = do(state, "find sugar")

    assert events[-1] == GameRoundEnded(1)
    assert (state.phase, state.to_act) == (SchwarzmarktPhase.RETURN, 0)


def test_a_buried_card_as_the_100th_ends_the_game_round():
    """S6.4 (Ruling): buried cards count as well."""
    state = position(cards={0: "new_goods new_goods protection"}, cards_dealt_with=99)

    do(state, "bury new_goods")

    assert state.game_round == 2


def test_an_offer_as_the_100th_is_played_out_first():
    """S6.4 (Ruling): its exchange round is played to its end, then the game round ends."""
    state = position(
        cards={0: "potatoes-3"}, cards_dealt_with=99, goods={0: "potatoes-9", 1: "potatoes-3 flour"}
    )

    do(state, "play potatoes-3")
    assert (state.phase, state.game_round) == (SchwarzmarktPhase.EXCHANGE, 1)
    do(state, "trade potatoes")
    assert (state.phase, state.game_round) == (SchwarzmarktPhase.EXCHANGE, 1)
    events = do(state, "trade potatoes potatoes")

    assert [type(event) for event in events[1:3]] == [ExchangeEnded, GameRoundEnded]
    assert list(state.luxury) == [1, 6, 0]
    assert (state.game_round, state.start) == (2, 1)


def test_an_open_card_as_the_100th_lapses():
    """S6.4: cards still open go under the pile in order of play before the shuffle, and lapse."""
    state = position(
        cards={0: "slow_trade"}, cards_dealt_with=99, open_cards=["scarce_goods", "raid:2"]
    )
    pile = market_names(state, state.black_market_pile)

    do(state, "play slow_trade")

    assert state.open_cards == ()
    shuffled = market_names(state, reversed(state.black_market_pile))
    assert shuffled == [*pile[1:], "scarce_goods", "raid", "slow_trade"]
    do(state, legal(state)[0])
    assert legal(state)[-1] == "step 4"


def test_open_cards_lapse_when_the_row_of_idle_rounds_ends_the_game_round():
    """S6.4: the cards of the exchange round go under the pile in order, then the shuffle."""
    state = position(offer="potatoes-3", price=50, open_cards=["raid:1"], idle_rounds=5)

    do(state, "hold")

    assert market_names(state, state.black_market_pile[:2]) == ["offer:potatoes-3", "raid"]
    assert state.open_cards == ()


def test_the_100th_card_in_the_second_game_round_ends_the_match():
    """S6.4: the limit holds in each game round."""
    state = position(cards={0: "raid"}, cards_dealt_with=99, game_round=2)

    do(state, "play raid 1")

    assert state.to_act is None
    assert state.open_cards == ()


@pytest.mark.parametrize("game", [BASIC, UNEVEN], ids=["basic", "uneven"])
def test_no_card_is_lost_between_the_game_rounds(game):
    """S6.1: the same cards are there after the re-deal, with either deck."""
    state = last_card_position(game=game, goods={1: "butter-11"}, open_cards=["raid:1"])

    do(state, LAST_CARD, "return butter", "return butter")

    assert state.inventory() == whole_inventory(game)
    assert state.game_round == 2
