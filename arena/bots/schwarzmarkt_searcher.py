"""A bot for Schwarzmarkt that plays the exchange round out in sampled worlds before it decides.

The planner proposes a move, this one looks at the others as well: each is made in worlds that fit
the observation, a quick policy plays until the exchange round is over, and the seats are valued
there by what they own and what they still hold. What counts is the share of the rivals that will be
beaten.

A candidate is a move together with a plan for the own turns that follow, because a step is good or
bad depending on what it leads up to.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from arena.bots.bot import Bot
from arena.bots.schwarzmarkt_planner import SchwarzmarktPlanner
from arena.bots.schwarzmarkt_values import fit, material_of
from arena.bots.search import Budget, Clock, search
from arena.games.counts import UNIT, intersect, size, types
from arena.games.game import AnyGame, Move, Seat
from arena.games.schwarzmarkt.material import Effect
from arena.games.schwarzmarkt.moves import HOLD, Step, Trade, play, steps_up_to
from arena.games.schwarzmarkt.observation import Observation, Phase
from arena.games.schwarzmarkt.rules import SchwarzmarktState

DEFAULT_BUDGET = Budget(iterations=240)

MOST_CANDIDATES = 12


class Habits(NamedTuple):
    """How a table of this size trades. Shares are of the last price; fitted to played matches."""

    decent: float  # the price at which seats begin to sell
    patient: float  # how many seats, having let the first chance go, wait for a high price
    price: float  # what a card sold brings on average
    luck: tuple[float, float]  # how far two seats' wealth drifts apart, by game round


HABITS = {
    3: Habits(0.22, 0.8, 0.46, (2.1, 1.6)),
    4: Habits(0.17, 0.4, 0.26, (1.5, 1.1)),
    5: Habits(0.13, 0.3, 0.19, (1.04, 0.9)),
}
HIGH = 0.7
"""The price, as a share of the last, at which even patient seats sell."""

SOLD = (0.0, 0.25, 0.42, 0.48, 0.52, 0.56, 0.6, 0.65, 0.7, 0.75)
"""The chance that one card more in hand is still sold, by the shortest hand at the table (S4.4)."""

CALM = (0.4, 0.55, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0, 1.0, 1.0)
"""How much of the second round's luck is still ahead, by the shortest hand at the table."""


class Plan(NamedTuple):
    """From which price on a seat sells, and whether it waits for a high one if that fails."""

    price: float
    waits: bool


class World(NamedTuple):
    """A state that fits the observation, and what the seats intend in it."""

    state: SchwarzmarktState
    plans: tuple[Plan, ...]


class Candidate(NamedTuple):
    """A move and the own plan after it; None for what anybody might intend."""

    move: Move
    plan: Plan | None


