"""What happens in Schwarzmarkt, each with who may see it (rules, "What each seat may see")."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.game import PrivateEvent, PublicEvent, Seat, Shuffled
from arena.games.schwarzmarkt.moves import AnyGoods, Card, Good


@dataclass(slots=True)
class CardPlayed(PublicEvent):
    """A seat played a black-market card (S3.1)."""

    seat: Seat
    card: Card
    target: Seat | None


@dataclass(slots=True)
class CardBuried(PublicEvent):
    """A seat could play nothing and put a card, shown, under the pile (S3.3)."""

    seat: Seat
    card: Card


@dataclass(slots=True)
class CardDrawn(PrivateEvent):
    """A seat drew a new black-market card; only itself sees which."""

    seat: Seat
    card: Card | None


@dataclass(slots=True)
class Traded(PublicEvent):
    """A seat traded goods for `price` each (S4.2)."""

    seat: Seat
    goods: AnyGoods
    price: int


@dataclass(slots=True)
class MarkerMoved(PublicEvent):
    """The marker moved to `space`."""

    seat: Seat
    space: int


@dataclass(slots=True)
class Held(PublicEvent):
    """A seat let the last chance to trade go (S4.3)."""

    seat: Seat


@dataclass(slots=True)
class ExchangeEnded(PublicEvent):
    """An exchange round ended; `left` was still wanted (S4.3)."""

    left: AnyGoods


@dataclass(slots=True)
class GoodDrawn(PrivateEvent):
    """old_debt: a card drawn at random changed hands; only the two seats see it (S5)."""

    by_chance = True
    shown = ("seat", "victim")

    seat: Seat
    victim: Seat
    good: Good | None

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        return (self.seat, self.victim)


@dataclass(slots=True)
class PileSearched(PrivateEvent):
    """new_goods: a seat paid 5 and was shown the counts of the goods pile (S5)."""

    seat: Seat
    goods: AnyGoods | None


@dataclass(slots=True)
class GoodFound(PrivateEvent):
    """new_goods: the seat took a card it named; only itself knows which (S5)."""

    seat: Seat
    good: Good | None


@dataclass(slots=True)
class PileShuffled(Shuffled):
    """A pile was shuffled; nobody sees the order, which is there for the replay alone."""

    shown = ("pile",)

    pile: str
    order: tuple[int, ...] | None


@dataclass(slots=True)
class Foraged(PrivateEvent):
    """foraging: a seat exchanged cards with the pile; the others see only how many (S5)."""

    shown = ("seat", "number")

    seat: Seat
    number: int
    laid: AnyGoods | None
    drawn: AnyGoods | None


@dataclass(slots=True)
class ProtectionPaid(PublicEvent):
    """protection: the victim paid the seat (S5)."""

    seat: Seat
    victim: Seat
    amount: int


@dataclass(slots=True)
class GameRoundEnded(PublicEvent):
    """A game round ended (S4.4, S6.4); `game_round` is 1 or 2."""

    game_round: int


@dataclass(slots=True)
class GoodReturned(PrivateEvent):
    """A seat with more than 9 goods put one back; only itself knows which (S6.1)."""

    seat: Seat
    good: Good | None


@dataclass(slots=True)
class GoodsDealt(PrivateEvent):
    """A seat was filled up to 9 goods; only itself sees them (S6.1)."""

    shown = ("seat", "number")

    seat: Seat
    number: int
    goods: AnyGoods | None
