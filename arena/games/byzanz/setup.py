"""The start of a match of Byzanz (B2): dealing and checking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from arena.errors import FormatError
from arena.games.byzanz.cards import CARD_KIND, CARD_NAMES, DECK, TRADER_KIND, VALUES
from arena.games.byzanz.moves import Card
from arena.games.byzanz.rules import DEALT_CARDS, TABLES
from arena.games.counts import unpack
from arena.games.fields import check_cards, check_hands
from arena.games.game import Labels
from arena.games.shuffle import SeededChance


@dataclass(frozen=True, slots=True)
class Setup:
    """Who holds what, what was removed unseen, and the deck, first drawn first."""

    hands: tuple[tuple[Card, ...], ...]
    removed: tuple[Card, ...]
    deck: tuple[Card, ...]


@lru_cache(maxsize=16)  # one deal is played several times in a row, in other seatings
def deal_setup(seed: bytes, seats: int) -> Setup:
    """Deal from a shuffle of all cards: hands seat by seat, then the removed, then the deck."""
    cards = tuple(SeededChance(seed).shuffle("deck", unpack(DECK)))
    dealt = seats * DEALT_CARDS
    removed = dealt + TABLES[seats].removed
    return Setup(
        hands=tuple(cards[start : start + DEALT_CARDS] for start in range(0, dealt, DEALT_CARDS)),
        removed=cards[dealt:removed],
        deck=cards[removed:],
    )


def relabel_setup(setup: Setup, labels: Labels) -> Setup:
    """Return the set-up with every kind renamed; a trader is of none."""
    kinds = (*labels, TRADER_KIND)
    image = [card + (kinds[kind] - kind) * len(VALUES) for card, kind in enumerate(CARD_KIND)]

    def rename(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([image[card] for card in cards])

    return Setup(tuple(map(rename, setup.hands)), rename(setup.removed), rename(setup.deck))


def check_setup(setup: Setup, seats: int) -> None:
    """Raise FormatError unless B1 and B2 hold."""
    check_hands(setup.hands, "setup.hands", seats, DEALT_CARDS, "B2.1")
    number = TABLES[seats].removed
    if len(setup.removed) != number:
        raise FormatError(f"setup.removed must have {number} cards, not {len(setup.removed)} (B2)")
    places = (*setup.hands, setup.removed, setup.deck)
    check_cards(places, unpack(DECK), CARD_NAMES, "B1")
