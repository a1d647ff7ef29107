"""Balanced designs: rounds of few tables, every bot equally often, pairs as equally as possible.

Round after round is made with regard to the earlier ones alone, so that more rounds only append.
A round begins as a deal of all bots to its tables; then two bots of different tables change places
as long as that lowers the sum of the squares of how often each pair has met so far. It depends on
nothing but the number of bots, their groups and the size of the tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.games.shuffle import SeededChance

Table: TypeAlias = tuple[int, ...]
_Numbers: TypeAlias = NDArray[np.int64]

_POOL = 200
"""So many rounds are designed; each later one repeats that of them which evens out most."""

_EFFORT = 96
"""Small rounds are tried several times, so many seats in all; the best try stands."""

_TOGETHER = 2048
"""About so many changes of places are weighed at a time."""


@dataclass(frozen=True, slots=True)
class RoundShape:
    """How often who plays in a round."""

    tables: int
    fixed: tuple[tuple[int, ...], ...]  # groups of which a bot sits at every table, in turns
    free: tuple[int, ...]  # the other bots: all equally often in every round
    times: int  # how often

    def quotas(self, round: int) -> dict[int, int]:  # noqa: A002
        """Return how often each bot plays in a round, from 1."""
        quotas = dict.fromkeys(self.free, self.times)
        before, after = (round - 1) * self.tables, round * self.tables
        for group in self.fixed:
            for place, bot in enumerate(group):
                ahead = len(group) - 1 - place
                quotas[bot] = (after + ahead) // len(group) - (before + ahead) // len(group)
        return quotas


def find_shape(groups: Sequence[int], players: int, focus: int | None) -> RoundShape:
    """Return the smallest round in which every bot plays equally often.

    `groups` has for each bot the number of its group, no two of which sit at one table; there are
    at least `players` groups. A group too large for that has a bot at every table, and its bots
    share that seat; so has the bot in focus, which is alone in its group.
    """
    members: dict[int, list[int]] = {}
    for bot, group in enumerate(groups):
        members.setdefault(group, []).append(bot)
    fixed = [] if focus is None else [tuple(members.pop(groups[focus]))]
    while True:
        seats, free = players - len(fixed), sum(map(len, members.values()))
        largest = max(members, key=lambda group: len(members[group]))
        if len(members[largest]) * seats <= free:
            break
        fixed.append(tuple(members.pop(largest)))
    tables = free // math.gcd(free, seats)
    all_alike = math.lcm(tables, *map(len, fixed))
    if all_alike <= len(groups):  # else the bots of a fixed group are alike over several rounds
        tables = all_alike
    bots = tuple(sorted(bot for group in members.values() for bot in group))
    return RoundShape(tables, tuple(fixed), bots, tables * seats // free)


def balanced_rounds(
    groups: Sequence[int], players: int, focus: int | None = None
) -> Iterator[list[Table]]:
    """Yield without end the tables of each round, as `find_shape` says."""
    shape = find_shape(groups, players, focus)
    group_of = np.array(groups, dtype=np.int64)
    met: _Numbers = np.zeros((len(groups), len(groups)), dtype=np.int64)
    pool: list[_Numbers] = []
    for number in range(1, _POOL + 1):
        members, met = _design_round(shape, number, players, group_of, met)
        pool.append(members)
        yield _as_tables(members)
    weights = np.stack([_count_meetings(members, len(groups)) for members in pool])
    totals = weights.sum(axis=0)
    # The diagonal, how often a bot has played, comes first where bots take turns.
    scale = np.where(np.eye(len(groups), dtype=bool), len(groups), 1)
    flat = (weights * scale).reshape(_POOL, -1)
    for _ in count():
        choice = int(np.argmin(flat @ totals.reshape(-1)))
        totals += weights[choice]
        yield _as_tables(pool[choice])


def _design_round(
    shape: RoundShape, number: int, players: int, group_of: _Numbers, met: _Numbers
) -> tuple[_Numbers, _Numbers]:
    quotas = shape.quotas(number)
    best: tuple[int, _Numbers, _Numbers] | None = None
    for attempt in range(max(1, _EFFORT // (shape.tables * players))):
        chance = SeededChance(f"tables/{number}/{attempt}".encode())
        members = _deal_bots(quotas, group_of, shape.tables, chance)
        now = met + _count_meetings(members, len(group_of))
        np.fill_diagonal(now, 0)
        _even_out(members, now, group_of)
        cost = int((now * now).sum())
        if best is None or cost < best[0]:
            best = cost, members, now
    assert best is not None  # there is at least one attempt
    return best[1], best[2]


def _deal_bots(
    quotas: dict[int, int], group_of: _Numbers, tables: int, chance: SeededChance
) -> _Numbers:
    """Return by table and place the bots, dealt around the tables group by group.

    Nobody and no group comes twice to a table, since none has more turns than there are tables.
    """
    members: dict[int, list[int]] = {}
    for bot in chance.shuffle("bots", sorted(quotas)):
        members.setdefault(int(group_of[bot]), []).append(bot)
    turns = [
        bot
        for group in chance.shuffle("groups", sorted(members))
        for bot in members[group]
        for _ in range(quotas[bot])
    ]
    return np.array(turns, dtype=np.int64).reshape(-1, tables).T.copy()


def _count_meetings(members: _Numbers, bots: int) -> _Numbers:
    sits = np.zeros((len(members), bots), dtype=np.int64)
    sits[np.arange(len(members))[:, None], members] = 1
    return sits.T @ sits


def _even_out(members: _Numbers, met: _Numbers, group_of: _Numbers) -> None:
    """Let bots change places as long as the sum of squares of `met` falls. Changes both.

    Place after place is looked at, and the best change made at once; what the next ones could gain
    is found together.
    """
    players = members.shape[1]
    together = max(1, _TOGETHER // (players * members.size))  # tables
    own = _costs(members, met)
    place = 0
    quiet = 0  # places looked at since the last change
    while quiet < members.size:
        table, seat = divmod(place, players)
        gains = _gains(members, met, group_of, own, slice(table, table + together))[seat:]
        best = gains.argmin(axis=1)
        falls = np.flatnonzero(gains[np.arange(len(best)), best] < 0)
        if falls.size and falls[0] < members.size - quiet:
            place += int(falls[0])
            _swap(members, met, divmod(place, players), divmod(int(best[falls[0]]), players))
            own = _costs(members, met)
            place, quiet = place + 1, 0
        else:
            place, quiet = place + len(best), quiet + len(best)
        place %= members.size


def _costs(members: _Numbers, met: _Numbers) -> _Numbers:
    costs: _Numbers = met[members[:, :, None], members[:, None, :]].sum(axis=2)
    return costs


def _gains(
    members: _Numbers, met: _Numbers, group_of: _Numbers, own: _Numbers, tables: slice
) -> _Numbers:
    """Return half of what the sum of squares changes by when two bots swap: place by place.

    The rows are the places of these tables, the columns all places. Where they may not, 0.
    """
    here, groups = members[tables], group_of[members]
    rows = np.arange(len(here))[:, None]
    is_here = np.zeros((len(here), len(met)), dtype=np.int64)
    is_here[rows, here] = 1
    common = is_here[:, members].sum(axis=2)  # those that stay with both: nothing changes for them
    met_here = met[here]
    met_bot = met_here[:, :, members]
    gains: _Numbers = met_here.sum(axis=1)[:, members][:, None] - own - 2 * met_bot
    gains += (met_bot.sum(axis=3) - 2 * common[:, None])[..., None]
    gains += 2 * (here.shape[1] - 1) - own[tables][..., None, None]
    taken = np.zeros((len(here), int(group_of.max()) + 1), dtype=bool)
    taken[rows, group_of[here]] = True
    same = groups == group_of[here][..., None, None]
    barred = taken[:, groups][:, None] | same.any(axis=3)[..., None]
    gains[(barred & ~same) | (members == here[..., None, None])] = 0
    return gains.reshape(here.size, -1)


def _swap(
    members: _Numbers, met: _Numbers, first: tuple[int, int], second: tuple[int, int]
) -> None:
    for step in (-1, 1):
        if step == 1:
            members[first], members[second] = members[second], members[first]
        for table, seat in (first, second):
            bot, others = members[table, seat], members[table]
            met[bot, others] += step
            met[others, bot] += step
            met[bot, bot] = 0


def _as_tables(members: _Numbers) -> list[Table]:
    return [tuple(sorted(table)) for table in members.tolist()]
