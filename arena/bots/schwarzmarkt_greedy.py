"""Schwarzmarkt one step ahead: take a decent price at once, otherwise let it rise slowly."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arena.bots.bot import Bot
from arena.bots.schwarzmarkt_values import (
    expected_rival_supply,
    fit,
    material_of,
    mean_demand,
)
from arena.games.counts import MAX_COUNT, count, size, unpack
from arena.games.game import AnyGame, Move
from arena.games.schwarzmarkt.material import Effect
from arena.games.schwarzmarkt.moves import Bury, Find, Play, Return, Step, Trade
from arena.games.schwarzmarkt.observation import Observation, SchwarzmarktPhase

DECENT = 1 / 4  # of the last price: sell while the others can supply the demand as well
FAIR = 1 / 2  # of the last price: sell even if they probably cannot
FEW_RIVALS = 1 / 2  # of the demand: the others "probably cannot" supply it

# A text card opens no exchange round (S3.2): worth about as much as an offer that wants this many
# of the own goods.
TEXT_VALUES = {
    Effect.OLD_DEBT: 0.2,  # one more good to sell, but one more to get rid of
    Effect.NEW_GOODS: 0.1,
    Effect.SCARCE_GOODS: 0.3,
    Effect.FORAGING: 0.2,
    Effect.PROTECTION: 0.9,
    Effect.RAID: 0.8,
    Effect.SLOW_TRADE: 0.3,
}


class SchwarzmarktGreedy(Bot):
    """Sells all it can at the first decent price; plays the offer that wants most of its hand.

    Fast enough to play matches out inside a search.
    """

    name = "greedy"

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game, rng)
        self.material = material_of(game)
        top = self.material.prices[-1]
        self.decent_price = DECENT * top
        self.fair_price = FAIR * top
        self.demand = mean_demand(self.material)

    def decide(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        """Return the move that looks best one step ahead."""
        if len(legal_moves) == 1:
            return legal_moves[0]
        if observation.phase is SchwarzmarktPhase.EXCHANGE:
            return self._exchange(observation, legal_moves)
        return max(legal_moves, key=lambda move: self._value(observation, move))

    def _exchange(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        """Trade everything at a decent price, else move the marker as little as possible.

        A short step leaves the next seats a price that they will not like either.
        """
        trades = [move for move in legal_moves if type(move) is Trade]
        if trades and self._is_decent(observation):
            return max(trades, key=lambda trade: size(trade.goods))
        return next((move for move in legal_moves if type(move) is Step), legal_moves[-1])

    def _is_decent(self, observation: Observation) -> bool:
        price = self.material.prices[observation.marker]
        if price < self.decent_price:
            return False
        if price >= self.fair_price or observation.marker == self.material.last_space:
            return True
        demand = observation.demand
        rivals = expected_rival_supply(self.material, observation, demand)
        return rivals > FEW_RIVALS * size(demand)

    def _value(self, observation: Observation, move: Move) -> float:
        goods = observation.goods
        match move:
            case Play(card, target, laid):
                effect = self.material.cards[card].effect
                if effect is None:
                    return fit(goods, self.material.cards[card].demand)
                value = TEXT_VALUES[effect]
                if target is not None:  # of several targets the richest
                    value += 0.05 * observation.luxury[target] / (1 + max(observation.luxury))
                if laid:  # of several ways to forage the one that rids it of most doubles
                    value += 0.01 * sum(count(goods, good) for good in unpack(laid))
                return value
            case Bury(card):
                return -card / MAX_COUNT
            case Find(good):
                return self._worth(observation, good)
            case Return(good):
                return -self._worth(observation, good)
        return 0.0

    def _worth(self, observation: Observation, good: int) -> float:
        """Return how welcome one more of a good is: often wanted, seldom held."""
        return self.demand[good] / (1 + count(observation.goods, good))
