from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import pytest

from arena.errors import FormatError
from arena.games.counts import pack
from arena.games.game import Seat
from arena.games.notation import Counted, Named, Notations, map_leaves, to_words, type_name

NOTATIONS = Notations({"card": ("ace", "king", "queen")})
Card = Annotated[int, Named("card")]


class Phase(enum.IntEnum):
    FIRST_HALF = 1
    OVER = 2


class Point(NamedTuple):
    x: int
    is_far: bool


@dataclass(frozen=True)
class Everything:
    number: int
    seat: Seat | None
    title: str
    card: Card
    hidden: Card | None
    cards: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    counted: Annotated[int, Counted("card")]
    phase: Phase
    point: Point
    points: tuple[Point, ...]


VALUE = Everything(
    7,
    Seat(1),
    "a text",
    0,
    None,
    (2, 0),
    ((1,), ()),
    pack([2, 0, 2]),
    Phase.FIRST_HALF,
    Point(-1, True),
    (Point(0, False),),
)
WRITTEN: dict[str, Any] = {
    "number": 7,
    "seat": 1,
    "title": "a text",
    "card": "ace",
    "hidden": None,
    "cards": ["queen", "ace"],
    "hands": [["king"], []],
    "counted": ["ace", "queen", "queen"],
    "phase": "first_half",
    "point": {"x": -1, "is_far": True},
    "points": [{"x": 0, "is_far": False}],
}


def test_every_type_is_written_and_read():
    """A record is an object of its fields; named things have their names."""
    assert NOTATIONS.write(VALUE) == WRITTEN
    assert NOTATIONS.read(Everything, WRITTEN) == VALUE


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("number", True, "it.number must be a whole number, not true or false"),
        ("number", 1.0, "it.number must be a whole number, not a number"),
        ("seat", "1", "it.seat must be a whole number, not a string"),
        ("title", None, "it.title must be a string, not null"),
        ("card", "jack", "it.card 'jack' does not exist"),
        ("card", 0, "it.card must be a string, not a whole number"),
        ("card", None, "it.card must be a string, not null"),
        ("cards", "ace", "it.cards must be a list, not a string"),
        ("cards", ["ace", 1], r"it.cards\[1\] must be a string"),
        ("hands", [["ace"], ["jack"]], r"it.hands\[1\]\[0\] 'jack' does not exist"),
        ("counted", ["ace"] * 128, "it.counted must name 0 to 127 cards"),
        ("phase", "FIRST_HALF", "it.phase 'FIRST_HALF' does not exist"),
        ("phase", 1, "it.phase must be a string"),
        ("point", [1, True], "it.point must be an object, not a list"),
        ("point", {"x": 1}, "it.point lacks 'is_far'"),
        ("point", {"x": 1, "is_far": 0}, "it.point.is_far must be true or false, not a whole"),
        ("points", [{"x": 1, "is_far": True, "y": 0}], r"it.points\[0\] has an unknown field 'y'"),
    ],
)
def test_reading_is_strict(field, value, complaint):
    """Nothing is guessed, and the complaint says where."""
    with pytest.raises(FormatError, match=complaint):
        NOTATIONS.read(Everything, {**WRITTEN, field: value}, "it.")


class Loose(NamedTuple):
    anything: dict[str, int]


class Either(NamedTuple):
    one: int | str


class Pair(NamedTuple):
    two: tuple[int, int]


@pytest.mark.parametrize("kind", [Loose, Either, Pair])
def test_a_type_without_notation_is_refused(kind):
    """The author is told which, and where to look."""
    with pytest.raises(TypeError, match=r"has no notation: see arena\.games\.notation"):
        NOTATIONS.fields(kind)


def test_words():
    """What is a value in JSON is a word in a line; None is a dash."""
    assert to_words(WRITTEN["cards"]) == ["queen", "ace"]
    assert to_words([None, True, 3, {"x": ["y"]}]) == ["-", "true", "3", "y"]
    fields = NOTATIONS.fields(Everything)
    assert fields["number"].from_words(["12", "x"]) == 12
    assert fields["number"].from_words(["1234567890"]) == "1234567890"  # and so no whole number
    assert fields["hidden"].from_words(["-"]) is None
    assert fields["cards"].from_words(["ace", "king"]) == ["ace", "king"]
    assert NOTATIONS.fields(Point)["is_far"].from_words(["true"]) is True


def test_names_of_types():
    """A class is called by its words."""
    assert [type_name(kind) for kind in (Point, Everything, Named)] == [
        "point",
        "everything",
        "named",
    ]
    assert type_name(type("TrickWon", (), {})) == "trick_won"


def test_leaves():
    """What is in lists and objects is changed, they are not."""
    assert map_leaves(type, {"hands": [["a"], []], "n": 3}) == {"hands": [[str], []], "n": int}
