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

from arena.bots.schwarzmarkt_planner import SchwarzmarktPlanner
from arena.bots.schwarzmarkt_values import fit, material_of
from arena.bots.search import Budget, Clock, search
from arena.bots.searcher import Searcher
from arena.games.counts import UNIT, Counts, intersect, size, types
from arena.games.game import AnyGame, Move, Seat
from arena.games.schwarzmarkt.material import HAND_GOODS, Effect
from arena.games.schwarzmarkt.moves import HOLD, PLAYS, STEPS, Play, Step, Trade
from arena.games.schwarzmarkt.observation import Observation, SchwarzmarktPhase
from arena.games.schwarzmarkt.rules import GAME_ROUNDS, SchwarzmarktState

MOST_CANDIDATES = 12
MOST_TRADES = 3


class TradeModel(NamedTuple):
    """How a table of this size trades. Shares are of the last price; fitted to played matches."""

    decent: float  # the price at which seats begin to sell
    patient: float  # how many seats, having let the first chance go, wait for a high price
    price: float  # what a card sold brings on average
    luck: tuple[float, float]  # between two seats, by game round: the scale of a logistic


TRADE_MODELS = {
    3: TradeModel(0.22, 0.8, 0.46, (1.15, 0.88)),
    4: TradeModel(0.17, 0.4, 0.26, (0.82, 0.6)),
    5: TradeModel(0.13, 0.3, 0.19, (0.57, 0.5)),
}
HIGH = 0.7
"""The price, as a share of the last, at which even patient seats sell."""

SOLD = (0.0, 0.25, 0.42, 0.48, 0.52, 0.56, 0.6, 0.65, 0.7, 0.75)
"""The chance that one card more in hand is still sold, by the shortest hand at the table (S4.4)."""

CALM = (0.4, 0.55, 0.7, 0.75, 0.8, 0.9, 0.95, 1.0, 1.0, 1.0)
"""How much of the second round's luck is still ahead, by the shortest hand at the table."""


class SellingPlan(NamedTuple):
    """From which price on a seat sells, and whether it waits for a high one if that fails."""

    price: float
    waits: bool


class World(NamedTuple):
    """A state that fits the observation, and what the seats intend in it."""

    state: SchwarzmarktState
    plans: tuple[SellingPlan, ...]


class PlannedMove(NamedTuple):
    """A move and the own plan after it; None for what anybody might intend."""

    move: Move
    plan: SellingPlan | None


