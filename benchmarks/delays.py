"""Delays, summed up."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def middle_and_tail(delays: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile, in microseconds."""
    ordered = sorted(delays)
    return 1e6 * statistics.median(ordered), 1e6 * ordered[int(0.99 * (len(ordered) - 1))]
