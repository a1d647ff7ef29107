"""The moves of Byzanz. Each is a value; those without choice exist once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from arena.games.counts import Counts
from arena.games.game import Move
from arena.games.notation import Counted, Named

Card = Annotated[int, Named("card")]
Kind = Annotated[int, Named("kind")]
Cards = Annotated[Counts, Counted("card", at_least=1)]
AnyCards = Annotated[Counts, Counted("card")]


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Leave the auction and take your bid back (B3.6)."""


@dataclass(frozen=True, slots=True)
class Bid(Move):
    """Add these goods to your bid (B3.5)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Give(Move):
    """Put this card of your lot on the market (B3.8, B3.10)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take all cards of this kind from the market (B4.1)."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Sell(Move):
    """Sell these three cards (B5)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Put this card out of the game, face down (B6)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Done(Move):
    """End your final sales (B7.1)."""


class _ReadyBids(dict[Counts, Bid]):
    """Bids made once and used again: finding one costs a sixth of making it, and most come again.

    Emptied when full, so that it cannot grow for ever. It is full before a thousand matches: an
    arena's memory stays as it is from then on, and eight times as many would find little more.
    """

    MOST = 1 << 13

    def __missing__(self, cards: Counts) -> Bid:
        if len(self) >= self.MOST:
            self.clear()
        bid = self[cards] = Bid(cards)
        return bid


BIDS = _ReadyBids()
PASS = Pass()
DONE = Done()
GIVES = tuple(Give(card) for card in range(25))
TAKES = tuple(Take(kind) for kind in range(7))
DISCARDS = tuple(Discard(card) for card in range(25))
