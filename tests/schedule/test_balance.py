from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest

from arena.schedule.balance import Balance, FocusBalance, Spread, describe, measure_balance
from arena.schedule.plan import Format, Rotation, SchedulePlan, Tables
from arena.schedule.schedule import make_schedule
from arena.storage.records import BotRecord, FixtureRecord
from tests.schedule.entrants import entrants


def planned(*tables):
    return [
        FixtureRecord(index, f"{index + 1}-1", index + 1, 1, 1, 1, 0, tuple(table.split()))
        for index, table in enumerate(tables)
    ]


def test_counts_by_hand():
    """Two matches of four bots, counted by hand."""
    bots = [BotRecord(name) for name in "abcd"]
    balance = measure_balance(planned("a b c", "b c d"), bots)

    assert balance == Balance(
        matches=Spread(1, 2),
        seats=Spread(0, 1),
        meetings=Spread(0, 2),
        neighbours=Spread(0, 2),
    )


def test_only_pairs_that_may_meet_count():
    """Two bots of one group need not meet for meetings to be even, unless groups mix."""
    bots = [BotRecord("a", group="x"), BotRecord("b", group="x"), BotRecord("c"), BotRecord("d")]
    fixtures = planned("a c d", "b d c")

    assert measure_balance(fixtures, bots).meetings == Spread(1, 2)
    assert measure_balance(fixtures, bots, mixes_groups=True).meetings == Spread(0, 2)


def test_a_bot_that_never_plays_shows():
    """Whoever is entered and has no match is the least."""
    assert measure_balance(planned("bot0 bot1 bot2"), entrants(4)).matches == Spread(0, 1)


@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("tables", Tables)
@pytest.mark.parametrize("rotation", [Rotation.NONE, Rotation.CYCLIC, Rotation.LATIN])
def test_counts_agree_with_counting_one_by_one(players, tables, rotation):
    """The fast counts are those of a plain loop."""
    plan = SchedulePlan(entrants(8), players, rounds=2, rotation=rotation, tables=tables)
    schedule = make_schedule(plan)
    names = [bot.name for bot in plan.bots]
    seats: Counter[tuple[str, int]] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    beside: Counter[tuple[str, str]] = Counter()
    for fixture in schedule.fixtures:
        seats.update((name, seat) for seat, name in enumerate(fixture.bots))
        met.update(combinations(sorted(fixture.bots), 2))
        for seat, name in enumerate(fixture.bots):
            beside[name, fixture.bots[(seat + 1) % players]] += 1

    def spread(counts, keys):
        values = [counts[key] for key in keys]
        return Spread(min(values), max(values))

    assert schedule.balance.seats == spread(seats, [(n, s) for n in names for s in range(players)])
    assert schedule.balance.meetings == spread(met, combinations(names, 2))
    assert schedule.balance.neighbours == spread(beside, permutations(names, 2))


def test_an_exact_schedule_says_so():
    """A full round robin reads as one sentence and one on neighbours."""
    balance = make_schedule(SchedulePlan(entrants(6), 4, rounds=1, rotation=Rotation.LATIN)).balance

    assert describe(balance) == [
        "every bot plays 120 matches, 30 in every seat, every pair meets 72 times",
        "every bot sits to the right of every other 24 times",
    ]


def test_an_uneven_schedule_prints_the_imbalance():
    """What is not even is given as a range."""
    even_bots = Balance(Spread(40, 40), Spread(10, 10), Spread(11, 13), Spread(2, 5))
    uneven_bots = Balance(Spread(3, 4), Spread(0, 2), Spread(1, 1), Spread(1, 1))

    assert describe(even_bots) == [
        "every bot plays 40 matches, 10 in every seat",
        "pairs meet 11 to 13 times",
        "bots sit to the right of each other 2 to 5 times",
    ]
    assert describe(uneven_bots) == [
        "bots play 3 to 4 matches, 0 to 2 in every seat",
        "every pair meets 1 time",
        "every bot sits to the right of every other 1 time",
    ]


def test_a_gauntlet_is_described_with_its_focus_apart():
    """The bot in focus plays more than the others by design, which is no imbalance."""
    plan = SchedulePlan(
        entrants(5), 3, rounds=1, format=Format.GAUNTLET, focus="bot1", rotation=Rotation.LATIN
    )
    balance = make_schedule(plan).balance

    assert balance.focus == FocusBalance("bot1", 36, Spread(12, 12), Spread(9, 9))
    assert describe(balance) == [
        "bot1 plays 36 matches, 12 in every seat",
        "every other bot plays 18 matches, 6 in every seat, every pair of the others meets 6 times",
        "each of the others sits to the right of every other 3 times",
    ]


def test_a_gauntlet_of_two_has_no_pairs_of_others():
    """At tables of two the others never meet, and nothing is said about it."""
    plan = SchedulePlan(entrants(4), 2, rounds=1, format=Format.GAUNTLET, focus="bot0")

    assert describe(make_schedule(plan).balance) == [
        "bot0 plays 6 matches, 3 in every seat",
        "every other bot plays 2 matches, 1 in every seat",
    ]


def test_an_uneven_gauntlet_prints_the_imbalance():
    """Ranges of the others are given as such."""
    focus = FocusBalance("me", 9, Spread(2, 3), Spread(1, 2))
    balance = Balance(Spread(3, 4), Spread(1, 2), Spread(0, 2), Spread(0, 1), focus)

    assert describe(balance) == [
        "me plays 9 matches, 2 to 3 in every seat",
        "the other bots play 3 to 4 matches, 1 to 2 in every seat",
        "pairs of the others meet 0 to 2 times",
        "the others sit to the right of each other 0 to 1 times",
    ]
