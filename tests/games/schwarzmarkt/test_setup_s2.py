"""S2: the set-up, how it is written in a replay, and what is refused there."""

import copy
import json

import pytest

from arena.errors import FormatError, OptionError, TableSizeError
from arena.games.counts import size
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.observation import SchwarzmarktPhase
from arena.games.schwarzmarkt.setup import deal_setup
from arena.games.shuffle import SeededChance
from tests.games.schwarzmarkt.positions import BASIC, PRINTED, UNEVEN, do, position

SEED = b"a deal"
BASIC_CONTENT = json.loads(json.dumps(PRINTED))
TABLES = [(3, 33, 21), (4, 24, 18), (5, 15, 15)]


@pytest.mark.parametrize("game", [BASIC, UNEVEN], ids=["basic", "uneven"])
@pytest.mark.parametrize(("seats", "goods_pile", "market_pile"), TABLES)
def test_everybody_gets_nine_goods_and_three_cards(game, seats, goods_pile, market_pile):
    """S2.1: 9 goods and 3 black-market cards each, the rest in two piles."""
    state = game.deal(SEED, seats)

    assert [size(hand) for hand in state.goods] == [9] * seats
    assert [size(hand) for hand in state.cards] == [3] * seats
    assert len(state.goods_pile) == goods_pile
    assert len(state.black_market_pile) == market_pile


def test_hands_are_dealt_hidden():
    """S2.1: the public sees sizes, no goods and no black-market cards."""
    seen = BASIC.deal(SEED, 3).observe(None)

    assert seen.goods == 0
    assert seen.cards == 0
    assert seen.hand_sizes == (9, 9, 9)
    assert (seen.goods_pile_size, seen.black_market_pile_size) == (33, 21)


def test_seat_0_is_the_first_start_player_and_the_marker_stands_on_space_0():
    """S2.2: seat 0 starts; the marker is on space 0 while no exchange round runs."""
    state = BASIC.deal(SEED, 3)

    assert (state.start, state.to_act, state.phase) == (0, 0, SchwarzmarktPhase.PLAY)
    assert state.marker == 0
    assert state.observe(None).start == 0


def test_a_match_starts_with_nothing_owned_and_nothing_on_the_table():
    """S1.2, S2.2: nobody owns luxury goods, and no offer, demand or other open card lies out."""
    seen = BASIC.deal(SEED, 4).observe(None)

    assert seen.luxury == (0, 0, 0, 0)
    assert (seen.offer, seen.resolving, seen.demand) == (None, None, 0)
    assert (seen.traded, seen.open_cards, seen.seen_cards) == ((), (), 0)
    assert seen.traders == (False, False, False, False)
    assert (seen.game_round, seen.cards_dealt_with, seen.idle_rounds) == (1, 0, 0)


def test_the_marker_goes_back_to_space_0_after_an_exchange_round():
    """S2.2: the marker stands on space 0 again once the exchange round is over."""
    state = position(offer="potatoes-3", price=50)

    do(state, "hold")

    assert state.marker == 0


def test_one_seed_makes_one_deal():
    """S2.1: equal seeds deal alike, different seeds differ."""
    assert BASIC.setup(SEED, 4) == BASIC.setup(SEED, 4)
    assert BASIC.setup(SEED, 4) != BASIC.setup(b"another deal", 4)


@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_other_table_sizes_are_refused(seats):
    """S2.1: the game is for 3 to 5 players."""
    with pytest.raises(TableSizeError, match=f"3 to 5 players, not {seats}"):
        BASIC.setup(SEED, seats)


# Options


def test_the_default_options_leave_no_trace():
    """Options that say the default are not kept."""
    assert Schwarzmarkt({"deck": "basic"}).options == {}
    assert BASIC.configure({"deck": "uneven"}).options == {"deck": "uneven"}
    assert BASIC.configure({"deck": "uneven"}).material.deck == UNEVEN.material.deck


def test_the_printed_cards_given_as_a_card_file_are_the_default():
    """A card file equal to the printed one leaves no trace in the options."""
    spec = next(spec for spec in BASIC.option_specs if spec.name == "cards")
    content = json.loads(json.dumps(BASIC_CONTENT))

    assert spec.is_file
    assert Schwarzmarkt({"cards": content}).options == {}


def test_another_card_file_is_kept_with_its_content():
    """A card file that differs makes another material and stays in the options."""
    content = copy.deepcopy(BASIC_CONTENT)
    content["track"][0]["price"] = 2

    game = Schwarzmarkt({"cards": content})

    assert game.options == {"cards": content}
    assert game.material.prices[0] == 2


@pytest.mark.parametrize("deck", ["even", "", "Basic", None, 1, ["basic"]])
def test_an_unknown_deck_is_refused(deck):
    """S1.1: there are two decks."""
    with pytest.raises(OptionError, match="basic, uneven"):
        Schwarzmarkt({"deck": deck})


def test_an_unknown_option_is_refused():
    """The game names the options it has."""
    with pytest.raises(OptionError, match=r"no option 'decks' \(it has: deck, cards\)"):
        Schwarzmarkt({"decks": "basic"})


# Set-ups as JSON


