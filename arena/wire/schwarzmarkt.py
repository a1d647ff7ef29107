"""Schwarzmarkt on the wire: goods are the domain's numbers plus one, cards are the same numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

from arena.errors import FormatError
from arena.games.counts import Counts, size, unpack
from arena.games.game import AnyGame, Move, Seat
from arena.games.schwarzmarkt import events as e
from arena.games.schwarzmarkt import moves as m
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS as GOOD_NAMES
from arena.games.schwarzmarkt.material import Material
from arena.games.schwarzmarkt.observation import Observation, OpenCard, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import BLACK_MARKET_PILE, GOODS_PILE
from arena.v1 import schwarzmarkt_pb2
from arena.wire.fields import bytes_field, counts_field, message_field, number_field
from arena.wire.layout import Field, Kind, Table, tuple_table
from arena.wire.reading import (
    Readings,
    read_card,
    read_counts,
    read_indices,
    read_ledger,
    read_optional,
)
from arena.wire.shapes import (
    NUMBER,
    OPTIONAL,
    FieldKind,
    Shape,
    Shapes,
    hidden_list,
    listed,
    one_up,
)
from arena.wire.typed import TIER, TypedCodec, move_table

GOODS = len(GOOD_NAMES)

_PILES = {GOODS_PILE: 1, BLACK_MARKET_PILE: 2}
_PILE_NAMES = {number: name for name, number in _PILES.items()}


def _read_pile(message: Any, name: str) -> str:
    pile = _PILE_NAMES.get(getattr(message, name))
    if pile is None:
        raise FormatError(f"pile {getattr(message, name)} does not exist")
    return pile


_GOOD = one_up(GOODS)
_GOODS = listed(GOODS)
_HIDDEN = hidden_list(GOODS)
_PILE = FieldKind(Kind.NAME, _read_pile, _PILES)

SHAPES = Shapes(
    (
        Shape(e.CardPlayed, 1, "card_played", {"seat": NUMBER, "card": NUMBER, "target": OPTIONAL}),
        Shape(e.CardBuried, 2, "card_buried", {"seat": NUMBER, "card": NUMBER}),
        Shape(e.CardDrawn, 3, "card_drawn", {"seat": NUMBER, "card": OPTIONAL}),
        Shape(e.Traded, 4, "traded", {"seat": NUMBER, "goods": _GOODS, "price": NUMBER}),
        Shape(e.MarkerMoved, 5, "marker_moved", {"seat": NUMBER, "space": NUMBER}),
        Shape(e.Held, 6, "held", {"seat": NUMBER}),
        Shape(e.ExchangeEnded, 7, "exchange_ended", {"left": _GOODS}),
        Shape(e.GoodDrawn, 8, "good_drawn", {"seat": NUMBER, "victim": NUMBER, "good": _GOOD}),
        Shape(e.PileSearched, 9, "pile_searched", {"seat": NUMBER, "goods": _HIDDEN}),
        Shape(e.GoodFound, 10, "good_found", {"seat": NUMBER, "good": _GOOD}),
        # Its order is nobody's to see: it is no field, and comes back as None.
        Shape(e.PileShuffled, 11, "pile_shuffled", {"pile": _PILE}),
        Shape(
            e.Foraged,
            12,
            "foraged",
            {"seat": NUMBER, "number": NUMBER, "laid": _HIDDEN, "drawn": _HIDDEN},
        ),
        Shape(
            e.ProtectionPaid,
            13,
            "protection_paid",
            {"seat": NUMBER, "victim": NUMBER, "amount": NUMBER},
        ),
        Shape(e.GameRoundEnded, 14, "game_round_ended", {"game_round": NUMBER}),
        Shape(e.GoodReturned, 15, "good_returned", {"seat": NUMBER, "good": _GOOD}),
        Shape(
            e.GoodsDealt, 16, "goods_dealt", {"seat": NUMBER, "number": NUMBER, "goods": _HIDDEN}
        ),
    )
)


_move = partial(move_table, schwarzmarkt_pb2.SchwarzmarktMove)
MOVES: dict[type[Move], Table] = {
    m.Play: _move(
        "PLAY",
        Field(2, Kind.OPTIONAL, "card"),
        Field(3, Kind.OPTIONAL, "target"),
        Field(4, Kind.COUNTS, "goods"),
    ),
    m.Find: _move("FIND", Field(4, Kind.ONE_ENUM, "good")),
    m.Bury: _move("BURY", Field(2, Kind.OPTIONAL, "card")),
    m.Trade: _move("TRADE", Field(4, Kind.COUNTS, "goods")),
    m.Step: _move("STEP", Field(5, Kind.NUMBER, "spaces")),
    m.Hold: _move("HOLD"),
    m.Return: _move("RETURN", Field(4, Kind.ONE_ENUM, "good")),
}

_OPEN_CARD = (Field(1, Kind.NUMBER, 0), Field(2, Kind.OPTIONAL, 1))
_SEAT = (
    Field(1, Kind.NUMBER, "hand_sizes"),
    Field(2, Kind.NUMBER, "luxury"),
    Field(3, Kind.NUMBER, "traders"),
    Field(4, Kind.MESSAGES, "hands_known", TIER),
)
OBSERVATION = tuple_table(
    Observation,
    (
        Field(1, Kind.OPTIONAL, "seat"),
        Field(2, Kind.OPTIONAL, "to_act"),
        Field(3, Kind.NUMBER, "phase"),
        Field(4, Kind.NUMBER, "game_round"),
        Field(5, Kind.NUMBER, "start"),
        Field(6, Kind.COUNTS, "goods"),
        Field(7, Kind.INDICES, "cards"),
        Field(8, Kind.NUMBER, "marker"),
        Field(9, Kind.OPTIONAL, "offer"),
        Field(10, Kind.OPTIONAL, "resolving"),
        Field(11, Kind.COUNTS, "demand"),
        Field(12, Kind.ENUMS, "traded"),
        Field(13, Kind.MESSAGES, "open_cards", _OPEN_CARD),
        Field(14, Kind.ROWS, inner=_SEAT),
        Field(15, Kind.NUMBER, "goods_pile_size"),
        Field(16, Kind.NUMBER, "black_market_pile_size"),
        Field(17, Kind.MESSAGES, "pile_known", TIER),
        Field(18, Kind.INDICES, "seen_cards"),
        Field(19, Kind.NUMBER, "cards_dealt_with"),
        Field(20, Kind.NUMBER, "idle_rounds"),
    ),
)


class SchwarzmarktCodec(TypedCodec):
    """Schwarzmarkt as messages, for one material."""

    number = 11
    name = "schwarzmarkt"
    shapes = SHAPES
    observation_table = OBSERVATION
    move_tables = MOVES
    move_message = schwarzmarkt_pb2.SchwarzmarktMove

    def __init__(self, game: AnyGame) -> None:
        """Translate matches of Schwarzmarkt with the game's cards."""
        super().__init__()
        if not isinstance(game, Schwarzmarkt):
            raise TypeError(f"{game!r} is not Schwarzmarkt")
        self._game = game
        self._cards = len(game.material.cards)
        self._material = _write_material(game.material)

    def material(self, seats: int) -> bytes:
        self._game.check_table(seats)
        return message_field(self.number, self._material)

    def read_seen(self, message: schwarzmarkt_pb2.SchwarzmarktObservation) -> Observation:
        seats = _SEATS.read_all(message.seats)
        if not seats:
            raise FormatError("an observation of Schwarzmarkt must tell of the seats; it has none")
        traders, hand_sizes, luxury, hands_known = zip(*seats, strict=True)
        return Observation(
            seat=read_optional(message, "seat"),
            to_act=read_optional(message, "to_act"),
            phase=_read_phase(message.phase),
            game_round=message.game_round,
            start=Seat(message.start),
            goods=read_counts(message.goods, GOODS, "goods"),
            cards=read_indices(message.cards, self._cards, "cards"),
            marker=message.marker,
            offer=self._read_card(message, "offer"),
            resolving=self._read_card(message, "resolving"),
            demand=read_counts(message.demand, GOODS, "demand"),
            traded=tuple([read_card(good - 1, GOODS, "traded") for good in message.traded]),
            open_cards=tuple(
                [
                    OpenCard(
                        read_card(one.card, self._cards, "open card"), read_optional(one, "target")
                    )
                    for one in message.open_cards
                ]
            ),
            traders=traders,
            hand_sizes=hand_sizes,
            luxury=luxury,
            goods_pile_size=message.goods_pile_size,
            black_market_pile_size=message.black_market_pile_size,
            pile_known=read_ledger(message.pile_known, "goods", GOODS),
            hands_known=hands_known,
            seen_cards=read_indices(message.seen_cards, self._cards, "seen_cards"),
            cards_dealt_with=message.cards_dealt_with,
            idle_rounds=message.idle_rounds,
        )

    def read_move(self, message: schwarzmarkt_pb2.SchwarzmarktMove) -> Move:
        return _move_of(
            message.type,
            self._read_card(message, "card"),
            read_optional(message, "target"),
            read_counts(message.goods, GOODS, "goods"),
            message.spaces,
        )

    def _read_card(self, message: Any, name: str) -> int | None:
        card = read_optional(message, name)
        return None if card is None else read_card(card, self._cards, name)


