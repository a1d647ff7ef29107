"""High Card: 3 or 4 seats, 20 cards, red and blue, 1 to 10.

T1  Each seat is dealt 4 cards; the rest is the stock.
T2  From seat 0 on, each seat buries a card face down; it is out of the game.
T3  Then the stock is shuffled and each seat draws its top card.
T4  Four tricks, the first led by seat 0: the first of the highest cards wins a point and the lead.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, NamedTuple

from arena.errors import IllegalMoveError
from arena.games.game import Event, Game, Move, PrivateEvent, PublicEvent, Seat, Shuffled, State
from arena.games.notation import Named
from arena.games.shuffle import Chance, SeededChance

KINDS = ("red", "blue")
CARDS = tuple(f"{kind}-{value}" for kind in KINDS for value in range(1, 11))
DEALT = 4

Card = Annotated[int, Named("card")]  # a number in the rules, a name everywhere else


@dataclass(frozen=True, slots=True)
class Bury(Move):
    card: Card  # for the seat alone


@dataclass(frozen=True, slots=True)
class Play(Move):
    shown = ("card",)  # to everybody
    card: Card


@dataclass(slots=True)
class Buried(PrivateEvent):
    seat: Seat
    card: Card | None  # None for all but the seat


@dataclass(slots=True)
class StockShuffled(Shuffled):
    pile = "stock"
    order: tuple[Card, ...] | None  # for the replay: nobody sees it


@dataclass(slots=True)
class Drawn(PrivateEvent):
    seat: Seat
    card: Card | None


@dataclass(slots=True)
class Played(PublicEvent):
    seat: Seat
    card: Card


@dataclass(slots=True)
class TrickWon(PublicEvent):
    seat: Seat


class Setup(NamedTuple):
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]  # top first


class Observation(NamedTuple):
    seat: Seat | None
    to_act: Seat | None
    hand: tuple[Card, ...]  # own, sorted; empty for the public
    buried: tuple[Card, ...]  # own
    hand_sizes: tuple[int, ...]
    buried_sizes: tuple[int, ...]
    stock_size: int
    leader: Seat
    trick: tuple[Card, ...]
    gone: tuple[Card, ...]  # played in earlier tricks
    points: tuple[int, ...]


class HighCardState(State[Move, Observation]):
    def __init__(self, setup: Setup, chance: Chance) -> None:
        self.seats = len(setup.hands)
        self.hands = [sorted(hand) for hand in setup.hands]
        self.buried: list[list[int]] = [[] for _ in setup.hands]
        self.stock = [*setup.stock]
        self.chance = chance
        self.points: list[int] = [0] * self.seats
        self.trick, self.gone = list[int](), list[int]()
        self.leader = self.to_act = Seat(0)

    def legal_moves(self) -> list[Move]:
        kind = Play if all(self.buried) else Bury
        return [] if self.to_act is None else [kind(card) for card in self.hands[self.to_act]]

    def apply(self, move: Move) -> list[Event]:
        seat = self._check(move)  # first: a refused move changes nothing
        if isinstance(move, Bury):
            return self._bury(seat, move.card)
        assert isinstance(move, Play)
        return self._play(seat, move.card)

    def _check(self, move: Move) -> Seat:
        if self.to_act is None or move not in self.legal_moves():
            raise IllegalMoveError("T4" if all(self.buried) else "T2", f"{move} is not for now")
        return self.to_act

    def _bury(self, seat: Seat, card: int) -> list[Event]:
        self.hands[seat].remove(card)
        self.buried[seat].append(card)
        self.to_act = Seat((seat + 1) % self.seats)
        return [Buried(seat, card), *(self._deal_stock() if all(self.buried) else ())]

    def _deal_stock(self) -> list[Event]:
        self.stock = self.chance.shuffle("stock", self.stock)
        events: list[Event] = [StockShuffled(tuple(self.stock))]
        for seat, hand in enumerate(self.hands):
            card = self.stock.pop(0)
            self.hands[seat] = sorted([*hand, card])
            events.append(Drawn(Seat(seat), card))
        return events

    def _play(self, seat: Seat, card: int) -> list[Event]:
        self.hands[seat].remove(card)
        self.trick.append(card)
        self.to_act = Seat((seat + 1) % self.seats)
        if len(self.trick) < self.seats:
            return [Played(seat, card)]
        values = [played % 10 for played in self.trick]
        self.leader = Seat((self.leader + values.index(max(values))) % self.seats)
        self.points[self.leader] += 1
        self.gone, self.trick = self.gone + self.trick, []
        self.to_act = self.leader if self.hands[self.leader] else None
        return [Played(seat, card), TrickWon(self.leader)]

    def observe(self, seat: Seat | None) -> Observation:
        return Observation(  # field by field: a new secret stays secret
            seat=seat,
            to_act=self.to_act,
            hand=() if seat is None else tuple(self.hands[seat]),
            buried=() if seat is None else tuple(self.buried[seat]),
            hand_sizes=tuple(map(len, self.hands)),
            buried_sizes=tuple(map(len, self.buried)),
            stock_size=len(self.stock),
            leader=self.leader,
            trick=tuple(self.trick),
            gone=tuple(self.gone),
            points=tuple(self.points),
        )

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        return Counter(CARDS[card] for card in self.hands[seat])

    def inventory(self) -> Mapping[str, int]:
        places = (*self.hands, *self.buried, self.stock, self.trick, self.gone)
        return Counter(CARDS[card] for place in places for card in place)


class HighCard(Game[Setup, Move, Observation]):
    name = "highcard"
    title = "High Card"
    table_sizes = (3, 4)
    kinds = KINDS
    move_types = (Bury, Play)
    event_types = (Buried, StockShuffled, Drawn, Played, TrickWon)
    own = ("hand", "buried")  # of an observation; all else is the same for everybody
    marked = (TrickWon,)  # on the time line of a match
    names: Mapping[str, Sequence[str]] = {"card": CARDS}

    def setup(self, seed: bytes, seats: int) -> Setup:
        self.check_table(seats)
        cards = tuple(SeededChance(seed).shuffle("deal", range(len(CARDS))))
        hands = tuple(cards[seat * DEALT : (seat + 1) * DEALT] for seat in range(seats))
        return Setup(hands, cards[seats * DEALT :])

    def start(self, setup: Setup, chance: Chance) -> HighCardState:
        return HighCardState(setup, chance)

    def sample(self, seen: Observation, rng: Random, observed: Any = None) -> HighCardState:
        stock = observed.stock if observed else ()  # if it is given, only hands are dealt anew
        known = {*seen.hand, *seen.buried, *seen.trick, *seen.gone, *stock}
        pool = [card for card in range(len(CARDS)) if card not in known]
        rng.shuffle(pool)

        def cards(seat: int, own: tuple[int, ...], number: int) -> list[int]:
            return [*own] if seat == seen.seat else [pool.pop() for _ in range(number)]

        hands = tuple(tuple(cards(s, seen.hand, n)) for s, n in enumerate(seen.hand_sizes))
        buried = [cards(s, seen.buried, n) for s, n in enumerate(seen.buried_sizes)]
        chance = observed.chance.copy() if observed else SeededChance(rng.randbytes(32))
        state = HighCardState(Setup(hands, tuple(stock or pool)), chance)
        state.points, state.trick, state.gone = [*seen.points], [*seen.trick], [*seen.gone]
        state.buried, state.leader, state.to_act = buried, seen.leader, seen.to_act
        return state
