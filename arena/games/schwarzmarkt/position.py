"""Where everything lies in a match of Schwarzmarkt, and who knows what of it: data, no rules.

What a seat learns in secret is kept beside the cards themselves (`pile_known`, `hands_known`), so
that an observation needs no history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Self

from mypy_extensions import mypyc_attr

from arena.games.counts import Counts, unpack
from arena.games.game import Move, Seat, State
from arena.games.ledger import EMPTY, Ledger
from arena.games.schwarzmarkt.material import GOODS, MOST_SEATS, Material
from arena.games.schwarzmarkt.observation import Observation, OpenCard, SchwarzmarktPhase
from arena.games.shuffle import Chance
from arena.games.tuples import new_record

_NOTHING_KNOWN: Final = tuple((EMPTY,) * seats for seats in range(MOST_SEATS + 1))


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class SchwarzmarktPosition(State[Move, Observation]):
    """All that is so at one moment of a match: data, without a rule of play."""

    __slots__ = (
        "black_market_pile",
        "cards",
        "cards_dealt_with",
        "chance",
        "demand",
        "game_round",
        "goods",
        "goods_pile",
        "hands_known",
        "idle_rounds",
        "luxury",
        "marker",
        "material",
        "offer",
        "open_cards",
        "phase",
        "pile_known",
        "resolving",
        "seats",
        "seen_cards",
        "start",
        "to_act",
        "traded",
        "traders",
    )

    seats: int
    to_act: Seat | None

    def __init__(
        self,
        material: Material,
        goods: Sequence[Counts],
        cards: Sequence[Counts],
        piles: tuple[Sequence[int], Sequence[int]],
        chance: Chance,
    ) -> None:
        """Start from hands of goods and of black-market cards and the two piles, top first."""
        self.material = material
        self.chance = chance
        self.seats = seats = len(goods)
        self.goods = list(goods)
        self.cards = list(cards)
        self.goods_pile = list(piles[0])
        self.black_market_pile = list(piles[1])
        self.luxury = [0] * seats
        self.game_round = 1
        self.phase = SchwarzmarktPhase.PLAY
        self.start = Seat(0)  # S2.2
        self.to_act = Seat(0)
        self.marker = 0
        self.offer: int | None = None
        self.resolving: int | None = None
        self.demand: Counts = 0
        self.traded: tuple[int, ...] = ()
        self.traders = (False,) * seats
        self.open_cards: tuple[OpenCard, ...] = ()
        self.seen_cards: Counts = 0
        self.cards_dealt_with = 0
        self.idle_rounds = 0
        self.pile_known: list[Ledger] = [EMPTY] * (seats + 1)  # by seat; the last is the public's
        self.hands_known: dict[tuple[int, int], Ledger] = {}  # (who knows, whose hand)

    def observe(self, seat: Seat | None) -> Observation:
        fields = (
            seat,
            self.to_act,
            self.phase,
            self.game_round,
            self.start,
            0 if seat is None else self.goods[seat],
            0 if seat is None else self.cards[seat],
            self.marker,
            self.offer,
            self.resolving,
            self.demand,
            self.traded,
            self.open_cards,
            self.traders,
            tuple([goods % 255 for goods in self.goods]),  # size(), inlined: the hottest line
            tuple(self.luxury),
            len(self.goods_pile),
            len(self.black_market_pile),
            self.pile_known[-1 if seat is None else seat],
            self._hands_known_to(seat),
            self.seen_cards,
            self.cards_dealt_with,
            self.idle_rounds,
        )
        return new_record(Observation, fields)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.material = self.material
        twin.chance = self.chance.copy()
        twin.seats = self.seats
        twin.goods = self.goods[:]
        twin.cards = self.cards[:]
        twin.goods_pile = self.goods_pile[:]
        twin.black_market_pile = self.black_market_pile[:]
        twin.luxury = self.luxury[:]
        twin.game_round = self.game_round
        twin.phase = self.phase
        twin.start = self.start
        twin.to_act = self.to_act
        twin.marker = self.marker
        twin.offer = self.offer
        twin.resolving = self.resolving
        twin.demand = self.demand
        twin.traded = self.traded
        twin.traders = self.traders
        twin.open_cards = self.open_cards
        twin.seen_cards = self.seen_cards
        twin.cards_dealt_with = self.cards_dealt_with
        twin.idle_rounds = self.idle_rounds
        twin.pile_known = self.pile_known[:]
        twin.hands_known = self.hands_known.copy()
        return twin

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        """Return the goods and black-market cards in a seat's hands by name."""
        held = Counter(GOODS[good] for good in unpack(self.goods[seat]))
        held.update(self.material.cards[card].name for card in unpack(self.cards[seat]))
        return held

    def inventory(self) -> Mapping[str, int]:
        """Return every goods and black-market card by name, wherever it lies."""
        everything: Counter[str] = Counter()
        goods = [*self.goods_pile, *self.traded]
        cards = [*self.black_market_pile, *(open_card.card for open_card in self.open_cards)]
        cards += [card for card in (self.offer, self.resolving) if card is not None]
        for seat in range(self.seats):
            goods += unpack(self.goods[seat])
            cards += unpack(self.cards[seat])
        everything.update(GOODS[good] for good in goods)
        everything.update(self.material.cards[card].name for card in cards)
        return dict(sorted(everything.items()))

    def _hands_known_to(self, seat: Seat | None) -> tuple[Ledger, ...]:
        if not self.hands_known or seat is None:
            return _NOTHING_KNOWN[self.seats]
        return tuple([self.hands_known.get((seat, owner), EMPTY) for owner in range(self.seats)])
