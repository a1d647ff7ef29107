"""Byzanz on the wire: cards and kinds are the domain's numbers plus one."""

from __future__ import annotations

from functools import partial
from typing import Any

from arena.errors import FormatError
from arena.games.byzanz import events as e
from arena.games.byzanz import moves as m
from arena.games.byzanz.cards import CARD_NAMES, KIND_NAMES
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.byzanz.rules import TABLES
from arena.games.counts import Counts, size, unpack
from arena.games.game import AnyGame, Move, Seat
from arena.v1 import byzanz_pb2
from arena.wire.fields import bytes_field, message_field, number_field
from arena.wire.layout import Field, Kind, Table, tuple_table
from arena.wire.reading import Readings, read_counts, read_ledger, read_optional
from arena.wire.shapes import NUMBER, Shape, Shapes, listed, one_up
from arena.wire.typed import TIER, TypedCodec, move_table

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


_move = partial(move_table, byzanz_pb2.ByzanzMove)
MOVES: dict[type[Move], Table] = {
    m.Pass: _move("PASS"),
    m.Bid: _move("BID", Field(2, Kind.COUNTS, "cards")),
    m.Give: _move("GIVE", Field(2, Kind.ONE_ENUM, "card")),
    m.Take: _move("TAKE", Field(3, Kind.ENUM, "kind")),
    m.Sell: _move("SELL", Field(2, Kind.COUNTS, "cards")),
    m.Discard: _move("DISCARD", Field(2, Kind.ONE_ENUM, "card")),
    m.Done: _move("DONE"),
}
PACKED = _move("BID", Field(2, Kind.COUNTS))

_SEAT = (
    Field(1, Kind.NUMBER, "hand_sizes"),
    Field(2, Kind.NUMBER, "points"),
    Field(3, Kind.NUMBER, "passed"),
    Field(4, Kind.NUMBER, "offers"),
    Field(5, Kind.COUNTS, "laid"),
    Field(6, Kind.COUNTS, "kept"),
    Field(7, Kind.NUMBER, "face_down"),
    Field(8, Kind.MESSAGES, "known", TIER),
)
OBSERVATION = tuple_table(
    Observation,
    (
        Field(1, Kind.OPTIONAL, "seat"),
        Field(2, Kind.OPTIONAL, "to_act"),
        Field(3, Kind.NUMBER, "phase"),
        Field(4, Kind.NUMBER, "round"),
        Field(5, Kind.NUMBER, "deck_size"),
        Field(6, Kind.COUNTS, "hand"),
        Field(7, Kind.COUNTS, "own_discards"),
        Field(8, Kind.COUNTS, "lot"),
        Field(9, Kind.COUNTS, "market"),
        Field(10, Kind.NUMBER, "offer"),
        Field(11, Kind.NUMBER, "speaker"),
        Field(12, Kind.NUMBER, "high"),
        Field(13, Kind.OPTIONAL, "leader"),
        Field(14, Kind.OPTIONAL, "first_passer"),
        Field(15, Kind.NUMBER, "takes"),
        Field(16, Kind.ROWS, inner=_SEAT),
        Field(17, Kind.COUNTS, "out"),
    ),
)


class ByzanzCodec(TypedCodec):
    """Byzanz as messages."""

    number = 10
    name = "byzanz"
    shapes = SHAPES
    observation_table = OBSERVATION
    move_tables = MOVES
    packed_table = PACKED
    move_message = byzanz_pb2.ByzanzMove

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
    """Return what an observation has of a seat, in the order of `read_seen`."""
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
