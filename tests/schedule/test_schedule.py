from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.schedule.plan import Deals, Format, Rotation, SchedulePlan, Tables
from arena.schedule.schedule import MAX_FIXTURES, make_schedule, round_ends
from arena.schedule.seatings import count_seatings
from arena.storage.records import BotRecord
from tests.schedule.entrants import entrants

LIMIT = 1000
"""Larger schedules are left out of random tests, so that these take seconds."""


ANY_TABLES = st.sampled_from(Tables)


@st.composite
def plans(draw, tables=ANY_TABLES):
    """Any plan of bounded size, without groups."""
    players = draw(st.integers(3, 6))
    kind = draw(tables)
    most = 40
    while kind is Tables.ALL and math.comb(most, players) * players > LIMIT:
        most -= 1
    bots = draw(st.integers(players, most))
    is_gauntlet = draw(st.booleans())
    plan = SchedulePlan(
        bots=entrants(bots),
        players=players,
        rounds=draw(st.integers(1, 7)),
        format=Format.GAUNTLET if is_gauntlet else Format.ROUND_ROBIN,
        focus=f"bot{draw(st.integers(0, bots - 1))}" if is_gauntlet else None,
        rotation=draw(st.sampled_from(Rotation)),
        deals=draw(st.sampled_from(Deals)),
        tables=kind,
    )
    free, seats = bots - is_gauntlet, players - is_gauntlet
    size = math.comb(free, seats) if kind is Tables.ALL else free // math.gcd(free, seats)
    if size * count_seatings(plan.rotation, players) * plan.rounds > LIMIT:
        plan = replace(plan, rounds=1)
    if size * count_seatings(plan.rotation, players) > LIMIT:
        plan = replace(plan, rotation=Rotation.CYCLIC)
    return plan


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(plans())
def test_any_schedule_is_even_and_in_canonical_order(plan):
    """All play equally often, all seats alike; in a gauntlet the focus plays in every match."""
    schedule = make_schedule(plan)
    check_order(plan, schedule.fixtures)
    names = [bot.name for bot in plan.bots]
    matches = Counter(chain.from_iterable(fixture.bots for fixture in schedule.fixtures))

    assert all(len(set(fixture.bots)) == plan.players for fixture in schedule.fixtures)
    if plan.focus is not None:
        assert matches.pop(plan.focus) == len(schedule.fixtures)
        names.remove(plan.focus)
    assert len(set(matches.values())) == 1
    assert set(matches) == set(names)
    seats = Counter(
        (name, seat) for fixture in schedule.fixtures for seat, name in enumerate(fixture.bots)
    )
    counts = {seats[name, seat] for name in names for seat in range(plan.players)}
    if plan.rotation is not Rotation.NONE or plan.rounds % plan.players == 0:
        assert len(counts) == 1
    elif plan.tables is Tables.BALANCED:
        assert max(counts) - min(counts) <= 1


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(plans(st.just(Tables.ALL)))
def test_pairs_of_a_full_round_robin_meet_equally_often(plan):
    """With all tables pairs meet equally often; latin seatings have even neighbours, too."""
    balance = make_schedule(plan).balance

    assert balance.meetings.is_exact
    if plan.rotation in {Rotation.LATIN, Rotation.FULL}:
        assert balance.neighbours.is_exact


def check_order(plan, fixtures):
    """Numbers run as documented: round by round, table by table, seating by seating."""
    in_block = count_seatings(plan.rotation, plan.players)

    assert [fixture.index for fixture in fixtures] == list(range(len(fixtures)))
    assert len({fixture.match for fixture in fixtures}) == len(fixtures)
    for fixture in fixtures:
        assert fixture.block == fixture.index // in_block + 1
        assert fixture.seating == fixture.index % in_block
        assert fixture.match == f"{fixture.block}-{fixture.seating + 1}"
        assert fixture.deal == (fixture.round if plan.deals is Deals.SHARED else fixture.block)
    rounds = [fixture.round for fixture in fixtures]
    assert rounds == sorted(rounds)
    assert set(rounds) == set(range(1, plan.rounds + 1))
    sets = {(fixture.table, frozenset(fixture.bots)) for fixture in fixtures}
    assert len(sets) == len({table for table, _ in sets}) == len({bots for _, bots in sets})


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(plans(), st.integers(1, 4))
def test_more_rounds_only_append(plan, more):
    """A schedule is deterministic, and a longer one begins with it."""
    schedule = make_schedule(plan)
    longer = make_schedule(replace(plan, rounds=plan.rounds + more))

    assert make_schedule(plan) == schedule
    assert longer.fixtures[: len(schedule.fixtures)] == schedule.fixtures
    assert schedule.rounds == plan.rounds
    ends = round_ends(longer.fixtures)
    assert len(ends) == longer.rounds == plan.rounds + more
    assert ends[plan.rounds - 1] == len(schedule.fixtures)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(plans(), st.data())
