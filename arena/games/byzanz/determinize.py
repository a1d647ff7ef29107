"""Sampling what a seat of Byzanz cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.byzanz.cards import DECK
from arena.games.byzanz.observation import Observation
from arena.games.byzanz.rules import TABLES, ByzanzState
from arena.games.counts import UNIT, Counts, pack, size, unpack
from arena.games.ledger import Ledger, mentioned
from arena.games.shuffle import shuffle


def sample_state(
    observation: Observation, rng: Random, deck: Sequence[int] | None = None
) -> ByzanzState:
    """Return a random state that looks the same to the observation's seat.

    With `deck` the cards still to be turned over are fixed and only the rest is sampled.
    """
    pool = _unseen_cards(observation)
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
        ledger = observation.known[seat]
        unknown = held + observation.face_down[seat] - size(mentioned(ledger))
        drawn = pack(cards[dealt : dealt + unknown])
        dealt += unknown
        gone = _sample_discards(drawn, ledger, observation.face_down[seat], rng)
        hands.append(drawn + mentioned(ledger) - gone)
        discards.append(gone)
    rest = dealt + TABLES[len(hands)].removed
    state = ByzanzState(
        hands, pack(cards[dealt:rest]), cards[rest:] if deck is None else deck, opened=False
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


def _unseen_cards(observation: Observation) -> Counts:
    """Return the cards whose place the seat does not know at all.

    Cards another seat is known to have had are in its hand or among its discards: they are placed
    by the ledger, not drawn.
    """
    seen = observation.lot + observation.market + observation.out
    seen += observation.hand + observation.own_discards
    seen += sum(observation.laid) + sum(observation.kept)
    for seat, ledger in enumerate(observation.known):
        if seat != observation.seat:
            seen += mentioned(ledger)
    return DECK - seen


def _sample_discards(unknown: Counts, ledger: Ledger, number: int, rng: Random) -> Counts:
    """Return cards the seat may have discarded face down, one discard after the other.

    The i-th of `number` discards cannot have hit a card that arrived after it: a tier with
    `unseen` later discards was there for just the last `unseen` of them.
    """
    gone: Counts = 0
    for later in range(number, 0, -1):
        held = unknown + sum(tier.cards for tier in ledger if tier.unseen >= later) - gone
        gone += UNIT[rng.choice(unpack(held))]
    return gone
