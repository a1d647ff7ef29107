"""Schwarzmarkt in words: moves and chance written and read, events told, tables shown."""

import json

import pytest

from arena.errors import FormatError
from arena.games.game import Event, Move, Seat, seen_by
from arena.games.schwarzmarkt import events as e
from arena.games.schwarzmarkt.moves import HOLD, Bury, Find, Play, Return, Step, Trade
from tests.games.schwarzmarkt.positions import (
    ANNA,
    BASIC,
    BERT,
    CARL,
    EMIL,
    NAMES,
    StackedChance,
    card,
    do,
    goods,
    position,
)

MOVES = [
    # (move, JSON as in the rules, text)
    (
        Play(card("potatoes-2,butter-2")),
        {"type": "play", "card": "offer:potatoes-2,butter-2"},
        "play offer:potatoes-2,butter-2",
    ),
    (
        Play(card("old_debt"), CARL),
        {"type": "play", "card": "old_debt", "target": 2},
        "play old_debt 2",
    ),
    (
        Play(card("foraging"), None, goods("flour sugar")),
        {"type": "play", "card": "foraging", "cards": ["sugar", "flour"]},
        "play foraging sugar flour",
    ),
    (Play(card("new_goods")), {"type": "play", "card": "new_goods"}, "play new_goods"),
    (
        Play(card("protection"), ANNA),
        {"type": "play", "card": "protection", "target": 0},
        "play protection 0",
    ),
    (Play(card("raid"), EMIL), {"type": "play", "card": "raid", "target": 4}, "play raid 4"),
    (Find(0), {"type": "find", "good": "potatoes"}, "find potatoes"),
    (Bury(card("new_goods")), {"type": "bury", "card": "new_goods"}, "bury new_goods"),
    (
        Trade(goods("potatoes butter")),
        {"type": "trade", "goods": ["potatoes", "butter"]},
        "trade potatoes butter",
    ),
    (Step(4), {"type": "step", "spaces": 4}, "step 4"),
    (HOLD, {"type": "hold"}, "hold"),
    (Return(3), {"type": "return", "good": "coffee"}, "return coffee"),
]
TEXTS = [text for _, _, text in MOVES]


@pytest.mark.parametrize(("move", "value", "text"), MOVES, ids=TEXTS)
def test_a_move_is_written_as_in_the_rules(move, value, text):
    """Moves, as text: the JSON of the rules' table, and a short line."""
    assert BASIC.move_to_json(move) == value
    assert BASIC.move_to_text(move) == text


@pytest.mark.parametrize(("move", "value", "text"), MOVES, ids=TEXTS)
def test_a_move_is_read_as_in_the_rules(move, value, text):
    """Moves, as text: what is written is read back, from JSON and from a line."""
    assert BASIC.move_from_json(json.loads(json.dumps(value))) == move
    assert BASIC.move_from_text(text) == move
    assert BASIC.move_from_text(f"  {text.replace(' ', '   ')} ") == move


def test_the_order_in_which_goods_are_named_is_free():
    """Moves: cards of one trade or foraging may be named in any order."""
    mixed = BASIC.move_from_json({"type": "trade", "goods": ["flour", "sugar", "flour"]})

    assert mixed == Trade(goods("sugar flour-2"))
    assert BASIC.move_to_json(mixed)["goods"] == ["sugar", "flour", "flour"]


@pytest.mark.parametrize(("value", "text"), [(value, text) for _, value, text in MOVES], ids=TEXTS)
def test_a_move_has_no_extra_fields(value, text):
    """Moves: exactly the fields shown, no extras, not even null ones."""
    for extra in ({"note": "x"}, {"note": None}, {"seat": 0}):
        with pytest.raises(FormatError, match="unknown field"):
            BASIC.move_from_json({**value, **extra})


