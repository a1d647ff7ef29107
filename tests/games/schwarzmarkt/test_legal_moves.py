"""The list of legal moves: its order, that it is complete, and the default move."""

from itertools import product
from random import Random
from typing import Any

import pytest

from arena.errors import IllegalMoveError
from arena.games.counts import pack, size
from arena.games.game import Move
from arena.games.schwarzmarkt.moves import (
    HOLD,
    Bury,
    Find,
    Play,
    Return,
    Step,
    Trade,
)
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from tests.games.schwarzmarkt.positions import (
    BASIC,
    UNEVEN,
    card,
    check_refused,
    do,
    dump,
    legal,
    position,
)


def test_plays_come_card_by_card_with_rising_targets():
    """Plays are listed in the order of the card file, targets rising, equal cards once."""
    state = position(
        start=1,
        cards={1: "raid old_debt potatoes-3"},
        luxury=[1, 1, 1],
    )

    assert legal(state) == [
        "play offer:potatoes-3",
        "play old_debt 0",
        "play old_debt 2",
        "play raid 0",
        "play raid 2",
    ]


def test_equal_cards_make_one_move():
    """Moves: two copies of a card in the hand are one move, not two."""
    state = position(cards={0: "scarce_goods scarce_goods potatoes-3"})

    assert legal(state) == ["play offer:potatoes-3", "play scarce_goods"]


def test_trades_come_before_steps_and_hold_comes_last():
    """Exchange: trades, then steps rising; on the last space hold comes last."""
    before = position(offer="potatoes-3", goods={0: "potatoes flour"})
    last = position(offer="potatoes-3", goods={0: "potatoes flour"}, price=50)

    assert legal(before) == ["trade potatoes", "step 1", "step 2", "step 3", "step 4"]
    assert legal(last) == ["trade potatoes", "hold"]


def test_finds_and_returns_come_by_good():
    """Find and return: in the order potatoes, butter, sugar, coffee, flour."""
    state = position(cards={0: "new_goods"}, luxury=[5, 0, 0])

    do(state, "play new_goods")

    assert legal(state) == [
        f"find {good}" for good in ("potatoes", "butter", "sugar", "coffee", "flour")
    ]


@pytest.mark.parametrize(
    ("details", "moves", "only"),
    [
        ({"offer": "potatoes-3", "price": 35, "goods": {0: "flour"}}, [], "step 1"),
        ({"offer": "potatoes-3", "price": 50, "goods": {0: "flour"}}, [], "hold"),
        (
            {
                "cards": {0: "new_goods"},
                "luxury": [5, 0, 0],
                "goods_top": "sugar",
                "rest_of_goods_to": 1,
            },
            ["play new_goods"],
            "find sugar",
        ),
        (
            {"offer": "potatoes-3", "goods": {0: "potatoes", 1: "sugar-10"}},
            ["trade potatoes"],
            "return sugar",
        ),
    ],
    ids=["step", "hold", "find", "return"],
)
def test_a_decision_exists_even_if_only_one_move_is_legal(details, moves, only):
    """Moves: a single step, hold, find or return is asked for like any other decision."""
    state = position(**details)
    do(state, *moves)

    assert state.to_act is not None
    assert legal(state) == [only]


def test_a_single_play_is_a_decision():
    """Moves: a play is asked for even if nothing else is legal."""
    state = position(cards={0: "new_goods new_goods scarce_goods"})

    assert legal(state) == ["play scarce_goods"]
    assert state.to_act == 0


def test_a_move_of_another_game_is_refused():
    """Only moves of Schwarzmarkt are moves."""

    class Pass(Move):
        __slots__ = ()

    check_refused(position(), Pass(), "S3.1")


def every_move(seats):
    """Return a universe of moves: all that could be legal, and some that never are."""
    cards = range(len(BASIC.material.cards))
    targets = [None, *range(seats + 1)]
    moves: list[Any] = [Play(number, target) for number, target in product(cards, targets)]
    moves += [Bury(number) for number in cards]
    moves += [kind(good) for kind in (Find, Return) for good in range(6)]
    moves += [Step(spaces) for spaces in range(-1, 6)]
    moves += [HOLD, Trade(0)]
    foraging = card("foraging")
    for counts in product(range(4), repeat=5):
        goods = pack(good for good, number in enumerate(counts) for _ in range(number))
        if 0 < size(goods) <= 4:
            moves += [Trade(goods), Play(foraging, None, goods)]
    return moves


