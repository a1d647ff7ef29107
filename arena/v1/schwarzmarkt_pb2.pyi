from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SchwarzmarktGood(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHWARZMARKT_GOOD_UNSPECIFIED: _ClassVar[SchwarzmarktGood]
    SCHWARZMARKT_GOOD_POTATOES: _ClassVar[SchwarzmarktGood]
    SCHWARZMARKT_GOOD_BUTTER: _ClassVar[SchwarzmarktGood]
    SCHWARZMARKT_GOOD_SUGAR: _ClassVar[SchwarzmarktGood]
    SCHWARZMARKT_GOOD_COFFEE: _ClassVar[SchwarzmarktGood]
    SCHWARZMARKT_GOOD_FLOUR: _ClassVar[SchwarzmarktGood]

class SchwarzmarktEffect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHWARZMARKT_EFFECT_UNSPECIFIED: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_OLD_DEBT: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_NEW_GOODS: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_SCARCE_GOODS: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_FORAGING: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_PROTECTION: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_RAID: _ClassVar[SchwarzmarktEffect]
    SCHWARZMARKT_EFFECT_SLOW_TRADE: _ClassVar[SchwarzmarktEffect]

class SchwarzmarktPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHWARZMARKT_PHASE_UNSPECIFIED: _ClassVar[SchwarzmarktPhase]
    SCHWARZMARKT_PHASE_PLAY: _ClassVar[SchwarzmarktPhase]
    SCHWARZMARKT_PHASE_FIND: _ClassVar[SchwarzmarktPhase]
    SCHWARZMARKT_PHASE_EXCHANGE: _ClassVar[SchwarzmarktPhase]
    SCHWARZMARKT_PHASE_RETURN: _ClassVar[SchwarzmarktPhase]
    SCHWARZMARKT_PHASE_OVER: _ClassVar[SchwarzmarktPhase]
SCHWARZMARKT_GOOD_UNSPECIFIED: SchwarzmarktGood
SCHWARZMARKT_GOOD_POTATOES: SchwarzmarktGood
SCHWARZMARKT_GOOD_BUTTER: SchwarzmarktGood
SCHWARZMARKT_GOOD_SUGAR: SchwarzmarktGood
SCHWARZMARKT_GOOD_COFFEE: SchwarzmarktGood
SCHWARZMARKT_GOOD_FLOUR: SchwarzmarktGood
SCHWARZMARKT_EFFECT_UNSPECIFIED: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_OLD_DEBT: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_NEW_GOODS: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_SCARCE_GOODS: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_FORAGING: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_PROTECTION: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_RAID: SchwarzmarktEffect
SCHWARZMARKT_EFFECT_SLOW_TRADE: SchwarzmarktEffect
SCHWARZMARKT_PHASE_UNSPECIFIED: SchwarzmarktPhase
SCHWARZMARKT_PHASE_PLAY: SchwarzmarktPhase
SCHWARZMARKT_PHASE_FIND: SchwarzmarktPhase
SCHWARZMARKT_PHASE_EXCHANGE: SchwarzmarktPhase
SCHWARZMARKT_PHASE_RETURN: SchwarzmarktPhase
SCHWARZMARKT_PHASE_OVER: SchwarzmarktPhase

class SchwarzmarktMaterial(_message.Message):
    __slots__ = ("track", "cards", "goods")
    TRACK_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    track: _containers.RepeatedCompositeFieldContainer[SchwarzmarktSpace]
    cards: _containers.RepeatedCompositeFieldContainer[SchwarzmarktCard]
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    def __init__(self, track: _Optional[_Iterable[_Union[SchwarzmarktSpace, _Mapping]]] = ..., cards: _Optional[_Iterable[_Union[SchwarzmarktCard, _Mapping]]] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ...) -> None: ...

class SchwarzmarktSpace(_message.Message):
    __slots__ = ("price", "steps")
    PRICE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    price: int
    steps: int
    def __init__(self, price: _Optional[int] = ..., steps: _Optional[int] = ...) -> None: ...

class SchwarzmarktCard(_message.Message):
    __slots__ = ("name", "copies", "demand", "effect")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    DEMAND_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    name: str
    copies: int
    demand: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    effect: SchwarzmarktEffect
    def __init__(self, name: _Optional[str] = ..., copies: _Optional[int] = ..., demand: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., effect: _Optional[_Union[SchwarzmarktEffect, str]] = ...) -> None: ...

class SchwarzmarktDecision(_message.Message):
    __slots__ = ("observation", "legal_moves", "events")
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    LEGAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    observation: SchwarzmarktObservation
    legal_moves: _containers.RepeatedCompositeFieldContainer[SchwarzmarktMove]
    events: _containers.RepeatedCompositeFieldContainer[SchwarzmarktEvent]
    def __init__(self, observation: _Optional[_Union[SchwarzmarktObservation, _Mapping]] = ..., legal_moves: _Optional[_Iterable[_Union[SchwarzmarktMove, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[SchwarzmarktEvent, _Mapping]]] = ...) -> None: ...

class SchwarzmarktObservation(_message.Message):
    __slots__ = ("seat", "to_act", "phase", "game_round", "start", "goods", "cards", "marker", "offer", "resolving", "demand", "traded", "open_cards", "seats", "goods_pile_size", "black_market_pile_size", "pile_known", "seen_cards", "cards_dealt_with", "idle_rounds")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TO_ACT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    RESOLVING_FIELD_NUMBER: _ClassVar[int]
    DEMAND_FIELD_NUMBER: _ClassVar[int]
    TRADED_FIELD_NUMBER: _ClassVar[int]
    OPEN_CARDS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    GOODS_PILE_SIZE_FIELD_NUMBER: _ClassVar[int]
    BLACK_MARKET_PILE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PILE_KNOWN_FIELD_NUMBER: _ClassVar[int]
    SEEN_CARDS_FIELD_NUMBER: _ClassVar[int]
    CARDS_DEALT_WITH_FIELD_NUMBER: _ClassVar[int]
    IDLE_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    to_act: int
    phase: SchwarzmarktPhase
    game_round: int
    start: int
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    cards: _containers.RepeatedScalarFieldContainer[int]
    marker: int
    offer: int
    resolving: int
    demand: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    traded: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    open_cards: _containers.RepeatedCompositeFieldContainer[SchwarzmarktOpenCard]
    seats: _containers.RepeatedCompositeFieldContainer[SchwarzmarktSeat]
    goods_pile_size: int
    black_market_pile_size: int
    pile_known: _containers.RepeatedCompositeFieldContainer[SchwarzmarktKnown]
    seen_cards: _containers.RepeatedScalarFieldContainer[int]
    cards_dealt_with: int
    idle_rounds: int
    def __init__(self, seat: _Optional[int] = ..., to_act: _Optional[int] = ..., phase: _Optional[_Union[SchwarzmarktPhase, str]] = ..., game_round: _Optional[int] = ..., start: _Optional[int] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., cards: _Optional[_Iterable[int]] = ..., marker: _Optional[int] = ..., offer: _Optional[int] = ..., resolving: _Optional[int] = ..., demand: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., traded: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., open_cards: _Optional[_Iterable[_Union[SchwarzmarktOpenCard, _Mapping]]] = ..., seats: _Optional[_Iterable[_Union[SchwarzmarktSeat, _Mapping]]] = ..., goods_pile_size: _Optional[int] = ..., black_market_pile_size: _Optional[int] = ..., pile_known: _Optional[_Iterable[_Union[SchwarzmarktKnown, _Mapping]]] = ..., seen_cards: _Optional[_Iterable[int]] = ..., cards_dealt_with: _Optional[int] = ..., idle_rounds: _Optional[int] = ...) -> None: ...

class SchwarzmarktOpenCard(_message.Message):
    __slots__ = ("card", "target")
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    card: int
    target: int
    def __init__(self, card: _Optional[int] = ..., target: _Optional[int] = ...) -> None: ...

class SchwarzmarktSeat(_message.Message):
    __slots__ = ("hand_size", "luxury", "has_traded", "known")
    HAND_SIZE_FIELD_NUMBER: _ClassVar[int]
    LUXURY_FIELD_NUMBER: _ClassVar[int]
    HAS_TRADED_FIELD_NUMBER: _ClassVar[int]
    KNOWN_FIELD_NUMBER: _ClassVar[int]
    hand_size: int
    luxury: int
    has_traded: bool
    known: _containers.RepeatedCompositeFieldContainer[SchwarzmarktKnown]
    def __init__(self, hand_size: _Optional[int] = ..., luxury: _Optional[int] = ..., has_traded: _Optional[bool] = ..., known: _Optional[_Iterable[_Union[SchwarzmarktKnown, _Mapping]]] = ...) -> None: ...

class SchwarzmarktKnown(_message.Message):
    __slots__ = ("goods", "unseen")
    GOODS_FIELD_NUMBER: _ClassVar[int]
    UNSEEN_FIELD_NUMBER: _ClassVar[int]
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    unseen: int
    def __init__(self, goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., unseen: _Optional[int] = ...) -> None: ...

class SchwarzmarktMove(_message.Message):
    __slots__ = ("type", "card", "target", "goods", "spaces")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_UNSPECIFIED: _ClassVar[SchwarzmarktMove.Type]
        TYPE_PLAY: _ClassVar[SchwarzmarktMove.Type]
        TYPE_FIND: _ClassVar[SchwarzmarktMove.Type]
        TYPE_BURY: _ClassVar[SchwarzmarktMove.Type]
        TYPE_TRADE: _ClassVar[SchwarzmarktMove.Type]
        TYPE_STEP: _ClassVar[SchwarzmarktMove.Type]
        TYPE_HOLD: _ClassVar[SchwarzmarktMove.Type]
        TYPE_RETURN: _ClassVar[SchwarzmarktMove.Type]
    TYPE_UNSPECIFIED: SchwarzmarktMove.Type
    TYPE_PLAY: SchwarzmarktMove.Type
    TYPE_FIND: SchwarzmarktMove.Type
    TYPE_BURY: SchwarzmarktMove.Type
    TYPE_TRADE: SchwarzmarktMove.Type
    TYPE_STEP: SchwarzmarktMove.Type
    TYPE_HOLD: SchwarzmarktMove.Type
    TYPE_RETURN: SchwarzmarktMove.Type
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    type: SchwarzmarktMove.Type
    card: int
    target: int
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    spaces: int
    def __init__(self, type: _Optional[_Union[SchwarzmarktMove.Type, str]] = ..., card: _Optional[int] = ..., target: _Optional[int] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., spaces: _Optional[int] = ...) -> None: ...

class SchwarzmarktEvents(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[SchwarzmarktEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[SchwarzmarktEvent, _Mapping]]] = ...) -> None: ...

class SchwarzmarktEvent(_message.Message):
    __slots__ = ("card_played", "card_buried", "card_drawn", "traded", "marker_moved", "held", "exchange_ended", "good_drawn", "pile_searched", "good_found", "pile_shuffled", "foraged", "protection_paid", "game_round_ended", "good_returned", "goods_dealt")
    CARD_PLAYED_FIELD_NUMBER: _ClassVar[int]
    CARD_BURIED_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    TRADED_FIELD_NUMBER: _ClassVar[int]
    MARKER_MOVED_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_ENDED_FIELD_NUMBER: _ClassVar[int]
    GOOD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    PILE_SEARCHED_FIELD_NUMBER: _ClassVar[int]
    GOOD_FOUND_FIELD_NUMBER: _ClassVar[int]
    PILE_SHUFFLED_FIELD_NUMBER: _ClassVar[int]
    FORAGED_FIELD_NUMBER: _ClassVar[int]
    PROTECTION_PAID_FIELD_NUMBER: _ClassVar[int]
    GAME_ROUND_ENDED_FIELD_NUMBER: _ClassVar[int]
    GOOD_RETURNED_FIELD_NUMBER: _ClassVar[int]
    GOODS_DEALT_FIELD_NUMBER: _ClassVar[int]
    card_played: SchwarzmarktCardPlayed
    card_buried: SchwarzmarktCardBuried
    card_drawn: SchwarzmarktCardDrawn
    traded: SchwarzmarktTraded
    marker_moved: SchwarzmarktMarkerMoved
    held: SchwarzmarktHeld
    exchange_ended: SchwarzmarktExchangeEnded
    good_drawn: SchwarzmarktGoodDrawn
    pile_searched: SchwarzmarktPileSearched
    good_found: SchwarzmarktGoodFound
    pile_shuffled: SchwarzmarktPileShuffled
    foraged: SchwarzmarktForaged
    protection_paid: SchwarzmarktProtectionPaid
    game_round_ended: SchwarzmarktGameRoundEnded
    good_returned: SchwarzmarktGoodReturned
    goods_dealt: SchwarzmarktGoodsDealt
    def __init__(self, card_played: _Optional[_Union[SchwarzmarktCardPlayed, _Mapping]] = ..., card_buried: _Optional[_Union[SchwarzmarktCardBuried, _Mapping]] = ..., card_drawn: _Optional[_Union[SchwarzmarktCardDrawn, _Mapping]] = ..., traded: _Optional[_Union[SchwarzmarktTraded, _Mapping]] = ..., marker_moved: _Optional[_Union[SchwarzmarktMarkerMoved, _Mapping]] = ..., held: _Optional[_Union[SchwarzmarktHeld, _Mapping]] = ..., exchange_ended: _Optional[_Union[SchwarzmarktExchangeEnded, _Mapping]] = ..., good_drawn: _Optional[_Union[SchwarzmarktGoodDrawn, _Mapping]] = ..., pile_searched: _Optional[_Union[SchwarzmarktPileSearched, _Mapping]] = ..., good_found: _Optional[_Union[SchwarzmarktGoodFound, _Mapping]] = ..., pile_shuffled: _Optional[_Union[SchwarzmarktPileShuffled, _Mapping]] = ..., foraged: _Optional[_Union[SchwarzmarktForaged, _Mapping]] = ..., protection_paid: _Optional[_Union[SchwarzmarktProtectionPaid, _Mapping]] = ..., game_round_ended: _Optional[_Union[SchwarzmarktGameRoundEnded, _Mapping]] = ..., good_returned: _Optional[_Union[SchwarzmarktGoodReturned, _Mapping]] = ..., goods_dealt: _Optional[_Union[SchwarzmarktGoodsDealt, _Mapping]] = ...) -> None: ...

class SchwarzmarktCardPlayed(_message.Message):
    __slots__ = ("seat", "card", "target")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: int
    target: int
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ..., target: _Optional[int] = ...) -> None: ...

