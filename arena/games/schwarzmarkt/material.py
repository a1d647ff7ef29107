"""The material of Schwarzmarkt (S1), read from a card file and checked entry by entry."""

from __future__ import annotations

import enum
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice

from arena.errors import CardFileError
from arena.games.counts import MAX_COUNT, MAX_SIZE, MAX_TYPES, UNIT, Counts, types, unpack
from arena.games.game import Json

GOODS = ("potatoes", "butter", "sugar", "coffee", "flour")
GOOD_BY_NAME = {name: good for good, name in enumerate(GOODS)}
DECK_NAMES = ("basic", "uneven")

HAND_GOODS = 9
HAND_CARDS = 3
MOST_SEATS = 5


class Effect(enum.IntEnum):
    """What a text card does (S5); offers have none."""

    OLD_DEBT = 0
    NEW_GOODS = 1
    SCARCE_GOODS = 2
    FORAGING = 3
    PROTECTION = 4
    RAID = 5
    SLOW_TRADE = 6


TEXT_NAMES = tuple(effect.name.lower() for effect in Effect)
LASTING = frozenset({Effect.SCARCE_GOODS, Effect.RAID, Effect.SLOW_TRADE})
"""Cards about the next exchange round: they stay open until it ends."""


@dataclass(frozen=True, slots=True)
class Card:
    """A type of black-market card: an offer with its demand, or a text card with its effect."""

    name: str
    copies: int
    demand: Counts
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that is printed: the track, the black-market cards and the goods deck."""

    prices: tuple[int, ...]
    steps: tuple[int, ...]
    cards: tuple[Card, ...]
    card_by_name: Mapping[str, int]
    black_market: Counts  # every black-market card
    deck: Counts  # every goods card
    last_space: int

    def goods_cards(self) -> tuple[int, ...]:
        """Return every goods card, in canonical order."""
        return unpack(self.deck)

    def black_market_cards(self) -> tuple[int, ...]:
        """Return every black-market card: offers in the file's order, then texts in S5's."""
        return unpack(self.black_market)


def offer_name(demand: Counts) -> str:
    """Return the name of the offer that wants these goods: `offer:potatoes-2,butter-2`."""
    goods = unpack(demand)
    return "offer:" + ",".join(f"{GOODS[good]}-{goods.count(good)}" for good in types(demand))


@cache
def built_in_content() -> Mapping[str, Json]:
    """Return the content of the card file in the package."""
    file = resources.files(__package__).joinpath("cards.toml")
    return parse_card_file(file.read_text(encoding="utf-8"))


def parse_card_file(text: str) -> Mapping[str, Json]:
    """Return the content of a card file; raises CardFileError naming the line and the entry."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        raise CardFileError("", f"not valid TOML: {reason}", line) from None
    except ValueError as error:
        raise CardFileError("", f"not valid TOML: {error}", 1) from None
    except RecursionError:
        raise CardFileError("", "not valid TOML: nested too deeply", 1) from None
    try:
        for deck in DECK_NAMES:
            make_material(content, deck)
    except CardFileError as error:
        line = line_of_entry(text, error.entry)
        raise CardFileError(error.entry, error.reason, line) from None
    return content


def make_material(content: object, deck: str) -> Material:
    """Return the material that a card file's content describes, with the named deck."""
    file = _table(content, "", ("track", "offers", "texts", "decks"))
    prices, steps = _read_track(file["track"])
    cards = (*_read_offers(file["offers"]), *_read_texts(file["texts"]))
    _check_number_of_cards(cards)
    decks = _table(file["decks"], "decks", DECK_NAMES)
    goods = _read_deck(decks[deck], f"decks.{deck}")
    return Material(
        prices=prices,
        steps=steps,
        cards=cards,
        card_by_name={card.name: number for number, card in enumerate(cards)},
        black_market=sum(card.copies * UNIT[number] for number, card in enumerate(cards)),
        deck=goods,
        last_space=len(prices) - 1,
    )


def _read_track(value: object) -> tuple[tuple[int, ...], tuple[int, ...]]:
    spaces = [
        _table(space, f"track[{index}]", ("price", "steps"))
        for index, space in enumerate(_list(value, "track"))
    ]
    if len(spaces) < 2:
        raise CardFileError("track", "must have at least 2 spaces")
    last = len(spaces) - 1
    prices, steps = [], []
    for index, space in enumerate(spaces):
        entry = f"track[{index}]"
        prices.append(_whole(space["price"], f"{entry}.price", 1, 1_000_000))
        if index and prices[-1] <= prices[-2]:
            raise CardFileError(f"{entry}.price", "must be higher than the price before")
        furthest = 0 if index == last else MAX_COUNT
        steps.append(_whole(space["steps"], f"{entry}.steps", min(1, furthest), furthest))
    return tuple(prices), tuple(steps)


