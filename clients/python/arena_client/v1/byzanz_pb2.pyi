from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ByzanzKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BYZANZ_KIND_UNSPECIFIED: _ClassVar[ByzanzKind]
    BYZANZ_KIND_CLOTH: _ClassVar[ByzanzKind]
    BYZANZ_KIND_SPICE: _ClassVar[ByzanzKind]
    BYZANZ_KIND_WINE: _ClassVar[ByzanzKind]
    BYZANZ_KIND_WOOD: _ClassVar[ByzanzKind]
    BYZANZ_KIND_GRAIN: _ClassVar[ByzanzKind]
    BYZANZ_KIND_OLIVES: _ClassVar[ByzanzKind]
    BYZANZ_KIND_TRADER: _ClassVar[ByzanzKind]

class ByzanzCard(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BYZANZ_CARD_UNSPECIFIED: _ClassVar[ByzanzCard]
    BYZANZ_CARD_CLOTH_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_CLOTH_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_CLOTH_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_CLOTH_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_SPICE_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_SPICE_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_SPICE_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_SPICE_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WINE_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WINE_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WINE_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WINE_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WOOD_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WOOD_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WOOD_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_WOOD_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_GRAIN_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_GRAIN_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_GRAIN_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_GRAIN_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_OLIVES_1: _ClassVar[ByzanzCard]
    BYZANZ_CARD_OLIVES_2: _ClassVar[ByzanzCard]
    BYZANZ_CARD_OLIVES_3: _ClassVar[ByzanzCard]
    BYZANZ_CARD_OLIVES_4: _ClassVar[ByzanzCard]
    BYZANZ_CARD_TRADER: _ClassVar[ByzanzCard]

class ByzanzPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BYZANZ_PHASE_UNSPECIFIED: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_AUCTION: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_GIVE: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_TAKE: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_LIMIT: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_FINAL: _ClassVar[ByzanzPhase]
    BYZANZ_PHASE_OVER: _ClassVar[ByzanzPhase]
BYZANZ_KIND_UNSPECIFIED: ByzanzKind
BYZANZ_KIND_CLOTH: ByzanzKind
BYZANZ_KIND_SPICE: ByzanzKind
BYZANZ_KIND_WINE: ByzanzKind
BYZANZ_KIND_WOOD: ByzanzKind
BYZANZ_KIND_GRAIN: ByzanzKind
BYZANZ_KIND_OLIVES: ByzanzKind
BYZANZ_KIND_TRADER: ByzanzKind
BYZANZ_CARD_UNSPECIFIED: ByzanzCard
BYZANZ_CARD_CLOTH_1: ByzanzCard
BYZANZ_CARD_CLOTH_2: ByzanzCard
BYZANZ_CARD_CLOTH_3: ByzanzCard
BYZANZ_CARD_CLOTH_4: ByzanzCard
BYZANZ_CARD_SPICE_1: ByzanzCard
BYZANZ_CARD_SPICE_2: ByzanzCard
BYZANZ_CARD_SPICE_3: ByzanzCard
BYZANZ_CARD_SPICE_4: ByzanzCard
BYZANZ_CARD_WINE_1: ByzanzCard
BYZANZ_CARD_WINE_2: ByzanzCard
BYZANZ_CARD_WINE_3: ByzanzCard
BYZANZ_CARD_WINE_4: ByzanzCard
BYZANZ_CARD_WOOD_1: ByzanzCard
BYZANZ_CARD_WOOD_2: ByzanzCard
BYZANZ_CARD_WOOD_3: ByzanzCard
BYZANZ_CARD_WOOD_4: ByzanzCard
BYZANZ_CARD_GRAIN_1: ByzanzCard
BYZANZ_CARD_GRAIN_2: ByzanzCard
BYZANZ_CARD_GRAIN_3: ByzanzCard
BYZANZ_CARD_GRAIN_4: ByzanzCard
BYZANZ_CARD_OLIVES_1: ByzanzCard
BYZANZ_CARD_OLIVES_2: ByzanzCard
BYZANZ_CARD_OLIVES_3: ByzanzCard
BYZANZ_CARD_OLIVES_4: ByzanzCard
BYZANZ_CARD_TRADER: ByzanzCard
BYZANZ_PHASE_UNSPECIFIED: ByzanzPhase
BYZANZ_PHASE_AUCTION: ByzanzPhase
BYZANZ_PHASE_GIVE: ByzanzPhase
BYZANZ_PHASE_TAKE: ByzanzPhase
BYZANZ_PHASE_LIMIT: ByzanzPhase
BYZANZ_PHASE_FINAL: ByzanzPhase
BYZANZ_PHASE_OVER: ByzanzPhase

class ByzanzMaterial(_message.Message):
    __slots__ = ("offers", "rounds", "removed")
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    offers: _containers.RepeatedScalarFieldContainer[int]
    rounds: int
    removed: int
    def __init__(self, offers: _Optional[_Iterable[int]] = ..., rounds: _Optional[int] = ..., removed: _Optional[int] = ...) -> None: ...

class ByzanzDecision(_message.Message):
    __slots__ = ("observation", "legal_moves", "events")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    observation: ByzanzObservation
    legal_moves: _containers.RepeatedCompositeFieldContainer[ByzanzMove]
    events: _containers.RepeatedCompositeFieldContainer[ByzanzEvent]
    def __init__(self, observation: _Optional[_Union[ByzanzObservation, _Mapping]] = ..., legal_moves: _Optional[_Iterable[_Union[ByzanzMove, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[ByzanzEvent, _Mapping]]] = ...) -> None: ...

class ByzanzObservation(_message.Message):
    __slots__ = ("seat", "to_act", "phase", "round", "deck_size", "hand", "own_discards", "lot", "market", "offer", "speaker", "high", "leader", "first_passer", "takes", "seats", "out")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    DECK_SIZE_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    OWN_DISCARDS_FIELD_NUMBER: _ClassVar[int]
    LOT_FIELD_NUMBER: _ClassVar[int]
    MARKET_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    FIRST_PASSER_FIELD_NUMBER: _ClassVar[int]
    TAKES_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    to_act: int
    phase: ByzanzPhase
    round: int
    deck_size: int
    hand: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    own_discards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    lot: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    market: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    offer: int
    speaker: int
    high: int
    leader: int
    first_passer: int
    takes: int
    seats: _containers.RepeatedCompositeFieldContainer[ByzanzSeat]
    out: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, seat: _Optional[int] = ..., to_act: _Optional[int] = ..., phase: _Optional[_Union[ByzanzPhase, str]] = ..., round: _Optional[int] = ..., deck_size: _Optional[int] = ..., hand: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., own_discards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., lot: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., market: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., offer: _Optional[int] = ..., speaker: _Optional[int] = ..., high: _Optional[int] = ..., leader: _Optional[int] = ..., first_passer: _Optional[int] = ..., takes: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[ByzanzSeat, _Mapping]]] = ..., out: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzSeat(_message.Message):
    __slots__ = ("hand_size", "points", "passed", "offer", "laid", "kept", "face_down", "known")
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    FACE_DOWN_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    hand_size: int
    points: int
    passed: bool
    offer: int
    laid: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    kept: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    face_down: int
    known: _containers.RepeatedCompositeFieldContainer[ByzanzKnown]
    def __init__(self, hand_size: _Optional[int] = ..., points: _Optional[int] = ..., passed: _Optional[bool] = ..., offer: _Optional[int] = ..., laid: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., kept: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., face_down: _Optional[int] = ..., known: _Optional[_Iterable[_Union[ByzanzKnown, _Mapping]]] = ...) -> None: ...