@pytest.mark.parametrize(("value", "text"), [(value, text) for _, value, text in MOVES], ids=TEXTS)
def test_a_move_lacks_no_field_and_has_no_null(value, text):
    """Moves: every field shown must be there and be something."""
    for field in value:
        with pytest.raises(FormatError):
            BASIC.move_from_json({name: other for name, other in value.items() if name != field})
        with pytest.raises(FormatError):
            BASIC.move_from_json({**value, field: None})


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (None, "must be an object with a 'type'"),
        ([], "must be an object with a 'type'"),
        ("hold", "must be an object with a 'type'"),
        ({}, "must be an object with a 'type'"),
        ({"type": 1}, "the move's type must be a string, not a whole number"),
        ({"type": ["hold"]}, "must be a string, not a list"),
        ({"type": "pass"}, "'pass' is not a move of Schwarzmarkt"),
        ({"type": "Hold"}, "'Hold' is not a move"),
        ({"type": "play"}, "lacks 'card'"),
        ({"type": "play", "card": 3}, "card must be a string"),
        ({"type": "play", "card": "offer:butter-2,potatoes-2"}, "does not exist"),
        ({"type": "play", "card": "bribe"}, "card 'bribe' does not exist"),
        ({"type": "play", "card": "old_debt"}, "the play of old_debt lacks 'target'"),
        ({"type": "play", "card": "raid", "target": "1"}, "target must be a whole number"),
        ({"type": "play", "card": "raid", "target": 1.0}, "whole number, not a number"),
        ({"type": "play", "card": "raid", "target": True}, "not true or false"),
        ({"type": "play", "card": "raid", "target": None}, "not null"),
        ({"type": "play", "card": "raid", "target": 5}, "target 5 is not a seat"),
        ({"type": "play", "card": "raid", "target": -1}, "target -1 is not a seat"),
        ({"type": "play", "card": "raid", "target": 1, "cards": []}, "unknown field 'cards'"),
        ({"type": "play", "card": "foraging"}, "the play of foraging lacks 'cards'"),
        ({"type": "play", "card": "foraging", "cards": []}, "cards must name 1 to 127 goods"),
        ({"type": "play", "card": "foraging", "cards": "sugar"}, "cards must be a list"),
        ({"type": "play", "card": "foraging", "cards": ["tea"]}, r"cards\[0\] 'tea' does not"),
        ({"type": "play", "card": "foraging", "cards": [None]}, r"cards\[0\] must be a string"),
        (
            {"type": "play", "card": "foraging", "cards": ["sugar"], "target": 1},
            "unknown field 'target'",
        ),
        ({"type": "play", "card": "slow_trade", "target": 1}, "unknown field 'target'"),
        ({"type": "play", "card": "new_goods", "cards": ["sugar"]}, "unknown field 'cards'"),
        ({"type": "play", "card": "offer:sugar-3", "target": 1}, "unknown field 'target'"),
        ({"type": "find", "good": "tea"}, "good 'tea' does not exist"),
        ({"type": "find", "good": ["sugar"]}, "good must be a string, not a list"),
        ({"type": "find", "goods": ["sugar"]}, "lacks 'good'"),
        ({"type": "bury", "card": "sugar"}, "card 'sugar' does not exist"),
        ({"type": "trade", "goods": []}, "goods must name 1 to 127 goods"),
        ({"type": "trade", "goods": ["sugar"] * 128}, "goods must name 1 to 127 goods"),
        ({"type": "trade", "goods": {"sugar": 1}}, "goods must be a list, not an object"),
        ({"type": "trade", "goods": ["sugar", 2]}, r"goods\[1\] must be a string"),
        ({"type": "step", "spaces": "1"}, "spaces must be a whole number, not a string"),
        ({"type": "step", "spaces": 1.0}, "not a number"),
        ({"type": "step", "spaces": True}, "not true or false"),
        ({"type": "hold", "spaces": 1}, "unknown field 'spaces'"),
        ({"type": "return", "good": "raid"}, "good 'raid' does not exist"),
    ],
    ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:60],
)
def test_json_that_is_no_move_is_refused(value, complaint):
    """Moves: wrong types, unknown names and wrong fields are refused, saying what is wrong."""
    with pytest.raises(FormatError, match=complaint):
        BASIC.move_from_json(value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "'' is not a move"),
        ("pass", "'pass' is not a move"),
        ("play", "'play' takes 1 words, not 0"),
        ("play bribe", "does not exist"),
        ("play old_debt", "lacks 'target'"),
        ("play old_debt Anna", "lacks 'target'|unknown field 'cards'"),
        ("play old_debt 7", "target 7 is not a seat"),
        ("play raid 1 sugar", "unknown field 'cards'"),
        ("play raid 0000000001", "lacks 'target'|unknown field"),
        ("play raid ١", "lacks 'target'|unknown field"),
        ("play foraging", "lacks 'cards'"),
        ("play foraging 2", "lacks 'cards'"),
        ("play foraging 2 sugar", "unknown field 'target'"),
        ("play slow_trade 1", "unknown field 'target'"),
        ("play offer:sugar-3 sugar", "unknown field 'cards'"),
        ("find", "'find' takes 1 words, not 0"),
        ("find sugar flour", "'find' takes 1 words, not 2"),
        ("find tea", "good 'tea' does not exist"),
        ("bury", "'bury' takes 1 words, not 0"),
        ("trade", "goods must name 1 to 127 goods"),
        ("trade tea", "does not exist"),
        ("step", "'step' takes 1 words, not 0"),
        ("step two", "spaces must be a whole number"),
        ("step -1", "spaces must be a whole number"),
        ("step 0000000004", "spaces must be a whole number"),
        ("step 1 2", "'step' takes 1 words, not 2"),
        ("hold 50", "'hold' takes 0 words, not 1"),
        ("return", "'return' takes 1 words, not 0"),
    ],
)
def test_a_line_that_is_no_move_is_refused(text, complaint):
    """Moves: a line with wrong or missing words is refused, saying what is wrong."""
    with pytest.raises(FormatError, match=complaint):
        BASIC.move_from_text(text)


