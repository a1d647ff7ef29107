"""The start of a match of Schwarzmarkt (S2): dealing, renaming, reading and writing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from arena.errors import FormatError
from arena.games.counts import Counts, pack, unpack
from arena.games.fields import read_list, read_names, read_object
from arena.games.game import Json, Labels
from arena.games.schwarzmarkt.material import (
    GOOD_BY_NAME,
    GOODS,
    HAND_CARDS,
    HAND_GOODS,
    Material,
    offer_name,
)
from arena.games.schwarzmarkt.rules import BLACK_MARKET_PILE, GOODS_PILE
from arena.games.shuffle import SeededChance


@dataclass(frozen=True, slots=True)
class Setup:
    """Hands and piles; piles are top first."""

    hands: tuple[tuple[int, ...], ...]
    black_market_hands: tuple[tuple[int, ...], ...]
    goods_pile: tuple[int, ...]
    black_market_pile: tuple[int, ...]


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


def relabel_setup(material: Material, setup: Setup, labels: Labels) -> Setup:
    """Return the set-up with every good renamed, on goods cards and offers alike."""
    image = tuple(
        material.card_by_name[offer_name(_renamed(card.demand, labels))] if card.demand else number
        for number, card in enumerate(material.cards)
    )

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


def setup_to_json(material: Material, setup: Setup) -> dict[str, Json]:
    """Return the set-up as written in a replay."""

    def cards_of(cards: tuple[int, ...]) -> list[str]:
        return [material.cards[card].name for card in cards]

    return {
        "hands": [[GOODS[good] for good in hand] for hand in setup.hands],
        "black_market_hands": [cards_of(hand) for hand in setup.black_market_hands],
        "goods_pile": [GOODS[good] for good in setup.goods_pile],
        "black_market_pile": cards_of(setup.black_market_pile),
    }


def setup_from_json(material: Material, value: object, seats: int) -> Setup:
    """Return the set-up a replay writes; raises FormatError unless S1 and S2 hold."""
    names = ("hands", "black_market_hands", "goods_pile", "black_market_pile")
    fields = read_object(value, "setup", names)
    cards_by_name = material.card_by_name
    goods = _read_hands(fields["hands"], "hands", seats, HAND_GOODS, GOOD_BY_NAME)
    cards = _read_hands(
        fields["black_market_hands"], "black_market_hands", seats, HAND_CARDS, cards_by_name
    )
    goods_pile = tuple(read_names(fields["goods_pile"], "setup.goods_pile", GOOD_BY_NAME))
    card_pile = tuple(
        read_names(fields["black_market_pile"], "setup.black_market_pile", cards_by_name)
    )
    _check_deck((*goods, goods_pile), material.goods_cards(), lambda good: GOODS[good])
    _check_deck(
        (*cards, card_pile), material.black_market_cards(), lambda card: material.cards[card].name
    )
    return Setup(goods, cards, goods_pile, card_pile)


def _read_hands(
    value: object, name: str, seats: int, number: int, by_name: Mapping[str, int]
) -> tuple[tuple[int, ...], ...]:
    hands = tuple(
        tuple(read_names(hand, f"setup.{name}[{seat}]", by_name))
        for seat, hand in enumerate(read_list(value, f"setup.{name}"))
    )
    if len(hands) != seats:
        raise FormatError(f"setup.{name} must have {seats} hands, not {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != number:
            raise FormatError(
                f"setup.{name}[{seat}] must have {number} cards, not {len(hand)} (S2.1)"
            )
    return hands


def _check_deck(
    places: Sequence[tuple[int, ...]], deck: tuple[int, ...], name_of: Callable[[int], str]
) -> None:
    found = Counter(card for cards in places for card in cards)
    expected = Counter(deck)
    for card in sorted(set(found) | set(expected)):
        if found[card] != expected[card]:
            raise FormatError(
                f"setup has {found[card]} × {name_of(card)} instead of {expected[card]} (S1)"
            )
