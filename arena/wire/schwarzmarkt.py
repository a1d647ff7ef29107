"""Schwarzmarkt on the wire: goods are the domain's numbers plus one, cards are the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arena.errors import FormatError
from arena.games.counts import UNIT, Counts, size, unpack
from arena.games.game import AnyGame, Move, Seat
from arena.games.ledger import Tier
from arena.games.schwarzmarkt import events as e
from arena.games.schwarzmarkt import moves as m
from arena.games.schwarzmarkt.game import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOODS as GOOD_NAMES
from arena.games.schwarzmarkt.material import Material
from arena.games.schwarzmarkt.observation import Observation, OpenCard, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import BLACK_MARKET_PILE, GOODS_PILE
from arena.v1 import schwarzmarkt_pb2
from arena.wire.fields import (
    Parts,
    bytes_field,
    counts_field,
    indices_field,
    message_field,
    number_field,
    optional_field,
    span,
)
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
from arena.wire.typed import TypedCodec

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
_PILE = FieldKind(lambda number, pile: number_field(number, _PILES[pile]), _read_pile)

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


_PLAY, _FIND, _BURY, _TRADE, _STEP, _HOLD, _RETURN = (
    number_field(1, schwarzmarkt_pb2.SchwarzmarktMove.Type.Value(f"TYPE_{name}"))
    for name in ("PLAY", "FIND", "BURY", "TRADE", "STEP", "HOLD", "RETURN")
)


def _write_play(move: m.Play) -> bytes:
    card, target = optional_field(2, move.card), optional_field(3, move.target)
    return b"".join((_PLAY, card, target, counts_field(4, move.goods)))


MOVE_WRITERS: dict[type[Move], Callable[[Any], bytes]] = {
    m.Play: _write_play,
    m.Find: lambda move: _FIND + counts_field(4, UNIT[move.good]),
    m.Bury: lambda move: _BURY + optional_field(2, move.card),
    m.Trade: lambda move: _TRADE + counts_field(4, move.goods),
    m.Step: lambda move: _STEP + number_field(5, move.spaces),
    m.Hold: lambda _move: _HOLD,
    m.Return: lambda move: _RETURN + counts_field(4, UNIT[move.good]),
}


# The observation, cut into parts that come again. The keys are slices of the domain's tuple.

_head_of = span(Observation, "seat", "start")
_exchange_of = span(Observation, "marker", "open_cards")
_seats_of = span(Observation, "traders", "luxury")  # each has a value for every seat
_pile_size_of = span(Observation, "goods_pile_size", "black_market_pile_size")
_progress_of = span(Observation, "cards_dealt_with", "idle_rounds")


def _write_head(key: tuple[Any, ...]) -> bytes:
    seat, to_act, phase, game_round, start = key
    return b"".join(
        (
            optional_field(1, seat),
            optional_field(2, to_act),
            number_field(3, phase),
            number_field(4, game_round),
            number_field(5, start),
        )
    )


def _write_exchange(key: tuple[Any, ...]) -> bytes:
    marker, offer, resolving, demand, traded, open_cards = key
    return b"".join(
        (
            number_field(8, marker),
            optional_field(9, offer),
            optional_field(10, resolving),
            counts_field(11, demand),
            bytes_field(12, bytes([good + 1 for good in traded])),
            *(
                message_field(13, number_field(1, card) + optional_field(2, target))
                for card, target in open_cards
            ),
        )
    )


def _write_seat(key: tuple[Any, ...]) -> bytes:
    has_traded, hand_size, luxury, known = key
    body = (
        number_field(1, hand_size),
        number_field(2, luxury),
        number_field(3, has_traded),
        b"".join([_write_tier(4, tier) for tier in known]),
    )
    return message_field(14, b"".join(body))


def _write_pile_sizes(key: tuple[Any, ...]) -> bytes:
    goods_pile_size, black_market_pile_size = key
    return number_field(15, goods_pile_size) + number_field(16, black_market_pile_size)


def _write_progress(key: tuple[Any, ...]) -> bytes:
    cards_dealt_with, idle_rounds = key
    return number_field(19, cards_dealt_with) + number_field(20, idle_rounds)


def _write_tier(number: int, tier: Tier) -> bytes:
    return message_field(number, counts_field(1, tier.cards) + number_field(2, tier.unseen))


_HEAD = Parts(_write_head)
_OWN_GOODS: Parts[Counts] = Parts(partial(counts_field, 6))
_OWN_CARDS: Parts[Counts] = Parts(partial(indices_field, 7))
_EXCHANGE = Parts(_write_exchange)
_SEAT = Parts(_write_seat)
_PILE_SIZES = Parts(_write_pile_sizes)
_PILE_KNOWN: Parts[Tier] = Parts(partial(_write_tier, 17))
_SEEN_CARDS: Parts[Counts] = Parts(partial(indices_field, 18))
_PROGRESS = Parts(_write_progress)

_seat_part = _SEAT.__getitem__
_pile_part = _PILE_KNOWN.__getitem__


class SchwarzmarktCodec(TypedCodec):
    """Schwarzmarkt as messages, for one material."""

    number = 11
    name = "schwarzmarkt"
    shapes = SHAPES
    move_message = schwarzmarkt_pb2.SchwarzmarktMove
    move_writers = MOVE_WRITERS

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

    def write_observation(self, observation: Observation) -> bytes:
        seats = zip(*_seats_of(observation), observation.hands_known, strict=True)
        return b"".join(
            [
                _HEAD[_head_of(observation)],
                _OWN_GOODS[observation.goods],
                _OWN_CARDS[observation.cards],
                _EXCHANGE[_exchange_of(observation)],
                *map(_seat_part, seats),
                _PILE_SIZES[_pile_size_of(observation)],
                *map(_pile_part, observation.pile_known),
                _SEEN_CARDS[observation.seen_cards],
                _PROGRESS[_progress_of(observation)],
            ]
        )

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
