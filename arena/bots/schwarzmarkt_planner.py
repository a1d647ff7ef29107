"""Schwarzmarkt by a valuation that can be read: every move is worth a number of luxury goods.

In an exchange round the value is what the seat gains from here on over the mean of its rivals, by
the imagined market of `schwarzmarkt_values`. It answers the questions of the game together: sell or
wait, how much, how far to step (S4.2). A black-market card is worth the market it opens, or what
its text brings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from random import Random

from arena.bots.bot import Bot
from arena.bots.schwarzmarkt_values import (
    expected_holdings,
    expected_wealth,
    imagine_market,
    is_open,
    keeping_value,
    lead,
    material_of,
    mean_demand,
    usefulness,
    usual_price,
)
from arena.games.counts import Counts, count, size, types, unpack
from arena.games.game import AnyGame, Move, Seat
from arena.games.schwarzmarkt.material import GOODS, Effect
from arena.games.schwarzmarkt.moves import Find, Play, Return, Step, Trade
from arena.games.schwarzmarkt.observation import Observation
from arena.games.schwarzmarkt.rules import GAME_ROUNDS, PROTECTION_FEE, SEARCH_FEE

RANK_VALUE = 200.0
"""What beating every rival for certain is worth, in luxury goods."""

LUCK = 0.2
"""How far luck carries one card in hand, as a share of the last price."""


class SchwarzmarktPlanner(Bot):
    """Makes the move of the highest value; ties go to the first in the game's order."""

    name = "planner"

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game, rng)
        self.material = material_of(game)
        self.offer_size = sum(mean_demand(self.material))

    def decide(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        """Return the move of the highest value."""
        if len(legal_moves) == 1:
            return legal_moves[0]
        plan = _Valuation(self, observation)
        return max(legal_moves, key=plan.value)


class _Valuation:
    """The valuation of one decision."""

    def __init__(self, bot: SchwarzmarktPlanner, observation: Observation) -> None:
        self.material = bot.material
        self.offer_size = bot.offer_size
        self.observation = observation
        if observation.seat is None:
            raise ValueError("the public owes no decision")
        self.seat = observation.seat
        self.rivals = len(observation.hand_sizes) - 1
        # What a card is worth that is not sold in this exchange round.
        self.keep = keeping_value(self.material, observation.hand_sizes)
        self.holdings = expected_holdings(self.material, observation)
        self.wealth = expected_wealth(self.material, observation.luxury, observation.hand_sizes)
        if observation.demand:
            self.market = imagine_market(
                self.material, observation, self.holdings, observation.demand, self.seat
            )

    def value(self, move: Move) -> float:
        """Return the value of a move; only the moves of one decision can be compared."""
        match move:
            case Trade(goods):
                return self._trade(goods)
            case Step(spaces):
                return self.market.copy().value_of_passing(self.observation.marker + spaces)
            case Play(card, target, laid):
                return self._play(card, target, laid)
            case Find(good):
                return self._use(good, 1)
            case Return(good):
                return -self._use(good, 0)
        return 0.0  # to hold or to bury a card brings nothing

    # The exchange round (S4)

    def _trade(self, goods: Counts) -> float:
        """Return what the trade brings at once, and what follows it."""
        observation = self.observation
        marker = observation.marker
        number = size(goods)
        value = number * self.market.margins[marker]
        if goods == observation.goods:  # S4.4
            return value + self._end(number * self.material.prices[marker])
        if goods == observation.demand or marker == self.material.last_space:  # S4.3
            return value
        sold = [float(count(goods, good)) for good in types(observation.demand)]
        return value + self.market.after_selling(sold).value_of_passing(marker + 1)

    def _end(self, income: int) -> float:
        """Return the value of ending the game round with this last income.

        In the first game round the rivals' cards lose what keeping them was worth. In the last one
        the ranks are settled for good: that is worth what it is better than the prospects.
        """
        observation = self.observation
        if observation.game_round < GAME_ROUNDS:
            others = sum(observation.hand_sizes) - observation.hand_sizes[self.seat]
            return self.keep * others / self.rivals
        value = 0.0
        spread = LUCK * self.material.prices[-1] * math.sqrt(sum(observation.hand_sizes))
        mine = observation.luxury[self.seat] + income
        for rival, luxury in enumerate(observation.luxury):
            if rival != self.seat:
                margin = (self.wealth[self.seat] - self.wealth[rival]) / spread
                prospect = 0.5 + 0.5 * math.tanh(margin / 2)
                settled = 1.0 if mine > luxury else 0.5 if mine == luxury else 0.0
                value += RANK_VALUE * (settled - prospect) / self.rivals
        return value

    # Black-market cards (S3, S5)

    def _play(self, card: int, target: Seat | None, laid: Counts) -> float:
        effect = self.material.cards[card].effect
        share = 1.0 / self.rivals
        # Of several targets the one with the best prospects: luxury and goods to sell.
        value = 0.0 if target is None else 0.01 * lead(self.wealth, target)
        if effect is None:
            return self._offer(self.material.cards[card].demand)
        if effect is Effect.OLD_DEBT:
            value += self.keep * (1 + share)
        elif effect is Effect.NEW_GOODS:
            best = max(self._use(good, 1) for good in range(len(GOODS)))
            value += self.keep * best / self._mean_use() - SEARCH_FEE
        elif effect is Effect.PROTECTION and target is not None:
            value += min(PROTECTION_FEE, self.observation.luxury[target]) * (1 + share)
        elif effect is Effect.RAID:
            # The target's usual income goes to the others, the seat itself among them.
            price = usual_price(self.material, self.rivals + 1) - self.keep
            value += 2 * share * price * self.offer_size / (self.rivals + 1)
        elif effect is Effect.FORAGING:
            mean = self._mean_use()
            gain = sum([mean - self._use(good, 0) for good in unpack(laid)])
            value += self.keep * gain / mean
        return value

    def _offer(self, demand: Counts) -> float:
        """Return the value of opening an exchange round over `demand`: of its best first step."""
        market = imagine_market(self.material, self.observation, self.holdings, demand, self.seat)
        slow = is_open(self.material, self.observation, Effect.SLOW_TRADE)
        furthest = 1 if slow else min(self.material.steps[0], self.material.last_space)
        return max(market.copy().value_of_passing(step) for step in range(1, furthest + 1))

    def _use(self, good: int, more: int) -> float:
        """Return the use of the last card of a good, if the hand had `more` of it."""
        return self._uses[more][good]

    def _mean_use(self) -> float:
        return sum(self._uses[1]) / len(GOODS) or 1.0

    @cached_property
    def _uses(self) -> list[list[float]]:
        """The use of the last card of each good in hand, and of one card more."""
        cards, goods = self.observation.cards, self.observation.goods
        return [
            [
                usefulness(self.material, cards, good, count(goods, good) + more)
                for good in range(len(GOODS))
            ]
            for more in (0, 1)
        ]