def _read_offers(value: object) -> list[Card]:
    copies: dict[Counts, int] = {}
    for index, offer in enumerate(_list(value, "offers")):
        entry = f"offers[{index}]"
        wanted = _table(offer, entry, (), GOODS)
        if not wanted:
            raise CardFileError(entry, "must want at least one good")
        demand = sum(
            _whole(number, f"{entry}.{good}", 1, HAND_GOODS) * UNIT[GOOD_BY_NAME[good]]
            for good, number in wanted.items()
        )
        copies[demand] = copies.get(demand, 0) + 1
    if not copies:
        raise CardFileError("offers", "must have at least one offer")
    if max(copies.values()) > MAX_COUNT:
        raise CardFileError("offers", f"must not repeat an offer more than {MAX_COUNT} times")
    return [Card(offer_name(demand), number, demand, None) for demand, number in copies.items()]


def _read_texts(value: object) -> list[Card]:
    texts = _table(value, "texts", TEXT_NAMES)
    return [
        Card(name, _whole(texts[name], f"texts.{name}", 0, MAX_COUNT), 0, effect)
        for name, effect in zip(TEXT_NAMES, Effect, strict=True)
    ]


def _check_number_of_cards(cards: Sequence[Card]) -> None:
    """Require that a card can always be drawn (S3.1), whatever lies open on the table."""
    total = sum(card.copies for card in cards)
    lasting = sum(card.copies for card in cards if card.effect in LASTING)
    needed = MOST_SEATS * HAND_CARDS + lasting + 1
    if total < needed:
        raise CardFileError("offers", f"{total} black-market cards are too few: {needed} needed")
    if total > MAX_SIZE or len(cards) > MAX_TYPES:
        raise CardFileError("offers", f"{total} black-market cards are too many")


def _read_deck(value: object, entry: str) -> Counts:
    deck = _table(value, entry, GOODS)
    numbers = [_whole(deck[good], f"{entry}.{good}", 0, MAX_COUNT) for good in GOODS]
    if not MOST_SEATS * HAND_GOODS <= sum(numbers) <= MAX_SIZE:
        raise CardFileError(
            entry, f"must have {MOST_SEATS * HAND_GOODS} to {MAX_SIZE} cards, has {sum(numbers)}"
        )
    return sum(number * UNIT[good] for good, number in enumerate(numbers))


def _table(
    value: object, entry: str, required: Sequence[str], optional: Sequence[str] = ()
) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise CardFileError(entry, "must be a table")
    for name in required:
        if name not in value:
            raise CardFileError(entry, f"lacks {name!r}")
    for name in value:
        if name not in required and name not in optional:
            inner = f"{entry}.{name}" if entry else str(name)
            raise CardFileError(
                inner, f"is unknown here (known: {', '.join(required or optional)})"
            )
    return value


def _list(value: object, entry: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise CardFileError(entry, "must be a list")
    return value


def _whole(value: object, entry: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise CardFileError(entry, "must be a whole number")
    if not low <= value <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise CardFileError(entry, f"must be {wanted}, is {value}")
    return value


def line_of_entry(text: str, entry: str) -> int:
    """Return the line where an entry such as `offers[3].butter` is written, as near as can be told.

    TOML readers do not tell, so this looks: the array or table by its name, the element by
    counting braces or headers, the last name by searching on from there.
    """
    path = re.match(r"(\w+)(?:\[(\d{1,9})\])?(?:\.(\w+))?(?:\.(\w+))?", entry)
    if path is None:
        return 1
    name, index, second, third = path.groups()
    place = _find(text, rf"^\s*{name}\s*=|^\s*\[{name}{f'.{second}' if third else ''}\]", 0)
    if index is not None:
        headers = rf"^\s*\[\[{name}\]\]"
        element = headers if re.search(headers, text, re.MULTILINE) else r"\{"
        place = _find(text, element, place, int(index))
    for inner in (second, third):
        if inner:
            place = _find(text, rf"\b{inner}\b", place)
    return text.count("\n", 0, place) + 1


def _find(text: str, pattern: str, start: int, skip: int = 0) -> int:
    """Return where the pattern ends at its occurrence after `skip` others; `start` if nowhere.

    Comments are passed over.
    """
    matches = re.compile(rf"#[^\n]*|({pattern})", re.MULTILINE).finditer(text, start)
    found = next(islice((match for match in matches if match[1]), skip, None), None)
    return start if found is None else found.end()
