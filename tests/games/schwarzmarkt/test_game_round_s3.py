"""S3: playing black-market cards, burying them, and where cards go afterwards."""

import pytest

from arena.errors import IllegalMoveError
from arena.games.counts import count, pack
from arena.games.schwarzmarkt.events import CardBuried, CardDrawn, CardPlayed
from arena.games.schwarzmarkt.moves import Play
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    ANNA,
    BERT,
    card,
    check_refused,
    do,
    goods_list,
    legal,
    market_names,
    names_of,
    position,
)

UNPLAYABLE = "new_goods new_goods protection"  # while nobody owns anything


def test_the_start_player_plays_a_card_and_draws_the_top_one():
    """S3.1: a card leaves the hand and the top of the pile comes into it."""
    state = position(cards={0: "potatoes-3 butter-3 sugar-3"}, market_top="raid slow_trade")

    events = do(state, "play potatoes-3")

    assert state.cards[0] == pack([card("butter-3"), card("sugar-3"), card("raid")])
    assert state.black_market_pile[0] == card("slow_trade")
    assert events == [CardPlayed(ANNA, card("potatoes-3"), None), CardDrawn(ANNA, card("raid"))]


def test_the_target_of_a_card_is_announced():
    """S3.1, S5: everybody hears against whom a card is played."""
    state = position(cards={0: "raid"}, market_top="old_debt")

    events = do(state, "play raid 1")

    assert events == [CardPlayed(ANNA, card("raid"), BERT), CardDrawn(ANNA, card("old_debt"))]


def test_the_draw_comes_before_the_effect():
    """S3.1: the new card is drawn before old_debt takes effect."""
    state = position(cards={0: "old_debt"}, market_top="raid")

    events = do(state, "play old_debt 1")

    assert [type(event).__name__ for event in events] == ["CardPlayed", "CardDrawn", "GoodDrawn"]


def test_the_draw_comes_before_a_card_goes_under_the_pile():
    """S3.1: with one card left in the pile, that one is drawn and not the card just played."""
    state = position(cards={0: "protection raid old_debt"}, luxury=[0, 9, 0])
    state.black_market_pile = [card("slow_trade")]

    do(state, "play protection 1")

    assert market_names(state, state.black_market_pile) == ["protection"]
    assert count(state.cards[0], card("slow_trade")) == 1


def test_an_offer_opens_an_exchange_round_for_the_start_player():
    """S3.2, S4.1: an offer is open, its goods are wanted, and the start player begins."""
    state = position(start=1, cards={1: "potatoes-2,butter-2"})

    do(state, "play potatoes-2,butter-2")

    assert state.phase is SchwarzmarktPhase.EXCHANGE
    assert (state.start, state.to_act) == (1, 1)
    assert state.offer == card("potatoes-2,butter-2")
    assert state.demand == pack(goods_list("potatoes-2 butter-2"))
    assert state.marker == 0


def test_a_text_card_opens_no_exchange_round():
    """S3.2: after a text card the left neighbour is the next start player, and plays."""
    state = position(start=2, cards={2: "slow_trade"})

    do(state, "play slow_trade")

    assert state.phase is SchwarzmarktPhase.PLAY
    assert (state.start, state.to_act) == (0, 0)
    assert state.offer is None


def test_after_an_exchange_round_the_left_neighbour_of_the_start_player_starts():
    """S3.2: whoever ends the exchange round, the next start player sits left of the last one."""
    state = position(start=1, to_act=0, offer="potatoes-3", price=50)

    do(state, "hold")

    assert (state.start, state.to_act, state.phase) == (2, 2, SchwarzmarktPhase.PLAY)


def test_a_text_card_whose_condition_fails_may_not_be_chosen():
    """S3.3, worked example 6: a player without luxury goods cannot play new_goods."""
    state = position(cards={0: "new_goods potatoes-3 butter-3"})

    assert legal(state) == ["play offer:potatoes-3", "play offer:butter-3"]
    check_refused(state, "play new_goods", "S5")


def test_a_card_not_in_the_hand_is_refused():
    """S3.1: the card played is one of the player's own."""
    state = position(cards={0: "potatoes-3 butter-3 sugar-3", 1: "raid"})

    check_refused(state, "play flour-3", "S3.1")
    check_refused(state, "play raid 1", "S3.1")


def test_an_offer_takes_neither_target_nor_goods():
    """S3.2: nothing is added to the play of an offer."""
    state = position(cards={0: "potatoes-3"})

    check_refused(state, Play(card("potatoes-3"), BERT), "S3.2")
    check_refused(state, Play(card("potatoes-3"), None, 1), "S3.2")
    with pytest.raises(IllegalMoveError, match="offer:potatoes-3 cannot be played like that"):
        state.apply(Play(card("potatoes-3"), BERT))


def test_a_player_who_can_play_nothing_must_bury():
    """S3.3 (Ruling): if none of the three can be played, each different card may be buried."""
    state = position(cards={0: UNPLAYABLE})

    assert legal(state) == ["bury new_goods", "bury protection"]


