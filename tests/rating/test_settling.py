from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.rating.models import Rating
from arena.rating.ratings import Progress, Rater
from arena.rating.settling import (
    checkpoints,
    is_settled,
    look_share,
    settled_at,
    sign_chance,
)
from arena.rating.stopping_rule import SettledRule, parse_rule
from arena.schedule.plan import Deals
from arena.schedule.schedule import make_schedule, round_ends
from arena.storage.records import StoredMatch
from tests.simulated_tournament import plan_of, simulate

RULE = SettledRule(0.95)
CLEAR = {"a": 90.0, "b": 60.0, "c": 30.0, "d": 0.0}


def ends_of(rounds: int, players: int = 3) -> tuple[int, ...]:
    return round_ends(make_schedule(plan_of(CLEAR, players, rounds)).fixtures)


def play(rounds: int, seed: int = 1) -> list[StoredMatch]:
    return simulate(CLEAR, plan_of(CLEAR, 3, rounds), seed)


@pytest.mark.parametrize(
    ("text", "level"), [("settled@95", 0.95), ("settled@99.9", 0.999), ("settled@50", 0.5)]
)
def test_rules_are_read_and_written(text, level):
    """A rule is its level in percent, and is written as it was read."""
    assert parse_rule(text) == SettledRule(level)
    assert parse_rule(text).text == text


@pytest.mark.parametrize(
    "text",
    ["", "settled", "settled@", "settled@9", "settled@49.9", "settled@100", "settled@95%", "95"],
)
def test_other_texts_are_refused(text):
    """What is no rule is refused with an example of one."""
    with pytest.raises(InputError, match="such as settled@95"):
        parse_rule(text)


def test_checkpoints_are_few_and_never_early():
    """The rule is asked after 10, 15, 20, 30, … complete rounds, as long as there are any."""
    assert checkpoints(ends_of(9)) == ()
    assert [rounds for rounds, _ in checkpoints(ends_of(85))] == [10, 15, 20, 30, 40, 60, 80]
    assert checkpoints(ends_of(10)) == ((10, 120),)


def test_more_rounds_only_append_checkpoints():
    """A tournament that is made longer is asked at the same places first."""
    assert checkpoints(ends_of(100))[:5] == checkpoints(ends_of(45))


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


def test_a_clear_order_settles_at_the_first_checkpoint():
    """Bots that are far apart need no more than 10 rounds."""
    assert settled_at(play(20), ends_of(20), RULE) == 10


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

    assert settled_at(matches[:119], ends_of(20), RULE) is None
    assert settled_at(matches[:50] + matches[51:], ends_of(20), RULE) is None
    assert settled_at(matches[:120], ends_of(20), RULE) == 10


def test_what_lies_behind_a_checkpoint_does_not_matter():
    """The answer does not depend on what else has been played."""
    matches = play(30)

    assert settled_at(matches[:120] + matches[200:], ends_of(30), RULE) == 10


def test_parked_matches_do_not_hold_it_up():
    """A parked match counts as done, and its block as never played."""
    matches = play(20)
    given_up = matches[50].fixture
    rest = matches[:50] + matches[51:]

    assert settled_at(rest, ends_of(20), RULE, [given_up]) == 10


def test_too_many_parked_blocks_leave_too_few_deals():
    """With fewer than 10 deals left nothing is settled, however clear it is."""
    matches = play(10)
    parked = [match.fixture for match in matches if match.fixture.round == 7]

    assert is_settled(RULE, matches, [], 10)
    assert not is_settled(RULE, matches, parked, 10)


def test_looks_use_up_no_more_than_there_is():
    """The shares of all looks together are one, and the first ones have enough to decide with."""
    shares = [look_share(look) for look in range(1, 10_000)]

    assert shares[0] == pytest.approx(0.2)
    assert shares == sorted(shares, reverse=True)
    assert 0.999 < sum(shares) < 1


def test_later_looks_are_stricter():
    """The same outcomes may settle the order at the first look and not at a later one."""
    pair = {"a": 25.0, "b": 0.0}
    tournaments = [simulate(pair, plan_of(pair, 2, 20), seed) for seed in range(40)]

    early = {seed for seed, played in enumerate(tournaments) if is_settled(RULE, played, [], 10)}
    late = {seed for seed, played in enumerate(tournaments) if is_settled(RULE, played, [], 5120)}

    assert late < early


def test_deals_of_their_own_tables_count_too():
    """With separate deals for each table it works as well."""
    plan = plan_of(CLEAR, 3, 10, deals=Deals.PER_TABLE)

    assert is_settled(RULE, simulate(CLEAR, plan, 1), [], 10)


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


def test_the_leaderboard_must_agree():
    """An order that the ratings do not share is not settled."""
    matches = play(10)

    assert is_settled(RULE, matches, [], 10, Rater())
    assert not is_settled(RULE, matches, [], 10, Contrary())


def test_scores_do_not_matter():
    """What is settled is the order by ranks, whatever the scores."""
    matches = [replace(match, report=replace(match.report, scores=(0, 0, 0))) for match in play(10)]

    assert is_settled(RULE, matches, [], 10)