def test_a_move_of_another_game_cannot_be_written():
    """Only moves of Schwarzmarkt can be written."""

    class Pass(Move):
        __slots__ = ()

    with pytest.raises(FormatError, match="not a move of Schwarzmarkt"):
        BASIC.move_to_json(Pass())


# What everybody learns by a move


@pytest.mark.parametrize(
    ("move", "public"),
    [
        (Find(2), {"type": "find"}),
        (Return(2), {"type": "return"}),
        (
            Play(card("foraging"), None, goods("sugar-2 flour")),
            {"type": "play", "card": "foraging", "cards": 3},
        ),
        (Play(card("old_debt"), BERT), {"type": "play", "card": "old_debt", "target": 1}),
        (Play(card("sugar-3")), {"type": "play", "card": "offer:sugar-3"}),
        (Bury(card("new_goods")), {"type": "bury", "card": "new_goods"}),
        (Trade(goods("sugar")), {"type": "trade", "goods": ["sugar"]}),
        (Step(2), {"type": "step", "spaces": 2}),
        (HOLD, {"type": "hold"}),
    ],
)
def test_the_public_learns_of_a_move_what_the_table_sees(move, public):
    """What each seat may see: goods found, returned or laid aside stay hidden, numbers do not."""
    assert BASIC.public_move(move) == public


# Outcomes of chance


def test_outcomes_of_chance_are_written_for_replays():
    """A draw and a shuffle are written with names; they read back as they were decided."""
    draw = BASIC.chance_to_json(e.GoodDrawn(ANNA, CARL, 3))
    goods_shuffle = BASIC.chance_to_json(e.PileShuffled("goods", (4, 0, 0)))
    order = (card("raid"), card("sugar-3"))
    market_shuffle = BASIC.chance_to_json(e.PileShuffled("black_market", order))

    assert draw == {"what": "draw", "from": 2, "good": "coffee"}
    assert goods_shuffle == {
        "what": "shuffle",
        "pile": "goods",
        "order": ["flour", "potatoes", "potatoes"],
    }
    assert market_shuffle == {
        "what": "shuffle",
        "pile": "black_market",
        "order": ["raid", "offer:sugar-3"],
    }
    assert BASIC.chance_from_json(draw) == ("draw", (3,))
    assert BASIC.chance_from_json(goods_shuffle) == ("shuffle goods", (4, 0, 0))
    assert BASIC.chance_from_json(market_shuffle) == ("shuffle black_market", order)