class SchwarzmarktCardBuried(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: int
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...

class SchwarzmarktCardDrawn(_message.Message):
    __slots__ = ("seat", "card")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card: int
    def __init__(self, seat: _Optional[int] = ..., card: _Optional[int] = ...) -> None: ...

class SchwarzmarktTraded(_message.Message):
    __slots__ = ("seat", "goods", "price")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    price: int
    def __init__(self, seat: _Optional[int] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., price: _Optional[int] = ...) -> None: ...

class SchwarzmarktMarkerMoved(_message.Message):
    __slots__ = ("seat", "space")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SPACE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    space: int
    def __init__(self, seat: _Optional[int] = ..., space: _Optional[int] = ...) -> None: ...

class SchwarzmarktHeld(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SchwarzmarktExchangeEnded(_message.Message):
    __slots__ = ("left",)
    LEFT_FIELD_NUMBER: _ClassVar[int]
    left: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    def __init__(self, left: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ...) -> None: ...

class SchwarzmarktGoodDrawn(_message.Message):
    __slots__ = ("seat", "victim", "good")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    victim: int
    good: SchwarzmarktGood
    def __init__(self, seat: _Optional[int] = ..., victim: _Optional[int] = ..., good: _Optional[_Union[SchwarzmarktGood, str]] = ...) -> None: ...

class SchwarzmarktPileSearched(_message.Message):
    __slots__ = ("seat", "goods")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    def __init__(self, seat: _Optional[int] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ...) -> None: ...

class SchwarzmarktGoodFound(_message.Message):
    __slots__ = ("seat", "good")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    good: SchwarzmarktGood
    def __init__(self, seat: _Optional[int] = ..., good: _Optional[_Union[SchwarzmarktGood, str]] = ...) -> None: ...

class SchwarzmarktPileShuffled(_message.Message):
    __slots__ = ("pile",)
    class Pile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        PILE_UNSPECIFIED: _ClassVar[SchwarzmarktPileShuffled.Pile]
        PILE_GOODS: _ClassVar[SchwarzmarktPileShuffled.Pile]
        PILE_BLACK_MARKET: _ClassVar[SchwarzmarktPileShuffled.Pile]
    PILE_UNSPECIFIED: SchwarzmarktPileShuffled.Pile
    PILE_GOODS: SchwarzmarktPileShuffled.Pile
    PILE_BLACK_MARKET: SchwarzmarktPileShuffled.Pile
    PILE_FIELD_NUMBER: _ClassVar[int]
    pile: SchwarzmarktPileShuffled.Pile
    def __init__(self, pile: _Optional[_Union[SchwarzmarktPileShuffled.Pile, str]] = ...) -> None: ...

class SchwarzmarktForaged(_message.Message):
    __slots__ = ("seat", "number", "laid", "drawn")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LAID_FIELD_NUMBER: _ClassVar[int]
    DRAWN_FIELD_NUMBER: _ClassVar[int]
    seat: int
    number: int
    laid: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    drawn: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    def __init__(self, seat: _Optional[int] = ..., number: _Optional[int] = ..., laid: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ..., drawn: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ...) -> None: ...

class SchwarzmarktProtectionPaid(_message.Message):
    __slots__ = ("seat", "victim", "amount")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VICTIM_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    victim: int
    amount: int
    def __init__(self, seat: _Optional[int] = ..., victim: _Optional[int] = ..., amount: _Optional[int] = ...) -> None: ...

class SchwarzmarktGameRoundEnded(_message.Message):
    __slots__ = ("game_round",)
    GAME_ROUND_FIELD_NUMBER: _ClassVar[int]
    game_round: int
    def __init__(self, game_round: _Optional[int] = ...) -> None: ...

class SchwarzmarktGoodReturned(_message.Message):
    __slots__ = ("seat", "good")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    GOOD_FIELD_NUMBER: _ClassVar[int]
    seat: int
    good: SchwarzmarktGood
    def __init__(self, seat: _Optional[int] = ..., good: _Optional[_Union[SchwarzmarktGood, str]] = ...) -> None: ...

class SchwarzmarktGoodsDealt(_message.Message):
    __slots__ = ("seat", "number", "goods")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    GOODS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    number: int
    goods: _containers.RepeatedScalarFieldContainer[SchwarzmarktGood]
    def __init__(self, seat: _Optional[int] = ..., number: _Optional[int] = ..., goods: _Optional[_Iterable[_Union[SchwarzmarktGood, str]]] = ...) -> None: ...
