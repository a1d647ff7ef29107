"""What happens in Byzanz. All of it is public but the face of a discarded card (B6.2)."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.byzanz.moves import AnyCards, Card, Kind
from arena.games.game import PrivateEvent, PublicEvent, Seat


@dataclass(slots=True)
class LotTurned(PublicEvent):
    """Cards were turned over for an auction (B3.1); `round` counts from 1."""

    round: int
    offer: int
    cards: AnyCards


@dataclass(slots=True)
class BidLaid(PublicEvent):
    """A seat added cards to its bid (B3.5); `total` is the bid's value now."""

    seat: Seat
    cards: AnyCards
    total: int


@dataclass(slots=True)
class Passed(PublicEvent):
    """A seat left the auction and took its laid cards back (B3.6)."""

    seat: Seat
    taken_back: AnyCards


@dataclass(slots=True)
class AuctionWon(PublicEvent):
    """A bid stood; its cards went to the market (B3.8)."""

    seat: Seat
    paid: AnyCards


@dataclass(slots=True)
class LotTaken(PublicEvent):
    """A seat took the lot but `given`, which went to the market, and the offer card.

    `given` is empty when everybody passed (B3.9); `taken` is empty for a last lot of one (B3.10).
    """

    seat: Seat
    offer: int
    taken: AnyCards
    given: AnyCards


@dataclass(slots=True)
class KindTaken(PublicEvent):
    """A seat took all cards of a kind from the market (B4.1)."""

    seat: Seat
    kind: Kind
    cards: AnyCards


@dataclass(slots=True)
class MarketCleared(PublicEvent):
    """The rest of the market left the game and the offer cards went back (B4.3)."""

    cards: AnyCards


@dataclass(slots=True)
class Sold(PublicEvent):
    """A seat sold three cards and kept one of them as profit (B5)."""

    seat: Seat
    cards: AnyCards
    kept: Card


@dataclass(slots=True)
class Discarded(PrivateEvent):
    """A seat put a card out of the game; only itself knows which (B6.2)."""

    seat: Seat
    card: Card | None


@dataclass(slots=True)
class SalesEnded(PublicEvent):
    """A seat ended its final sales (B7.1)."""

    seat: Seat
