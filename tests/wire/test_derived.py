from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import pytest
from google.protobuf import wrappers_pb2
from highcard.rules import Bury, Drawn, HighCard, Played

from arena.cli import main
from arena.errors import FormatError
from arena.games.game import Event, PublicEvent, Seat, seen_by
from arena.v1 import play_pb2, watch_pb2
from arena.wire.codec import other_field
from arena.wire.derived import DerivedCodec

GAME = HighCard()
CODEC = DerivedCodec(GAME)


@pytest.mark.parametrize("seats", [3, 4])
def test_what_is_written_is_read(seats):
    """Decisions, events and tables of a whole match come back as they were, for everybody."""
    state, rng = GAME.deal(b"derived", seats), Random(seats)
    while state.to_act is not None:
        legal = state.legal_moves()
        happened = state.copy().apply(rng.choice(legal))
        for watcher in (*map(Seat, range(seats)), None):
            seen = state.observe(watcher)
            events = [event for one in happened if (event := seen_by(one, watcher))]
            asked = play_pb2.Decision.FromString(CODEC.decision(seen, legal, events))
            table = watch_pb2.WatchedTable.FromString(CODEC.observation(seen))
            watched = watch_pb2.WatchedEvents.FromString(CODEC.events(events))
            assert CODEC.read_decision(asked) == (seen, legal)
            assert CODEC.read_events(asked) == CODEC.read_events(watched) == events
            assert CODEC.read_observation(table) == seen
        state.apply(rng.choice(legal))


def test_names_travel_and_what_is_hidden_does_not():
    """A card is a text; for those who may not see it, it is absent."""
    drawn = Drawn(Seat(1), 3)
    whole, redacted = CODEC.events([drawn]), CODEC.events([drawn.redacted()])

    assert b"red-4" in whole
    assert b"red" not in redacted
    ended = play_pb2.MatchEnded.FromString(redacted)
    assert CODEC.read_events(ended) == [Drawn(Seat(1), None)]


def test_the_number_of_players():
    """The material says how many play; a wrong number is refused."""
    assert b"Material" in CODEC.material(4)
    with pytest.raises(Exception, match="3 to 4 players"):
        CODEC.material(5)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (wrappers_pb2.StringValue(value="x"), "must hold highcard.Decision"),
        (CODEC._classes["Decision"](legal_moves=[{}]), "a type that does not exist"),
        (CODEC._classes["Decision"](legal_moves=[{"play": {"card": "x"}}]), "card 'x' does not"),
    ],
)
def test_nonsense_is_refused(content, complaint):
    """The complaint says what is wrong."""
    with pytest.raises(FormatError, match=complaint):
        CODEC.read_decision(play_pb2.Decision.FromString(other_field(content)))


def test_an_event_of_a_later_version_is_passed_over():
    """A newer arena may tell of more than is known here."""
    content = CODEC._classes["Events"](events=[{}, {"played": {"seat": 1, "card": "red-2"}}])
    ended = play_pb2.MatchEnded.FromString(other_field(content))

    assert CODEC.read_events(ended) == [Played(Seat(1), 1)]


class Inner(NamedTuple):
    cards: tuple[int, ...]


class Nested(NamedTuple):
    seat: Seat | None
    to_act: Seat | None
    best: Inner | None
    rows: tuple[Inner, ...]


class NestedGame(HighCard):
    name = "nested"
    observation_type = Nested


def test_records_within_records():
    """They are messages of their own, listed or alone, and may be absent."""
    codec = DerivedCodec(NestedGame())
    for seen in (
        Nested(None, Seat(0), Inner((1, 2)), (Inner(()), Inner((3,)))),
        Nested(Seat(0), None, None, ()),
        Nested(Seat(0), None, Inner(()), ()),
    ):
        table = watch_pb2.WatchedTable.FromString(codec.observation(seen))
        assert codec.read_observation(table) == seen
    assert "  optional Inner best = 3;\n  repeated Inner rows = 4;" in codec.proto_file()


class Rows(NamedTuple):
    rows: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class Unheard(PublicEvent):
    seat: Seat


class TestWhatCannotBeSent:
    """The complaint names it, before a bot is misled."""

    def test_a_list_of_lists(self):
        class Broken(HighCard):
            name = "broken_rows"
            observation_type = Rows

        with pytest.raises(TypeError, match="rows is a list of lists"):
            DerivedCodec(Broken())

    def test_a_name_that_is_taken(self):
        class Broken(HighCard):
            name = "broken_name"
            event_types = (Event,)  # type: ignore[assignment]

        with pytest.raises(TypeError, match="another message has its name"):
            DerivedCodec(Broken())

    def test_an_event_that_is_not_declared(self):
        with pytest.raises(TypeError, match=r"Unheard\(seat=0\) cannot be sent: its type is not"):
            CODEC.events([Unheard(Seat(0))])

    def test_a_hidden_field_that_cannot_be_absent(self):
        with pytest.raises(TypeError, match="card is hidden, and its type is not"):
            CODEC.decision(GAME.deal(b"x", 3).observe(None), [Bury(None)], [])  # type: ignore[arg-type]


@pytest.mark.usefixtures("high_card")
def test_a_game_with_messages_of_its_own_has_no_derived_file(capsys):
    """`arena games --proto` says so; what it prints otherwise is tested with a project."""
    assert main(["games", "--proto", "byzanz"]) == 2
    assert "the messages of byzanz are not derived from its types" in capsys.readouterr().err
