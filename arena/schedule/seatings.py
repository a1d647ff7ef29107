"""Who sits where: the seatings of a block, and fair places for the bots of tables that change.

A seating lists by seat an index into the bots of the table. Neighbours are those in seats s and
s + 1, and in the last seat and seat 0.

The seatings of a block stand in this order:

- none: one. Over k rounds every bot has every seat once; then the next circle comes.
- cyclic: the circle of the round, turned by 0, 1, … k-1 seats.
- latin: circle by circle (k prime), multiplier by multiplier (4) or path by path (k-1 prime), and
  for each of them shift by shift.
- full: lexicographic.

A circle is an order of the bots around the table. From round to round the circles take turns, so
that neighbours even out: exactly over k-1 rounds where k is prime, over 2(k-1) where k-1 is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import TypeAlias

import numpy as np

from arena.errors import InputError
from arena.schedule.plan import Rotation

Seating: TypeAlias = tuple[int, ...]

_GF4_TIMES = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four by 1, x and x + 1; its sums are exclusive ors."""


def seatings(rotation: Rotation, players: int, round: int) -> tuple[Seating, ...]:  # noqa: A002
    """Return the seatings in which the table of `players` bots plays a deal in a round, from 1.

    Raises InputError where no latin seatings are known for so many.
    """
    if rotation is Rotation.LATIN:
        return latin_seatings(players)
    if rotation is Rotation.FULL:
        return _full_seatings(players)
    circles = _circles(players)
    if rotation is Rotation.CYCLIC:
        return _turns(circles[(round - 1) % len(circles)])
    cycle, turn = divmod(round - 1, players)
    return (_turns(circles[cycle % len(circles)])[turn],)


def count_seatings(rotation: Rotation, players: int) -> int:
    """Return how many seatings a block has. Raises InputError as `seatings` does."""
    if rotation is Rotation.NONE:
        return 1
    if rotation is Rotation.CYCLIC:
        return players
    if rotation is Rotation.FULL:
        return math.factorial(players)
    return len(latin_seatings(players))


@cache
def latin_seatings(players: int) -> tuple[Seating, ...]:
    """Return k(k-1) seatings: each bot k-1 times in each seat, each k times right of each other.

    Raises InputError where none are known for so many.
    """
    if _is_prime(players):
        return tuple(turned for circle in _circles(players) for turned in _turns(circle))
    if players == 4:
        # Like the prime ones, these have each two bots once in each two seats, opposite ones too.
        return tuple(
            tuple(product ^ shift for product in products)
            for products in _GF4_TIMES
            for shift in range(4)
        )
    if _is_prime(players - 1):
        return _path_seatings(players - 1)
    raise InputError(
        f"rotation latin: no such seatings are known for tables of {players}; "
        "use cyclic, full or none"
    )


