"""S4: the exchange round, with the worked examples 1 to 3."""

import pytest

from arena.games.counts import count
from arena.games.schwarzmarkt.events import (
    ExchangeEnded,
    GameRoundEnded,
    Held,
    MarkerMoved,
    Traded,
)
from arena.games.schwarzmarkt.moves import Step, Trade
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    ANNA,
    BASIC,
    BERT,
    card,
    check_refused,
    do,
    goods,
    hand,
    legal,
    market_names,
    names_of,
    of_type,
    position,
)

PRICES = BASIC.material.prices
STEPS = BASIC.material.steps


def test_turns_go_clockwise_from_the_start_player():
    """S4.1: the start player begins, then the left neighbours, round the table."""
    state = position(seats=4, start=2, cards={2: "potatoes-3"})
    do(state, "play potatoes-3")

    order = []
    for _ in range(5):
        order.append(state.to_act)
        do(state, "step 1")

    assert order == [2, 3, 0, 1, 2]


def test_worked_example_1_without_a_trade():
    """S4.2, worked example 1: on 1 the steps 1 to 4 are legal, and 4 steps lead to 9."""
    state = position(offer="potatoes-2,butter-2", goods={0: "flour-9"})
    assert legal(state) == ["step 1", "step 2", "step 3", "step 4"]

    do(state, "step 4")

    assert PRICES[state.marker] == 9
    assert state.to_act == 1


def test_worked_example_1_with_a_trade():
    """S4.2, worked example 1: on 9 one potatoes and one butter pay 18, and the price is 12."""
    state = position(offer="potatoes-2,butter-2", price=9, goods={0: "potatoes-3 butter-3 flour-3"})

    events = do(state, "trade potatoes butter")

    assert state.luxury[0] == 18
    assert state.demand == goods("potatoes butter")
    assert hand(state, 0) == "potatoes potatoes butter butter flour flour flour"
    assert PRICES[state.marker] == 12
    assert events == [Traded(ANNA, goods("potatoes butter"), 9), MarkerMoved(ANNA, state.marker)]
    assert state.to_act == 1


def test_after_a_trade_no_second_step_is_possible():
    """S4.2, worked example 1: the one step after a trade is made, and the turn is over."""
    state = position(offer="potatoes-3", price=9, goods={0: "potatoes-9", 1: "flour-9"})

    do(state, "trade potatoes")

    assert PRICES[state.marker] == 12
    assert state.to_act == 1
    do(state, "step 1")
    assert state.to_act == 2


@pytest.mark.parametrize("space", range(13))
def test_steps_go_up_to_the_number_on_the_marker_s_space(space):
    """S4.2: without a trade, 1 up to the number on the marker's space."""
    state = position(offer="potatoes-3", price=PRICES[space], goods={0: "flour-9"})

    assert legal(state) == [f"step {spaces}" for spaces in range(1, STEPS[space] + 1)]
    check_refused(state, "step 0", "S4.2")
    check_refused(state, Step(-1), "S4.2")
    check_refused(state, f"step {STEPS[space] + 1}", "S4.2")


def test_the_marker_never_goes_past_the_last_space():
    """S4.2 (Ruling): with a number that leads too far, the steps end on the last space."""
    content = {
        "track": [{"price": 1, "steps": 9}, {"price": 2, "steps": 9}, {"price": 50, "steps": 0}],
        "offers": [{"potatoes": 3}] * 30,
        "texts": dict.fromkeys(
            "old_debt new_goods scarce_goods foraging protection raid slow_trade".split(), 0
        ),
        "decks": {name: dict.fromkeys(BASIC.kinds, 12) for name in ("basic", "uneven")},
    }
    game = BASIC.configure({"cards": content})
    state = position(game=game, offer="potatoes-3", goods={0: "flour-9", 1: "flour-3 sugar"})
    assert legal(state) == ["step 1", "step 2"]
    check_refused(state, "step 3", "S4.2")

    do(state, "step 1")

    assert legal(state) == ["step 1"]


def test_none_one_several_or_all_wanted_goods_may_be_traded():
    """S4.2: every choice of goods both held and still wanted, equal cards once."""
    state = position(offer="potatoes-2,sugar-1,coffee-1", goods={0: "potatoes-3 sugar-2 flour"})

    assert legal(state)[:-4] == [
        "trade potatoes",
        "trade potatoes potatoes",
        "trade sugar",
        "trade potatoes sugar",
        "trade potatoes potatoes sugar",
    ]
    assert legal(state)[-4:] == ["step 1", "step 2", "step 3", "step 4"]


