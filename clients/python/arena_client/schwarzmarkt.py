"""Schwarzmarkt for bots: goods, cards, moves and what a seat sees.

Rules cited are those of the rules page. Everything is computed when it is first looked at. Groups
of goods are tuples in rising order, equal ones repeated; collections.Counter counts them.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from arena_client import decision as any_decision
from arena_client import match as any_match
from arena_client.bot import GameBot
from arena_client.v1 import schwarzmarkt_pb2


class Good(enum.IntEnum):
    """A good. UNKNOWN is one that the seat may not see."""

    UNKNOWN = 0
    POTATOES = 1
    BUTTER = 2
    SUGAR = 3
    COFFEE = 4
    FLOUR = 5

    def __str__(self) -> str:
        return self.name.lower()


class Effect(enum.IntEnum):
    """What a text card does (S5)."""

    OLD_DEBT = 1
    NEW_GOODS = 2
    SCARCE_GOODS = 3
    FORAGING = 4
    PROTECTION = 5
    RAID = 6
    SLOW_TRADE = 7


class Phase(enum.IntEnum):
    """What the seat to act decides about."""

    UNKNOWN = 0
    PLAY = 1
    FIND = 2
    EXCHANGE = 3
    RETURN = 4
    OVER = 5


class MoveType(enum.IntEnum):
    """What a move does."""

    UNKNOWN = 0
    PLAY = 1
    FIND = 2
    BURY = 3
    TRADE = 4
    STEP = 5
    HOLD = 6
    RETURN = 7


GOODS = {int(good): good for good in Good}
EFFECTS = {int(effect): effect for effect in Effect}
PHASES = {int(phase): phase for phase in Phase}
MOVE_TYPES = {int(move_type): move_type for move_type in MoveType}


def goods(numbers: Iterable[int]) -> tuple[Good, ...]:
    """Return goods by their numbers."""
    return tuple(GOODS.get(number, Good.UNKNOWN) for number in numbers)


def wanted(held: Iterable[Good], demand: Iterable[Good]) -> int:
    """Return how many of the goods held a demand wants."""
    return (Counter(held) & Counter(demand)).total()


class Card:
    """A type of black-market card.

    Attributes:
        number: its place in the material.
        name: such as "offer:potatoes-2,butter-2" or "raid".
        copies: how many of it there are.
        demand: the goods an offer wants. Empty for text cards.
        effect: what a text card does. None for offers.
    """

    def __init__(self, number: int, message: schwarzmarkt_pb2.SchwarzmarktCard) -> None:
        self.number = number
        self.name: str = message.name
        self.copies: int = message.copies
        self.demand = goods(message.demand)
        self.effect = EFFECTS.get(message.effect)

    @property
    def is_offer(self) -> bool:
        """Whether it opens an exchange round."""
        return bool(self.demand)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


class Material:
    """What is printed: track, black-market cards and goods of this match.

    Attributes:
        prices: what a good is paid, by space of the track.
        steps: how far the marker may go, by space.
        cards: the types of black-market cards.
        goods: all goods of the deck.
    """

    def __init__(self, message: schwarzmarkt_pb2.SchwarzmarktMaterial) -> None:
        self.prices = tuple(space.price for space in message.track)
        self.steps = tuple(space.steps for space in message.track)
        self.cards = tuple(Card(number, card) for number, card in enumerate(message.cards))
        self.goods = goods(message.goods)

    @property
    def last_space(self) -> int:
        """The last space of the track."""
        return len(self.prices) - 1

    def card(self, number: int) -> Card:
        """Return the card of a number; one that the material does not list is called unknown."""
        if number < len(self.cards):
            return self.cards[number]
        return Card(number, schwarzmarkt_pb2.SchwarzmarktCard(name="unknown"))

    def price(self, space: int) -> int:
        """Return what a good is paid on a space; 0 for one beyond the track."""
        return self.prices[space] if space < len(self.prices) else 0


class Move(any_decision.Move):
    """A legal move. str() is its text, such as "trade potatoes butter"."""

    __slots__ = ("_material", "message")

    def __init__(
        self, index: int, message: schwarzmarkt_pb2.SchwarzmarktMove, material: Material
    ) -> None:
        super().__init__(index)
        self.message = message
        self._material = material

    @property
    def type(self) -> MoveType:
        """What the move does."""
        return MOVE_TYPES.get(self.message.type, MoveType.UNKNOWN)

    @property
    def card(self) -> Card | None:
        """The black-market card played or buried. None for all other moves."""
        message = self.message
        return self._material.card(message.card) if message.HasField("card") else None

    @property
    def target(self) -> int | None:
        """The seat a card is played at. None if the card has no target."""
        return self.message.target if self.message.HasField("target") else None

    @property
    def goods(self) -> tuple[Good, ...]:
        """Those traded, those laid aside for foraging, the one found or returned."""
        return goods(self.message.goods)

    @property
    def spaces(self) -> int:
        """How far the marker goes. 0 unless it is a step."""
        return self.message.spaces

    @property
    def text(self) -> str:
        """The move as the rules write it."""
        words = [self.type.name.lower()]
        if self.card is not None:
            words.append(self.card.name)
        if self.target is not None:
            words.append(str(self.target))
        words.extend(map(str, self.goods))
        if self.spaces:
            words.append(str(self.spaces))
        return " ".join(words)


class Known:
    """Goods the seat knows to have come to a hidden place.

    Attributes:
        goods: the goods.
        unseen: up to so many of them may be gone; 0: all are there.
    """

    __slots__ = ("goods", "unseen")

    def __init__(self, message: schwarzmarkt_pb2.SchwarzmarktKnown) -> None:
        self.goods = goods(message.goods)
        self.unseen: int = message.unseen


class Seat:
    """What is known about a seat.

    Attributes:
        number: which seat, from 0.
        hand_size: how many goods it holds.
        luxury: its wealth: the score.
        has_traded: it has traded in this exchange round.
    """

    def __init__(self, number: int, message: schwarzmarkt_pb2.SchwarzmarktSeat) -> None:
        self.number = number
        self.message = message
        self.hand_size: int = message.hand_size
        self.luxury: int = message.luxury
        self.has_traded: bool = message.has_traded

    @cached_property
    def known(self) -> tuple[Known, ...]:
        """What the observing seat knows of its goods, the oldest knowledge first."""
        return tuple(map(Known, self.message.known))


class Observation:
    """All the seat may know now. Complete: no memory is needed.

    Attributes:
        seat: the own seat.
        phase: what is decided.
        game_round: 1 or 2.
        start: the seat that plays, or played last, a black-market card.
        marker: the space of the track where the marker stands, from 0.
        price: what a good is paid there.
        goods_pile_size: how many goods are in the pile.
        black_market_pile_size: how many black-market cards are in the pile.
        cards_dealt_with: how many black-market cards were played or buried in this game round.
        idle_rounds: how many exchange rounds in a row went without a trade (S6.4).
    """

    def __init__(
        self, message: schwarzmarkt_pb2.SchwarzmarktObservation, material: Material
    ) -> None:
        self.message = message
        self.material = material
        self.seat: int = message.seat
        self.phase = PHASES.get(message.phase, Phase.UNKNOWN)
        self.game_round: int = message.game_round
        self.start: int = message.start
        self.marker: int = message.marker
        self.price: int = material.price(message.marker)
        self.goods_pile_size: int = message.goods_pile_size
        self.black_market_pile_size: int = message.black_market_pile_size
        self.cards_dealt_with: int = message.cards_dealt_with
        self.idle_rounds: int = message.idle_rounds

    @property
    def offer(self) -> Card | None:
        """The card being exchanged. None when no exchange round runs."""
        message = self.message
        return self.material.card(message.offer) if message.HasField("offer") else None

    @property
    def resolving(self) -> Card | None:
        """The text card that is taking effect. None when there is none."""
        message = self.message
        return self.material.card(message.resolving) if message.HasField("resolving") else None

    @cached_property
    def goods(self) -> tuple[Good, ...]:
        """The own goods."""
        return goods(self.message.goods)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The own black-market cards."""
        return tuple(self.material.card(card) for card in self.message.cards)

    @cached_property
    def demand(self) -> tuple[Good, ...]:
        """The goods still wanted."""
        return goods(self.message.demand)

    @cached_property
    def traded(self) -> tuple[Good, ...]:
        """The goods traded in this exchange round, in the order of trading."""
        return goods(self.message.traded)

    @cached_property
    def open_cards(self) -> tuple[tuple[Card, int | None], ...]:
        """The text cards about the next or the running exchange round, with their targets."""
        return tuple(
            (self.material.card(open_.card), open_.target if open_.HasField("target") else None)
            for open_ in self.message.open_cards
        )

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """What is known about each seat, by seat."""
        return tuple(Seat(number, seat) for number, seat in enumerate(self.message.seats))

    @cached_property
    def pile_known(self) -> tuple[Known, ...]:
        """Goods known to be in the goods pile, the oldest knowledge first."""
        return tuple(map(Known, self.message.pile_known))

    @cached_property
    def seen_cards(self) -> tuple[Card, ...]:
        """The black-market cards shown so far in the match, each type once."""
        return tuple(self.material.card(card) for card in self.message.seen_cards)

    @property
    def own(self) -> Seat:
        """The own seat."""
        return self.seats[self.seat]

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the own one."""
        return self.seats[self.seat + 1 :] + self.seats[: self.seat]


class Match(any_match.Match):
    """A match of Schwarzmarkt."""

    @cached_property
    def material(self) -> Material:
        """Track, black-market cards and goods."""
        return Material(self.message.schwarzmarkt)


class Decision(any_decision.Decision):
    """A decision of Schwarzmarkt."""

    __slots__ = ()

    match: Match

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves: cards as in the material; trades, then steps or hold."""
        if self._moves is None:
            material, moves = self.match.material, self.message.schwarzmarkt.legal_moves
            self._moves = tuple(Move(index, move, material) for index, move in enumerate(moves))
        return self._moves

    @property
    def observation(self) -> Observation:
        """All the seat may know now."""
        if self._observation is None:
            seen = self.message.schwarzmarkt.observation
            self._observation = Observation(seen, self.match.material)
        found: Observation = self._observation
        return found

    @property
    def events(self) -> Sequence[schwarzmarkt_pb2.SchwarzmarktEvent]:
        """What happened since the seat's last decision, oldest first."""
        return self.message.schwarzmarkt.events

    def moves_of(self, *types: MoveType) -> tuple[Move, ...]:
        """Return the legal moves of some types, in their order."""
        return tuple(move for move in self.legal_moves if move.type in types)


class SchwarzmarktBot(GameBot[Match, Decision]):
    """A bot that plays Schwarzmarkt."""

    games = ("schwarzmarkt",)