def test_a_limit_keeps_whole_blocks(plan, data):
    """As many whole blocks as fit are kept, and an incomplete last round is not counted."""
    schedule = make_schedule(plan)
    in_block = count_seatings(plan.rotation, plan.players)
    limit = data.draw(st.integers(in_block, len(schedule.fixtures) + in_block))
    limited = make_schedule(replace(plan, max_matches=limit))

    kept = min(limit // in_block * in_block, len(schedule.fixtures))
    assert limited.fixtures == schedule.fixtures[:kept]
    complete = [end for end in round_ends(schedule.fixtures) if end <= kept]
    assert limited.rounds == len(complete)
    if complete:
        assert list(round_ends(limited.fixtures)) == complete


@pytest.mark.parametrize("tables", Tables)
@pytest.mark.parametrize("rotation", Rotation)
def test_groups_never_meet_unless_asked(tables, rotation):
    """Bots of one group sit together only where groups mix."""
    bots = tuple(
        BotRecord(f"bot{place}", group="ab"[place % 2] * (place < 4)) for place in range(9)
    )
    plan = SchedulePlan(bots, 3, rounds=4, rotation=rotation, tables=tables)
    group_of = {bot.name: bot.group for bot in bots}

    def mates(schedule):
        return sum(
            group_of[first] == group_of[second] != ""
            for fixture in schedule.fixtures
            for first, second in combinations(fixture.bots, 2)
        )

    assert mates(make_schedule(plan)) == 0
    assert mates(make_schedule(replace(plan, mixes_groups=True))) > 0


def test_a_small_schedule_reads_like_this():
    """Four bots at tables of three, one round: the documented order in full."""
    schedule = make_schedule(SchedulePlan(entrants(4), 3, rounds=1))

    assert [(fixture.match, fixture.table, fixture.bots) for fixture in schedule.fixtures][:4] == [
        ("1-1", 1, ("bot0", "bot1", "bot2")),
        ("1-2", 1, ("bot1", "bot2", "bot0")),
        ("1-3", 1, ("bot2", "bot0", "bot1")),
        ("2-1", 2, ("bot0", "bot3", "bot1")),
    ]
    assert (len(schedule.fixtures), schedule.rounds, schedule.tables) == (12, 1, 4)


def test_cyclic_blocks_even_out_neighbours_over_the_rounds():
    """With all tables, neighbours are exactly even after each circle has had its turn."""
    for players, rounds in ((3, 2), (4, 6), (5, 4), (6, 10)):
        assert make_schedule(
            SchedulePlan(entrants(7), players, rounds=rounds)
        ).balance.neighbours.is_exact


GOOD = SchedulePlan(entrants(6), 3)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (replace(GOOD, players=7), "6 bots are too few for tables of 7"),
        (replace(GOOD, bots=GOOD.bots[:1]), "^1 bot is too few for tables of"),
        (replace(GOOD, players=1), "at least 2 bots must meet"),
        (replace(GOOD, bots=(*GOOD.bots, GOOD.bots[2])), "two bots are named bot2"),
        (replace(GOOD, rounds=0), "at least 1 round, not 0"),
        (replace(GOOD, format=Format.GAUNTLET), "a gauntlet needs --focus BOT"),
        (
            replace(GOOD, format=Format.GAUNTLET, focus="x"),
            "x is not one of the bots: --focus must be one of",
        ),
        (replace(GOOD, focus="bot1"), "--focus is for a gauntlet"),
        (replace(GOOD, max_matches=2), "--max-matches 2 is too few.* is 3 matches"),
        (replace(GOOD, max_matches=0), "--max-matches 0 is too few"),
        (replace(GOOD, rounds=10**9), "more than 1,000,000 matches"),
        (replace(GOOD, bots=entrants(12), players=12, rotation=Rotation.FULL), "479,001,600"),
        (replace(GOOD, bots=entrants(40), players=6), "--tables balanced"),
        (replace(GOOD, bots=entrants(10), players=10, rotation=Rotation.LATIN), "use cyclic"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_the_reason(plan, message):
    """Each impossible plan is an input error that says what is wrong."""
    with pytest.raises(InputError, match=message):
        make_schedule(plan)


def test_a_limit_makes_endless_rounds_possible():
    """Only what the limit keeps is counted and made."""
    schedule = make_schedule(replace(GOOD, rounds=10**9, max_matches=1000))

    assert len(schedule.fixtures) == 999


def test_nothing_has_no_rounds():
    """An empty schedule has no complete round."""
    assert round_ends(()) == ()


@pytest.mark.slow
def test_a_large_schedule_is_quick():
    """A hundred thousand fixtures take about a second."""
    started = time.process_time()
    schedule = make_schedule(SchedulePlan(entrants(12), 6, rounds=18))

    assert 99_000 < len(schedule.fixtures) < MAX_FIXTURES
    assert time.process_time() - started < 10  # it takes 0.5 s; a slow machine may take longer


def test_a_last_round_cut_short_has_no_end():
    """Only complete rounds have an end; the matches behind the last one belong to none."""
    fixtures = make_schedule(replace(GOOD, rounds=3, max_matches=130)).fixtures

    assert len(fixtures) == 129
    assert round_ends(fixtures) == (60, 120)


@pytest.mark.parametrize(("bots", "players"), [(12, 4), (9, 6), (10, 5), (7, 3)])
def test_balanced_tables_without_rotation_give_all_seats_alike_in_k_rounds(bots, players):
    """Though tables change, every bot has had every seat equally often after k rounds."""
    plan = SchedulePlan(
        entrants(bots), players, rounds=players, rotation=Rotation.NONE, tables=Tables.BALANCED
    )

    assert make_schedule(plan).balance.seats.is_exact
