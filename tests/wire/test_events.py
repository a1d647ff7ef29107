from __future__ import annotations

import pytest

from arena.errors import FormatError
from arena.games.byzanz import events as be
from arena.games.counts import pack
from arena.games.game import Event, Seat
from arena.games.schwarzmarkt import events as se
from arena.v1 import byzanz_pb2, play_pb2, schwarzmarkt_pb2
from arena.wire.codec import codec_for
from tests.wire import reference
from tests.wire.played import BYZANZ, SCHWARZMARKT

A, B, C = Seat(0), Seat(1), Seat(5)

BYZANZ_EVENTS = (
    be.LotTurned(8, 6, pack([0, 1, 24])),
    be.BidLaid(A, pack([0]), 1),
    be.Passed(C, 0),
    be.Passed(A, pack([0, 23])),
    be.AuctionWon(B, pack([4, 4])),
    be.LotTaken(A, 1, 0, pack([24])),
    be.LotTaken(C, 6, pack([1, 2, 3]), 0),
    be.KindTaken(A, 0, pack([0, 3])),
    be.KindTaken(B, 6, pack([24])),
    be.MarketCleared(0),
    be.MarketCleared(pack(range(25))),
    be.Sold(A, pack([24, 24, 24]), 24),
    be.Sold(A, pack([0, 0, 0]), 0),
    be.Discarded(A, 0),
    be.Discarded(B, None),
    be.SalesEnded(A),
)
SCHWARZMARKT_EVENTS = (
    se.CardPlayed(A, 0, None),
    se.CardPlayed(B, 63, A),
    se.CardBuried(A, 0),
    se.CardDrawn(A, 0),
    se.CardDrawn(B, None),
    se.Traded(A, pack([0, 4]), 1_000_000),
    se.MarkerMoved(A, 0),
    se.Held(A),
    se.ExchangeEnded(0),
    se.ExchangeEnded(pack([0, 0, 4])),
    se.GoodDrawn(A, B, 0),
    se.GoodDrawn(B, A, None),
    se.PileSearched(A, pack([0] * 60 + [3] * 70)),
    se.PileSearched(B, None),
    se.GoodFound(A, 0),
    se.GoodFound(A, None),
    se.PileShuffled("goods", None),
    se.PileShuffled("black_market", None),
    se.Foraged(A, 2, pack([0, 1]), pack([0, 4])),
    se.Foraged(B, 2, None, None),
    se.ProtectionPaid(A, B, 10),
    se.GameRoundEnded(1),
    se.GoodReturned(A, 4),
    se.GoodReturned(A, None),
    se.GoodsDealt(A, 3, pack([0, 1, 2])),
    se.GoodsDealt(A, 3, None),
    se.GoodsDealt(A, 0, 0),
)
ALL = [(BYZANZ, event) for event in BYZANZ_EVENTS] + [
    (SCHWARZMARKT, event) for event in SCHWARZMARKT_EVENTS
]


@pytest.mark.parametrize(
    ("module", "events", "message"),
    [
        (be, BYZANZ_EVENTS, byzanz_pb2.ByzanzEvent),
        (se, SCHWARZMARKT_EVENTS, schwarzmarkt_pb2.SchwarzmarktEvent),
    ],
)
def test_every_type_of_event_is_tried(module, events, message):
    """Each event of the rules is one of the oneof, each of the oneof one of the rules."""
    types = {
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == module.__name__
    }
    fields = {
        reference.event_message(message.__name__[:-5].lower(), e).WhichOneof("event")
        for e in events
    }

    assert {type(event) for event in events} == types
    assert fields == {field.name for field in message.DESCRIPTOR.oneofs[0].fields}


@pytest.mark.parametrize(("game", "event"), ALL)
def test_an_event_is_what_the_generated_classes_write_and_comes_back(game, event):
    """Whole or with hidden fields."""
    codec = codec_for(game)
    written = codec.events([event])

    expected = reference.match_ended(game.name, [event])
    assert written == expected.SerializeToString(deterministic=True)
    assert codec.read_events(play_pb2.MatchEnded.FromString(written)) == [event]


def test_the_order_of_a_pile_never_travels():
    """It is there for the replay alone, whoever asks."""
    codec = codec_for(SCHWARZMARKT)

    assert codec.events([se.PileShuffled("goods", (1, 2, 3))]) == codec.events(
        [se.PileShuffled("goods", None)]
    )


@pytest.mark.parametrize("game", [BYZANZ, SCHWARZMARKT], ids=lambda game: game.name)
def test_no_events_are_an_empty_list(game):
    """The game is told all the same."""
    codec = codec_for(game)
    message = play_pb2.MatchEnded.FromString(codec.events([]))

    assert message.WhichOneof("events") == game.name
    assert codec.read_events(message) == []


def test_an_event_of_a_type_not_known_is_passed_over():
    """A newer arena may tell of more than this one knows."""
    unknown = byzanz_pb2.ByzanzEvent.FromString(b"\xfa\x01\x00")  # field 31, empty
    message = play_pb2.MatchEnded()
    message.byzanz.events.extend([unknown, byzanz_pb2.ByzanzEvent()])
    message.byzanz.events.add().passed.seat = 2

    assert codec_for(BYZANZ).read_events(message) == [be.Passed(Seat(2), 0)]


def test_an_event_that_makes_no_sense():
    """Cards, goods and piles that do not exist are refused."""
    sold = play_pb2.MatchEnded()
    sold.byzanz.events.add().sold.MergeFrom(byzanz_pb2.ByzanzSold.FromString(b"\x18\x1a"))
    with pytest.raises(FormatError, match="kept 26 does not exist"):
        codec_for(BYZANZ).read_events(sold)
    shuffled = play_pb2.MatchEnded()
    shuffled.schwarzmarkt.events.add().pile_shuffled.SetInParent()
    with pytest.raises(FormatError, match="pile 0 does not exist"):
        codec_for(SCHWARZMARKT).read_events(shuffled)
