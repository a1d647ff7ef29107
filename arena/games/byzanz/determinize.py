"""Sampling what a seat of Byzanz cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.byzanz.cards import DECK
from arena.games.byzanz.observation import Observation
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.counts import UNIT, Counts, pack, pack_between, size, unpack
from arena.games.ledger import Ledger, mentioned
from arena.games.shuffle import choose, shuffle


def sample_state(
    observation: Observation, rng: Random, deck: Sequence[int] | None = None
) -> ByzanzState:
    """Return a random state that looks the same to the observation's seat.

    With `deck` the cards still to be turned over are fixed and only the rest is sampled.
    """
    had = [mentioned(ledger) for ledger in observation.known]
    if observation.seat is not None:
        had[observation.seat] = observation.hand + observation.own_discards
    pool = _unseen_cards(observation, had)
    if deck is not None:
        pool -= pack(deck)
    cards = list(unpack(pool))
    shuffle(cards, rng)
    dealt = 0
    hands: list[Counts] = []
    discards: list[Counts] = []
    for seat, held in enumerate(observation.hand_sizes):
        if seat == observation.seat:
            hands.append(observation.hand)
            discards.append(observation.own_discards)
            continue
        face_down = observation.face_down[seat]
        unknown = held + face_down - size(had[seat])
        drawn = pack_between(cards, dealt, dealt + unknown)
        dealt += unknown
        gone = _sample_discards(drawn, observation.known[seat], face_down, rng)
        hands.append(drawn + had[seat] - gone)
        discards.append(gone)
    rest = dealt + TABLES[len(hands)].removed
    state = ByzanzState(
        hands,
        pack_between(cards, dealt, rest),
        cards[rest:] if deck is None else deck,
        opened=False,
    )
    state.discards = discards
    state.drawn = len(state.deck) - observation.deck_size
    state.known = list(observation.known)
    state.laid = list(observation.laid)
    state.to_act = observation.to_act
    state.phase = observation.phase
    state.round = observation.round
    state.lot = observation.lot
    state.market = observation.market
    state.offer = observation.offer
    state.speaker = observation.speaker
    state.high = observation.high
    state.leader = observation.leader
    state.first_passer = observation.first_passer
    state.takes = observation.takes
    state.passed = observation.passed
    state.offers = observation.offers
    state.kept = observation.kept
    state.points = observation.points
    state.face_down = observation.face_down
    state.out = observation.out
    return state


def _unseen_cards(observation: Observation, had: list[Counts]) -> Counts:
    """Return the cards whose place the seat does not know at all.

    Cards that a seat is known to have `had` are in its hand or among its discards: they are placed
    by the ledger, not drawn.
    """
    seen = observation.lot + observation.market + observation.out + sum(had)
    return DECK - seen - sum(observation.laid) - sum(observation.kept)


def _sample_discards(unknown: Counts, ledger: Ledger, number: int, rng: Random) -> Counts:
    """Return cards the seat may have discarded face down, one discard after the other.

    The i-th of `number` discards cannot have hit a card that arrived after it: a tier with
    `unseen` later discards was there for just the last `unseen` of them.
    """
    gone: Counts = 0
    for later in range(number, 0, -1):
        held = unknown - gone
        for cards, unseen in ledger:
            if unseen >= later:
                held += cards
        gone += UNIT[unpack(held)[choose(size(held), rng)]]
    return gone
