"""The schedule of a tournament: every match, in canonical order, before any is played.

Round by round, in a round table by table, at a table seating by seating. It is a function of the
plan alone, and more rounds only append to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from arena.counted import counted
from arena.errors import InputError
from arena.schedule.balance import Balance, measure_balance
from arena.schedule.design import Table
from arena.schedule.plan import Deals, Format, Rotation, SchedulePlan, Tables
from arena.schedule.seatings import Seating, count_seatings, seatings
from arena.schedule.tables import table_rounds
from arena.storage.records import FixtureRecord

MAX_FIXTURES = 1_000_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """A schedule, and what it comes to."""

    fixtures: tuple[FixtureRecord, ...]  # in canonical order
    rounds: int  # complete ones
    tables: int  # different ones
    balance: Balance


def make_schedule(plan: SchedulePlan) -> Schedule:
    """Return the schedule of a plan; raises InputError, with what to do, if there can be none."""
    _check_bots(plan)
    if plan.rounds < 1:
        raise InputError(f"a tournament has at least 1 round, not {plan.rounds}")
    in_block = _count_in_block(plan)
    rounds = table_rounds(plan)
    first = next(rounds)
    blocks = plan.rounds * len(first)
    if plan.max_matches is not None:
        blocks = min(blocks, plan.max_matches // in_block)
    if blocks * in_block > MAX_FIXTURES:
        raise InputError(
            f"{counted(plan.rounds, 'round')} of {counted(len(first), 'table')} with "
            f"{counted(in_block, 'match', 'es')} each are more than {MAX_FIXTURES:,} matches: play "
            "fewer rounds, set --max-matches, or use another rotation or --tables balanced"
        )
    fixtures, tables = _make_fixtures(plan, islice(_blocks(chain([first], rounds)), blocks))
    return Schedule(
        fixtures=fixtures,
        rounds=blocks // len(first),
        tables=tables,
        balance=measure_balance(
            fixtures, plan.bots, mixes_groups=plan.mixes_groups, focus=plan.focus
        ),
    )


def round_ends(fixtures: Sequence[FixtureRecord]) -> tuple[int, ...]:
    """Return the index after the last fixture of each complete round of a schedule.

    All rounds have the same number of matches, so that a last one with fewer is known to be cut
    short; of a single round nobody can tell, and it counts as complete.
    """
    ends = [
        place
        for place in range(1, len(fixtures) + 1)
        if place == len(fixtures) or fixtures[place].round != fixtures[place - 1].round
    ]
    if len(ends) > 1 and ends[-1] - ends[-2] < ends[0]:
        ends.pop()
    return tuple(ends)


def _make_fixtures(
    plan: SchedulePlan, blocks: Iterable[tuple[int, int, Table]]
) -> tuple[tuple[FixtureRecord, ...], int]:
    """Return the fixtures of the blocks and the number of different tables."""
    names = [bot.name for bot in plan.bots]
    numbers: dict[Table, int] = {}
    fixtures: list[FixtureRecord] = []
    for block, (round_number, place, table) in enumerate(blocks, 1):
        number = numbers.setdefault(tuple(sorted(table)), len(numbers) + 1)
        deal = round_number if plan.deals is Deals.SHARED else block
        at_table = [names[bot] for bot in table]
        for seating, order in enumerate(_block_seatings(plan, round_number, place)):
            fixtures.append(
                FixtureRecord(
                    index=len(fixtures),
                    match=f"{block}-{seating + 1}",
                    block=block,
                    round=round_number,
                    table=number,
                    deal=deal,
                    seating=seating,
                    bots=tuple([at_table[bot] for bot in order]),
                )
            )
    return tuple(fixtures), len(numbers)


def _blocks(rounds: Iterable[tuple[Table, ...]]) -> Iterator[tuple[int, int, Table]]:
    """Yield the round, the place in it and the table of each block."""
    for number, tables in enumerate(rounds, 1):
        for place, table in enumerate(tables):
            yield number, place, table


def _block_seatings(plan: SchedulePlan, round_number: int, place: int) -> tuple[Seating, ...]:
    if plan.tables is Tables.BALANCED:
        return seatings(plan.rotation, plan.players, 1)  # their bots stand in fair places already
    if plan.rotation is Rotation.CYCLIC:
        # The tables of a round begin with different circles, so that neighbours are even sooner.
        return seatings(plan.rotation, plan.players, round_number + place)
    return seatings(plan.rotation, plan.players, round_number)


def _check_bots(plan: SchedulePlan) -> None:
    names = [bot.name for bot in plan.bots]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two bots are named {name}: give one of them another name")
    if plan.players < 2:
        raise InputError(f"a table of {plan.players} is too small: at least 2 bots must meet")
    if len(names) < plan.players:
        raise InputError(
            f"{counted(len(names), 'bot')} {'is' if len(names) == 1 else 'are'} too few for tables "
            f"of {plan.players}: "
            "enter more bots or choose smaller tables"
        )
    if plan.format is not Format.GAUNTLET:
        if plan.focus is not None:
            raise InputError("--focus is for a gauntlet: leave it out, or set --format gauntlet")
    elif plan.focus is None:
        raise InputError("a gauntlet needs --focus BOT: name one of the bots")
    elif plan.focus not in names:
        raise InputError(
            f"{plan.focus} is not one of the bots: --focus must be one of {', '.join(names)}"
        )


def _count_in_block(plan: SchedulePlan) -> int:
    in_block = count_seatings(plan.rotation, plan.players)
    if plan.max_matches is not None and plan.max_matches < in_block:
        raise InputError(
            f"--max-matches {plan.max_matches} is too few: one deal at one table in all its "
            f"seatings (rotation {plan.rotation.value}) is {counted(in_block, 'match', 'es')}"
        )
    return in_block