@pytest.mark.parametrize("game", [BASIC, UNEVEN], ids=["basic", "uneven"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_setup_survives_being_written(game, seats):
    """S2.1: a set-up read back from JSON is the same and makes the same match."""
    setup = game.setup(SEED, seats)
    written = json.loads(json.dumps(game.setup_to_json(setup)))

    assert game.setup_from_json(written, seats) == setup
    started = game.start(game.setup_from_json(written, seats), SeededChance(SEED))
    assert started.observe(0) == game.deal(SEED, seats).observe(0)


def test_a_setup_names_its_cards_in_the_order_of_the_piles():
    """S2.1: a written set-up lists hands by seat and piles top first."""
    setup = BASIC.setup(SEED, 3)
    written = BASIC.setup_to_json(setup)

    assert list(written) == ["hands", "black_market_hands", "goods_pile", "black_market_pile"]
    assert [BASIC.kinds.index(name) for name in written["goods_pile"]] == list(setup.goods_pile)
    by_name = BASIC.material.card_by_name
    assert [by_name[name] for name in written["black_market_pile"]] == list(setup.black_market_pile)


def _without(field):
    def edit(setup):
        del setup[field]

    return edit


def _swap_good(setup):
    pile = setup["goods_pile"]
    pile[0] = "sugar" if pile[0] == "coffee" else "coffee"


def _swap_card(setup):
    pile = setup["black_market_pile"]
    pile[0] = "raid" if pile[0] != "raid" else "foraging"


def _move_a_good(setup):
    setup["goods_pile"].append(setup["hands"][1].pop())


def _move_a_card(setup):
    setup["black_market_pile"].append(setup["black_market_hands"][2].pop())


BAD_SETUPS = {
    "no hands": (_without("hands"), "setup lacks 'hands'"),
    "no pile": (_without("goods_pile"), "setup lacks 'goods_pile'"),
    "extra field": (lambda s: s.update(note="x"), "unknown field 'note'"),
    "null hands": (lambda s: s.update(hands=None), "setup.hands must be a list, not null"),
    "null hand": (lambda s: s["hands"].__setitem__(1, None), r"setup.hands\[1\] must be a list"),
    "three words": (lambda s: s.update(goods_pile="a b c"), "goods_pile must be a list"),
    "too few hands": (lambda s: s["hands"].pop(), "must have 3 hands, not 2"),
    "short hand": (_move_a_good, r"hands\[1\] must have 9 cards, not 8 \(S2.1\)"),
    "short market hand": (_move_a_card, r"black_market_hands\[2\] must have 3 cards, not 2"),
    "unknown good": (
        lambda s: s["goods_pile"].__setitem__(3, "tea"),
        r"setup.goods_pile\[3\] 'tea' does not exist",
    ),
    "unknown card": (
        lambda s: s["black_market_hands"][0].__setitem__(2, "offer:potatoes-9"),
        r"black_market_hands\[0\]\[2\] 'offer:potatoes-9' does not exist",
    ),
    "a number": (lambda s: s["goods_pile"].__setitem__(0, 0), "must be a string"),
    "wrong goods": (_swap_good, r"instead of 12 \(S1\)"),
    "wrong cards": (_swap_card, r"instead of 1 \(S1\)|instead of 2 \(S1\)"),
    "goods missing": (lambda s: s["goods_pile"].pop(), r"setup has 11 × .* instead of 12"),
    "card twice": (
        lambda s: s["black_market_pile"].append("slow_trade"),
        "setup has 2 × slow_trade instead of 1",
    ),
}


@pytest.mark.parametrize("name", BAD_SETUPS)
def test_a_setup_that_is_no_proper_deal_is_refused(name):
    """S2.1: a set-up with wrong fields, sizes or cards is refused, saying where."""
    edit, complaint = BAD_SETUPS[name]
    setup = json.loads(json.dumps(BASIC.setup_to_json(BASIC.setup(SEED, 3))))
    edit(setup)

    with pytest.raises(FormatError, match=complaint):
        BASIC.setup_from_json(setup, 3)


def test_a_setup_for_another_table_is_refused():
    """S2.1: a set-up of three hands is none for four seats."""
    setup = BASIC.setup_to_json(BASIC.setup(SEED, 3))

    with pytest.raises(FormatError, match="must have 4 hands, not 3"):
        BASIC.setup_from_json(setup, 4)


def test_a_setup_of_the_other_deck_is_refused():
    """S1.1: a deal of the uneven deck is none of the basic game."""
    setup = UNEVEN.setup_to_json(UNEVEN.setup(SEED, 3))

    with pytest.raises(FormatError, match="16 × potatoes instead of 12"):
        BASIC.setup_from_json(setup, 3)


@pytest.mark.parametrize("value", [None, [], "setup", 3])
def test_a_setup_that_is_no_object_is_refused(value):
    """Set-ups are objects."""
    with pytest.raises(FormatError, match="setup must be an object"):
        BASIC.setup_from_json(value, 3)


@pytest.mark.parametrize("seats", [2, 6])
def test_a_setup_for_a_table_the_game_is_not_played_at_is_refused(seats):
    """S2.1: a complete deal for 2 or 6 is no set-up of a game for 3 to 5 players."""
    setup = BASIC.setup_to_json(deal_setup(BASIC.material, SEED, seats))

    with pytest.raises((FormatError, TableSizeError)):
        BASIC.setup_from_json(setup, seats)
