"""TrueSkill for matches in which everybody plays for itself.

The numbers are those of the `trueskill` package: its constants, its normal distribution, its draw
margin and its criterion for when messages have settled. Only its factor graph is replaced. The
package builds some thirty objects for a match of four and takes 0.6 to 1 ms, a minute or more for
100,000 matches, in which nobody wants to wait for a leaderboard. With one bot a team the graph is
a chain: the bots in order of their places, a comparison between each two neighbours. Passing the
same messages in the same order along that chain takes a tenth of the time. The tests hold both
against each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import trueskill

from arena.rating.models import Rating, State

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2

_SETTLED = 1e-4  # as in the package: messages that change less have settled,
_MAX_SWEEPS = 10  # and after so many sweeps they are taken as they are


class TrueSkillModel:
    """TrueSkill without dynamics (tau 0): bots do not change. A state is precision, precision x mu.

    Where winner and loser are so far apart that the package gives up with FloatingPointError (some
    230 points), the limits of the formulas are used.
    """

    name = "trueskill"

    def __init__(self, draw_probability: float) -> None:
        environment = trueskill.TrueSkill(MU, SIGMA, BETA, 0.0, draw_probability)
        self.draw_probability: float | None = draw_probability
        self._cdf = environment.cdf
        self._pdf = environment.pdf
        self._margin: float = trueskill.calc_draw_margin(draw_probability, 2, environment)

    def start(self) -> State:
        return SIGMA**-2, SIGMA**-2 * MU

    def rating(self, state: State) -> Rating:
        mu, sigma = state[1] / state[0], math.sqrt(1 / state[0])
        return Rating(mu, sigma, mu - 3 * sigma)

    def rate(
        self, states: Sequence[State], ranks: Sequence[int], scores: Sequence[int]
    ) -> list[State]:
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        chain = _Chain([states[seat] for seat in order])
        tied = [ranks[a] == ranks[b] for a, b in itertools.pairwise(order)]
        self._settle(chain, tied)
        rated = list(states)
        for place, seat in enumerate(order):
            rated[seat] = chain.updated(place, states[seat])
        return rated

    def _settle(self, chain: _Chain, tied: Sequence[bool]) -> None:
        """Pass messages down and up the chain until they no longer change."""
        last = len(tied) - 1
        if last == 0:
            self._compare(chain, 0, tied[0])
        else:
            for _ in range(_MAX_SWEEPS):
                change = 0.0
                for place in range(last):
                    change = max(change, self._compare(chain, place, tied[place]))
                    chain.tell_lower(place)
                for place in range(last, 0, -1):
                    change = max(change, self._compare(chain, place, tied[place]))
                    chain.tell_upper(place)
                if change <= _SETTLED:
                    break
        chain.tell_upper(0)
        chain.tell_lower(last)

    def _compare(self, chain: _Chain, place: int, is_tied: bool) -> float:
        """Learn from two neighbours' order; return by how much the message has changed."""
        pi, tau = chain.difference(place)
        root = math.sqrt(pi)
        v, w = (self._drawn if is_tied else self._won)(tau / root, self._margin * root)
        told_pi = pi / (1 - w) - pi
        told_tau = (tau + root * v) / (1 - w) - tau
        change = max(
            abs(told_tau - chain.told_tau[place]), math.sqrt(abs(told_pi - chain.told_pi[place]))
        )
        chain.told_pi[place], chain.told_tau[place] = told_pi, told_tau
        return change

    def _won(self, difference: float, margin: float) -> tuple[float, float]:
        """Return by how much a victory moves mean and variance of a difference."""
        x = difference - margin
        below = self._cdf(x)
        v = self._pdf(x) / below if below else -x
        w = v * (v + x)
        if 0 < w < 1:
            return v, w
        return (0.0, 0.0) if x > 0 else (-x, 1 - 1 / (1 + x * x))

    def _drawn(self, difference: float, margin: float) -> tuple[float, float]:
        """Return by how much a tie moves mean and variance of a difference."""
        distance = abs(difference)
        a, b = margin - distance, -margin - distance
        within = self._cdf(a) - self._cdf(b)
        if within:
            pdf_a, pdf_b = self._pdf(a), self._pdf(b)
            v = (pdf_b - pdf_a) / within
            w = v * v + (a * pdf_a - b * pdf_b) / within
            if 0 < w < 1:
                return (-v if difference < 0 else v), w
        return (-a if difference < 0 else a), 1 - 1 / (1 + a * a)


class _Chain:
    """The messages of one match, by place: precision and precision x mean of each."""

    __slots__ = (
        "below",
        "below_tau",
        "own",
        "own_tau",
        "told_pi",
        "told_tau",
        "upper",
        "upper_tau",
    )

    def __init__(self, states: Sequence[State]) -> None:
        size = len(states)
        self.own = [1 / (1 / pi + BETA * BETA) for pi, _ in states]  # how it plays, a priori
        self.own_tau = [own * tau / pi for own, (pi, tau) in zip(self.own, states, strict=True)]
        self.upper, self.upper_tau = [0.0] * size, [0.0] * size  # from the comparison upwards
        self.below, self.below_tau = [0.0] * size, [0.0] * size  # from the comparison downwards
        self.told_pi, self.told_tau = [0.0] * size, [0.0] * size  # by comparison: what it says

    def difference(self, place: int) -> tuple[float, float]:
        """Return what is known of the difference to the next place but by comparing them."""
        pi, tau = self.own[place] + self.upper[place], self.own_tau[place] + self.upper_tau[place]
        place += 1
        next_pi = self.own[place] + self.below[place]
        next_tau = self.own_tau[place] + self.below_tau[place]
        precision = 1 / (1 / pi + 1 / next_pi)
        return precision, precision * (tau / pi - next_tau / next_pi)

    def tell_lower(self, place: int) -> None:
        """Tell the lower of two compared what that says about it."""
        pi, tau = self.own[place] + self.upper[place], self.own_tau[place] + self.upper_tau[place]
        told, told_tau = self.told_pi[place], self.told_tau[place]
        precision = 1 / (1 / pi + 1 / told) if told else 0.0
        self.upper[place + 1] = precision
        self.upper_tau[place + 1] = precision * (tau / pi - told_tau / told) if told else 0.0

    def tell_upper(self, place: int) -> None:
        """Tell the upper of two compared what that says about it."""
        pi = self.own[place + 1] + self.below[place + 1]
        tau = self.own_tau[place + 1] + self.below_tau[place + 1]
        told, told_tau = self.told_pi[place], self.told_tau[place]
        precision = 1 / (1 / pi + 1 / told) if told else 0.0
        self.below[place] = precision
        self.below_tau[place] = precision * (tau / pi + told_tau / told) if told else 0.0

    def updated(self, place: int, state: State) -> State:
        """Return what is known of a bot now: what was known, and what its comparisons say."""
        pi = self.upper[place] + self.below[place]
        share = 1 / (1 + BETA * BETA * pi)
        tau = self.upper_tau[place] + self.below_tau[place]
        return state[0] + share * pi, state[1] + share * tau
