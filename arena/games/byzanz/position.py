"""Where everything lies in a match of Byzanz: the data behind the rules, copied and observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Self

from mypy_extensions import mypyc_attr

from arena.games.byzanz.cards import CARD_NAMES, names_of
from arena.games.byzanz.observation import ByzanzPhase, Observation
from arena.games.counts import Counts, count, types
from arena.games.game import Move, Seat, State
from arena.games.ledger import EMPTY, Ledger
from arena.games.tuples import new_record


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class ByzanzPosition(State[Move, Observation]):
    """All that is so at one moment of a match: data, without a rule of play."""

    __slots__ = (
        "deck",
        "discards",
        "drawn",
        "face_down",
        "first_passer",
        "hands",
        "high",
        "kept",
        "known",
        "laid",
        "leader",
        "lot",
        "market",
        "offer",
        "offers",
        "out",
        "passed",
        "phase",
        "points",
        "removed",
        "round",
        "seats",
        "speaker",
        "takes",
        "to_act",
    )

    seats: int
    to_act: Seat | None
    points: tuple[int, ...]

    def __init__(self, hands: Sequence[Counts], removed: Counts, deck: Sequence[int]) -> None:
        """Put everything where it lies before the first lot is turned over."""
        self.seats = seats = len(hands)
        self.hands = list(hands)
        self.removed = removed
        self.deck = tuple(deck)  # first drawn first
        self.drawn = 0  # how many of the deck have been turned over
        self.discards: list[Counts] = [0] * seats
        self.known: list[Ledger] = [EMPTY] * seats
        self.laid: list[Counts] = [0] * seats
        self.passed = (False,) * seats
        self.offers = (0,) * seats
        self.kept: tuple[Counts, ...] = (0,) * seats
        self.points = (0,) * seats
        self.face_down = (0,) * seats
        self.out: Counts = 0
        self.market: Counts = 0
        self.lot: Counts = 0
        self.offer = 0  # the offer card that sizes the lot; 0 when there is none
        self.high = 0
        self.leader: Seat | None = None
        self.first_passer: Seat | None = None
        self.speaker = Seat(0)  # B2.3
        self.takes = 0
        self.round = 1
        self.phase = ByzanzPhase.AUCTION
        self.to_act = None

    def observe(self, seat: Seat | None) -> Observation:
        fields = (
            seat,
            self.to_act,
            self.phase,
            self.round,
            len(self.deck) - self.drawn,
            0 if seat is None else self.hands[seat],
            0 if seat is None else self.discards[seat],
            self.lot,
            self.market,
            self.offer,
            self.speaker,
            self.high,
            self.leader,
            self.first_passer,
            self.takes,
            tuple([hand % 255 for hand in self.hands]),  # size(), inlined: the hottest line
            tuple(self.known),
            tuple(self.laid),
            self.passed,
            self.offers,
            self.kept,
            self.points,
            self.face_down,
            self.out,
        )
        return new_record(Observation, fields)

    def copy(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.seats = self.seats
        twin.hands = self.hands[:]
        twin.removed = self.removed
        twin.deck = self.deck
        twin.drawn = self.drawn
        twin.discards = self.discards[:]
        twin.known = self.known[:]
        twin.laid = self.laid[:]
        twin.passed = self.passed
        twin.offers = self.offers
        twin.kept = self.kept
        twin.points = self.points
        twin.face_down = self.face_down
        twin.out = self.out
        twin.market = self.market
        twin.lot = self.lot
        twin.offer = self.offer
        twin.high = self.high
        twin.leader = self.leader
        twin.first_passer = self.first_passer
        twin.speaker = self.speaker
        twin.takes = self.takes
        twin.round = self.round
        twin.phase = self.phase
        twin.to_act = self.to_act
        return twin

    def holdings(self, seat: Seat) -> Mapping[str, int]:
        return Counter(names_of(self.hands[seat]))

    def inventory(self) -> Mapping[str, int]:
        everything: Counter[int] = Counter(self.deck[self.drawn :])
        for cards in (
            *self.hands,
            *self.discards,
            *self.laid,
            *self.kept,
            self.removed,
            self.out,
            self.market,
            self.lot,
        ):
            for card in types(cards):
                everything[card] += count(cards, card)
        return {CARD_NAMES[card]: number for card, number in sorted(everything.items())}
