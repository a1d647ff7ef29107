"""What follows for a game that says only what it must."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from highcard.rules import Buried, Bury, HighCard, Play, Played, StockShuffled

from arena.errors import FormatError, IllegalMoveError, MatchNotOverError, OptionError
from arena.games.game import Move, Seat, seen_by

GAME = HighCard()
NAMES = ("anna", "bert", "carl")
SETUP = GAME.setup(bytes(32), 3)


@dataclass(frozen=True, slots=True)
class Fold(Move):
    """A move of no game."""


@pytest.mark.parametrize(
    ("move", "value", "public", "line"),
    [
        (
            Play(6),
            {"type": "play", "card": "red-7"},
            {"type": "play", "card": "red-7"},
            "play red-7",
        ),
        (Bury(19), {"type": "bury", "card": "blue-10"}, {"type": "bury"}, "bury blue-10"),
    ],
)
def test_moves(move, value, public, line):
    """A move is its type and its fields; the public sees those that are shown."""
    assert (GAME.move_to_json(move), GAME.public_move(move)) == (value, public)
    assert GAME.move_to_text(move) == line
    assert GAME.move_from_json(value) == GAME.move_from_text(f"  {line} ") == move


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ([], "a move must be an object with a 'type'"),
        ({"type": 1}, "the move's type must be a string"),
        ({"type": "fold"}, r"'fold' is not a move of High Card \(one of bury, play\)"),
        ({"type": "play"}, "the move 'play' lacks 'card'"),
        ({"type": "play", "card": "red-1", "n": 1}, "unknown field 'n'"),
        ("play", "'play' takes 1 words, not 0"),
        ("play red-1 red-2", "'play' takes 1 words, not 2"),
        ("", "'' is not a move of High Card"),
    ],
)
def test_what_is_no_move(value, complaint):
    """It is refused, in JSON and in a line."""
    with pytest.raises(FormatError, match=complaint):
        GAME.move_from_text(value) if isinstance(value, str) else GAME.move_from_json(value)


def test_a_move_of_another_game_is_not_written():
    """Only what the game declares is its move."""
    with pytest.raises(FormatError, match=r"Fold\(\) is not a move of High Card"):
        GAME.move_to_json(Fold())


def test_a_set_up_is_read_if_it_is_a_deal():
    """It has the sizes of a deal, and each card as often."""
    written = GAME.setup_to_json(SETUP)
    hands, stock = written["hands"], written["stock"]
    assert isinstance(hands, list)
    assert isinstance(stock, list)

    assert GAME.setup_from_json(written, 3) == SETUP
    for changed, complaint in (
        ({"hands": hands[1:], "stock": stock}, "sizes for 3 players"),
        ({"hands": [hands[0][1:], *hands[1:]], "stock": [*stock, hands[0][0]]}, "sizes for 3"),
        ({"hands": hands, "stock": [stock[1], *stock[1:]]}, "every card as often"),
        ({"hands": hands}, "setup lacks 'stock'"),
        (None, "setup must be an object, not null"),
    ):
        with pytest.raises(FormatError, match=complaint):
            GAME.setup_from_json(changed, 3)


def test_renamings_are_those_of_the_names():
    """Cards of one kind become the same cards of another."""
    assert list(GAME.relabelings()) == [(0, 1), (1, 0)]
    renamed = GAME.relabel(SETUP, (1, 0))
    assert renamed.stock == tuple((card + 10) % 20 for card in SETUP.stock)
    assert GAME.relabel(renamed, (1, 0)) == SETUP


def test_kinds_with_other_cards_are_not_renamed(monkeypatch):
    """Only renamings that leave the cards as they are make an equivalent deal."""
    monkeypatch.setattr(HighCard, "names", {"card": [*GAME.names["card"][:-1], "blue-11"]})

    assert list(HighCard().relabelings()) == [(0, 1)]


def test_shuffles_are_written_for_replays():
    """A shuffle that nobody saw, and an event that is none, are not."""
    line = {"what": "shuffle", "pile": "stock", "order": ["red-2", "red-1"]}

    assert GAME.chance_to_json(StockShuffled((1, 0))) == line
    assert GAME.chance_from_json(line) == ("shuffle stock", (1, 0))
    assert GAME.chance_to_json(StockShuffled(None)) is None
    assert GAME.chance_to_json(Played(Seat(0), 1)) is None
    for changed in ({"what": "draw"}, {"pile": "deck"}, {"order": None}, {"order": [1]}, {"n": 1}):
        with pytest.raises(FormatError):
            GAME.chance_from_json({**line, **changed})


def test_people_are_told_what_they_may_see():
    """An event is told by its fields, without those that are hidden."""
    buried = Buried(Seat(1), 4)
    public = seen_by(buried, None)
    assert public is not None

    assert GAME.tell(buried, NAMES) == "bert: buried, card red-5."
    assert GAME.tell(public, NAMES) == "bert: buried."
    assert GAME.tell(StockShuffled(None), NAMES) == "stock shuffled."
    seen = GAME.start(SETUP, None).observe(Seat(2))  # type: ignore[arg-type]
    table, hand = GAME.show_table(seen, NAMES), GAME.show_hand(seen)
    assert "players anna bert carl\nto_act anna\n" in table
    assert not any(f" {card}" in table for card in ("red", "blue"))
    assert hand == f"hand {' '.join(GAME.names['card'][card] for card in seen.hand)}\nburied -"


def test_people_are_told_what_they_decide_about():
    """A decision is told by the kinds of moves, and each move as it is typed."""
    seen = GAME.deal(b"seed", 3).observe(Seat(0))

    assert GAME.show_decision(seen, [Bury(1), Bury(2), Play(1)], NAMES) == "You may bury or play."
    assert GAME.show_decision(seen, [Bury(1), Bury(2)], NAMES) == "You must bury."
    assert GAME.show_move(Play(6), seen, NAMES) == "play red-7"


def test_a_match():
    """The first legal move is the default, points decide, and there are no options."""
    state = GAME.deal(b"seed", 3)
    assert state.default_move() == state.legal_moves()[0]
    with pytest.raises(MatchNotOverError):
        state.outcome()
    while state.to_act is not None:
        state.apply(state.default_move())
    assert sum(state.outcome().scores) == 4
    with pytest.raises(IllegalMoveError):
        state.default_move()
    assert GAME.configure({}) is GAME
    with pytest.raises(OptionError):
        GAME.configure({"long": "yes"})
