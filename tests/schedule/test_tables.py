from __future__ import annotations

import math
import time
from collections import Counter
from itertools import chain, combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.schedule.design import balanced_rounds, find_shape
from arena.schedule.plan import Format, Rotation, SchedulePlan, Tables
from arena.schedule.tables import MAX_TABLES, count_tables, interleave, table_rounds
from tests.schedule.entrants import entrants

pytestmark = pytest.mark.slow


def played(tables):
    return Counter(chain.from_iterable(tables))


def meetings(tables):
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def spread(counts, keys):
    values = [counts[key] for key in keys]
    return max(values) - min(values)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_all_tables_are_all_sets_of_bots(players):
    """A round of all tables is every set of k bots exactly once."""
    for bots in range(players, 13):
        tables = next(table_rounds(SchedulePlan(entrants(bots), players)))

        assert len(tables) == math.comb(bots, players)
        assert set(tables) == set(combinations(range(bots), players))


@pytest.mark.parametrize(("bots", "players"), [(7, 3), (10, 5), (15, 4), (12, 6), (20, 3)])
def test_any_first_few_tables_are_even(bots, players):
    """However many tables have played, no bot is more than two matches ahead of another."""
    counts: Counter[int] = Counter()
    for table in interleave(list(combinations(range(bots), players))):
        counts.update(table)
        assert spread(counts, range(bots)) <= 2


def test_a_gauntlet_is_all_tables_with_the_focus():
    """Every set of the other bots meets the bot in focus once a round."""
    plan = SchedulePlan(entrants(9), 4, format=Format.GAUNTLET, focus="bot5")
    tables = next(table_rounds(plan))

    assert set(tables) == {table for table in combinations(range(9), 4) if 5 in table}
    assert len(tables) == math.comb(8, 3)


def test_too_many_tables_are_refused_before_they_are_made():
    """Millions of tables are an error that names the way out, at once."""
    with pytest.raises(InputError, match=r"3,838,380 different tables of 6.*--tables balanced"):
        table_rounds(SchedulePlan(entrants(40), 6))


def test_nearly_too_many_tables_are_quick():
    """Forty bots at tables of three are ordered within seconds."""
    started = time.process_time()
    tables = next(table_rounds(SchedulePlan(entrants(40), 3)))

    assert len(tables) == 9880 < MAX_TABLES
    assert time.process_time() - started < 10  # it takes 0.4 s; a slow machine may take longer


@given(st.lists(st.sampled_from(["", "a", "b", "c"]), min_size=3, max_size=11), st.integers(2, 6))
def test_bots_of_one_group_never_meet(groups, players):
    """All tables are exactly the sets without two bots of a group, or an error says why not."""
    allowed = [
        table
        for table in combinations(range(len(groups)), players)
        if all(
            groups[first] != groups[second] or not groups[first]
            for first, second in combinations(table, 2)
        )
    ]
    plan = SchedulePlan(entrants(len(groups), groups), players)

    if not allowed:
        with pytest.raises(InputError, match=f"no table of {players} can be formed"):
            table_rounds(plan)
        return
    assert sorted(next(table_rounds(plan))) == allowed
    mixed = SchedulePlan(entrants(len(groups), groups), players, mixes_groups=True)
    assert len(next(table_rounds(mixed))) == math.comb(len(groups), players)


def test_tables_are_counted_without_making_them():
    """The count leaves out tables with two bots of a group."""
    assert count_tables([0, 1, 2, 3, 4], 3) == 10
    assert count_tables([0, 0, 1, 2, 3], 3) == 7
    assert count_tables([0, 0, 1, 1], 3) == 0


@pytest.mark.parametrize("tables", Tables)
def test_a_bot_of_the_group_of_the_focus_is_named(tables):
    """A bot that could never meet the focus is an error that names it and its group."""
    plan = SchedulePlan(
        entrants(6, ["ours", "", "ours"]), 3, format=Format.GAUNTLET, focus="bot0", tables=tables
    )
    with pytest.raises(InputError, match="bot bot2 would never play: it is of group ours"):
        table_rounds(plan)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 6).flatmap(lambda k: st.tuples(st.just(k), st.integers(k, 40))), st.data())
