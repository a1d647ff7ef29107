from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.rating.boundaries import look_boundary, look_share, normal_score
from arena.rating.models import Rating
from arena.rating.ratings import Progress, Rater
from arena.rating.settling import (
    Leads,
    checkpoints,
    is_settled,
    lead_scores,
    neighbour_leads,
    settled_at,
)
from arena.rating.sign_rule import look_share as sign_share
from arena.rating.sign_rule import sign_chance
from arena.rating.standings import make_leaderboard
from arena.rating.statistics import tabulate
from arena.rating.stopping_rule import FIRST, LATEST, SettledRule, parse_rule
from arena.schedule.plan import Deals
from arena.schedule.schedule import make_schedule, round_ends
from arena.storage.records import StoredMatch
from tests.simulated_tournament import plan_of, simulate, tournament_of

RULE = SettledRule(0.95)
BOUNDARIES = [2.8376, 2.7196, 2.6827, 2.8227, 3.0669, 3.3558]
FIRST_RULE = SettledRule(0.95, FIRST)
CLEAR = {"a": 240.0, "b": 160.0, "c": 80.0, "d": 0.0}


def ends_of(rounds: int, players: int = 3) -> tuple[int, ...]:
    return round_ends(make_schedule(plan_of(CLEAR, players, rounds)).fixtures)


def play(rounds: int, seed: int = 1) -> list[StoredMatch]:
    return simulate(CLEAR, plan_of(CLEAR, 3, rounds), seed)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("settled@95", SettledRule(0.95, FIRST)),
        ("settled@99.9", SettledRule(0.999, FIRST)),
        ("settled@50/2", SettledRule(0.5, LATEST)),
    ],
)
def test_rules_are_read_and_written(text, rule):
    """A rule is its level in percent and its version, and is written as it was read."""
    assert parse_rule(text) == rule
    assert parse_rule(text).text == text


def test_a_bare_rule_is_the_version_that_is_asked_for():
    """A file without a version means the first one, a person who types today the latest."""
    assert parse_rule("settled@95").version == FIRST
    assert parse_rule("settled@95", bare=LATEST).version == LATEST
    assert parse_rule("settled@95/1", bare=LATEST).version == FIRST


@pytest.mark.parametrize(
    "text",
    [
        "",
        "settled",
        "settled@",
        "settled@9",
        "settled@49.9",
        "settled@100",
        "settled@95%",
        "95",
        "settled@95/3",
    ],
)
def test_other_texts_are_refused(text):
    """What is no rule is refused with an example of one."""
    with pytest.raises(InputError, match="such as settled@95"):
        parse_rule(text)


def test_checkpoints_are_few_and_never_early():
    """The rule is asked after 10, 12, 14, 17, 20, … complete rounds, as long as there are any."""
    assert checkpoints(RULE, ends_of(9)) == ()
    asked = [rounds for rounds, _ in checkpoints(RULE, ends_of(50))]
    assert asked == [10, 12, 14, 17, 20, 24, 28, 34, 40, 48]
    assert checkpoints(RULE, ends_of(10)) == ((10, 120),)


def test_the_first_rule_keeps_its_checkpoints():
    """Tournaments that recorded the first rule are judged where they were."""
    asked = [rounds for rounds, _ in checkpoints(FIRST_RULE, ends_of(85))]
    assert asked == [10, 15, 20, 30, 40, 60, 80]