def test_a_buried_card_is_shown_and_goes_under_the_pile_after_the_draw():
    """S3.3 (Ruling): the draw comes first, the card has no effect and is seen by all."""
    state = position(cards={0: UNPLAYABLE}, market_top="raid")

    events = do(state, "bury protection")

    assert events == [CardBuried(ANNA, card("protection")), CardDrawn(ANNA, card("raid"))]
    assert events[0].audience is None
    assert state.black_market_pile[-1] == card("protection")
    assert state.black_market_pile[0] != card("raid")
    assert state.observe(None).seen_cards == pack([card("protection")])
    assert list(state.luxury) == [0, 0, 0]


def test_the_draw_before_a_burial_takes_the_only_card_of_the_pile():
    """S3.3 (Ruling): the buried card itself cannot be drawn back."""
    state = position(cards={0: UNPLAYABLE})
    state.black_market_pile = [card("raid")]

    do(state, "bury protection")

    assert state.cards[0] == pack([card("new_goods"), card("new_goods"), card("raid")])
    assert state.black_market_pile == [card("protection")]


def test_burying_is_the_whole_turn():
    """S3.3 (Ruling): after a burial S3.2 names the next start player, even if one could play."""
    state = position(cards={0: UNPLAYABLE}, market_top="raid")

    do(state, "bury new_goods")

    assert (state.start, state.to_act, state.phase) == (1, 1, SchwarzmarktPhase.PLAY)
    assert state.cards_dealt_with == 1


def test_burying_is_refused_while_a_card_can_be_played():
    """S3.3: only a player who can play none of the three buries."""
    state = position(cards={0: "new_goods new_goods raid"})

    check_refused(state, "bury new_goods", "S3.3")
    check_refused(state, "bury raid", "S3.3")


def test_burying_a_card_not_in_the_hand_is_refused():
    """S3.3: the card buried is one of the three."""
    state = position(cards={0: UNPLAYABLE})

    check_refused(state, "bury raid", "S3.3")


def test_goods_go_under_the_pile_in_the_order_traded():
    """S3.4: trade by trade, and within one trade potatoes, butter, sugar, coffee, flour."""
    state = position(
        offer="butter-1,sugar-1,coffee-1,flour-1",
        goods={0: "flour-9", 1: "coffee-2 butter potatoes-6", 2: "sugar-9"},
    )
    pile = names_of(state.goods_pile)

    do(state, "trade flour", "trade coffee butter", "trade sugar")

    assert names_of(state.goods_pile) == f"{pile} flour butter coffee sugar"


def test_goods_traded_lie_open_until_the_exchange_round_ends():
    """S3.4: while it runs, the goods traded are on the table and not in the pile."""
    state = position(offer="potatoes-3", goods={0: "potatoes-2 flour-7"})
    before = len(state.goods_pile)

    do(state, "trade potatoes")

    assert len(state.goods_pile) == before
    assert state.observe(None).traded == tuple(goods_list("potatoes"))


def test_open_text_cards_go_under_the_pile_before_the_offer():
    """S3.4 (Ruling): the open text cards in order of play, then the offer."""
    state = position(
        offer="potatoes-3", price=50, open_cards=["slow_trade", "scarce_goods", "raid:1"]
    )

    do(state, "hold")

    under = market_names(state, state.black_market_pile[-4:])
    assert under == ["slow_trade", "scarce_goods", "raid", "offer:potatoes-3"]
    assert state.open_cards == ()
    assert state.offer is None


def test_a_text_card_that_acts_at_once_goes_under_the_pile_when_done():
    """S3.4: old_debt lies under the pile before the next start player plays."""
    state = position(cards={0: "old_debt"})

    do(state, "play old_debt 1")

    assert market_names(state, state.black_market_pile[-1:]) == ["old_debt"]
    assert state.open_cards == ()


def test_open_text_cards_stay_above_a_card_that_acts_at_once():
    """S3.4: an instant card goes under the pile although others stay open."""
    state = position(cards={0: "protection"}, open_cards=["slow_trade"], luxury=[0, 9, 0])

    do(state, "play protection 1")

    assert market_names(state, state.black_market_pile[-1:]) == ["protection"]
    assert market_names(state, [entry.card for entry in state.open_cards]) == ["slow_trade"]


def test_moves_of_other_phases_are_refused_while_a_card_is_to_be_played():
    """S3.1: the start player plays a card and does nothing else."""
    state = position(goods={0: "potatoes-9"}, luxury=[9, 9, 9])

    check_refused(state, "trade potatoes", "S4.2")
    check_refused(state, "step 1", "S4.2")
    check_refused(state, "hold", "S4.3")
    check_refused(state, "find potatoes", "S5")
    check_refused(state, "return potatoes", "S6.1")


def test_no_card_is_played_or_buried_during_an_exchange_round():
    """S3.1, S3.3: black-market cards wait until the exchange round is over."""
    state = position(offer="potatoes-3", cards={0: "raid", 1: UNPLAYABLE})

    check_refused(state, "play raid 1", "S3.1")
    check_refused(state, "bury raid", "S3.3")
    check_refused(state, "find potatoes", "S5")
    check_refused(state, "return potatoes", "S6.1")
