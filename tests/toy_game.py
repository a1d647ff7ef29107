"""High Card: a small complete game that is not built in, to test everything that takes any game.

3 or 4 seats, 20 cards: red and blue, 1 to 10. Rules:

T1  Each seat is dealt 4 cards; the rest is the stock.
T2  From seat 0 on, each seat buries a card face down; it is out of the game.
T3  Then the stock is shuffled and each seat draws its top card.
T4  Four tricks: from the leader on, each seat plays a card; the highest, the first of equal ones,
    wins a point and leads the next trick. Seat 0 leads first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from arena.errors import FormatError, IllegalMoveError, MatchNotOverError
from arena.games.fields import read_list, read_name, read_names, read_object, read_text
from arena.games.game import (
    Event,
    Game,
    Json,
    Labels,
    Move,
    Outcome,
    Seat,
    State,
    ranks_of,
)
from arena.games.shuffle import Chance, SeededChance

KINDS = ("red", "blue")
VALUES = 10
CARDS = tuple(f"{kind}-{value}" for kind in KINDS for value in range(1, VALUES + 1))
CARD_BY_NAME = {name: card for card, name in enumerate(CARDS)}
DEALT = 4


def value_of(card: int) -> int:
    return card % VALUES + 1


@dataclass(frozen=True, slots=True)
class Bury(Move):
    card: int


@dataclass(frozen=True, slots=True)
class Play(Move):
    card: int


MOVES: dict[str, type[Bury | Play]] = {"bury": Bury, "play": Play}


@dataclass(frozen=True, slots=True)
class Buried(Event):
    seat: Seat
    card: int | None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,)

    def redacted(self) -> Event:
        return replace(self, card=None)


@dataclass(frozen=True, slots=True)
class StockShuffled(Event):
    by_chance = True

    order: tuple[int, ...] | None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return ()

    def redacted(self) -> Event:
        return replace(self, order=None)


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    seat: Seat
    card: int | None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat,)

    def redacted(self) -> Event:
        return replace(self, card=None)


@dataclass(frozen=True, slots=True)
class Played(Event):
    seat: Seat
    card: int


@dataclass(frozen=True, slots=True)
class TrickWon(Event):
    seat: Seat


class Observation(NamedTuple):
    seat: Seat | None
    to_act: Seat | None
    hand: tuple[int, ...]  # own, sorted; empty for the public
    buried: int | None  # own
    has_buried: tuple[bool, ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    leader: Seat
    trick: tuple[int, ...]
    gone: tuple[int, ...]  # played in earlier tricks
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]


class ToyState(State[Move, Observation]):
    """One match; a subclass stays of its class when copied or sampled."""

    to_act: Seat | None

    def __init__(
        self, hands: Sequence[Sequence[int]], stock: Sequence[int], chance: Chance
    ) -> None:
        self.seats = len(hands)
        self.hands = [sorted(hand) for hand in hands]
        self.stock = list(stock)  # top first
        self.chance = chance
        self.buried: list[int | None] = [None] * self.seats
        self.trick: list[int] = []
        self.gone: list[int] = []
        self.points = [0] * self.seats
        self.leader = Seat(0)
        self.to_act = Seat(0)

    @property
    def is_burying(self) -> bool:
        return None in self.buried

    def legal_moves(self) -> list[Move]:
        if self.to_act is None:
            return []
        kind = Bury if self.is_burying else Play
        return [kind(card) for card in self.hands[self.to_act]]

    def apply(self, move: Move) -> list[Event]:
        seat = self._check(move)
        if isinstance(move, Bury):
            return self._bury(seat, move.card)
        assert isinstance(move, Play)
        return self._play(seat, move.card)

    def _check(self, move: Move) -> Seat:
        if self.to_act is None:
            raise IllegalMoveError("T4", "the match is over")
        if not isinstance(move, Bury if self.is_burying else Play):
            raise IllegalMoveError("T2", "first each seat buries a card, then cards are played")
        if move.card not in self.hands[self.to_act]:
            raise IllegalMoveError("T2" if self.is_burying else "T4", "the card is not in the hand")
        return self.to_act

    def _bury(self, seat: Seat, card: int) -> list[Event]:
        self.hands[seat].remove(card)
        self.buried[seat] = card
        events: list[Event] = [Buried(seat, card)]
        if not self.is_burying:
            self._deal_stock(events)
        self.to_act = Seat((seat + 1) % self.seats)
        return events

    def _deal_stock(self, events: list[Event]) -> None:
        self.stock = self.chance.shuffle("stock", self.stock)
        events.append(StockShuffled(tuple(self.stock)))
        for seat in range(self.seats):
            card = self.stock.pop(0)
            self.hands[seat] = sorted([*self.hands[seat], card])
            events.append(Drawn(Seat(seat), card))

    def _play(self, seat: Seat, card: int) -> list[Event]:
        self.hands[seat].remove(card)
        self.trick.append(card)
        events: list[Event] = [Played(seat, card)]
        if len(self.trick) < self.seats:
            self.to_act = Seat((seat + 1) % self.seats)
            return events
        values = [value_of(played) for played in self.trick]
        winner = Seat((self.leader + values.index(max(values))) % self.seats)
        self.points[winner] += 1
        self.gone += self.trick
        self.trick = []
        self.leader = winner
        self.to_act = winner if self.hands[winner] else None
        events.append(TrickWon(winner))
        return events

    def observe(self, seat: Seat | None) -> Observation:
        return Observation(
            seat=seat,
            to_act=self.to_act,
            hand=() if seat is None else tuple(self.hands[seat]),
            buried=None if seat is None else self.buried[seat],
            has_buried=tuple(card is not None for card in self.buried),
            hand_sizes=tuple(map(len, self.hands)),
            stock_size=len(self.stock),
            leader=self.leader,
            trick=tuple(self.trick),
            gone=tuple(self.gone),
            points=tuple(self.points),
        )

    def default_move(self) -> Move:
        moves = self.legal_moves()
        if not moves:
            raise IllegalMoveError("T4", "the match is over")
        return moves[0]

    def outcome(self) -> Outcome:
        if self.to_act is not None:
            raise MatchNotOverError("the match is not over")
        return Outcome(tuple(self.points), ranks_of(self.points))

    def copy(self) -> ToyState:
        twin = type(self)(self.hands, self.stock, self.chance.copy())
        twin.buried = self.buried[:]
        twin.trick = self.trick[:]
        twin.gone = self.gone[:]
        twin.points = self.points[:]
        twin.leader = self.leader
        twin.to_act = self.to_act
        return twin

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        return Counter(CARDS[card] for card in self.hands[seat])

    def inventory(self) -> Mapping[str, int]:
        return Counter(CARDS[card] for place in self._places() for card in place)

    def _places(self) -> Iterator[Sequence[int]]:
        yield from self.hands
        yield [card for card in self.buried if card is not None]
        yield from (self.stock, self.trick, self.gone)


class ToyGame(Game[Setup, Move, Observation]):
    """The rules T1 to T4; a subclass may bring another state."""

    name = "highcard"
    title = "High Card"
    table_sizes = (3, 4)
    kinds = KINDS
    state_class: type[ToyState] = ToyState

    options: Mapping[str, Json] = MappingProxyType({})

    def configure(self, options: Mapping[str, Json]) -> ToyGame:
        self.check_options(options)
        return self

    def setup(self, seed: bytes, seats: int) -> Setup:
        self.check_table(seats)
        cards = SeededChance(seed).shuffle("deal", range(len(CARDS)))
        hands = tuple(tuple(cards[DEALT * seat : DEALT * (seat + 1)]) for seat in range(seats))
        return Setup(hands, tuple(cards[DEALT * seats :]))

    def start(self, setup: Setup, chance: Chance) -> ToyState:
        return self.state_class(setup.hands, setup.stock, chance)

    def relabelings(self) -> Sequence[Labels]:
        return ((0, 1), (1, 0))

    def relabel(self, setup: Setup, labels: Labels) -> Setup:
        def rename(cards: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(labels[card // VALUES] * VALUES + card % VALUES for card in cards)

        return Setup(tuple(map(rename, setup.hands)), rename(setup.stock))

    def determinize(self, observation: Observation, rng: Random) -> ToyState:
        return self._sample(observation, rng, None, SeededChance(rng.randbytes(32)))

    def redeal(self, state: State[Move, Observation], seat: Seat | None, rng: Random) -> ToyState:
        assert isinstance(state, ToyState)
        return self._sample(state.observe(seat), rng, state.stock, state.chance.copy())

    def _sample(
        self, seen: Observation, rng: Random, stock: Sequence[int] | None, chance: Chance
    ) -> ToyState:
        known = {*seen.hand, *seen.trick, *seen.gone, seen.buried, *(stock or ())}
        pool = [card for card in range(len(CARDS)) if card not in known]
        rng.shuffle(pool)
        hands: list[Sequence[int]] = []
        buried: list[int | None] = []
        for seat, size in enumerate(seen.hand_sizes):
            if seat == seen.seat:
                hands.append(seen.hand)
                buried.append(seen.buried)
                continue
            hands.append([pool.pop() for _ in range(size)])
            buried.append(pool.pop() if seen.has_buried[seat] else None)
        state = self.state_class(hands, pool if stock is None else stock, chance)
        state.buried = buried
        state.trick = list(seen.trick)
        state.gone = list(seen.gone)
        state.points = list(seen.points)
        state.leader = seen.leader
        state.to_act = seen.to_act
        return state

    def public_move(self, move: Move) -> dict[str, Json]:
        return {"type": "bury"} if isinstance(move, Bury) else self.move_to_json(move)

    def move_to_json(self, move: Move) -> dict[str, Json]:
        assert isinstance(move, Bury | Play)
        return {"type": type(move).__name__.lower(), "card": CARDS[move.card]}

    def move_from_json(self, value: object) -> Move:
        fields = read_object(value, "the move", ("type", "card"))
        kind = read_text(fields["type"], "type")
        if kind not in MOVES:
            raise FormatError(f"{kind!r} is not a move of High Card")
        return MOVES[kind](read_name(fields["card"], "card", CARD_BY_NAME))

    def move_to_text(self, move: Move) -> str:
        return " ".join(map(str, self.move_to_json(move).values()))

    def move_from_text(self, text: str) -> Move:
        return self.move_from_json(dict(zip(("type", "card"), text.split(), strict=False)))

    def setup_to_json(self, setup: Setup) -> dict[str, Json]:
        return {
            "hands": [[CARDS[card] for card in hand] for hand in setup.hands],
            "stock": [CARDS[card] for card in setup.stock],
        }

    def setup_from_json(self, value: object, seats: int) -> Setup:
        self.check_table(seats)
        fields = read_object(value, "setup", ("hands", "stock"))
        hands = tuple(
            tuple(read_names(hand, "setup.hands", CARD_BY_NAME))
            for hand in read_list(fields["hands"], "setup.hands")
        )
        stock = tuple(read_names(fields["stock"], "setup.stock", CARD_BY_NAME))
        if [len(hand) for hand in hands] != [DEALT] * seats:
            raise FormatError(f"setup must have {seats} hands of {DEALT} cards (T1)")
        if sorted([*stock, *(card for hand in hands for card in hand)]) != [*range(len(CARDS))]:
            raise FormatError("setup must have each card once (T1)")
        return Setup(hands, stock)

    def chance_to_json(self, event: Event) -> dict[str, Json] | None:
        if isinstance(event, StockShuffled) and event.order is not None:
            return {"what": "shuffle", "order": [CARDS[card] for card in event.order]}
        return None

    def chance_from_json(self, value: Mapping[str, object]) -> tuple[str, tuple[int, ...]]:
        fields = read_object(value, "the shuffle", ("what", "order"))
        if fields["what"] != "shuffle":
            raise FormatError("only a shuffle is left to chance")
        return "shuffle stock", tuple(read_names(fields["order"], "order", CARD_BY_NAME))

    def tell(self, event: Event, names: Sequence[str]) -> str:
        match event:
            case Buried(seat, card):
                return f"{names[seat]} buries {'a card' if card is None else CARDS[card]}."
            case StockShuffled():
                return "The stock is shuffled."
            case Drawn(seat, card):
                return f"{names[seat]} draws {'a card' if card is None else CARDS[card]}."
            case Played(seat, card):
                return f"{names[seat]} plays {CARDS[card]}."
            case TrickWon(seat):
                return f"{names[seat]} wins the trick."
        raise TypeError(f"{event!r} is not an event of High Card")

    def show_table(self, observation: Observation, names: Sequence[str]) -> str:
        trick = " ".join(CARDS[card] for card in observation.trick)
        points = ", ".join(
            f"{name} {won}" for name, won in zip(names, observation.points, strict=True)
        )
        return f"Trick: {trick}\nPoints: {points}"

    def show_hand(self, observation: Observation) -> str:
        return f"Hand: {' '.join(CARDS[card] for card in observation.hand)}"
