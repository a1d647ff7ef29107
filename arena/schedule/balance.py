"""How even a schedule is, measured on its fixtures and said in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.storage.records import BotRecord, FixtureRecord

_Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest and the largest of several counts."""

    least: int
    most: int

    @property
    def is_exact(self) -> bool:
        """Whether all are the same."""
        return self.least == self.most

    def __str__(self) -> str:
        return str(self.least) if self.is_exact else f"{self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class FocusBalance:
    """How even the matches of the bot in focus are."""

    name: str
    matches: int
    seats: Spread  # its matches in each seat
    neighbours: Spread  # how often each other bot sits at its right, and it at theirs


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a schedule is. In a gauntlet all but `focus` is about the other bots."""

    matches: Spread  # of each bot
    seats: Spread  # matches of each bot in each seat
    meetings: Spread  # of each pair that may meet; 0 to 0 where none may
    neighbours: Spread  # how often each bot that may sits at the right of each other
    focus: FocusBalance | None = None


def measure_balance(
    fixtures: Sequence[FixtureRecord],
    bots: Sequence[BotRecord],
    *,
    mixes_groups: bool = False,
    focus: str | None = None,
) -> Balance:
    """Return how even the fixtures are, of which there is at least one.

    Pairs of bots of one group do not count unless groups mix. With `focus` that bot is measured
    apart.
    """
    index = {bot.name: place for place, bot in enumerate(bots)}
    players = len(fixtures[0].bots)
    flat = [index[name] for fixture in fixtures for name in fixture.bots]
    table = np.array(flat, dtype=np.int64).reshape(-1, players)
    seats = np.stack([np.bincount(column, minlength=len(bots)) for column in table.T], axis=1)
    met = _count(table, combinations(range(players), 2), len(bots))
    around = ((seat, (seat + 1) % players) for seat in range(players))
    neighbours = _count(table, around, len(bots))
    groups = np.array([bot.group for bot in bots])
    may_meet = ~np.eye(len(bots), dtype=bool)
    if not mixes_groups:
        may_meet &= (groups[:, None] != groups) | (groups == "")
    others = np.array([bot.name != focus for bot in bots])
    among_others = may_meet & others & others[:, None]
    return Balance(
        matches=_spread(seats.sum(axis=1)[others]),
        seats=_spread(seats[others]),
        meetings=_spread((met + met.T)[among_others]),
        neighbours=_spread(neighbours[among_others]),
        focus=None if focus is None else _measure_focus(index[focus], focus, seats, neighbours),
    )


def describe(balance: Balance) -> list[str]:
    """Return in plain words how even a schedule is, a sentence a line."""
    focus = balance.focus
    who = "every bot plays" if focus is None else "every other bot plays"
    if not balance.matches.is_exact:
        who = "bots play" if focus is None else "the other bots play"
    lines = []
    if focus is not None:
        lines.append(
            f"{focus.name} plays {_times(focus.matches, 'match', 'matches')}, "
            f"{focus.seats} in every seat"
        )
    plays = "match" if balance.matches == Spread(1, 1) else "matches"
    bots = f"{who} {balance.matches} {plays}, {balance.seats} in every seat"
    if balance.meetings.most == 0:
        return [*lines, bots]
    pairs = _pairs_in_words(balance)
    if balance.matches.is_exact and balance.seats.is_exact and balance.meetings.is_exact:
        lines.append(f"{bots}, {pairs}")
    else:
        lines += [bots, pairs]
    return [*lines, _neighbours_in_words(balance)]


def _pairs_in_words(balance: Balance) -> str:
    which = "" if balance.focus is None else " of the others"
    if balance.meetings.is_exact:
        return f"every pair{which} meets {_times(balance.meetings.most)}"
    return f"pairs{which} meet {balance.meetings} times"


def _neighbours_in_words(balance: Balance) -> str:
    who, all_of_them = "bots", "every bot"
    if balance.focus is not None:
        who, all_of_them = "the others", "each of the others"
    if balance.neighbours.is_exact:
        return f"{all_of_them} sits to the right of every other {_times(balance.neighbours.most)}"
    return f"{who} sit to the right of each other {balance.neighbours} times"


def _times(number: int, one: str = "time", many: str = "times") -> str:
    return f"{number} {one if number == 1 else many}"


def _measure_focus(place: int, name: str, seats: _Numbers, neighbours: _Numbers) -> FocusBalance:
    beside = np.concatenate([neighbours[place], neighbours[:, place]])
    is_other = np.tile(np.arange(len(seats)) != place, 2)
    return FocusBalance(
        name=name,
        matches=int(seats[place].sum()),
        seats=_spread(seats[place]),
        neighbours=_spread(beside[is_other]),
    )


def _count(table: _Numbers, seats: Iterable[tuple[int, int]], bots: int) -> _Numbers:
    """Return by two bots in how many rows they are in any of these pairs of columns."""
    total = np.zeros(bots * bots, dtype=np.int64)
    for first, second in seats:
        codes = table[:, first] * bots + table[:, second]
        total += np.bincount(codes, minlength=bots * bots)
    return total.reshape(bots, bots)


def _spread(counts: _Numbers) -> Spread:
    return Spread(int(counts.min()), int(counts.max())) if counts.size else Spread(0, 0)
