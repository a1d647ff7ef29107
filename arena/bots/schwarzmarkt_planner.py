"""Schwarzmarkt by an explicit valuation."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
import math

from arena.bots.bot import Bot
from arena.bots.schwarzmarkt_values import *
from arena.bots import schwarzmarkt_values as V
from arena.games.counts import *
from arena.games.game import AnyGame, Move
from arena.games.schwarzmarkt.material import Effect
from arena.games.schwarzmarkt.moves import Bury, Find, Hold, Play, Return, Step, Trade
from arena.games.schwarzmarkt.observation import Observation, Phase


class SchwarzmarktPlanner(Bot):
    name = "planner"
    usual = 0.36
    wary = 0.1
    eager = 0.4
    text = {
        Effect.OLD_DEBT: 4,
        Effect.NEW_GOODS: 0,
        Effect.SCARCE_GOODS: 0,
        Effect.FORAGING: 1,
        Effect.PROTECTION: 7,
        Effect.RAID: 6,
        Effect.SLOW_TRADE: 0,
    }
    W = 100.0
    infer = True

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game, rng)
        self.material = material_of(game)
        self.demand = mean_demand(self.material)

    def decide(self, observation: Observation, legal_moves: Sequence[Move]) -> Move:
        if len(legal_moves) == 1:
            return legal_moves[0]
        V.WARY, V.EAGER, V.USUAL_PRICE = self.wary, self.eager, self.usual
        phase = observation.phase
        self.keep = keeping_value(self.material, observation)
        if phase is Phase.EXCHANGE:
            h = expected_holdings(self.material, observation)
            return max(legal_moves, key=lambda m: self._exchange(observation, m, h))
        if phase is Phase.PLAY:
            h = expected_holdings(self.material, observation)
            return max(legal_moves, key=lambda m: self._play(observation, m, h))
        goods = observation.goods
        if phase is Phase.FIND:
            return max(legal_moves, key=lambda m: self.demand[m.good] / (1 + count(goods, m.good)))
        return min(legal_moves, key=lambda m: self.demand[m.good] / (1 + count(goods, m.good)))

    def market(self, ob, demand, h, fresh=False):
        mat = self.material
        kinds = types(demand)
        n = len(ob.hand_sizes)
        cards = mat.cards
        scarce = is_open(mat, ob, Effect.SCARCE_GOODS)
        raided = {o.target for o in ob.open_cards}
        rivals = []
        me = ob.seat
        mk = Market(
            mat,
            self.keep,
            1.0 if scarce else 99.0,
            [float(count(demand, g)) for g in kinds],
            [0.0 if me in raided or (scarce and ob.traders[me]) else h[me][g] for g in kinds],
            rivals,
        )
        for k in range(1, n):
            j = (me + k) % n
            if j in raided or (scarce and ob.traders[j]):
                rivals.append([0.0] * len(kinds))
            else:
                f = 1.0
                if self.infer and not fresh:
                    ago = ob.marker - (n - k)
                    if ago >= 0:
                        f = 1 - mk.willingness(ago)
                row = [h[j][g] * f for g in kinds]
                if scarce:
                    t = sum(row)
                    if t > 1:
                        row = [x / t for x in row]
                rivals.append(row)
        return mk

    def _exchange(self, ob, m, h):
        mk = self.market(ob, ob.demand, h)
        mat = self.material
        if type(m) is Hold:
            return 0.0
        if type(m) is Step:
            return mk.rest(ob.marker + m.spaces)
        goods = m.goods
        k = size(goods)
        value = k * (mat.prices[ob.marker] - self.keep)
        if goods == ob.goods:
            return value + self._ending(ob, k * mat.prices[ob.marker])
        if goods == ob.demand or ob.marker == mat.last_space:
            return value
        for i, g in enumerate(types(ob.demand)):
            c = count(goods, g)
            mk.wanted[i] -= c
            mk.mine[i] -= c
        if mk.most == 1:
            mk.mine = [0.0] * len(mk.mine)
        return value + mk.rest(ob.marker + 1)

    def _ending(self, ob, income):
        me = ob.seat
        n = len(ob.hand_sizes)
        others = sum(ob.hand_sizes) - ob.hand_sizes[me]
        value = self.keep * others / (n - 1)
        if ob.game_round == 2:
            s = 6.0 * math.sqrt(sum(ob.hand_sizes))
            w = expected_wealth(self.material, ob.luxury, ob.hand_sizes)
            for j in range(n):
                if j != me:
                    final = ob.luxury[me] + income - ob.luxury[j]
                    now = 1 if final > 0 else 0.5 if final == 0 else 0
                    value += self.W / (n - 1) * (now - 1 / (1 + math.exp(-(w[me] - w[j]) / s)))
        return value

    def _play(self, ob, m, h):
        if type(m) is Bury:
            return 0.0
        card = self.material.cards[m.card]
        e = card.effect
        if e is None:
            far = 1 if is_open(self.material, ob, Effect.SLOW_TRADE) else self.material.steps[0]
            return max(self.market(ob, card.demand, h, True).rest(s) for s in range(1, far + 1))
        v = self.text[e]
        if m.target is not None:
            v += ob.luxury[m.target] / 1e3
        if m.goods:
            v += 0.01 * sum(count(ob.goods, g) for g in unpack(m.goods))
        return v
