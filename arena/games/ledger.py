"""What is known to lie in a hidden place, though cards may have left it unseen.

A ledger is a short tuple of tiers, oldest first. A tier says: these cards were seen to arrive and
not seen to leave, but since then up to `unseen` cards have left the place without being shown, and
any of them may have been one of these. A tier with `unseen == 0` is certain.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from arena.games.counts import Counts, contains, intersect, size
from arena.games.tuples import new_record


class Tier(NamedTuple):
    """Cards seen to arrive at about the same time, and how many left unseen since."""

    cards: Counts
    unseen: int


Ledger: TypeAlias = tuple[Tier, ...]

EMPTY: Final[Ledger] = ()


def arrive(ledger: Ledger, cards: Counts) -> Ledger:
    """Return the ledger after `cards` were seen to arrive."""
    if not cards:
        return ledger
    if ledger:
        known, unseen = ledger[-1]
        if unseen == 0:
            return (*ledger[:-1], new_record(Tier, (known + cards, 0)))
    return (*ledger, new_record(Tier, (cards, 0)))


def leave(ledger: Ledger, cards: Counts) -> Ledger:
    """Return the ledger after `cards` were seen to leave.

    The surest tier gives them up first: of two equal cards, one of which may be gone already,
    showing one leaves the doubtful one in doubt.
    """
    if not ledger:
        return ledger
    known, unseen = ledger[-1]
    if contains(known, cards):  # mostly, and then the other tiers stay as they are
        older = ledger[:-1]
        return older if known == cards else (*older, new_record(Tier, (known - cards, unseen)))
    left: list[Tier] = []
    for known, unseen in reversed(ledger):
        gone = intersect(known, cards)
        cards -= gone
        if known != gone:
            left.append(new_record(Tier, (known - gone, unseen)))
    left.reverse()
    return tuple(left)


def slip(ledger: Ledger, number: int) -> Ledger:
    """Return the ledger after `number` cards left unseen."""
    if not number:
        return ledger
    return tuple([new_record(Tier, (cards, unseen + number)) for cards, unseen in ledger])


def prune(ledger: Ledger) -> Ledger:
    """Return the ledger without the tiers of which nothing is sure any more."""
    return tuple([tier for tier in ledger if tier.unseen < size(tier.cards)])


def certain(ledger: Ledger) -> Counts:
    """Return the cards that must still be there."""
    return ledger[-1].cards if ledger and ledger[-1].unseen == 0 else 0


def mentioned(ledger: Ledger) -> Counts:
    """Return every card of the ledger, sure or not."""
    cards: Counts = 0
    for tier in ledger:
        cards += tier.cards
    return cards