class SchwarzmarktSearcher(Bot):
    """Races the planner's move against others in worlds played out to the next card."""

    name = "searcher"

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        budget: Budget = DEFAULT_BUDGET,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(game, rng)
        self.budget = budget
        self.clock = clock
        self.material = material_of(game)
        self.planner = SchwarzmarktPlanner(game, rng)

    def decide(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        """Return the move that wins the race."""
        planned = self.planner.decide(observation, legal_moves)
        if observation.phase is Phase.RETURN or len(legal_moves) == 1:
            return planned
        assert observation.seat is not None  # somebody is asked
        seat = observation.seat
        top = self.material.prices[-1]
        if observation.phase is Phase.EXCHANGE:
            moves = _exchange_candidates(planned, legal_moves)
            plans = [Plan(0.0, False), Plan(HIGH * top, True)]
            candidates = [Candidate(planned, None)]
            for move in moves:
                if isinstance(move, Step):
                    candidates += [Candidate(move, plan) for plan in plans]
                elif move != planned:
                    candidates.append(Candidate(move, None))
        else:
            moves = [planned, *(move for move in legal_moves if move != planned)]
            candidates = [Candidate(move, None) for move in moves[:MOST_CANDIDATES]]
        return search(
            candidates,
            lambda: self._sample(observation),
            lambda world, candidate: _play_out(world, candidate, seat),
            self.budget,
            clock=self.clock,
        ).move

    def _sample(self, observation: Observation) -> World:
        state = self.game.determinize(observation, self.rng)
        habits = HABITS[state.seats]
        top = self.material.prices[-1]
        random = self.rng.random
        plans = tuple(
            [
                Plan(top * habits.decent * (0.7 + 0.7 * random()), random() < habits.patient)
                for _ in range(state.seats)
            ]
        )
        return World(state, plans)


def _exchange_candidates(planned: Move, legal_moves: Sequence[Move]) -> list[Move]:
    """Return the largest trade, some that keep one card back, and all steps."""
    trades = [move for move in legal_moves if isinstance(move, Trade)]
    trades.sort(key=lambda trade: -size(trade.goods))
    moves: list[Move] = [planned]
    moves += trades[:3]
    moves += [move for move in legal_moves if not isinstance(move, Trade)]
    return list(dict.fromkeys(moves))


# Playing out


def _play_out(world: World, candidate: Candidate, seat: Seat) -> float:
    """Return the seat's prospects if it makes the move: 0 last of all, 1 ahead of all."""
    state = world.state.copy()
    plans = world.plans
    if candidate.plan is not None:
        plans = (*plans[:seat], candidate.plan, *plans[seat + 1 :])
    traded = state.phase is Phase.EXCHANGE
    state.apply(candidate.move)
    while state.to_act is not None:
        if state.phase is Phase.EXCHANGE:
            traded = True
        elif traded and state.phase is Phase.PLAY:
            break
        state.apply(quick_move(state, plans))
    return prospects(state, seat)


def prospects(state: SchwarzmarktState, seat: Seat) -> float:
    """Return the share of the others that the seat will probably beat, between two cards."""
    luxury = state.luxury
    if state.to_act is None:
        mine = luxury[seat]
        beaten = sum([(owned < mine) + 0.5 * (owned == mine) for owned in luxury])
        return (beaten - 0.5) / (state.seats - 1)
    habits = HABITS[state.seats]
    top = state.material.prices[-1]
    hands = [size(goods) for goods in state.goods]
    shortest = min(min(hands), 9)
    card = habits.price * top * SOLD[shortest]
    wealth = [owned + card * hand for owned, hand in zip(luxury, hands, strict=True)]
    luck = top * habits.luck[state.game_round - 1] * 0.55
    if state.game_round == 2:
        luck *= CALM[shortest]
    own = wealth[seat]
    share = sum([1.0 / (1.0 + exp((other - own) / luck)) for other in wealth])
    return (share - 0.5) / (state.seats - 1)


def quick_move(state: SchwarzmarktState, plans: Sequence[Plan]) -> Move:
    """Return a sensible move for the seat to act, fast."""
    seat = state.to_act
    assert seat is not None
    if state.phase is Phase.EXCHANGE:
        return _quick_exchange(state, seat, plans[seat])
    if state.phase is Phase.PLAY:
        best, most = None, 0
        for card in types(state.cards[seat]):
            wanted = fit(state.goods[seat], state.material.cards[card].demand)
            if wanted > most:
                best, most = card, wanted
        if best is not None:
            return play(best, None)
    return state.legal_moves()[0]


def _quick_exchange(state: SchwarzmarktState, seat: Seat, plan: Plan) -> Move:
    material = state.material
    marker = state.marker
    wanted = intersect(state.goods[seat], state.demand)
    slow = False
    if state.open_cards:
        for open_card in state.open_cards:
            effect = material.cards[open_card.card].effect
            if open_card.target == seat:
                wanted = 0
            elif effect is Effect.SCARCE_GOODS and wanted:
                wanted = 0 if state.traders[seat] else UNIT[types(wanted)[0]]
            elif effect is Effect.SLOW_TRADE:
                slow = True
    if marker == material.last_space:
        return Trade(wanted) if wanted else HOLD
    price = material.prices[marker]
    if wanted and price >= plan.price:
        top = material.prices[-1]
        if (
            not plan.waits
            or price >= HIGH * top
            or marker < state.seats
            or material.prices[marker - state.seats] < plan.price
        ):
            return Trade(wanted)
    if not wanted or slow:
        return steps_up_to(1)[0]
    # step so that the others find a price that they will not like either
    furthest = min(material.steps[marker], material.last_space - marker)
    spaces = 1
    while (
        spaces < furthest
        and marker + spaces + state.seats <= material.last_space
        and material.prices[marker + spaces + state.seats - 1] < plan.price
    ):
        spaces += 1
    return steps_up_to(spaces)[-1]
