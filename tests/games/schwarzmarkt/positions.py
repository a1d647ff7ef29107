"""Constructed positions of Schwarzmarkt, written with names.

Goods are written `potatoes-2 butter`, black-market cards by name (offers with or without
`offer:`), several cards separated by spaces. Whatever is not said is filled from the rest of the
deck: hands of goods up to 9 with the goods there are most of, hands of black-market cards up to 3
with offers, and the rest lies in the piles. So every position holds exactly the cards of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from arena.errors import IllegalMoveError
from arena.games.counts import Counts, pack, unpack
from arena.games.game import Event, Move, Seat
from arena.games.schwarzmarkt import Schwarzmarkt
from arena.games.schwarzmarkt.material import GOOD_BY_NAME, GOODS, Material, built_in_content
from arena.games.schwarzmarkt.observation import OpenCard, SchwarzmarktPhase
from arena.games.schwarzmarkt.position import SchwarzmarktPosition
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.shuffle import SeededChance
from tests.state_data import data_of

# Typed loosely, so that tests may write seats as plain numbers and look into JSON values.
BASIC: Any = Schwarzmarkt()
UNEVEN: Any = Schwarzmarkt({"deck": "uneven"})
PRINTED: Any = built_in_content()
NAMES = ("Anna", "Bert", "Carl", "Dora", "Emil")
ANNA, BERT, CARL, DORA, EMIL = map(Seat, range(5))


class StackedChance:
    """Chance without chance: a draw gives the good named, a shuffle turns the pile upside down.

    `log` lists what was asked, so that a test sees the order of the shuffles.
    """

    def __init__(self, draws: str = "") -> None:
        self.draws = [GOOD_BY_NAME[name] for name in draws.split()]
        self.log: list[str] = []

    def shuffle(self, pile: str, cards: Sequence[int]) -> list[int]:
        self.log.append(f"shuffle {pile}")
        return list(reversed(cards))

    def pick(self, what: str, cards: Sequence[int]) -> int:
        self.log.append(f"pick {what} of {len(cards)}")
        good = self.draws.pop(0) if self.draws else cards[0]
        assert good in cards
        return good

    def copy(self) -> StackedChance:
        return deepcopy(self)


def goods_list(text: str) -> list[int]:
    """Return the goods that `potatoes-2 butter` names, in the order written."""
    goods = []
    for word in text.split():
        name, _, number = word.partition("-")
        goods += [GOOD_BY_NAME[name]] * int(number or 1)
    return goods


def goods(text: str) -> Counts:
    """Return the multiset of the goods named."""
    return pack(goods_list(text))


def card(name: str, material: Material = BASIC.material) -> int:
    """Return the number of a black-market card."""
    by_name = material.card_by_name
    return by_name[name] if name in by_name else by_name[f"offer:{name}"]


def cards_list(text: str, material: Material = BASIC.material) -> list[int]:
    """Return the black-market cards named, in the order written."""
    return [card(name, material) for name in text.split()]


def position(
    *,
    game: Schwarzmarkt = BASIC,
    seats: int = 3,
    goods: Mapping[int, str] | None = None,
    cards: Mapping[int, str] | None = None,
    goods_top: str = "",
    rest_of_goods_to: int | None = None,
    market_top: str = "",
    luxury: Sequence[int] | None = None,
    start: int = 0,
    to_act: int | None = None,
    offer: str | None = None,
    price: int = 1,
    traded: Mapping[int, str] | None = None,
    open_cards: Sequence[str] = (),
    cards_dealt_with: int | None = None,
    idle_rounds: int = 0,
    game_round: int = 1,
    draws: str = "",
) -> Any:
    """Return a match in which `start` plays a card, or, with an `offer`, `to_act` trades or steps.

    Named hands of goods are complete, named hands of black-market cards are filled up. `traded`
    says by seat what lies traded. A raid is written `raid:1`. With `rest_of_goods_to` the goods
    pile is just `goods_top` and the seat gets the rest on top of its hand.
    """
    material = game.material
    open_now = [_open_card(material, text) for text in open_cards]
    traded_now = [good for text in (traded or {}).values() for good in goods_list(text)]
    hands, pile = _lay_out_goods(
        material, seats, goods or {}, goods_list(goods_top), traded_now, rest_of_goods_to
    )
    shown = [entry.card for entry in open_now]
    shown += [] if offer is None else [card(offer, material)]
    market_hands, market = _lay_out_cards(material, seats, cards or {}, market_top, shown)
    piles = (pile, market)
    state = SchwarzmarktState(material, hands, market_hands, piles, StackedChance(draws))
    state.luxury = type(state.luxury)(luxury or [0] * seats)
    state.start = Seat(start)
    state.to_act = Seat(start if to_act is None else to_act)
    state.open_cards = tuple(open_now)
    state.seen_cards = pack(set(shown))
    state.cards_dealt_with = len(shown) if cards_dealt_with is None else cards_dealt_with
    state.idle_rounds = idle_rounds
    state.game_round = game_round
    if offer is not None:
        state.phase = SchwarzmarktPhase.EXCHANGE
        state.offer = card(offer, material)
        state.demand = material.cards[state.offer].demand - pack(traded_now)
        state.marker = material.prices.index(price)
        state.traded = tuple(traded_now)
        state.traders = tuple(seat in (traded or {}) for seat in range(seats))
    assert state.inventory() == whole_inventory(game)
    return state


def _open_card(material: Material, text: str) -> OpenCard:
    name, _, target = text.partition(":")
    return OpenCard(material.card_by_name[name], Seat(int(target)) if target else None)


def _lay_out_goods(
    material: Material,
    seats: int,
    named: Mapping[int, str],
    top: list[int],
    traded: list[int],
    rest_to: int | None,
) -> tuple[list[Counts], list[int]]:
    left = Counter(material.goods_cards())
    hands = {seat: goods_list(text) for seat, text in named.items()}
    _take(left, [*top, *traded, *(good for hand in hands.values() for good in hand)])
    for seat in range(seats):
        if seat not in hands:
            hands[seat] = [_take_commonest(left) for _ in range(9)]
    rest = [_take_commonest(left) for _ in range(left.total())]
    if rest_to is None:
        top += rest
    else:
        hands[rest_to] += rest
    return [pack(hands[seat]) for seat in range(seats)], top


def _take_commonest(left: Counter[int]) -> int:
    good = max(sorted(left), key=left.__getitem__)
    left[good] -= 1
    return good


def _lay_out_cards(
    material: Material, seats: int, named: Mapping[int, str], top: str, shown: list[int]
) -> tuple[list[Counts], list[int]]:
    left = Counter(material.black_market_cards())
    hands = {seat: cards_list(named.get(seat, ""), material) for seat in range(seats)}
    first = cards_list(top, material)
    _take(left, [*first, *shown, *(number for hand in hands.values() for number in hand)])
    rest = sorted(left.elements())  # offers come first
    for held in hands.values():
        missing = 3 - len(held)
        held.extend(rest[:missing])
        del rest[:missing]
    return [pack(hands[seat]) for seat in range(seats)], [*first, *rest]


def _take(left: Counter[int], cards: Iterable[int]) -> None:
    left.subtract(cards)
    assert min(left.values()) >= 0, "a position needs more cards than there are"


@cache
def whole_inventory(game: Schwarzmarkt) -> Mapping[str, int]:
    """Return every card of the game by name, counted from its material."""
    found = Counter(GOODS[good] for good in game.material.goods_cards())
    found.update(game.material.cards[number].name for number in game.material.black_market_cards())
    return dict(sorted(found.items()))


# Playing


def do(state: SchwarzmarktState, *moves: str) -> list[Any]:
    """Make moves written as text; return what happened in the last one."""
    events: list[Event] = []
    for move in moves:
        events = state.apply(read(state, move))
    return events


def read(state: SchwarzmarktState, text: str) -> Move:
    """Return a move written as text."""
    words = text.split()
    if words[0] in {"play", "bury"} and words[1] not in state.material.card_by_name:
        words[1] = f"offer:{words[1]}"
    move: Move = BASIC.move_from_text(" ".join(words))
    return move


def legal(state: SchwarzmarktState) -> list[str]:
    """Return the legal moves as text, in the order given."""
    return [BASIC.move_to_text(move) for move in state.legal_moves()]


def check_refused(state: SchwarzmarktState, move: str | Move, rule: str) -> None:
    """Check that the move is refused, citing the rule, and that nothing has changed."""
    attempted = read(state, move) if isinstance(move, str) else move
    before = dump(state)
    assert attempted not in state.legal_moves()
    with pytest.raises(IllegalMoveError, match=rule) as refusal:
        state.apply(attempted)
    assert refusal.value.rule == rule
    assert dump(state) == before


def dump(state: SchwarzmarktState) -> dict[str, Any]:
    """Return everything the state holds, slot by slot, future chance included."""
    values = {
        slot: deepcopy(getattr(state, slot))
        for slot in data_of(SchwarzmarktPosition)
        if slot not in {"material", "chance"}
    }
    chance = state.chance
    if isinstance(chance, StackedChance):
        values["chance"] = (list(chance.draws), list(chance.log))
    else:
        assert isinstance(chance, SeededChance)
        values["chance"] = (chance.seed, dict(chance._used))
    return values


# Looking


def hand(state: SchwarzmarktState, seat: int) -> str:
    """Return a hand of goods as text, in canonical order."""
    return names_of(unpack(state.goods[seat]))


def names_of(numbers: Iterable[int]) -> str:
    """Return goods as text: one word a card, in the order given."""
    return " ".join(GOODS[good] for good in numbers)


def market_names(state: SchwarzmarktState, numbers: Iterable[int]) -> list[str]:
    """Return the names of black-market cards."""
    return [state.material.cards[number].name for number in numbers]


def of_type(events: Iterable[Event], kind: type[Any]) -> list[Any]:
    """Return the events of one type."""
    return [event for event in events if type(event) is kind]