class SchwarzmarktSearcher(Searcher):
    """Races the planner's move against others in worlds played out to the next card."""

    default_budget = Budget(iterations=400)

    def __init__(
        self,
        game: AnyGame,
        rng: Random,
        budget: Budget | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(game, rng, budget, clock)
        self.material = material_of(game)
        self.planner = SchwarzmarktPlanner(game, rng)

    def decide(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        """Return the move that a search finds; a surplus good is returned as the planner would."""
        planned = self.planner.decide(observation, legal_moves)
        if observation.phase is SchwarzmarktPhase.RETURN or len(legal_moves) == 1:
            return planned
        assert observation.seat is not None  # somebody is asked
        seat = observation.seat
        return search(
            self._candidates(planned, legal_moves),
            lambda: self._sample(observation),
            lambda world, candidate: _play_out(world, candidate, seat),
            self.budget,
            clock=self.clock,
        ).move

    def _candidates(self, planned: Move, legal_moves: Sequence[Move]) -> list[PlannedMove]:
        """Return the planner's move, the largest trades, and the other moves.

        A step comes with two plans: to sell at the next chance, and to wait for a high price. The
        many ways to forage come last, so that they crowd out nothing else.
        """
        trades = [move for move in legal_moves if isinstance(move, Trade)]
        trades.sort(key=lambda trade: -size(trade.goods))
        plans = (
            SellingPlan(0.0, waits=False),
            SellingPlan(HIGH * self.material.prices[-1], waits=True),
        )
        found = [PlannedMove(planned, None)]
        found += [PlannedMove(trade, None) for trade in trades[:MOST_TRADES] if trade != planned]
        for move in sorted(legal_moves, key=lambda move: isinstance(move, Play) and move.goods > 0):
            if isinstance(move, Step):
                found += [PlannedMove(move, plan) for plan in plans]
            elif move != planned and not isinstance(move, Trade):
                found.append(PlannedMove(move, None))
        return found[:MOST_CANDIDATES]

    def _sample(self, observation: Observation) -> World:
        """Return a world that fits the observation, with an intention for each seat."""
        state = self.game.determinize(observation, self.rng)
        assert isinstance(state, SchwarzmarktState)
        model = TRADE_MODELS[state.seats]
        decent = model.decent * self.material.prices[-1]
        random = self.rng.random
        plans = [
            SellingPlan(decent * (0.7 + 0.7 * random()), waits=random() < model.patient)
            for _ in range(state.seats)
        ]
        return World(state, tuple(plans))


# Playing out


def _play_out(world: World, candidate: PlannedMove, seat: Seat) -> float:
    """Return the seat's prospects if it makes the move: 0 last of all, 1 ahead of all."""
    state = world.state.copy()
    plans = world.plans
    if candidate.plan is not None:
        plans = (*plans[:seat], candidate.plan, *plans[seat + 1 :])
    traded = state.phase is SchwarzmarktPhase.EXCHANGE
    state.apply(candidate.move)
    while state.to_act is not None:
        if state.phase is SchwarzmarktPhase.EXCHANGE:
            traded = True
        elif traded and state.phase is SchwarzmarktPhase.PLAY:
            break
        state.apply(quick_move(state, plans))
    return prospects(state, seat)


def prospects(state: SchwarzmarktState, seat: Seat) -> float:
    """Return the share of the others that the seat will probably beat, between two cards."""
    others = state.seats - 1
    if state.to_act is None:
        mine = state.luxury[seat]
        ahead = sum([(owned < mine) + 0.5 * (owned == mine) for owned in state.luxury])
        return (ahead - 0.5) / others  # the seat itself counted as half beaten
    model = TRADE_MODELS[state.seats]
    top = state.material.prices[-1]
    hands = [size(goods) for goods in state.goods]
    shortest = min(*hands, HAND_GOODS)
    card = top * model.price * SOLD[shortest]
    luck = top * model.luck[state.game_round - 1]
    if state.game_round == GAME_ROUNDS:
        luck *= CALM[shortest]
    wealth = [owned + card * hand for owned, hand in zip(state.luxury, hands, strict=True)]
    own = wealth[seat]
    beaten = sum([1.0 / (1.0 + exp((other - own) / luck)) for other in wealth])
    return (beaten - 0.5) / others


def quick_move(state: SchwarzmarktState, plans: Sequence[SellingPlan]) -> Move:
    """Return a sensible move for the seat to act, fast."""
    seat = state.to_act
    assert seat is not None
    if state.phase is SchwarzmarktPhase.EXCHANGE:
        return _quick_exchange(state, seat, plans[seat])
    if state.phase is SchwarzmarktPhase.PLAY:
        best, most = None, 0
        for card in types(state.cards[seat]):
            wanted = fit(state.goods[seat], state.material.cards[card].demand)
            if wanted > most:
                best, most = card, wanted
        if best is not None:
            return PLAYS[best]
    return state.legal_moves()[0]


def _quick_exchange(state: SchwarzmarktState, seat: Seat, plan: SellingPlan) -> Move:
    """Sell all at once or not at all, as the plan says."""
    material = state.material
    marker = state.marker
    wanted = intersect(state.goods[seat], state.demand)
    if wanted and state.open_cards:
        wanted = _allowed(state, seat, wanted)
    if marker == material.last_space:
        return Trade(wanted) if wanted else HOLD
    if not wanted:
        return STEPS[0]
    if _is_time(state, plan):
        return Trade(wanted)
    return STEPS[_steps_ahead(state, plan) - 1]


def _allowed(state: SchwarzmarktState, seat: Seat, wanted: Counts) -> Counts:
    """Return what the open text cards let the seat trade (S5)."""
    for open_card in state.open_cards:
        if open_card.target == seat:
            return 0
        if wanted and state.material.cards[open_card.card].effect is Effect.SCARCE_GOODS:
            wanted = 0 if state.traders[seat] else UNIT[types(wanted)[0]]
    return wanted


def _is_time(state: SchwarzmarktState, plan: SellingPlan) -> bool:
    """Return whether the plan is to sell now.

    A seat that waits has seen a decent price go by a turn ago, and nobody take it.
    """
    prices = state.material.prices
    price = prices[state.marker]
    if price < plan.price:
        return False
    before = state.marker - state.seats
    return not plan.waits or price >= HIGH * prices[-1] or before < 0 or prices[before] < plan.price


def _steps_ahead(state: SchwarzmarktState, plan: SellingPlan) -> int:
    """Return the steps that bring the price to the plan's by the own next turn, not sooner."""
    material = state.material
    cards = material.cards
    if any(cards[shown.card].effect is Effect.SLOW_TRADE for shown in state.open_cards):
        return 1
    marker = state.marker
    back = marker + state.seats  # where the marker is by then if everybody moves it one step
    furthest = min(material.steps[marker], material.last_space + 1 - back)
    spaces = 1
    while spaces < furthest and material.prices[back + spaces - 1] < plan.price:
        spaces += 1
    return spaces
