"""The share of decisions with some property, of which those in one match hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.rating.leaderboard import Interval
from arena.rating.student import student_quantile


def share_interval(counts: Sequence[int], totals: Sequence[int]) -> Interval | None:
    """Return the 95 % interval of a share; by match so many `counts` of so many `totals`.

    Wilson's interval for as many independent decisions as would be as certain: fewer where the
    matches differ by more than chance, and with Student's quantile for as many matches as have one
    that counts. Where none counts, or all do, nothing shows how far those of
    a match hang together, and each match is taken for one decision. None with fewer than two
    matches.
    """
    used = [(count, total) for count, total in zip(counts, totals, strict=True) if total]
    matches, decisions = len(used), sum(total for _, total in used)
    if matches < 2:
        return None
    share = sum(count for count, _ in used) / decisions
    effective, quantile = float(matches), student_quantile(max(2, matches - 1))
    if 0 < share < 1:
        apart = sum((count - share * total) ** 2 for count, total in used)
        variance = apart * matches / (matches - 1) / decisions**2
        with_some = sum(count > 0 for count, _ in used)
        quantile = student_quantile(max(2, min(matches - 1, with_some)))
        effective = min(float(decisions), share * (1 - share) / variance) if variance else decisions
    spread = quantile**2 / effective
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
