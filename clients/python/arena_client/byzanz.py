"""Byzanz for bots: cards, moves and what a seat sees. Rules cited are those of the rules page.

Everything is computed when it is first looked at. There is one object per card: compare with `is`.
Groups of cards are tuples in rising order, equal cards repeated; counts() makes them a Counter,
which adds and subtracts.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from arena_client import decision as any_decision
from arena_client import match as any_match
from arena_client.bot import GameBot
from arena_client.v1 import byzanz_pb2


class Kind(enum.IntEnum):
    """A kind of cards. Traders are a kind on the market (B4.1)."""

    CLOTH = 1
    SPICE = 2
    WINE = 3
    WOOD = 4
    GRAIN = 5
    OLIVES = 6
    TRADER = 7

    def __str__(self) -> str:
        return self.name.lower()


class Phase(enum.IntEnum):
    """What the seat to act decides about."""

    UNKNOWN = 0
    AUCTION = 1
    GIVE = 2
    TAKE = 3
    LIMIT = 4
    FINAL = 5
    OVER = 6


class MoveType(enum.IntEnum):
    """What a move does."""

    UNKNOWN = 0
    PASS = 1
    BID = 2
    GIVE = 3
    TAKE = 4
    SELL = 5
    DISCARD = 6
    DONE = 7


class Card:
    """A card.

    Attributes:
        number: its number in the protocol; the order of cards.
        kind: its kind; None for a card the seat may not see.
        value: 1 to 4; 0 for a trader.
        name: such as "cloth-1" or "trader".
    """

    __slots__ = ("kind", "name", "number", "value")

    def __init__(self, number: int) -> None:
        self.number = number
        self.kind: Kind | None = Kind((number - 1) // 4 + 1) if 1 <= number <= 25 else None
        self.value = (number - 1) % 4 + 1 if 1 <= number <= 24 else 0
        self.name = f"{self.kind}-{self.value}" if self.value else str(self.kind or "unknown")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name

    def __lt__(self, other: Card) -> bool:
        return self.number < other.number


class _Cards(dict[int, Card]):
    """Cards by number. One that this version does not know is like one not seen."""

    def __missing__(self, number: int) -> Card:
        return UNKNOWN


UNKNOWN = Card(0)
CARDS: dict[int, Card] = _Cards({number: Card(number) for number in range(1, 26)})
TRADER = CARDS[25]
CARD_NAMES = {card.name: card for card in CARDS.values()}
KINDS = {int(kind): kind for kind in Kind}
PHASES = {int(phase): phase for phase in Phase}
MOVE_TYPES = {int(move_type): move_type for move_type in MoveType}


def cards(source: str | Iterable[int]) -> tuple[Card, ...]:
    """Return cards by their names in one text, such as "wine-1 spice-2", or by their numbers.

    Raises:
        KeyError: there is no card of that name.
    """
    if isinstance(source, str):
        return tuple(CARD_NAMES[name] for name in source.split())
    return tuple(map(CARDS.__getitem__, source))


def value(group: Iterable[Card]) -> int:
    """Return the sum of the values of cards: what they make as a bid (B3.5)."""
    return sum(card.value for card in group)


def sale_points(group: Iterable[Card]) -> int:
    """Return what a sale of these cards scores: its best card, 5 for three traders (B5.2)."""
    return max(card.value for card in group) or 5


def counts(*groups: Iterable[Card]) -> Counter[Card]:
    """Return how often each card is in groups of cards together."""
    total: Counter[Card] = Counter()
    for group in groups:
        total.update(group)
    return total


def of_kind(group: Iterable[Card], kind: Kind | None) -> tuple[Card, ...]:
    """Return the cards of one kind."""
    return tuple(card for card in group if card.kind is kind)


def by_kind(group: Iterable[Card]) -> dict[Kind, list[Card]]:
    """Return cards by their kinds; kinds without cards are missing."""
    found: dict[Kind, list[Card]] = {}
    for card in group:
        if card.kind is not None:
            found.setdefault(card.kind, []).append(card)
    return found


class Move(any_decision.Move):
    """A legal move. str() is its text, such as "bid spice-2 wine-1"."""

    __slots__ = ("_cards", "message")

    def __init__(self, index: int, message: byzanz_pb2.ByzanzMove) -> None:
        super().__init__(index)
        self.message = message
        self._cards: tuple[Card, ...] | None = None

    @property
    def type(self) -> MoveType:
        """What the move does."""
        return MOVE_TYPES.get(self.message.type, MoveType.UNKNOWN)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Those added by a bid, the three of a sale, the one given or discarded."""
        if self._cards is None:
            self._cards = cards(self.message.cards)
        return self._cards

    @property
    def kind(self) -> Kind | None:
        """The kind taken from the market. None for all other moves."""
        return KINDS.get(self.message.kind)

    @property
    def value(self) -> int:
        """The sum of the values of the cards: what a bid adds."""
        return value(self.cards)

    @property
    def text(self) -> str:
        """The move as the rules write it."""
        words = [self.type.name.lower(), *(card.name for card in self.cards)]
        if self.message.kind:
            words.append(str(self.kind))
        return " ".join(words)


