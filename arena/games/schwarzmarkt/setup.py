"""The start of a match of Schwarzmarkt (S2): dealing, renaming, checking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from arena.games.counts import Counts, pack, unpack
from arena.games.fields import check_cards, check_hands
from arena.games.game import Labels
from arena.games.schwarzmarkt.material import (
    GOODS,
    HAND_CARDS,
    HAND_GOODS,
    Material,
    offer_name,
)
from arena.games.schwarzmarkt.moves import Card, Good
from arena.games.schwarzmarkt.rules import BLACK_MARKET_PILE, GOODS_PILE
from arena.games.shuffle import SeededChance


@dataclass(frozen=True, slots=True)
class Setup:
    """Hands and piles; piles are top first."""

    hands: tuple[tuple[Good, ...], ...]
    black_market_hands: tuple[tuple[Card, ...], ...]
    goods_pile: tuple[Good, ...]
    black_market_pile: tuple[Card, ...]


def deal_setup(material: Material, seed: bytes, seats: int) -> Setup:
    """Deal 9 goods and 3 black-market cards to each seat in turn from two shuffles (S2.1).

    The two shuffles are kinds of chance of their own, so that the later shuffles of the piles
    count from 0.
    """
    chance = SeededChance(seed)
    goods = tuple(chance.shuffle(f"deal:{GOODS_PILE}", material.goods_cards()))
    cards = tuple(chance.shuffle(f"deal:{BLACK_MARKET_PILE}", material.black_market_cards()))
    return Setup(
        hands=_hands(goods, seats, HAND_GOODS),
        black_market_hands=_hands(cards, seats, HAND_CARDS),
        goods_pile=goods[seats * HAND_GOODS :],
        black_market_pile=cards[seats * HAND_CARDS :],
    )


def _hands(cards: tuple[int, ...], seats: int, number: int) -> tuple[tuple[int, ...], ...]:
    return tuple(cards[seat * number : (seat + 1) * number] for seat in range(seats))


def find_relabelings(material: Material) -> tuple[Labels, ...]:
    """Return the renamings of goods that leave the deck and the set of offers as they are."""
    offers = frozenset((card.demand, card.copies) for card in material.cards if card.demand)
    return _symmetries(material.deck, offers)


@lru_cache(maxsize=16)
def _symmetries(deck: Counts, offers: frozenset[tuple[Counts, int]]) -> tuple[Labels, ...]:
    return tuple(
        labels
        for labels in permutations(range(len(GOODS)))
        if _renamed(deck, labels) == deck
        and {(_renamed(demand, labels), copies) for demand, copies in offers} == offers
    )


def _renamed(goods: Counts, labels: Labels) -> Counts:
    return pack(labels[good] for good in unpack(goods))


def rename_offers(material: Material, labels: Labels) -> tuple[int, ...]:
    """Return what every black-market card becomes when the goods are renamed."""
    return tuple(
        material.card_by_name[offer_name(_renamed(card.demand, labels))] if card.demand else number
        for number, card in enumerate(material.cards)
    )


def relabel_setup(setup: Setup, labels: Labels, image: tuple[int, ...]) -> Setup:
    """Return the set-up with every good renamed; `image` is what `rename_offers` says."""

    def rename_goods(goods: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(labels[good] for good in goods)

    def rename_cards(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(image[card] for card in cards)

    return Setup(
        hands=tuple(map(rename_goods, setup.hands)),
        black_market_hands=tuple(map(rename_cards, setup.black_market_hands)),
        goods_pile=rename_goods(setup.goods_pile),
        black_market_pile=rename_cards(setup.black_market_pile),
    )


def check_setup(material: Material, setup: Setup, seats: int) -> None:
    """Raise FormatError unless S1 and S2 hold."""
    goods, cards = setup.hands, setup.black_market_hands
    check_hands(goods, "setup.hands", seats, HAND_GOODS, "S2.1")
    check_hands(cards, "setup.black_market_hands", seats, HAND_CARDS, "S2.1")
    check_cards((*goods, setup.goods_pile), material.goods_cards(), GOODS, "S1")
    names = tuple(material.card_by_name)
    check_cards((*cards, setup.black_market_pile), material.black_market_cards(), names, "S1")