class ByzanzKnown(_message.Message):
    __slots__ = ("cards", "unseen")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    unseen: int
    def __init__(self, cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., unseen: _Optional[int] = ...) -> None: ...

class ByzanzMove(_message.Message):
    __slots__ = ("type", "cards", "kind")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_UNSPECIFIED: _ClassVar[ByzanzMove.Type]
        TYPE_PASS: _ClassVar[ByzanzMove.Type]
        TYPE_BID: _ClassVar[ByzanzMove.Type]
        TYPE_GIVE: _ClassVar[ByzanzMove.Type]
        TYPE_TAKE: _ClassVar[ByzanzMove.Type]
        TYPE_SELL: _ClassVar[ByzanzMove.Type]
        TYPE_DISCARD: _ClassVar[ByzanzMove.Type]
        TYPE_DONE: _ClassVar[ByzanzMove.Type]
    TYPE_UNSPECIFIED: ByzanzMove.Type
    TYPE_PASS: ByzanzMove.Type
    TYPE_BID: ByzanzMove.Type
    TYPE_GIVE: ByzanzMove.Type
    TYPE_TAKE: ByzanzMove.Type
    TYPE_SELL: ByzanzMove.Type
    TYPE_DISCARD: ByzanzMove.Type
    TYPE_DONE: ByzanzMove.Type
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    type: ByzanzMove.Type
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    kind: ByzanzKind
    def __init__(self, type: _Optional[_Union[ByzanzMove.Type, str]] = ..., cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., kind: _Optional[_Union[ByzanzKind, str]] = ...) -> None: ...

