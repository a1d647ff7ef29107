"""Which sets of bots meet, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, repeat

import numpy as np

from arena.counted import counted
from arena.errors import InputError
from arena.schedule.design import Table, balanced_rounds
from arena.schedule.plan import Format, Rotation, SchedulePlan, Tables
from arena.schedule.seatings import spread_seats, vary_neighbours

MAX_TABLES = 20_000


def table_rounds(plan: SchedulePlan) -> Iterator[tuple[Table, ...]]:
    """Yield without end the tables of each round: indices of bots, in the order they stand.

    Within a round the table whose bots have played least comes next. Bots stand at a table as they
    were entered, with two exceptions. With one seating to a block they stand so that all have had
    all seats alike, over the tables of a round (all) or over k rounds (balanced). In a balanced
    design with cyclic seatings they stand so that neighbours even out.

    No round depends on how many are taken. The plan is one that `make_schedule` takes; raises
    InputError where no table can be formed, a bot could never play, or tables are too many.
    """
    groups, focus = _group_numbers(plan), _focus_index(plan)
    _check_groups(plan, groups, focus)
    if plan.tables is Tables.BALANCED:
        rounds = map(interleave, balanced_rounds(groups, plan.players, focus))
        if plan.rotation is Rotation.NONE:
            return _spread_rounds(rounds, plan.players)
        if plan.rotation is Rotation.CYCLIC:
            return vary_neighbours(rounds, plan.players)
        return map(tuple, rounds)
    tables = interleave(_all_tables(plan, groups, focus))
    return repeat(tuple(spread_seats(tables) if plan.rotation is Rotation.NONE else tables))


def interleave(tables: Sequence[Table]) -> list[Table]:
    """Return the tables in an order in which any first few are as even as possible.

    Next is the table whose bots have played least, then the one whose pairs have met least, then
    the first as they were given.
    """
    if len(tables) < 2:
        return list(tables)
    with_bot: dict[int, list[int]] = {}
    with_pair: dict[tuple[int, int], list[int]] = {}
    for number, table in enumerate(tables):
        for bot in table:
            with_bot.setdefault(bot, []).append(number)
        for pair in combinations(table, 2):
            with_pair.setdefault(pair, []).append(number)
    bot_index = {bot: np.array(numbers) for bot, numbers in with_bot.items()}
    pair_index = {pair: np.array(numbers) for pair, numbers in with_pair.items()}
    step = len(tables[0]) ** 2 * len(tables)  # one match of a bot outweighs all meetings of pairs
    played = dict.fromkeys(bot_index, 0)
    burden = np.zeros(len(tables), dtype=np.int64)
    never = np.iinfo(np.int64).max // 2
    ordered = []
    for _ in tables:
        chosen = int(np.argmin(burden))
        table = tables[chosen]
        ordered.append(table)
        for bot in table:
            played[bot] += 1
            burden[bot_index[bot]] += step * (2 * played[bot] - 1)  # squares: who is ahead waits
        for pair in combinations(table, 2):
            burden[pair_index[pair]] += 1
        burden[chosen] = never
    return ordered


def count_tables(groups: Sequence[int], players: int) -> int:
    """Return how many tables of so many bots there are without two of a group."""
    ways = [1] + [0] * players  # by number of bots chosen
    for group in sorted(set(groups)):
        size = groups.count(group)
        for chosen in range(players, 0, -1):
            ways[chosen] += ways[chosen - 1] * size
    return ways[players]


def _all_tables(plan: SchedulePlan, groups: Sequence[int], focus: int | None) -> list[Table]:
    bots = [bot for bot in range(len(groups)) if bot != focus]
    seats = plan.players - (focus is not None)
    number = count_tables([groups[bot] for bot in bots], seats)
    if number > MAX_TABLES:
        raise InputError(
            f"{len(groups)} bots make {number:,} different tables of {plan.players}, and at most "
            f"{MAX_TABLES:,} can all be played: use --tables balanced"
        )
    return [
        table if focus is None else tuple(sorted((*table, focus)))
        for table in _combine(bots, groups, seats)
    ]


def _combine(bots: Sequence[int], groups: Sequence[int], seats: int) -> Iterator[Table]:
    """Yield in lexicographic order the sets of so many bots without two of a group."""
    if seats == 0:
        yield ()
        return
    if len({groups[bot] for bot in bots}) == len(bots):
        yield from combinations(bots, seats)
        return
    for place, first in enumerate(bots):
        others = [bot for bot in bots[place + 1 :] if groups[bot] != groups[first]]
        for table in _combine(others, groups, seats - 1):
            yield (first, *table)


def _spread_rounds(rounds: Iterator[list[Table]], players: int) -> Iterator[tuple[Table, ...]]:
    # In k rounds each bot plays a multiple of k times, so that seats come out even.
    while True:
        some = list(islice(rounds, players))
        spread = iter(spread_seats(list(chain.from_iterable(some))))
        for tables in some:
            yield tuple(islice(spread, len(tables)))


def _group_numbers(plan: SchedulePlan) -> list[int]:
    """Return for each bot the number of its group; a bot that may meet all is one of its own."""
    numbers: dict[tuple[str, int], int] = {}
    return [
        numbers.setdefault(
            (bot.group, -1) if bot.group and not plan.mixes_groups else ("", place), len(numbers)
        )
        for place, bot in enumerate(plan.bots)
    ]


def _focus_index(plan: SchedulePlan) -> int | None:
    if plan.format is not Format.GAUNTLET:
        return None
    return next(place for place, bot in enumerate(plan.bots) if bot.name == plan.focus)


def _check_groups(plan: SchedulePlan, groups: Sequence[int], focus: int | None) -> None:
    if focus is not None:
        for place, bot in enumerate(plan.bots):
            if place != focus and groups[place] == groups[focus]:
                raise InputError(
                    f"bot {bot.name} would never play: it is of group {bot.group}, like "
                    f"{plan.focus}, the focus of the gauntlet; leave it out or let groups mix"
                )
    if len(set(groups)) < plan.players:
        raise InputError(
            f"no table of {plan.players} can be formed: the {len(groups)} bots are of "
            f"{counted(len(set(groups)), 'group')}, and bots of one group do not meet; enter bots "
            "of other groups or let groups mix"
        )
