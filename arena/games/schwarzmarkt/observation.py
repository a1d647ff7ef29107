"""All that one seat may know in Schwarzmarkt."""

from __future__ import annotations

import enum
from typing import NamedTuple

from arena.games.game import Seat
from arena.games.ledger import Ledger
from arena.games.schwarzmarkt.moves import AnyCards, AnyGoods, Card, Good


class SchwarzmarktPhase(enum.IntEnum):
    """What the seat to act decides about."""

    PLAY = 1  # which black-market card to play, or to bury
    FIND = 2  # which good to take out of the pile (new_goods)
    EXCHANGE = 3  # trade, step or hold
    RETURN = 4  # which surplus good to give back
    OVER = 5


class OpenCard(NamedTuple):
    """A text card that lies open until the next exchange round ends."""

    card: Card
    target: Seat | None


class Observation(NamedTuple):
    """All that `seat` may know now; tuples are indexed by seat.

    A NamedTuple rather than a dataclass because one is built for every decision.
    """

    seat: Seat | None
    to_act: Seat | None
    phase: SchwarzmarktPhase
    game_round: int  # 1 or 2
    start: Seat  # who plays, or played last, a black-market card
    goods: AnyGoods  # own; empty for the public
    cards: AnyCards  # own black-market cards; empty for the public
    marker: int  # space of the track
    offer: Card | None  # the offer being exchanged
    resolving: Card | None  # a text card taking effect, not yet under the pile
    demand: AnyGoods  # goods still wanted
    traded: tuple[Good, ...]  # goods traded in this exchange round, in order
    open_cards: tuple[OpenCard, ...]  # text cards about the next or running exchange round
    traders: tuple[bool, ...]  # who has traded in this exchange round
    hand_sizes: tuple[int, ...]
    luxury: tuple[int, ...]
    goods_pile_size: int
    black_market_pile_size: int
    pile_known: Ledger  # goods the seat knows to be in the pile
    hands_known: tuple[Ledger, ...]  # goods the seat knows to be in each other hand
    seen_cards: AnyCards  # the types of black-market cards shown so far, each once
    cards_dealt_with: int  # black-market cards played or buried in this game round
    idle_rounds: int  # exchange rounds in a row without any trade