class Known:
    """Cards publicly known to have come into a hand at about the same time.

    Attributes:
        cards: the cards.
        unseen: up to so many of them may be gone; 0: all are there.
    """

    __slots__ = ("cards", "unseen")

    def __init__(self, message: byzanz_pb2.ByzanzKnown) -> None:
        self.cards = cards(message.cards)
        self.unseen: int = message.unseen


class Seat:
    """What everybody knows about a seat.

    Attributes:
        number: which seat, from 0.
        hand_size: how many cards it holds.
        points: its points so far.
        passed: it is out of this auction by passing.
        offer: the offer card it holds; 0 for none. Whoever holds one is out of the auctions.
        face_down: how many cards it has discarded face down.
    """

    def __init__(self, number: int, message: byzanz_pb2.ByzanzSeat) -> None:
        self.number = number
        self.message = message
        self.hand_size: int = message.hand_size
        self.points: int = message.points
        self.passed: bool = message.passed
        self.offer: int = message.offer
        self.face_down: int = message.face_down

    @cached_property
    def laid(self) -> tuple[Card, ...]:
        """The cards of its bid in this auction; they are not in its hand."""
        return cards(self.message.laid)

    @cached_property
    def kept(self) -> tuple[Card, ...]:
        """Its profit cards."""
        return cards(self.message.kept)

    @cached_property
    def known(self) -> tuple[Known, ...]:
        """What is publicly known of its hand, the oldest knowledge first."""
        return tuple(map(Known, self.message.known))


class Observation:
    """All the seat may know now. Complete: no memory is needed.

    Attributes:
        seat: the own seat.
        phase: what is decided.
        round: the number of the round, from 1.
        deck_size: how many cards are left in the deck.
        offer: the offer card of the running auction; 0 when none runs.
        speaker: the seat that spoke first in this auction, or will in the next.
        high: the highest bid so far in this auction; 0 when there is none.
        takes: how many seats have had their turn at the market this round.
    """

    def __init__(self, message: byzanz_pb2.ByzanzObservation) -> None:
        self.message = message
        self.seat: int = message.seat
        self.phase = PHASES.get(message.phase, Phase.UNKNOWN)
        self.round: int = message.round
        self.deck_size: int = message.deck_size
        self.offer: int = message.offer
        self.speaker: int = message.speaker
        self.high: int = message.high
        self.takes: int = message.takes

    @property
    def leader(self) -> int | None:
        """The seat of the highest bid. None when there is none."""
        return self.message.leader if self.message.HasField("leader") else None

    @property
    def first_passer(self) -> int | None:
        """The seat that passed first in this auction. None when none has."""
        return self.message.first_passer if self.message.HasField("first_passer") else None

    @cached_property
    def hand(self) -> tuple[Card, ...]:
        """The own hand."""
        return cards(self.message.hand)

    @cached_property
    def own_discards(self) -> tuple[Card, ...]:
        """The cards the seat itself discarded face down."""
        return cards(self.message.own_discards)

    @cached_property
    def lot(self) -> tuple[Card, ...]:
        """What is up for auction, or won and still to be given from."""
        return cards(self.message.lot)

    @cached_property
    def market(self) -> tuple[Card, ...]:
        """What lies on the market."""
        return cards(self.message.market)

    @cached_property
    def out(self) -> tuple[Card, ...]:
        """The cards publicly out of the game, profit cards not counted."""
        return cards(self.message.out)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """What everybody knows about each seat, by seat."""
        return tuple(Seat(number, seat) for number, seat in enumerate(self.message.seats))

    @property
    def own(self) -> Seat:
        """The own seat."""
        return self.seats[self.seat]

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats, clockwise from the own one."""
        return self.seats[self.seat + 1 :] + self.seats[: self.seat]


class Match(any_match.Match):
    """A match of Byzanz."""

    @property
    def material(self) -> byzanz_pb2.ByzanzMaterial:
        """The offers (highest first), rounds and number of cards removed unseen."""
        return self.message.byzanz


class Decision(any_decision.Decision):
    """A decision of Byzanz."""

    __slots__ = ()

    match: Match

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves: those of the decision first, bids rising in value, then sales."""
        if self._moves is None:
            moves = self.message.byzanz.legal_moves
            self._moves = tuple(Move(index, move) for index, move in enumerate(moves))
        return self._moves

    @property
    def observation(self) -> Observation:
        """All the seat may know now."""
        if self._observation is None:
            self._observation = Observation(self.message.byzanz.observation)
        found: Observation = self._observation
        return found

    @property
    def events(self) -> Sequence[byzanz_pb2.ByzanzEvent]:
        """What happened since the seat's last decision, oldest first."""
        return self.message.byzanz.events

    @property
    def rounds_left(self) -> int:
        """How many rounds follow after this one; 0 in the last."""
        return self.match.material.rounds - self.observation.round

    def moves_of(self, *types: MoveType) -> tuple[Move, ...]:
        """Return the legal moves of some types, in their order."""
        return tuple(move for move in self.legal_moves if move.type in types)


class ByzanzBot(GameBot[Match, Decision]):
    """A bot that plays Byzanz."""

    games = ("byzanz",)