@pytest.mark.parametrize(
    "event",
    [
        e.GoodDrawn(ANNA, CARL, None),
        e.PileShuffled("goods", None),
        e.Held(BERT),
        e.CardDrawn(ANNA, 3),
        e.GoodFound(ANNA, 2),
    ],
)
def test_other_events_are_no_outcome_of_chance(event):
    """Only draws and shuffles that say how they came out are chance lines."""
    assert BASIC.chance_to_json(event) is None


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({}, "what must be a string, not null"),
        ({"what": None}, "what must be a string, not null"),
        ({"what": "roll"}, "'roll' is not an outcome of chance in Schwarzmarkt"),
        ({"what": "draw"}, "the draw lacks 'from'"),
        ({"what": "draw", "from": 1}, "the draw lacks 'good'"),
        ({"what": "draw", "from": "1", "good": "sugar"}, "from must be a whole number"),
        ({"what": "draw", "from": None, "good": "sugar"}, "from must be a whole number"),
        ({"what": "draw", "from": 1, "good": "tea"}, "good 'tea' does not exist"),
        ({"what": "draw", "from": 1, "good": None}, "good must be a string"),
        ({"what": "draw", "from": 1, "good": "sugar", "to": 0}, "unknown field 'to'"),
        ({"what": "shuffle", "pile": "goods"}, "the shuffle lacks 'order'"),
        ({"what": "shuffle", "pile": "cards", "order": []}, "pile 'cards' does not exist"),
        ({"what": "shuffle", "pile": 1, "order": []}, "pile must be a string"),
        ({"what": "shuffle", "pile": "goods", "order": "sugar"}, "order must be a list"),
        ({"what": "shuffle", "pile": "goods", "order": ["raid"]}, r"order\[0\] 'raid' does not"),
        (
            {"what": "shuffle", "pile": "black_market", "order": ["raid", "sugar"]},
            r"order\[1\] 'sugar' does not exist",
        ),
        (
            {"what": "shuffle", "pile": "goods", "order": [], "top": "x"},
            "unknown field 'top'",
        ),
    ],
    ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:60],
)
def test_a_chance_line_that_is_none_is_refused(value, complaint):
    """Chance lines have exactly their fields, with names that exist."""
    with pytest.raises(FormatError, match=complaint):
        BASIC.chance_from_json(value)


# Events


EVENTS = [
    # (event, told whole, told redacted or None if all may see it)
    (
        e.CardPlayed(ANNA, card("raid"), CARL),
        "Anna plays raid against Carl, who may not trade in the next exchange round.",
        None,
    ),
    (
        e.CardPlayed(ANNA, card("scarce_goods"), None),
        "Anna plays scarce goods. In the next exchange round each seat may trade one card in all.",
        None,
    ),
    (e.CardPlayed(ANNA, card("protection"), CARL), "Anna plays protection against Carl.", None),
    (e.CardPlayed(ANNA, card("sugar-3"), None), "Anna plays an offer for 3×sugar.", None),
    (
        e.CardBuried(BERT, card("new_goods")),
        "Bert can play nothing and puts new goods under the pile.",
        None,
    ),
    (e.CardDrawn(BERT, card("raid")), "Bert draws raid.", "Bert draws a black-market card."),
    (
        e.Traded(CARL, goods("sugar-2 flour"), 9),
        "Carl trades 2×sugar flour at 9 each, earning 27.",
        None,
    ),
    (e.Held(BERT), "Bert holds.", None),
    (
        e.ExchangeEnded(goods("butter")),
        "The exchange round ends; still wanted: butter.",
        None,
    ),
    (e.ExchangeEnded(0), "The exchange round ends; still wanted: nothing.", None),
    (
        e.GoodDrawn(ANNA, BERT, 2),
        "Anna draws sugar from the hand of Bert.",
        "Anna draws a card from the hand of Bert.",
    ),
    (
        e.PileSearched(ANNA, goods("sugar flour-3")),
        "Anna pays 5 and searches the goods pile: sugar 3×flour.",
        "Anna pays 5 and searches the goods pile.",
    ),
    (e.GoodFound(ANNA, 4), "Anna takes flour out of it.", "Anna takes a card out of it."),
    (
        e.PileShuffled("goods", (1, 2)),
        "The goods pile is shuffled.",
        "The goods pile is shuffled.",
    ),
    (
        e.PileShuffled("black_market", (1, 2)),
        "The black-market pile is shuffled.",
        "The black-market pile is shuffled.",
    ),
    (
        e.Foraged(CARL, 2, goods("sugar-2"), goods("coffee flour")),
        "Carl lays aside 2×sugar and draws coffee flour.",
        "Carl exchanges 2 goods with the pile.",
    ),
    (e.ProtectionPaid(ANNA, BERT, 5), "Bert pays Anna 5.", None),
    (e.GameRoundEnded(1), "Game round 1 ends.", None),
    (e.GoodReturned(BERT, 1), "Bert returns butter.", "Bert returns a card."),
    (
        e.GoodsDealt(BERT, 3, goods("butter-2 coffee")),
        "Bert is dealt 2×butter coffee.",
        "Bert is dealt 3 goods.",
    ),
    (e.GoodsDealt(BERT, 0, 0), "Bert is dealt nothing.", "Bert is dealt 0 goods."),
]