def _write_material(material: Material) -> bytes:
    spaces = zip(material.prices, material.steps, strict=True)
    track = [
        message_field(1, number_field(1, price) + number_field(2, steps)) for price, steps in spaces
    ]
    cards = [
        message_field(
            2,
            bytes_field(1, card.name.encode())
            + number_field(2, card.copies)
            + counts_field(3, card.demand)
            + number_field(4, 0 if card.effect is None else card.effect + 1),
        )
        for card in material.cards
    ]
    return b"".join((*track, *cards, counts_field(3, material.deck)))


def _read_seat(seat: schwarzmarkt_pb2.SchwarzmarktSeat) -> tuple[Any, ...]:
    known = read_ledger(seat.known, "goods", GOODS)
    return (seat.has_traded, seat.hand_size, seat.luxury, known)


_SEATS: Readings[tuple[Any, ...]] = Readings(schwarzmarkt_pb2.SchwarzmarktSeat, _read_seat)


def _read_phase(number: int) -> SchwarzmarktPhase:
    try:
        return SchwarzmarktPhase(number)
    except ValueError:
        raise FormatError(f"phase {number} does not exist in Schwarzmarkt") from None


def _move_of(type_: int, card: int | None, target: int | None, goods: Counts, spaces: int) -> Move:
    """Return the move; raises FormatError for one that says too little or too much."""
    types = schwarzmarkt_pb2.SchwarzmarktMove
    bare = card is None and target is None  # not about a black-market card
    number = size(goods)
    if type_ == types.TYPE_PLAY and card is not None and not spaces:
        return m.Play(card, None if target is None else Seat(target), goods)
    if type_ == types.TYPE_FIND and bare and number == 1 and not spaces:
        return m.FINDS[unpack(goods)[0]]
    if type_ == types.TYPE_BURY and card is not None and target is None and not goods | spaces:
        return m.bury(card)
    if type_ == types.TYPE_TRADE and bare and number and not spaces:
        return m.Trade(goods)
    if type_ == types.TYPE_STEP and bare and not number and spaces:
        return m.Step(spaces)
    if type_ == types.TYPE_HOLD and bare and not number and not spaces:
        return m.HOLD
    if type_ == types.TYPE_RETURN and bare and number == 1 and not spaces:
        return m.RETURNS[unpack(goods)[0]]
    raise FormatError(
        f"no move of Schwarzmarkt has type {type_}, card {card}, target {target}, "
        f"{number} goods and {spaces} spaces"
    )
