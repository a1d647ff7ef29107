"""Positions of Byzanz built from card names, and what tests do with them.

A text of cards is a list of words: `cloth-1`, `trader`, `3*wood-1` for three equal cards and `?`
(or `4*?`) for any card that nothing else in the position names. Whatever is not mentioned goes to
the deck, to the removed cards and out of the game, so that the whole pack is always there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random

import pytest

from arena.errors import IllegalMoveError
from arena.games.byzanz import Byzanz
from arena.games.byzanz.cards import CARD_BY_NAME, CARD_NAMES, profit_of, value_of
from arena.games.byzanz.observation import ByzanzPhase
from arena.games.byzanz.position import ByzanzPosition
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.counts import Counts, pack, size, unpack
from arena.games.game import Event, Labels, Move, Seat
from arena.games.ledger import Ledger, Tier
from arena.games.shuffle import SeededChance
from tests.state_data import data_of

GAME = Byzanz()
NAMES = ("Ann", "Bea", "Cid", "Dan", "Eve", "Fay")
KINDS = ("cloth", "spice", "wine", "wood", "grain", "olives")
PACK = Counter(
    {f"{kind}-{value}": copies for kind in KINDS for value, copies in enumerate((6, 5, 3, 2), 1)}
    | {"trader": 16}
)
ANY = "?"


def words(text: str) -> list[str]:
    """Return the cards of a text one by one, `?` for those left open."""
    found: list[str] = []
    for word in text.split():
        number, star, name = word.rpartition("*")
        found += [name] * (int(number) if star else 1)
    return found


def cards(text: str) -> Counts:
    """Return the cards a text names."""
    return pack(CARD_BY_NAME[name] for name in words(text))


def names(held: Counts) -> str:
    """Return cards as a text, in canonical order, equal ones repeated."""
    return " ".join(CARD_NAMES[card] for card in unpack(held))


def ledger(*tiers: tuple[str, int]) -> Ledger:
    """Return a ledger from texts of cards and numbers of unseen leavings, oldest first."""
    return tuple(Tier(cards(text), unseen) for text, unseen in tiers)


class Supply:
    """The pack, from which the cards of a position are taken: named ones first, then any."""

    def __init__(self, named: Iterable[str]) -> None:
        rest = PACK.copy()
        rest.subtract(word for text in named for word in words(text) if word != ANY)
        short = [name for name, number in rest.items() if number < 0]
        if short:
            raise ValueError(f"more cards than there are: {short}")
        self.rest = sorted(rest.elements())
        Random(0).shuffle(self.rest)

    def draw(self, text: str = "", number: int | None = None) -> tuple[int, ...]:
        """Return the cards of a text in its order, filled up to `number` of them."""
        chosen = words(text)
        if number is not None:
            if len(chosen) > number:
                raise ValueError(f"only {number} cards belong there: {text}")
            chosen += [ANY] * (number - len(chosen))
        return tuple(CARD_BY_NAME[self.rest.pop() if word == ANY else word] for word in chosen)


def deal(seed: bytes, seats: int, labels: Labels | None = None) -> ByzanzState:
    """Return the match that the seed makes, its kinds renamed if asked."""
    state = GAME.deal(seed, seats, labels)
    assert isinstance(state, ByzanzState)
    return state


def dealt(seats: int, hands: Sequence[str] = (), deck: str = "", removed: str = "") -> ByzanzState:
    """Return a match at its start: these hands and this top of the deck, the rest filled up."""
    texts = [*hands, *[""] * (seats - len(hands))]
    supply = Supply([*texts, deck, removed])
    drawn = [supply.draw(text, 4) for text in texts]
    taken_out = supply.draw(removed, TABLES[seats].removed)
    order = supply.draw(deck)
    order += supply.draw(number=len(supply.rest))
    setup = {
        "hands": [[CARD_NAMES[card] for card in hand] for hand in drawn],
        "removed": [CARD_NAMES[card] for card in taken_out],
        "deck": [CARD_NAMES[card] for card in order],
    }
    return GAME.start(GAME.setup_from_json(setup, seats), SeededChance(b""))


def position(
    hands: Sequence[str],
    *,
    phase: ByzanzPhase = ByzanzPhase.AUCTION,
    to_act: int | None = 0,
    round_number: int = 3,
    lot: str = "",
    market: str = "",
    deck: str = "",
    out: str = "",
    offers: Sequence[int] = (),
    laid: Sequence[str] = (),
    passed: Sequence[int] = (),
    kept: Sequence[str] = (),
    discards: Sequence[str] = (),
    known: Sequence[Ledger] = (),
    speaker: int = 0,
    takes: int = 0,
) -> ByzanzState:
    """Return a match in progress; `deck` is its top, `passed` has the first passer first.

    The deck holds as many cards as the round still needs, the offer cards held say how far it is.
    """
    seats = len(hands)
    table = TABLES[seats]
    lists = [[*texts, *[""] * (seats - len(texts))] for texts in (hands, laid, kept, discards)]
    held = [*offers, *[0] * (seats - len(offers))]
    waiting = list(table.offers[seats - held.count(0) :])
    lot_size = waiting.pop(0) if phase in {ByzanzPhase.AUCTION, ByzanzPhase.GIVE} else 0
    deck_size = sum(waiting) + (table.rounds - round_number) * sum(table.offers)
    if phase in {ByzanzPhase.FINAL, ByzanzPhase.OVER}:
        deck_size = 0
    supply = Supply([*chain.from_iterable(lists), lot, market, deck, out])
    piles = [[pack(supply.draw(text)) for text in texts] for texts in lists]
    state = ByzanzState(
        piles[0],
        pack(supply.draw(number=table.removed)),
        supply.draw(deck, deck_size),
        opened=False,
    )
    state.laid = piles[1]
    state.kept = tuple(piles[2])
    state.discards = piles[3]
    state.face_down = tuple(size(pile) for pile in piles[3])
    state.points = tuple(profit_of(pile) for pile in piles[2])
    state.known = [*known, *[()] * (seats - len(known))]
    state.lot = pack(supply.draw(lot, lot_size))
    state.market = pack(supply.draw(market))
    state.out = pack(supply.draw(out)) + pack(supply.draw(number=len(supply.rest)))
    state.offer = lot_size
    state.offers = tuple(held)
    state.passed = tuple(seat in passed for seat in range(seats))
    state.first_passer = Seat(passed[0]) if passed else None
    bids = [value_of(pile) for pile in piles[1]]
    state.high = max(bids)
    state.leader = Seat(bids.index(state.high)) if state.high else None
    state.speaker = Seat(speaker)
    state.takes = takes
    state.round = round_number
    state.phase = phase
    state.to_act = None if to_act is None else Seat(to_act)
    return state


def read(line: str) -> Move:
    """Return the move a line writes; its cards may be counted, as in `bid 2*wine-1`."""
    return GAME.move_from_text(" ".join(words(line)))


def play(state: ByzanzState, *lines: str) -> list[Event]:
    """Make the moves one after the other and return all that happened."""
    return [event for line in lines for event in state.apply(read(line))]


def legal(state: ByzanzState) -> list[str]:
    """Return the legal moves as lines, in the game's order."""
    return [GAME.move_to_text(move) for move in state.legal_moves()]


def dump(state: ByzanzState) -> dict[str, object]:
    """Return everything in the state, its lists copied."""
    slots = {name: getattr(state, name) for name in data_of(ByzanzPosition)}
    return {name: tuple(v) if isinstance(v, list) else v for name, v in slots.items()}


def assert_refused(state: ByzanzState, move: str | Move, rule: str) -> None:
    """Check that a move is refused by that rule and that nothing at all has changed."""
    before = dump(state)
    with pytest.raises(IllegalMoveError) as refusal:
        state.apply(read(move) if isinstance(move, str) else move)
    assert refusal.value.rule == rule
    assert str(refusal.value).endswith(f"({rule})")
    assert dump(state) == before
