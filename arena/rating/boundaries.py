"""Group-sequential boundaries: how clear a lead must be at each of many looks.

Who looks again and again finds something by chance sooner or later. But one look has much in common
with the next, so that what all looks together may err need not be divided among them as if each
were a new attempt. Of the error that is allowed, the n-th look may spend the share
10 / ((n + 9) (n + 10)): these add up to one however many looks there are. The boundary of a look is
where a standard normal lead, which nothing but chance moves from look to look and which has crossed
no boundary before, crosses it with just that probability (P. Armitage, C. K. McPherson and B. C.
Rowe, 1969; K. K. G. Lan and D. L. DeMets, 1983).
"""

from __future__ import annotations

import functools
import math
from statistics import NormalDist

import numpy as np

from arena.rating.statistics import Floats

_FIRST = (10, 12, 14, 17)  # rounds; and their doubles: steps of about a fifth
_HALF = 10  # looks that spend half of the error
_NODES = 80  # where a density is known
_FINEST = 45  # bisections


def look_rounds(look: int) -> int:
    """Return after how many rounds a look is, by its number from 1: 10, 12, 14, 17, 20, 24."""
    doubled, first = divmod(look - 1, len(_FIRST))
    return _FIRST[first] << doubled


def look_share(look: int) -> float:
    """Return which share of the allowed error the look of that number may spend."""
    return _HALF / ((look + _HALF - 1) * (look + _HALF))


def look_boundary(level: float, look: int) -> float:
    """Return how many standard deviations a lead needs at a look, for so much certainty.

    Both directions count: which bot is the better one was not known before. Rounded, so that the
    last bits of a machine's arithmetic decide nothing.
    """
    return round(_pass(level, look)[0], 4)


def normal_score(ratio: Floats, freedom: int) -> Floats:
    """Return the standard normal values as unlikely as these values of Student's distribution.

    By the formula of D. L. Wallace (1959); from 9 degrees of freedom on right to 0.01.
    """
    stretched = np.sqrt(freedom * np.log1p(ratio * ratio / freedom))
    return np.asarray(np.sign(ratio) * stretched * (8 * freedom + 1) / (8 * freedom + 3))


@functools.cache
def _pass(level: float, look: int) -> tuple[float, Floats, Floats]:
    """Return a look's boundary, and the leads that pass below it: values and probabilities."""
    spent = (1 - level) * look_share(look)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    if look == 1:
        boundary = -NormalDist().inv_cdf(spent / 2)
        values = nodes * boundary
        return boundary, values, weights * boundary * _density(values)
    _, before, chances = _pass(level, look - 1)
    known = look_rounds(look - 1) / look_rounds(look)
    means, deviation = before * math.sqrt(known), math.sqrt(1 - known)
    low, high, boundary = 0.0, 10.0, 0.0
    for _ in range(_FINEST):
        boundary = (low + high) / 2
        beyond = _tail((boundary - means) / deviation) + _tail((boundary + means) / deviation)
        low, high = (boundary, high) if float(chances @ beyond) > spent else (low, boundary)
    values = nodes * boundary
    moved = _density((values[:, None] - means) / deviation) / deviation
    return boundary, values, weights * boundary * (moved @ chances)


def _density(values: Floats) -> Floats:
    return np.exp(-values * values / 2) / math.sqrt(2 * math.pi)


def _tail(values: Floats) -> Floats:
    return np.array([math.erfc(value / math.sqrt(2)) / 2 for value in values])