class ByzanzEvents(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[ByzanzEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[ByzanzEvent, _Mapping]]] = ...) -> None: ...

class ByzanzEvent(_message.Message):
    __slots__ = ("lot_turned", "bid_laid", "passed", "auction_won", "lot_taken", "kind_taken", "market_cleared", "sold", "discarded", "sales_ended")
    LOT_TURNED_FIELD_NUMBER: _ClassVar[int]
    BID_LAID_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    AUCTION_WON_FIELD_NUMBER: _ClassVar[int]
    LOT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    KIND_TAKEN_FIELD_NUMBER: _ClassVar[int]
    MARKET_CLEARED_FIELD_NUMBER: _ClassVar[int]
    SOLD_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    SALES_ENDED_FIELD_NUMBER: _ClassVar[int]
    lot_turned: ByzanzLotTurned
    bid_laid: ByzanzBidLaid
    passed: ByzanzPassed
    auction_won: ByzanzAuctionWon
    lot_taken: ByzanzLotTaken
    kind_taken: ByzanzKindTaken
    market_cleared: ByzanzMarketCleared
    sold: ByzanzSold
    discarded: ByzanzDiscarded
    sales_ended: ByzanzSalesEnded
    def __init__(self, lot_turned: _Optional[_Union[ByzanzLotTurned, _Mapping]] = ..., bid_laid: _Optional[_Union[ByzanzBidLaid, _Mapping]] = ..., passed: _Optional[_Union[ByzanzPassed, _Mapping]] = ..., auction_won: _Optional[_Union[ByzanzAuctionWon, _Mapping]] = ..., lot_taken: _Optional[_Union[ByzanzLotTaken, _Mapping]] = ..., kind_taken: _Optional[_Union[ByzanzKindTaken, _Mapping]] = ..., market_cleared: _Optional[_Union[ByzanzMarketCleared, _Mapping]] = ..., sold: _Optional[_Union[ByzanzSold, _Mapping]] = ..., discarded: _Optional[_Union[ByzanzDiscarded, _Mapping]] = ..., sales_ended: _Optional[_Union[ByzanzSalesEnded, _Mapping]] = ...) -> None: ...

class ByzanzLotTurned(_message.Message):
    __slots__ = ("round", "offer", "cards")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    round: int
    offer: int
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, round: _Optional[int] = ..., offer: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzBidLaid(_message.Message):
    __slots__ = ("seat", "cards", "total")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    total: int
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., total: _Optional[int] = ...) -> None: ...

class ByzanzPassed(_message.Message):
    __slots__ = ("seat", "taken_back")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TAKEN_BACK_FIELD_NUMBER: _ClassVar[int]
    seat: int
    taken_back: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, seat: _Optional[int] = ..., taken_back: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzAuctionWon(_message.Message):
    __slots__ = ("seat", "paid")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PAID_FIELD_NUMBER: _ClassVar[int]
    seat: int
    paid: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, seat: _Optional[int] = ..., paid: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzLotTaken(_message.Message):
    __slots__ = ("seat", "offer", "taken", "given")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    offer: int
    taken: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    given: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, seat: _Optional[int] = ..., offer: _Optional[int] = ..., taken: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., given: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzKindTaken(_message.Message):
    __slots__ = ("seat", "kind", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: ByzanzKind
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[ByzanzKind, str]] = ..., cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzMarketCleared(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    def __init__(self, cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ...) -> None: ...

class ByzanzSold(_message.Message):
    __slots__ = ("seat", "cards", "kept")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[ByzanzCard]
    kept: ByzanzCard
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[ByzanzCard, str]]] = ..., kept: _Optional[_Union[ByzanzCard, str]] = ...) -> None: ...

class ByzanzDiscarded(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: ByzanzCard
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[_Union[ByzanzCard, str]] = ...) -> None: ...

class ByzanzSalesEnded(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...