def test_a_balanced_round_has_every_bot_equally_often(size, data):
    """Each balanced round is the smallest in which all play equally often, nobody twice at once."""
    players, bots = size
    rounds = data.draw(st.integers(1, 3))
    for tables in islice(balanced_rounds(range(bots), players), rounds):
        assert len(tables) == bots // math.gcd(bots, players)
        assert all(len(set(table)) == players for table in tables)
        assert set(played(tables).values()) == {players // math.gcd(bots, players)}
        assert len(played(tables)) == bots


@settings(max_examples=25, deadline=None)
@given(
    st.integers(3, 6).flatmap(lambda k: st.tuples(st.just(k), st.integers(k + 1, 30))), st.data()
)
def test_a_balanced_gauntlet_has_the_others_equally_often(size, data):
    """The bot in focus is at every table, and the others play equally often."""
    players, bots = size
    focus = data.draw(st.integers(0, bots - 1))
    for tables in islice(balanced_rounds(range(bots), players, focus), 2):
        counts = played(tables)
        assert counts.pop(focus) == len(tables)
        assert len(set(counts.values())) == 1
        assert len(counts) == bots - 1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=4, max_size=24), st.integers(3, 5))
def test_balanced_tables_keep_groups_apart_and_bots_equal_where_that_is_possible(groups, players):
    """No group is twice at a table; all play equally often unless a group is too large for it."""
    names = ["" if group > 5 else f"g{group}" for group in groups]
    numbers = [group if group <= 5 else 100 + place for place, group in enumerate(groups)]
    if len(set(numbers)) < players:
        return
    plan = SchedulePlan(entrants(len(groups), names), players, tables=Tables.BALANCED)
    rounds = list(islice(table_rounds(plan), 4))

    for table in chain.from_iterable(rounds):
        assert len({numbers[bot] for bot in table}) == players
    counts = played(chain.from_iterable(rounds))
    largest = max(Counter(numbers).values())
    if largest * players <= len(groups):
        assert spread(counts, range(len(groups))) == 0
    for group in set(numbers):
        mates = [bot for bot, number in enumerate(numbers) if number == group]
        assert spread(counts, mates) <= 1


def test_a_group_too_large_takes_turns_at_every_table():
    """Five bots of one group among eight share one seat of each table, equally in the long run."""
    shape = find_shape([0, 0, 0, 0, 0, 1, 2, 3], 3, None)

    assert shape.fixed == ((0, 1, 2, 3, 4),)
    assert (shape.tables, shape.free, shape.times) == (3, (5, 6, 7), 2)
    totals: Counter[int] = Counter()
    for number in range(1, 6):
        totals.update(shape.quotas(number))
    assert [totals[bot] for bot in range(8)] == [3, 3, 3, 3, 3, 10, 10, 10]


@pytest.mark.parametrize(
    ("bots", "players", "rounds", "limit"),
    [(9, 3, 4, 0), (7, 3, 5, 0), (12, 4, 10, 2), (20, 5, 10, 3), (40, 6, 10, 2), (13, 4, 3, 2)],
)
def test_pairs_even_out_over_the_rounds(bots, players, rounds, limit):
    """After some rounds the most and the least frequent pair are close together."""
    tables = chain.from_iterable(islice(balanced_rounds(range(bots), players), rounds))

    assert spread(meetings(tables), combinations(range(bots), 2)) <= limit


def test_pairs_stay_even_beyond_the_designed_rounds():
    """Rounds that repeat earlier ones are chosen so that pairs do not drift apart."""
    tables = chain.from_iterable(islice(balanced_rounds(range(9), 4), 600))
    pairs = meetings(tables)

    assert sum(pairs.values()) == 600 * 9 * 6
    assert spread(pairs, combinations(range(9), 2)) <= 6


def test_turns_stay_even_beyond_the_designed_rounds():
    """Bots that share a seat still share it equally when rounds repeat."""
    groups = [0] * 7 + [1, 2, 3]
    counts = played(chain.from_iterable(islice(balanced_rounds(groups, 3), 500)))

    assert spread(counts, range(7)) <= 2


def test_a_large_balanced_design_is_quick():
    """Forty rounds of forty bots at tables of six take a second."""
    started = time.process_time()
    list(islice(balanced_rounds(range(40), 6), 40))

    assert time.process_time() - started < 12  # it takes 0.8 s; a slow machine may take longer


@pytest.mark.parametrize("rotation", Rotation)
@pytest.mark.parametrize("tables", Tables)
def test_rounds_are_deterministic(rotation, tables):
    """Two calls yield the same rounds."""
    plan = SchedulePlan(entrants(8, ["a", "a"]), 4, rotation=rotation, tables=tables)

    assert list(islice(table_rounds(plan), 9)) == list(islice(table_rounds(plan), 9))
