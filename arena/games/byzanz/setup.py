"""The start of a match of Byzanz (B2): dealing, renaming, reading and writing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arena.errors import FormatError
from arena.games.byzanz.cards import CARD_BY_NAME, CARD_NAMES, DECK, KINDS, TRADER, VALUES
from arena.games.byzanz.rules import DEALT_CARDS, TABLES
from arena.games.counts import unpack
from arena.games.fields import read_list, read_names, read_object
from arena.games.game import Json, Labels
from arena.games.shuffle import SeededChance


@dataclass(frozen=True, slots=True)
class Setup:
    """Who holds what, what was removed unseen, and the deck, first drawn first."""

    hands: tuple[tuple[int, ...], ...]
    removed: tuple[int, ...]
    deck: tuple[int, ...]


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
    """Return the set-up with every kind renamed; traders stay traders."""
    image = (*(labels[kind] * len(VALUES) + v for kind in range(len(KINDS)) for v in range(4)),)
    image = (*image, TRADER)

    def rename(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(image[card] for card in cards)

    return Setup(tuple(map(rename, setup.hands)), rename(setup.removed), rename(setup.deck))


def setup_to_json(setup: Setup) -> dict[str, Json]:
    """Return the set-up as written in a replay."""
    return {
        "hands": [[CARD_NAMES[card] for card in hand] for hand in setup.hands],
        "removed": [CARD_NAMES[card] for card in setup.removed],
        "deck": [CARD_NAMES[card] for card in setup.deck],
    }


def setup_from_json(value: object, seats: int) -> Setup:
    """Return the set-up a replay writes; raises FormatError unless B1 and B2 hold."""
    fields = read_object(value, "setup", ("hands", "removed", "deck"))
    hands = tuple(
        tuple(read_names(hand, f"setup.hands[{seat}]", CARD_BY_NAME))
        for seat, hand in enumerate(read_list(fields["hands"], "setup.hands"))
    )
    removed = tuple(read_names(fields["removed"], "setup.removed", CARD_BY_NAME))
    deck = tuple(read_names(fields["deck"], "setup.deck", CARD_BY_NAME))
    if len(hands) != seats:
        raise FormatError(f"setup.hands must have {seats} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != DEALT_CARDS:
            raise FormatError(
                f"setup.hands[{seat}] must have {DEALT_CARDS} cards, not {len(hand)} (B2.1)"
            )
    if len(removed) != TABLES[seats].removed:
        raise FormatError(
            f"setup.removed must have {TABLES[seats].removed} cards, not {len(removed)} (B2)"
        )
    found = Counter(card for cards in (*hands, removed, deck) for card in cards)
    expected = Counter(unpack(DECK))
    for card in sorted(set(found) | set(expected)):
        if found[card] != expected[card]:
            raise FormatError(
                f"setup has {found[card]} × {CARD_NAMES[card]} instead of {expected[card]} (B1)"
            )
    return Setup(hands, removed, deck)