@pytest.mark.parametrize(
    "attempt",
    [
        "trade flour",  # held, not wanted
        "trade coffee",  # wanted, not held
        "trade potatoes potatoes potatoes",  # held, but only two are wanted
        "trade sugar sugar",  # wanted once
        "trade potatoes flour",
    ],
)
def test_only_goods_held_and_still_wanted_are_traded(attempt):
    """S4.2: goods not held, not wanted or not so often are refused."""
    state = position(offer="potatoes-2,sugar-1,coffee-1", goods={0: "potatoes-3 sugar-2 flour"})

    check_refused(state, attempt, "S4.2")


@pytest.mark.parametrize("nonsense", [0, -1, 1 << 7, 1 << 2000])
def test_a_trade_of_no_multiset_at_all_is_refused(nonsense):
    """S4.2: a trade names at least one card, and only cards there are."""
    state = position(offer="potatoes-3", goods={0: "potatoes-3 flour"})

    check_refused(state, Trade(nonsense), "S4.2")


def test_goods_already_traded_are_no_longer_wanted():
    """S4.2: the demand shrinks with every trade."""
    state = position(offer="potatoes-3", goods={0: "potatoes-9", 1: "potatoes-3 flour-6"})

    do(state, "trade potatoes potatoes")

    assert [move for move in legal(state) if move.startswith("trade")] == ["trade potatoes"]
    check_refused(state, "trade potatoes potatoes", "S4.2")


def test_an_exchange_round_ends_when_everything_wanted_is_traded():
    """S4.3: after the last good wanted the marker is not moved any more."""
    state = position(offer="potatoes-3", price=9, goods={0: "potatoes-3 flour"})

    events = do(state, "trade potatoes potatoes potatoes")

    assert events == [Traded(ANNA, goods("potatoes-3"), 9), ExchangeEnded(0)]
    assert state.luxury[0] == 27
    assert (state.phase, state.start, state.marker) == (SchwarzmarktPhase.PLAY, 1, 0)
    assert state.demand == 0
    assert state.traders == (False, False, False)


def test_worked_example_2():
    """S4.3, worked example 2: from 45 a player moves; the next trades k for 50; then it is over."""
    state = position(
        offer="potatoes-2,butter-2",
        price=45,
        goods={0: "flour-9", 1: "potatoes-2 butter-2 sugar-5"},
    )
    do(state, "step 1")
    assert PRICES[state.marker] == 50
    assert state.to_act == 1
    assert len(legal(state)) == 3 * 3 - 1 + 1

    events = do(state, "trade potatoes butter")

    assert list(state.luxury) == [0, 100, 0]
    assert events[1:] == [ExchangeEnded(goods("potatoes butter"))]
    assert (state.phase, state.start) == (SchwarzmarktPhase.PLAY, 1)


def test_on_50_only_the_next_player_may_still_trade():
    """S4.3: after that player's hold the exchange round is over for all others."""
    state = position(
        offer="potatoes-3", price=45, goods={0: "flour-9", 1: "potatoes-3", 2: "potatoes-3"}
    )

    events = do(state, "step 1", "hold")

    assert events == [Held(BERT), ExchangeEnded(goods("potatoes-3"))]
    assert state.phase is SchwarzmarktPhase.PLAY
    assert list(state.luxury) == [0, 0, 0]


def test_whoever_moved_the_marker_to_50_has_had_their_trade():
    """S4.3 (Ruling): the player who reaches 50 trades at the price before, not at 50."""
    state = position(offer="potatoes-3", price=45, goods={0: "potatoes-9", 1: "flour-9"})

    do(state, "trade potatoes")

    assert list(state.luxury) == [45, 0, 0]
    assert state.to_act == 1


def test_arriving_on_50_by_the_step_after_a_trade_is_the_same():
    """S4.3: the next player may trade at 50 or hold, and has no step."""
    state = position(offer="potatoes-3", price=45, goods={0: "potatoes-9", 1: "potatoes-2 flour-7"})

    do(state, "trade potatoes")

    assert legal(state) == ["trade potatoes", "trade potatoes potatoes", "hold"]


def test_on_50_the_marker_does_not_move():
    """S4.3: there is no step on the last space."""
    state = position(offer="potatoes-3", price=50)

    check_refused(state, "step 1", "S4.3")


def test_a_trade_on_50_makes_no_step():
    """S4.3: that player trades, and the exchange round ends without a step."""
    state = position(offer="potatoes-3", price=50, goods={0: "potatoes-9"})

    events = do(state, "trade potatoes")

    assert of_type(events, MarkerMoved) == []
    assert of_type(events, ExchangeEnded) == [ExchangeEnded(goods("potatoes-2"))]


