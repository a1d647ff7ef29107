"""Sampling what a seat of Schwarzmarkt cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.games.counts import (
    UNIT,
    Counts,
    contains,
    list_cards,
    pack,
    pack_between,
    size,
    unpack,
)
from arena.games.ledger import Ledger, Tier, certain
from arena.games.schwarzmarkt.material import HAND_CARDS, Material
from arena.games.schwarzmarkt.observation import Observation, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import SchwarzmarktState
from arena.games.shuffle import Chance, shuffle

Piles = tuple[Sequence[int], Sequence[int]]
"""The goods pile and the black-market pile, top first."""


def sample_state(
    material: Material,
    observation: Observation,
    rng: Random,
    chance: Chance,
    piles: Piles | None = None,
) -> SchwarzmarktState:
    """Return a random state that looks the same to the observation's seat.

    With `piles` the two piles are fixed and only the other hands are sampled.
    """
    goods, goods_pile = _sample_goods(material, observation, rng, piles and piles[0])
    cards, card_pile = _sample_cards(material, observation, rng, piles and piles[1])
    state = SchwarzmarktState(material, goods, cards, (goods_pile, card_pile), chance)
    state.luxury = list(observation.luxury)
    state.to_act = observation.to_act
    state.phase = observation.phase
    state.game_round = observation.game_round
    state.start = observation.start
    state.marker = observation.marker
    state.offer = observation.offer
    state.resolving = observation.resolving
    state.demand = observation.demand
    state.traded = observation.traded
    state.open_cards = observation.open_cards
    state.traders = observation.traders
    state.seen_cards = observation.seen_cards
    state.cards_dealt_with = observation.cards_dealt_with
    state.idle_rounds = observation.idle_rounds
    _copy_knowledge(observation, state)
    return state


def _sample_goods(
    material: Material, observation: Observation, rng: Random, fixed_pile: Sequence[int] | None
) -> tuple[list[Counts], Sequence[int]]:
    """Deal the goods: first what must be somewhere, then the rest at random."""
    pool = material.deck - observation.goods
    if observation.traded:
        pool -= pack(observation.traded)
    sizes = list(observation.hand_sizes)
    ledgers = list(observation.hands_known)
    if observation.seat is not None:
        sizes[observation.seat] = 0
    if fixed_pile is None:
        sizes.append(observation.goods_pile_size)
        ledgers.append(observation.pile_known)
    else:
        pool -= pack(fixed_pile)
    placed = [certain(ledger) for ledger in ledgers]
    pool -= sum(placed)
    for place, ledger in enumerate(ledgers):
        for tier in ledger:
            if tier.unseen:
                kept = _stay(tier, pool, sizes[place] - size(placed[place]), rng)
                placed[place] += kept
                pool -= kept
    rest = list(unpack(pool))
    shuffle(rest, rng)
    dealt = 0
    for place, wanted in enumerate(sizes):
        end = dealt + wanted - size(placed[place])
        placed[place] += pack_between(rest, dealt, end)
        dealt = end
    if fixed_pile is None:
        pile = list_cards(placed.pop())
        shuffle(pile, rng)
        fixed_pile = pile
    if observation.seat is not None:
        placed[observation.seat] = observation.goods
    return placed, fixed_pile


def _stay(tier: Tier, pool: Counts, room: int, rng: Random) -> Counts:
    """Return cards of a doubtful tier, at random, as many as cannot all have left."""
    cards = list(unpack(tier.cards))
    shuffle(cards, rng)
    wanted = min(len(cards) - tier.unseen, room)
    kept: Counts = 0
    for good in cards:
        if wanted <= 0:
            break
        if contains(pool, kept + UNIT[good]):
            kept += UNIT[good]
            wanted -= 1
    return kept


def _sample_cards(
    material: Material, observation: Observation, rng: Random, fixed_pile: Sequence[int] | None
) -> tuple[list[Counts], Sequence[int]]:
    pool = material.black_market - observation.cards
    for open_card in observation.open_cards:
        pool -= UNIT[open_card.card]
    for card in (observation.offer, observation.resolving):
        if card is not None:
            pool -= UNIT[card]
    if fixed_pile is not None:
        pool -= pack(fixed_pile)
    rest = list(unpack(pool))
    shuffle(rest, rng)
    dealt = 0
    hands: list[Counts] = []
    for seat in range(len(observation.hand_sizes)):
        if seat == observation.seat:
            hands.append(observation.cards)
        else:
            hands.append(pack_between(rest, dealt, dealt + HAND_CARDS))
            dealt += HAND_CARDS
    return hands, rest[dealt:] if fixed_pile is None else fixed_pile


def _copy_knowledge(observation: Observation, state: SchwarzmarktState) -> None:
    """Give every seat what the observing one knows of the pile; it holds in the sampled state.

    What the others know of hands is unknown, so they know nothing there.
    """
    state.pile_known = [observation.pile_known] * (state.seats + 1)
    if observation.phase is SchwarzmarktPhase.FIND and observation.to_act is not None:
        shown: Ledger = (Tier(pack(state.goods_pile), 0),)
        state.pile_known[observation.to_act] = shown
    if observation.seat is not None:
        state.hands_known = {
            (observation.seat, owner): ledger
            for owner, ledger in enumerate(observation.hands_known)
            if ledger
        }
