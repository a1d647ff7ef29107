"""All that one seat may know in Byzanz."""

from __future__ import annotations

import enum
from typing import NamedTuple

from arena.games.byzanz.moves import AnyCards
from arena.games.game import Seat
from arena.games.ledger import Ledger


class ByzanzPhase(enum.IntEnum):
    """What the seat to act decides about."""

    AUCTION = 1  # bid or pass
    GIVE = 2  # which card of the lot goes to the market
    TAKE = 3  # which kind to take from the market
    LIMIT = 4  # sell or discard down to seven
    FINAL = 5  # last sales
    OVER = 6


class Observation(NamedTuple):
    """All that `seat` may know now; tuples are indexed by seat.

    A NamedTuple rather than a dataclass because one is built for every decision: it costs a
    third.
    """

    seat: Seat | None
    to_act: Seat | None
    phase: ByzanzPhase
    round: int  # from 1
    deck_size: int
    hand: AnyCards  # own; empty for the public
    own_discards: AnyCards  # what the seat itself put out of the game face down
    lot: AnyCards  # up for auction, or won and still to be given from
    market: AnyCards
    offer: int  # the offer card of the auction running; 0 when none runs
    speaker: Seat  # who spoke first in this auction, or will in the next
    high: int  # highest bid so far in this auction; 0 when there is none
    leader: Seat | None  # who made it
    first_passer: Seat | None  # who passed first in this auction
    takes: int  # how many seats have had their turn at the market this round
    hand_sizes: tuple[int, ...]
    known: tuple[Ledger, ...]  # cards publicly known to be in each hand
    laid: tuple[AnyCards, ...]  # bid in this auction, not in the hand
    passed: tuple[bool, ...]  # out of this auction
    offers: tuple[int, ...]  # offer card held; 0 for none
    kept: tuple[AnyCards, ...]  # profit cards
    points: tuple[int, ...]
    face_down: tuple[int, ...]  # how many cards each seat discarded face down
    out: AnyCards  # publicly out of the game, profit cards not counted
