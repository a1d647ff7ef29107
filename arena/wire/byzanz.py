"""Byzanz on the wire: cards and kinds are the domain's numbers plus one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arena.errors import FormatError
from arena.games.byzanz import events as e
from arena.games.byzanz import moves as m
from arena.games.byzanz.cards import CARD_NAMES, KIND_NAMES
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.rules import TABLES
from arena.games.counts import UNIT, Counts, size, unpack
from arena.games.game import AnyGame, Move, Seat
from arena.games.ledger import Tier
from arena.v1 import byzanz_pb2
from arena.wire.fields import (
    Parts,
    bytes_field,
    counts_field,
    message_field,
    number_field,
    optional_field,
    span,
)
from arena.wire.reading import Readings, read_counts, read_ledger, read_optional
from arena.wire.shapes import NUMBER, Shape, Shapes, listed, one_up
from arena.wire.typed import TypedCodec

CARDS = len(CARD_NAMES)
KINDS = len(KIND_NAMES)

_CARD = one_up(CARDS)
_KIND = one_up(KINDS)
_CARDS = listed(CARDS)

SHAPES = Shapes(
    (
        Shape(e.LotTurned, 1, "lot_turned", {"round": NUMBER, "offer": NUMBER, "cards": _CARDS}),
        Shape(e.BidLaid, 2, "bid_laid", {"seat": NUMBER, "cards": _CARDS, "total": NUMBER}),
        Shape(e.Passed, 3, "passed", {"seat": NUMBER, "taken_back": _CARDS}),
        Shape(e.AuctionWon, 4, "auction_won", {"seat": NUMBER, "paid": _CARDS}),
        Shape(
            e.LotTaken,
            5,
            "lot_taken",
            {"seat": NUMBER, "offer": NUMBER, "taken": _CARDS, "given": _CARDS},
        ),
        Shape(e.KindTaken, 6, "kind_taken", {"seat": NUMBER, "kind": _KIND, "cards": _CARDS}),
        Shape(e.MarketCleared, 7, "market_cleared", {"cards": _CARDS}),
        Shape(e.Sold, 8, "sold", {"seat": NUMBER, "cards": _CARDS, "kept": _CARD}),
        Shape(e.Discarded, 9, "discarded", {"seat": NUMBER, "card": _CARD}),
        Shape(e.SalesEnded, 10, "sales_ended", {"seat": NUMBER}),
    )
)


_PASS, _BID, _GIVE, _TAKE, _SELL, _DISCARD, _DONE = (
    number_field(1, byzanz_pb2.ByzanzMove.Type.Value(f"TYPE_{name}"))
    for name in ("PASS", "BID", "GIVE", "TAKE", "SELL", "DISCARD", "DONE")
)
MOVE_WRITERS: dict[type[Move], Callable[[Any], bytes]] = {
    m.Pass: lambda _move: _PASS,
    m.Bid: lambda move: _BID + counts_field(2, move.cards),
    m.Give: lambda move: _GIVE + counts_field(2, UNIT[move.card]),
    m.Take: lambda move: _TAKE + number_field(3, move.kind + 1),
    m.Sell: lambda move: _SELL + counts_field(2, move.cards),
    m.Discard: lambda move: _DISCARD + counts_field(2, UNIT[move.card]),
    m.Done: lambda _move: _DONE,
}


# The observation, cut into parts that come again. The keys are slices of the domain's tuple.

_head_of = span(Observation, "seat", "deck_size")
_auction_of = span(Observation, "offer", "takes")
_seats_of = span(Observation, "hand_sizes", "face_down")  # each has a value for every seat


def _write_head(key: tuple[Any, ...]) -> bytes:
    seat, to_act, phase, round_, deck_size = key
    return b"".join(
        (
            optional_field(1, seat),
            optional_field(2, to_act),
            number_field(3, phase),
            number_field(4, round_),
            number_field(5, deck_size),
        )
    )


def _write_auction(key: tuple[Any, ...]) -> bytes:
    offer, speaker, high, leader, first_passer, takes = key
    return b"".join(
        (
            number_field(10, offer),
            number_field(11, speaker),
            number_field(12, high),
            optional_field(13, leader),
            optional_field(14, first_passer),
            number_field(15, takes),
        )
    )


def _write_seat(key: tuple[Any, ...]) -> bytes:
    hand_size, known, laid, passed, offer, kept, points, face_down = key
    body = (
        _SEAT_HEAD[hand_size, points, passed, offer],
        _LAID[laid],
        _KEPT[kept],
        _FACE_DOWN[face_down],
        *map(_known_part, known),
    )
    return message_field(16, b"".join(body))


def _write_seat_head(key: tuple[int, int, bool, int]) -> bytes:
    hand_size, points, passed, offer = key
    return b"".join(
        (
            number_field(1, hand_size),
            number_field(2, points),
            number_field(3, passed),
            number_field(4, offer),
        )
    )


def _write_known(tier: Tier) -> bytes:
    return message_field(8, counts_field(1, tier.cards) + number_field(2, tier.unseen))


_HEAD = Parts(_write_head)
_OWN_DISCARDS: Parts[Counts] = Parts(partial(counts_field, 7))
_LOT: Parts[Counts] = Parts(partial(counts_field, 8))
_AUCTION = Parts(_write_auction)
_LAID: Parts[Counts] = Parts(partial(counts_field, 5))
_KEPT: Parts[Counts] = Parts(partial(counts_field, 6))
_KNOWN = Parts(_write_known)
_FACE_DOWN: Parts[int] = Parts(partial(number_field, 7))
_SEAT_HEAD = Parts(_write_seat_head)
_SEAT = Parts(_write_seat, 1 << 13)
_OUT: Parts[Counts] = Parts(partial(counts_field, 17))

_known_part = _KNOWN.__getitem__
_seat_part = _SEAT.__getitem__


class ByzanzCodec(TypedCodec):
    """Byzanz as messages."""

    number = 10
    name = "byzanz"
    shapes = SHAPES
    move_message = byzanz_pb2.ByzanzMove
    move_writers = MOVE_WRITERS

    def __init__(self, game: AnyGame) -> None:
        """Translate matches of Byzanz; it has no options."""
        super().__init__()
        self._game = game

    def material(self, seats: int) -> bytes:
        self._game.check_table(seats)
        table = TABLES[seats]
        body = (
            bytes_field(1, bytes(table.offers)),
            number_field(2, table.rounds),
            number_field(3, table.removed),
        )
        return message_field(self.number, b"".join(body))

    def write_observation(self, observation: Observation) -> bytes:
        return b"".join(
            [
                _HEAD[_head_of(observation)],
                counts_field(6, observation.hand),  # new about as often as not: no cache
                _OWN_DISCARDS[observation.own_discards],
                _LOT[observation.lot],
                counts_field(9, observation.market),  # likewise
                _AUCTION[_auction_of(observation)],
                *map(_seat_part, zip(*_seats_of(observation), strict=True)),
                _OUT[observation.out],
            ]
        )

    def read_seen(self, message: byzanz_pb2.ByzanzObservation) -> Observation:
        seats = _SEATS.read_all(message.seats)
        if not seats:
            raise FormatError("an observation of Byzanz must tell of the seats; it has none")
        hand_sizes, known, laid, passed, offers, kept, points, face_down = zip(*seats, strict=True)
        return Observation(
            seat=read_optional(message, "seat"),
            to_act=read_optional(message, "to_act"),
            phase=_read_phase(message.phase),
            round=message.round,
            deck_size=message.deck_size,
            hand=_read(message.hand, "hand"),
            own_discards=_read(message.own_discards, "own_discards"),
            lot=_read(message.lot, "lot"),
            market=_read(message.market, "market"),
            offer=message.offer,
            speaker=Seat(message.speaker),
            high=message.high,
            leader=read_optional(message, "leader"),
            first_passer=read_optional(message, "first_passer"),
            takes=message.takes,
            hand_sizes=hand_sizes,
            known=known,
            laid=laid,
            passed=passed,
            offers=offers,
            kept=kept,
            points=points,
            face_down=face_down,
            out=_read(message.out, "out"),
        )

    def read_move(self, message: byzanz_pb2.ByzanzMove) -> Move:
        return _move_of(message.type, _read(message.cards, "cards"), message.kind)


def _read(cards: Any, name: str) -> Counts:
    return read_counts(cards, CARDS, name)


def _read_seat(seat: byzanz_pb2.ByzanzSeat) -> tuple[Any, ...]:
    """Return what an observation has of a seat, in the order of `_seats_of`."""
    return (
        seat.hand_size,
        read_ledger(seat.known, "cards", CARDS),
        _read(seat.laid, "laid"),
        seat.passed,
        seat.offer,
        _read(seat.kept, "kept"),
        seat.points,
        seat.face_down,
    )


_SEATS: Readings[tuple[Any, ...]] = Readings(byzanz_pb2.ByzanzSeat, _read_seat)


def _read_phase(number: int) -> ByzanzPhase:
    try:
        return ByzanzPhase(number)
    except ValueError:
        raise FormatError(f"phase {number} does not exist in Byzanz") from None


def _move_of(type_: int, cards: Counts, kind: int) -> Move:
    """Return the ready-made move; raises FormatError for one that says too little or too much."""
    types = byzanz_pb2.ByzanzMove
    number = size(cards)
    if type_ == types.TYPE_PASS and not number and not kind:
        return m.PASS
    if type_ == types.TYPE_BID and number and not kind:
        return m.BIDS[cards]
    if type_ == types.TYPE_GIVE and number == 1 and not kind:
        return m.GIVES[unpack(cards)[0]]
    if type_ == types.TYPE_TAKE and not number and 0 < kind <= KINDS:
        return m.TAKES[kind - 1]
    if type_ == types.TYPE_SELL and number and not kind:
        return m.Sell(cards)
    if type_ == types.TYPE_DISCARD and number == 1 and not kind:
        return m.DISCARDS[unpack(cards)[0]]
    if type_ == types.TYPE_DONE and not number and not kind:
        return m.DONE
    raise FormatError(f"no move of Byzanz has type {type_}, {number} cards and kind {kind}")