@pytest.mark.parametrize(("event", "whole", "redacted"), EVENTS)
def test_an_event_is_told_as_a_sentence(event, whole, redacted):
    """Every event is told whole to those who may see it, and as much as allowed to the others."""
    assert BASIC.tell(event, NAMES) == whole
    outside = seen_by(event, None)
    if redacted is None:
        assert outside is event
    else:
        assert outside is not None
        assert outside != event
        assert BASIC.tell(outside, NAMES) == redacted
        assert outside.redacted() == outside


def test_a_move_of_the_marker_is_told_with_its_price():
    """A step is told with the new price, not with the number of the space."""
    told = BASIC.tell(e.MarkerMoved(BERT, 7), NAMES)

    assert "price" in told
    assert "20" in told
    assert told.endswith(".")


def test_every_type_of_event_is_told():
    """The sentences above cover every type of event there is."""
    kinds = {kind for kind in vars(e).values() if isinstance(kind, type)}
    told = {type(event) for event, _, _ in EVENTS} | {e.MarkerMoved}

    assert told == {
        kind for kind in kinds if issubclass(kind, Event) and kind.__module__ == e.__name__
    }


@pytest.mark.parametrize(
    ("event", "audience"),
    [
        (e.CardDrawn(BERT, 0), (1,)),
        (e.GoodDrawn(CARL, ANNA, 1), (2, 0)),
        (e.PileSearched(BERT, 0), (1,)),
        (e.GoodFound(BERT, 0), (1,)),
        (e.PileShuffled("goods", ()), ()),
        (e.Foraged(BERT, 1, 1, 1), (1,)),
        (e.GoodReturned(BERT, 0), (1,)),
        (e.GoodsDealt(BERT, 1, 1), (1,)),
    ],
)
def test_a_hidden_event_is_whole_for_its_audience_alone(event, audience):
    """What each seat may see: exactly the seats concerned see the event whole."""
    whole = [seat for seat in map(Seat, range(5)) if seen_by(event, seat) is event]

    assert sorted(whole) == sorted(audience)
    assert seen_by(event, None) is not event


def test_outcomes_of_chance_are_marked():
    """Draws and shuffles are recorded in replays, other events are not."""
    assert e.GoodDrawn.by_chance
    assert e.PileShuffled.by_chance
    assert not e.CardDrawn.by_chance
    assert not e.GoodsDealt.by_chance


def test_an_event_of_another_game_cannot_be_told():
    """Only events of Schwarzmarkt can be told."""
    with pytest.raises(TypeError, match="not an event of Schwarzmarkt"):
        BASIC.tell(Event(), NAMES)


# The table


def table(state, seat=None):
    return BASIC.show_table(state.observe(seat), NAMES[: state.seats])


def test_the_table_between_exchange_rounds():
    """While a card is to be played the table shows rounds, piles, luxury and hand sizes."""
    state = position(
        start=1, goods={1: "sugar-4"}, luxury=[0, 25, 100], open_cards=["raid:2", "slow_trade"]
    )

    lines = table(state).splitlines()

    assert lines[0].startswith("Game round 1, ")
    assert f"{len(state.goods_pile)} goods" in lines[0]
    assert str(len(state.black_market_pile)) in lines[0]
    assert lines[1:3] == ["Open: raid against Carl", "Open: slow trade"]
    assert lines[3:] == [
        "  Anna    0 luxury, 9 goods",
        "> Bert   25 luxury, 4 goods",
        "  Carl  100 luxury, 9 goods",
    ]


def test_the_table_in_an_exchange_round():
    """During an exchange round the table shows what is wanted and the price."""
    state = position(offer="potatoes-2,butter-2", price=9, traded={1: "butter"}, to_act=2)

    lines = table(state).splitlines()

    assert "Wanted: 2×potatoes butter" in lines
    assert "Price: 9" in lines
    assert [line[:6] for line in lines if line.startswith(">")] == ["> Carl"]


def test_the_table_on_50():
    """On the last space the table says that this is the last chance."""
    assert "Price: 50 (last chance)" in table(position(offer="potatoes-3", price=50))


def test_the_table_shows_a_seat_what_it_knows_of_other_hands():
    """A card lost by old_debt is shown to its former owner, not to the others."""
    state = position(cards={0: "old_debt"}, goods={0: "flour", 1: "sugar-9"}, draws="sugar")
    do(state, "play old_debt 1")

    assert "2 goods, holds sugar" in table(state, 1)
    assert "holds" not in table(state, 2)
    assert "holds" not in table(state, None)


