from __future__ import annotations

from arena.rating.leaderboard import Order
from arena.rating.versus import compare
from arena.schedule.plan import Rotation
from tests.simulated_tournament import plan_of, simulate

STRENGTHS = {"a": 0.0, "b": 0.0, "c": 60.0}


def test_a_difference_has_an_interval():
    """How far one bot is ahead comes with an interval and how sure it is, the same both ways."""
    matches = simulate(STRENGTHS, plan_of(STRENGTHS, 3, 20), 2)

    found, back = compare(matches, "abc", "c", "a"), compare(matches, "abc", "a", "c")

    assert found.met == found.above + found.equal + found.below == 60
    assert found.order is Order.MEAN_RANK
    assert found.ahead is not None
    assert found.ci95 is not None
    assert found.ci95[0] > 0
    assert found.probability is not None
    assert found.probability > 0.999
    assert (found.deals, found.reason) == (20, "")
    assert (back.above, back.ahead) == (found.below, -found.ahead)
    assert back.ci95 == (-found.ci95[1], -found.ci95[0])


def test_what_cannot_be_told_has_a_reason():
    """Too few deals, bots that never met and bots without a match are named as such."""
    few = compare(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 5), 2), "abcd", "a", "c")
    assert (few.ci95, few.probability) == (None, None)
    assert few.ahead is not None
    assert few.reason == "too few deals to tell: each of the two needs at least 10"

    idle = compare(simulate(STRENGTHS, plan_of(STRENGTHS, 3, 5), 2), "abcd", "a", "d")
    assert (idle.met, idle.ahead) == (0, None)
    assert idle.reason == "d has not finished a match that counts"

    apart = simulate({"a": 0.0, "b": 1.0}, plan_of("ab", 2, 12, Rotation.NONE), 1)
    other = simulate({"c": 0.0, "d": 1.0}, plan_of("cd", 2, 12, Rotation.NONE), 1)
    never = compare([*apart, *other], "abcd", "a", "c")
    assert never.ci95 is None
    assert "never met" in never.reason