@pytest.mark.parametrize(
    ("game", "seats", "seed"), [(BASIC, 3, 11), (BASIC, 4, 12), (UNEVEN, 5, 13)]
)
def test_every_legal_move_applies_and_every_other_is_refused_without_change(game, seats, seed):
    """`apply` accepts exactly the moves listed, each once, and refuses others untouched."""
    rng = Random(seed)
    state = game.deal(b"legal moves %d" % seed, seats)
    universe = every_move(seats)
    while state.to_act is not None:
        moves = state.legal_moves()
        assert len(moves) == len(set(moves)) > 0
        before = dump(state)
        for attempt in rng.sample(universe, 12):
            if attempt not in moves:
                with pytest.raises(IllegalMoveError) as refusal:
                    state.apply(attempt)
                assert refusal.value.rule.startswith("S")
        assert dump(state) == before
        for move in rng.sample(moves, min(3, len(moves))):
            state.copy().apply(move)
        assert dump(state) == before
        state.apply(rng.choice(moves))


# The default move


def default(state):
    move = state.default_move()
    assert move in state.legal_moves()
    return BASIC.move_to_text(move)


def test_the_default_play_is_an_offer_if_there_is_one():
    """A seat that fails to choose plays its first offer."""
    state = position(cards={0: "raid old_debt flour-3"})

    assert default(state) == "play offer:flour-3"


def test_the_default_play_without_offers_is_the_first_text_card():
    """Without an offer the first text card that can be played is played."""
    state = position(cards={0: "new_goods slow_trade raid"})

    assert default(state) == "play raid 1"


def test_the_default_is_to_bury_the_first_card_if_none_can_be_played():
    """S3.3: with nothing playable the first card is buried."""
    state = position(cards={0: "protection new_goods new_goods"})

    assert default(state) == "bury new_goods"


def test_the_default_in_an_exchange_round_is_one_step():
    """S4.2: a seat that fails to choose does not trade and moves one space."""
    assert default(position(offer="potatoes-3", goods={0: "potatoes-9"})) == "step 1"


def test_the_default_on_50_is_to_hold():
    """S4.3: on the last space a seat that fails to choose holds."""
    assert default(position(offer="potatoes-3", price=50, goods={0: "potatoes-9"})) == "hold"


def test_the_default_find_is_a_good_of_the_pile():
    """S5 new_goods: a seat that fails to choose finds the first good there is."""
    state = position(
        cards={0: "new_goods"},
        luxury=[5, 0, 0],
        goods_top="coffee sugar",
        rest_of_goods_to=2,
    )
    do(state, "play new_goods")

    assert default(state) == "find sugar"


def test_the_default_return_is_the_commonest_good():
    """S6.1: a seat that fails to choose returns what it has most of."""
    state = position(offer="potatoes-3", goods={0: "potatoes", 1: "butter-2 coffee-6 flour-3"})
    do(state, "trade potatoes")

    assert state.phase is SchwarzmarktPhase.RETURN
    assert default(state) == "return coffee"


def test_the_refusal_says_what_the_move_belongs_to():
    """S4.3: a hold while a card is to be played is refused with a reason."""
    with pytest.raises(IllegalMoveError, match=r"^hold belongs in an exchange round \(S4\.3\)$"):
        position().apply(HOLD)


def test_there_is_no_default_move_after_the_end():
    """S6.3: when the match is over no move is left to make."""
    state = position(offer="potatoes-3", goods={0: "potatoes"}, game_round=2)
    do(state, "trade potatoes")

    with pytest.raises(IllegalMoveError, match=r"S6\.3"):
        state.default_move()


# Copies


def test_a_copy_is_independent_and_has_the_same_future():
    """A copy holds the same and goes on alike, whatever happens to the original."""
    rng = Random(5)
    state = BASIC.deal(b"copies", 3)
    while state.to_act is not None:
        twin = state.copy()
        assert dump(twin) == dump(state)
        move = rng.choice(state.legal_moves())
        before = dump(twin)
        events = state.apply(move)
        assert dump(twin) == before
        assert twin.apply(move) == events
        assert dump(twin) == dump(state)


def test_holdings_name_the_cards_of_a_hand():
    """Whoever may see everything sees a seat's goods and black-market cards by name."""
    state = position(goods={1: "sugar-2 flour"}, cards={1: "raid scarce_goods scarce_goods"})

    assert state.holdings(1) == {"sugar": 2, "flour": 1, "raid": 1, "scarce_goods": 2}