def spread_seats(tables: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the tables, the bots of each put in such seats that all bots have all seats alike.

    Over all tables no bot is in one seat more than once more often than in another. All tables
    have the same size.
    """
    # A bot that plays often is cut into parts that play at most k times. Parts and tables are then
    # the two sides of a graph with at most k edges at a node, whose edges can be coloured with k
    # colours, the seats, so that no node has a colour twice.
    played: Counter[int] = Counter()
    part_of: dict[tuple[int, int], int] = {}
    seats_of_tables: list[list[int | None]] = []  # by table and seat: the part
    seats_of_parts: list[list[int | None]] = []  # by part and seat: the table
    for number, table in enumerate(tables):
        seats_of_tables.append([None] * len(table))
        for bot in table:
            key = (bot, played[bot] // len(table))
            played[bot] += 1
            part = part_of.setdefault(key, len(part_of))
            if part == len(seats_of_parts):
                seats_of_parts.append([None] * len(table))
            _seat(number, part, seats_of_tables, seats_of_parts)
    bot_of = [bot for bot, _ in part_of]
    return [tuple(bot_of[part] for part in seats if part is not None) for seats in seats_of_tables]


def vary_neighbours(
    rounds: Iterable[Sequence[tuple[int, ...]]], players: int
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the tables of each round, their bots in such circles that neighbours even out.

    Each table has the circle whose neighbours have been neighbours least so far.
    """
    circles = _circles(players)
    if players <= 7:  # all of them are few enough
        circles = tuple((0, *others) for others in permutations(range(1, players)))
    left = np.array(circles)
    right = np.roll(left, -1, axis=1)
    beside: Counter[tuple[int, int]] = Counter()
    for tables in rounds:
        placed = []
        for table in tables:
            counts = np.array([[beside[first, second] for second in table] for first in table])
            circle = circles[int(np.argmin(counts[left, right].sum(axis=1)))]
            placed.append(tuple(table[place] for place in circle))
            beside.update(pairwise((*placed[-1], placed[-1][0])))
        yield tuple(placed)


def _seat(
    table: int,
    part: int,
    seats_of_tables: list[list[int | None]],
    seats_of_parts: list[list[int | None]],
) -> None:
    here, there = seats_of_tables[table], seats_of_parts[part]
    for seat, taken in enumerate(here):
        if taken is None and there[seat] is None:
            here[seat], there[seat] = part, table
            return
    seat, other = here.index(None), there.index(None)
    # Free `seat` at the part: the path from it along both seats in turn changes them. It never
    # comes to this table, which it could only enter by `seat`.
    path = [(part, seat)]
    node: int | None = seats_of_parts[part][seat]
    while node is not None:
        wanted = other if len(path) % 2 else seat
        path.append((node, wanted))
        node = (seats_of_tables if len(path) % 2 == 0 else seats_of_parts)[node][wanted]
    for step, (node, _) in enumerate(path):
        side = (seats_of_tables if step % 2 else seats_of_parts)[node]
        side[seat], side[other] = side[other], side[seat]
    here[seat], there[seat] = part, table


@cache
def _circles(players: int) -> tuple[Seating, ...]:
    if _is_prime(players):
        return tuple(
            tuple(factor * seat % players for seat in range(players))
            for factor in range(1, players)
        )
    if not _is_prime(players - 1):
        straight = tuple(range(players))
        return tuple(dict.fromkeys((straight, straight[::-1])))
    size = players - 1
    circles = [
        (size, *((step + shift) % size for step in path))
        for shift in range(size)
        for path in _zigzags(size)
    ]
    place = {bot: seat for seat, bot in enumerate(circles[0])}  # the first one is 0, 1, 2, …
    return tuple(tuple(place[bot] for bot in circle) for circle in circles)


def _path_seatings(size: int) -> tuple[Seating, ...]:
    """Return latin seatings of a prime number of bots and one more.

    That one sits in another seat for each of the paths, which the others follow from the next seat
    on around the table, each path shifted by 0, 1, … The straight paths make each step between two
    bots size-1 times, the zigzags twice: as often as the one more has each at its right.
    """
    straight = [[factor * step % size for step in range(size)] for factor in range(1, size)]
    made = []
    for first, path in enumerate([*straight, *_zigzags(size)]):
        for shift in range(size):
            circle = (size, *((step + shift) % size for step in path))
            made.append(circle[-first:] + circle[:-first] if first else circle)
    return tuple(made)


def _zigzags(size: int) -> tuple[list[int], list[int]]:
    """Return the path 0, 1, -1, 2, -2, … modulo an odd number, and its mirror image.

    The steps of the first are the odd numbers, each twice, those of the second the even ones.
    """
    path = [0]
    for step in range(1, size // 2 + 1):
        path += [step, size - step]
    return path, [-place % size for place in path]


@cache
def _turns(circle: Seating) -> tuple[Seating, ...]:
    return tuple(circle[turn:] + circle[:turn] for turn in range(len(circle)))


@cache
def _full_seatings(players: int) -> tuple[Seating, ...]:
    return tuple(permutations(range(players)))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, math.isqrt(number) + 1))