def test_more_rounds_only_append_checkpoints():
    """A tournament that is made longer is asked at the same places first."""
    assert checkpoints(RULE, ends_of(100))[:10] == checkpoints(RULE, ends_of(50))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(leads=st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_chances_are_counted_exactly(leads):
    """The chance is the share of all choices of signs, counted one by one."""
    reached = abs(sum(leads))
    sums = [
        abs(sum(sign * lead for sign, lead in zip(signs, leads, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(leads))
    ]
    expected = sum(total >= reached for total in sums) / len(sums)

    assert sign_chance(np.array(leads, float)) == pytest.approx(expected)


def test_chances_of_many_deals_join_smoothly():
    """Where counting ends and the normal distribution begins, the chance does not jump."""
    leads = np.array([5.0, -3.0, 2.0, -2.0, -1.0] * 80)
    more = np.append(leads, [5.0, -5.0])

    assert sign_chance(more) == pytest.approx(sign_chance(leads), rel=0.06)


def test_chances_of_uneven_leads_are_scaled():
    """Leads without a common measure take no longer, and come out nearly the same."""
    leads = np.array([700_001.0, 500_003, 900_007, -300_007, 800_011, 700_027, 400_009, 10, 11, 12])
    rounded = np.round(leads / 100_000)

    assert sign_chance(leads) == pytest.approx(sign_chance(rounded), abs=0.05)


def test_a_clear_order_settles_soon():
    """Bots that are far apart need few rounds."""
    assert settled_at(play(20), ends_of(20), FIRST_RULE) == 10
    assert settled_at(play(20), ends_of(20), RULE) == 12


def test_a_close_order_takes_longer():
    """The closer two bots are, the more rounds it takes to tell them apart."""
    close = {"a": 14.0, "b": 0.0, "c": 70.0}
    plan = plan_of(close, 3, 160)
    found = settled_at(simulate(close, plan, 3), round_ends(make_schedule(plan).fixtures), RULE)

    assert found is not None
    assert found > 10


def test_equal_bots_do_not_settle():
    """Bots of the same strength are not told apart."""
    equal = dict.fromkeys("abc", 0.0)
    plan = plan_of(equal, 3, 40)

    assert settled_at(simulate(equal, plan, 1), ends_of(40, 3), RULE) is None


def test_only_complete_prefixes_are_judged():
    """While a match before a checkpoint is missing, the rule is not asked."""
    matches = play(20)

    assert settled_at(matches[:143], ends_of(20), RULE) is None
    assert settled_at(matches[:50] + matches[51:], ends_of(20), RULE) is None
    assert settled_at(matches[:144], ends_of(20), RULE) == 12


def test_what_lies_behind_a_checkpoint_does_not_matter():
    """The answer does not depend on what else has been played."""
    matches = play(30)

    assert settled_at(matches[:144] + matches[200:], ends_of(30), RULE) == 12


def test_parked_matches_do_not_hold_it_up():
    """A parked match counts as done, and its block as never played."""
    matches = play(20)
    given_up = matches[50].fixture
    rest = matches[:50] + matches[51:]

    assert settled_at(rest, ends_of(20), RULE, [given_up]) == 12


def test_too_many_parked_blocks_leave_too_few_deals():
    """With fewer than 10 deals left nothing is settled, however clear it is."""
    matches = play(12)
    parked = [match.fixture for match in matches if match.fixture.round in (5, 6, 7)]

    assert is_settled(RULE, matches, [], 12)
    assert not is_settled(RULE, matches, parked, 12)


def test_looks_use_up_no_more_than_there_is():
    """The shares of all looks together are one, and the first ones have enough to decide with."""
    for share_of, first in ((look_share, 1 / 11), (sign_share, 1 / 5)):
        shares = [share_of(look) for look in range(1, 20_000)]

        assert shares[0] == pytest.approx(first)
        assert shares == sorted(shares, reverse=True)
        assert 0.999 < sum(shares) < 1


@pytest.mark.slow
def test_later_looks_are_stricter():
    """The same outcomes may settle the order at the first look and not at a later one."""
    pair = {"a": 25.0, "b": 0.0}
    tournaments = [simulate(pair, plan_of(pair, 2, 20), seed) for seed in range(40)]

    def settled(rule: SettledRule, rounds: int) -> set[int]:
        return {
            seed for seed, played in enumerate(tournaments) if is_settled(rule, played, [], rounds)
        }

    assert settled(FIRST_RULE, 5120) < settled(FIRST_RULE, 10)
    assert settled(RULE, 5120) < settled(RULE, 20)


def test_deals_of_their_own_tables_count_too():
    """With separate deals for each table it works as well."""
    plan = plan_of(CLEAR, 3, 20, deals=Deals.PER_TABLE)

    assert is_settled(RULE, simulate(CLEAR, plan, 1), [], 20)


def test_neighbours_that_never_meet_are_compared_by_their_ranks():
    """Bots of one group are told apart by how they do against all others."""

    def play_apart(second: float) -> list[StoredMatch]:
        strengths = {"a1": 80.0, "a2": second, "b": 25.0, "c": 0.0}
        matches = simulate(strengths, plan_of(strengths, 2, 80), 1)
        return [match for match in matches if set(match.fixture.bots) != {"a1", "a2"}]

    assert is_settled(RULE, play_apart(50.0), [], 80)
    assert not is_settled(RULE, play_apart(80.0), [], 80)


class Contrary(Rater):
    """Rates the worst bot best."""

    def ratings(self, on_progress: Progress | None = None) -> Mapping[str, Rating]:
        rated = super().ratings(on_progress)
        return {bot: replace(found, rating=-found.rating) for bot, found in rated.items()}


def test_the_first_rule_asks_trueskill(monkeypatch):
    """By the first rule an order that TrueSkill does not share is not settled; now it is."""
    matches = play(12)
    assert is_settled(FIRST_RULE, matches, [], 10)

    monkeypatch.setattr("arena.rating.settling.Rater", Contrary)

    assert not is_settled(FIRST_RULE, matches, [], 10)
    assert is_settled(RULE, matches, [], 12)


def test_what_is_settled_is_what_is_shown():
    """Where bots have unlike company, the order of the leaderboard counts, not that of mean ranks.

    The best of the weak half has a better mean rank than the worst of the strong half.
    """
    strengths = {"a": 260.0, "b": 200.0, "c": 140.0, "d": 60.0, "e": 0.0, "f": -60.0}
    halves = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1, "f": 1}
    matches = [
        match
        for match in simulate(strengths, plan_of(strengths, 2, 80), 1)
        if len({halves[bot] for bot in match.fixture.bots}) == 1
        or (match.fixture.round % 2 and set(match.fixture.bots) == {"c", "d"})
    ]

    board = make_leaderboard(tournament_of(strengths, 2), matches, scheduled=len(matches))

    shown = {bot.name: bot for bot in board.bots}
    assert list(shown) == list("abcdef")
    assert shown["d"].mean_rank < shown["c"].mean_rank
    assert is_settled(RULE, matches, [], 80)


def test_scores_do_not_matter():
    """What is settled is the order by ranks, whatever the scores."""
    matches = [replace(match, report=replace(match.report, scores=(0, 0, 0))) for match in play(12)]

    assert is_settled(RULE, matches, [], 12)


def test_boundaries_spend_what_they_may():
    """Of leads that only chance moves, each look stops the share that it may spend."""
    chance = np.random.Generator(np.random.PCG64(5))
    looks = [10, 12, 14, 17, 20, 24, 28, 34]
    leads = np.cumsum(chance.standard_normal((40_000, 34)), axis=1)[:, np.array(looks) - 1]
    beyond = np.abs(leads / np.sqrt(looks)) > [look_boundary(0.8, look) for look in range(1, 9)]
    first = beyond & (np.cumsum(beyond, axis=1) == 1)

    expected = [0.2 * look_share(look) for look in range(1, 9)]
    assert first.mean(axis=0) == pytest.approx(expected, abs=0.002)


def test_boundaries_do_not_change():
    """What a recorded rule demands is fixed for good."""
    found = [look_boundary(0.95, look) for look in (1, 2, 3, 8, 16, 30)]

    assert found == BOUNDARIES


@pytest.mark.parametrize(
    ("freedom", "ratio", "normal"),
    [(9, 3.2498, 2.5758), (9, 4.7809, 3.2905), (19, 2.8609, 2.5758), (99, 1.9842, 1.9600)],
)
def test_scores_have_the_same_tails(freedom, ratio, normal):
    """A value of Student's distribution becomes the normal one with as much beyond it."""
    assert normal_score(np.array([ratio, -ratio]), freedom) == pytest.approx(
        [normal, -normal], abs=0.011
    )


def scores_of(by_round: list[float], least: float = 0.0) -> float:
    return float(lead_scores(Leads(np.array(by_round)[:, None], np.array([least])))[0])


def test_scores_are_those_of_a_mean_over_its_error():
    """A lead is as clear as Student's ratio says, if its rounds are symmetric."""
    by_round = [1.0, 3.0, 2.0, 1.5, 2.5, 0.0, 4.0, 2.0, 1.0, 3.0]
    ratio = np.mean(by_round) / (np.std(by_round, ddof=1) / np.sqrt(10))

    assert scores_of(by_round) == pytest.approx(float(normal_score(np.array(ratio), 9)), rel=1e-5)


def test_rare_losses_make_a_lead_less_clear():
    """Of two leads with the same mean and variance, the one with rare heavy losses counts less."""
    losing = [1.0] * 17 + [-3.0] * 3
    gaining = [0.8 - lead for lead in losing]

    assert scores_of(losing) < scores_of([value + 0.0 for value in gaining])


def test_leads_that_never_varied_are_not_certain():
    """Ten small gains in ten rounds of one match at a table of six do not settle anything."""
    assert scores_of([1.0] * 10, least=7.0) < look_boundary(0.95, 1)
    assert scores_of([1.0] * 10, least=0.1) > look_boundary(0.95, 1)


def test_nobody_is_ahead_of_an_equal():
    """Bots with the same mean rank are not told apart, and no number is missing."""
    assert scores_of([0.0] * 10, least=1.0) == 0.0
    assert scores_of([1.0, -1.0] * 5, least=1.0) == 0.0


def test_all_matches_are_used():
    """What bots did without each other tells them apart, too."""
    matches = play(10)
    table = tabulate(matches, CLEAR)
    rounds = np.array([match.fixture.round - 1 for match in matches])

    leads = neighbour_leads(table, rounds, [0, 1, 2, 3])

    ranks = [float(table.ranks[table.bots == bot].mean()) for bot in range(4)]
    assert leads.by_round.mean(axis=0) == pytest.approx(np.diff(ranks))


def test_an_uneven_schedule_compares_meetings():
    """Where one bot plays more than others, neighbours are compared where they met."""
    matches = [match for match in play(10) if "a" in match.fixture.bots]  # a gauntlet
    table = tabulate(matches, CLEAR)
    rounds = np.array([match.fixture.round - 1 for match in matches])

    leads = neighbour_leads(table, rounds, [0, 1, 2, 3])

    first = np.array([m.report.ranks[m.fixture.bots.index("a")] for m in matches])
    second = [
        m.report.ranks[m.fixture.bots.index("b")] if "b" in m.fixture.bots else 0 for m in matches
    ]
    met = np.array(second) > 0
    assert leads.by_round[:, 0].mean() == pytest.approx((np.array(second) - first)[met].mean())
