"""The moves of Schwarzmarkt. Cards are numbers of the material, goods numbers or `Counts`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from arena.games.counts import MAX_COUNT, MAX_TYPES, Counts, size, submultisets
from arena.games.game import Move, Seat
from arena.games.notation import Counted, Named
from arena.games.schwarzmarkt.material import GOODS

Card = Annotated[int, Named("card")]
Good = Annotated[int, Named("good")]
Goods = Annotated[Counts, Counted("good", at_least=1)]
AnyGoods = Annotated[Counts, Counted("good")]
AnyCards = Annotated[Counts, Counted("card")]


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a black-market card (S3.1).

    `target` and `goods` are set only where the card asks for them.
    """

    card: Card
    target: Seat | None = None
    goods: AnyGoods = 0


@dataclass(frozen=True, slots=True)
class Find(Move):
    """Take this good from the goods pile (S5, new_goods)."""

    good: Good


@dataclass(frozen=True, slots=True)
class Bury(Move):
    """Put a card under the pile, if you can play none (S3.3)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """Trade these goods at the current price (S4.2)."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class Step(Move):
    """Raise the price by so many spaces, without trading (S4.2)."""

    spaces: int


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """Do not trade although the price cannot rise (S4.3)."""


@dataclass(frozen=True, slots=True)
class Return(Move):
    """Return a surplus good before the next deal (S6.1)."""

    good: Good


HOLD = Hold()
FINDS = tuple(Find(good) for good in range(len(GOODS)))
RETURNS = tuple(Return(good) for good in range(len(GOODS)))
STEPS = tuple(Step(spaces) for spaces in range(1, MAX_COUNT + 1))
"""STEPS[:furthest] are the steps from 1 to `furthest`."""
PLAYS = tuple(Play(card) for card in range(MAX_TYPES))
"""PLAYS[card] plays a card that asks for nothing else."""


@lru_cache(maxsize=1 << 12)
def trades_of(goods: Counts, most: int) -> tuple[Trade, ...]:
    """Return every trade of 1 to `most` of these goods."""
    return tuple(Trade(part) for part in submultisets(goods) if 0 < size(part) <= most)


@lru_cache(maxsize=1 << 12)
def foragings_of(card: int, goods: Counts, most: int) -> tuple[Play, ...]:
    """Return every way to play foraging: laying aside 1 to `most` of these goods (S5)."""
    return tuple(Play(card, None, part) for part in submultisets(goods) if 0 < size(part) <= most)


@lru_cache(maxsize=1 << 10)
def play_at(card: int, target: Seat) -> Play:
    """Return the ready-made move that plays a card against a seat."""
    return Play(card, target)


@lru_cache(maxsize=1 << 8)
def bury(card: int) -> Bury:
    """Return the ready-made move that buries a card."""
    return Bury(card)