def test_the_table_names_nothing_hidden():
    """The public's table names no good and no card of a hand."""
    state = position(goods={0: "sugar-9"}, cards={0: "raid slow_trade protection"})

    for word in ("sugar", "raid", "slow_trade", "protection", "offer"):
        assert word not in table(state)


def test_the_table_while_goods_are_returned():
    """Between the game rounds the seat that must return is marked."""
    state = position(offer="potatoes-3", goods={0: "potatoes", 1: "sugar-11"})
    do(state, "trade potatoes")

    lines = table(state).splitlines()

    assert "> Bert    0 luxury, 11 goods" in lines
    assert not any(line.startswith(("Wanted", "Price")) for line in lines)


def test_the_table_after_the_end():
    """When the match is over the table says so and marks nobody."""
    state = position(offer="potatoes-3", goods={0: "potatoes"}, game_round=2)
    do(state, "trade potatoes")

    lines = table(state).splitlines()

    assert lines[-1] == "The match is over."
    assert not any(line.startswith(">") for line in lines)


def test_a_hand_is_shown_with_its_goods_and_cards():
    """A seat's own cards are shown by name."""
    state = position(goods={1: "sugar-2 flour"}, cards={1: "raid sugar-3 new_goods"})

    shown = BASIC.show_hand(state.observe(1))

    assert "2×sugar flour" in shown
    assert "an offer for 3×sugar; new goods; raid" in shown
    assert "pile" not in shown


def test_an_empty_hand_is_shown_as_nothing():
    """A seat without goods sees that it has none."""
    assert "nothing" in BASIC.show_hand(position(goods={1: ""}).observe(1))


def test_the_searcher_is_shown_the_pile():
    """new_goods: while it names a good the seat alone is shown the pile's counts."""
    state = position(
        cards={0: "new_goods"}, luxury=[5, 0, 0], goods_top="sugar flour-3", rest_of_goods_to=2
    )
    do(state, "play new_goods")

    assert "In the goods pile: sugar 3×flour" in BASIC.show_hand(state.observe(0))
    assert "pile" not in BASIC.show_hand(state.observe(1))
    assert "3×flour" not in table(state)


def test_a_stacked_chance_is_copied_with_what_it_holds():
    """Constructed chance gives a copy the same draws."""
    chance = StackedChance("sugar")
    twin = chance.copy()

    assert chance.pick("old_debt", [2]) == twin.pick("old_debt", [2]) == 2
    assert twin.log == chance.log


def decision(state) -> list[str]:
    """Return what the seat to act is told: the decision, and its moves."""
    seen, legal = state.observe(state.to_act), state.legal_moves()
    return [
        BASIC.show_decision(seen, legal, NAMES),
        *(BASIC.show_move(move, seen, NAMES) for move in legal),
    ]


def test_a_decision_in_an_exchange_is_shown():
    """The price is said, what each trade earns, and which price each step leads to."""
    state = position(offer="sugar-3", price=5, goods={0: "sugar-2 flour"})

    assert decision(state)[:4] == [
        "Exchange at a price of 5: trade or raise the price.",
        "trade for   5: sugar",
        "trade for  10: 2×sugar",
        "step 1: to price 7",
    ]
    last = BASIC.material.prices[-1]
    state = position(offer="potatoes-3", price=last, goods={0: "sugar"})
    assert decision(state) == [f"Exchange at a price of {last}: hold.", "hold"]


def test_a_decision_about_a_card_is_shown():
    """Cards that are played against somebody name them; a foraging says what is laid aside."""
    state = position(
        cards={0: "raid foraging new_goods"}, goods={0: "sugar flour"}, luxury=[9, 0, 0]
    )
    shown = decision(state)

    assert shown[0] == "Choose a black-market card to play."
    assert f"play raid against {NAMES[1]}" in shown
    assert "play foraging, laying aside sugar flour" in shown
    assert "play new goods" in shown
    do(state, "play new_goods")
    assert decision(state)[:2] == ["Choose a good to take out of the goods pile.", "find potatoes"]


def test_a_decision_between_cards_that_cannot_be_played_is_shown():
    """Who can play nothing is told so."""
    state = position(cards={0: "new_goods new_goods protection"})

    assert decision(state)[0] == (
        "You can play none of your black-market cards: choose one to put under the pile."
    )