@pytest.mark.parametrize(
    ("held", "open_cards", "traded"),
    [
        ("flour-9", [], {}),  # nothing wanted
        ("potatoes-9", ["raid:0"], {}),
        ("potatoes-8", ["scarce_goods"], {0: "potatoes"}),
    ],
    ids=["nothing wanted", "raided", "scarce_goods used up"],
)
def test_one_who_cannot_trade_on_50_has_only_hold(held, open_cards, traded):
    """S4.3: nothing wanted, raided or scarce_goods used up leaves hold, a decision all the same."""
    state = position(
        offer="potatoes-3", price=50, goods={0: held}, open_cards=open_cards, traded=traded
    )

    assert legal(state) == ["hold"]


def test_hold_is_refused_before_50():
    """S4.3: before the last space a player trades or steps."""
    state = position(offer="potatoes-3", price=45)

    check_refused(state, "hold", "S4.3")


def test_worked_example_3():
    """S4.4, worked example 3: two goods left, both wanted: paid twice, game round over, no step."""
    state = position(
        game_round=2, offer="potatoes-2,butter-2", price=12, goods={0: "potatoes butter"}
    )

    events = do(state, "trade potatoes butter")

    assert state.luxury[0] == 24
    assert events == [Traded(ANNA, goods("potatoes butter"), 12), GameRoundEnded(2)]
    assert state.to_act is None


def test_the_game_round_ends_at_once_and_nothing_else_happens():
    """S4.4: nobody else trades, even though goods are still wanted."""
    state = position(
        game_round=2, offer="potatoes-3", goods={0: "potatoes", 1: "potatoes-2"}, luxury=[3, 0, 0]
    )

    do(state, "trade potatoes")

    assert state.phase is SchwarzmarktPhase.OVER
    assert state.outcome().scores == (4, 0, 0)


def test_cards_lying_open_go_to_their_piles_when_the_last_good_is_traded():
    """S4.4: goods traded, text cards and offer go under their piles, and effects lapse."""
    state = position(
        game_round=2,
        offer="potatoes-3",
        to_act=1,
        traded={0: "potatoes"},
        goods={1: "potatoes"},
        open_cards=["slow_trade", "raid:2"],
    )
    pile = names_of(state.goods_pile)

    do(state, "trade potatoes")

    assert names_of(state.goods_pile) == f"{pile} potatoes potatoes"
    under = market_names(state, state.black_market_pile[-3:])
    assert under == ["slow_trade", "raid", "offer:potatoes-3"]
    assert (state.open_cards, state.offer, state.demand, state.traded) == ((), None, 0, ())
    assert state.marker == 0


def test_trading_the_last_card_ends_the_game_round_even_when_the_demand_is_met():
    """S4.4: the last goods card counts first, also if it is the last one wanted."""
    state = position(game_round=2, offer="potatoes-3", goods={0: "potatoes-3"})

    events = do(state, "trade potatoes potatoes potatoes")

    assert events[1:] == [GameRoundEnded(2)]
    assert state.luxury[0] == 3


def test_trading_the_last_card_on_50_ends_the_game_round():
    """S4.4: also on the last space the game round ends at once."""
    state = position(game_round=2, offer="potatoes-3", price=50, goods={0: "potatoes"})

    events = do(state, "trade potatoes")

    assert events == [Traded(ANNA, goods("potatoes"), 50), GameRoundEnded(2)]


def test_a_hand_emptied_by_a_text_card_does_not_end_the_game_round():
    """S4.4: old_debt may take the last good, and the game round goes on."""
    state = position(cards={0: "old_debt"}, goods={1: "sugar"})

    do(state, "play old_debt 1")

    assert hand(state, 1) == ""
    assert (state.game_round, state.phase, state.to_act) == (1, SchwarzmarktPhase.PLAY, 1)


def test_an_empty_hand_still_plays_cards_and_moves_the_marker():
    """S4.4: a seat without goods plays its offer, steps, and holds on 50."""
    state = position(goods={0: ""}, cards={0: "potatoes-3"})

    do(state, "play potatoes-3")
    assert legal(state) == ["step 1", "step 2", "step 3", "step 4"]
    do(state, "step 4")
    assert state.to_act == 1
    assert count(state.cards[0], card("potatoes-3")) == 0


def test_an_empty_hand_has_only_hold_on_50():
    """S4.3, S4.4: a seat without goods takes its last turn too."""
    state = position(offer="potatoes-3", price=50, goods={0: ""})

    assert legal(state) == ["hold"]
    do(state, "hold")
    assert state.game_round == 1
    assert state.phase is SchwarzmarktPhase.PLAY
