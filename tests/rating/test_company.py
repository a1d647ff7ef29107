from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.rating import company
from arena.rating.company import Companies, compare_companies
from arena.rating.statistics import OutcomeTable, tabulate
from tests.simulated_tournament import plan_of, simulate
from tests.simulated_worlds import SEATINGS, own_deals, tables


def reversed_by_e(deals: int) -> OutcomeTable:
    """Return a tournament in which a is better than b with e at the table, and worse without."""
    (table,) = tables("equal", 1, deals, 4)
    chance = np.random.default_rng(6)
    rows = len(table.bots)
    scores = chance.normal(0, 1, table.bots.shape)
    sign = np.where((table.bots == 4).any(axis=1), 1.0, -1.0)
    scores += np.where(table.bots == 0, sign[:, None], 0.0)
    scores -= np.where(table.bots == 1, sign[:, None], 0.0)
    ranks = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1
    assert rows == deals * len(SEATINGS)
    return replace(table, ranks=ranks)


def test_means_with_and_without():
    """A mean rank with a bot and one without it are those of the matches with and without it."""
    table = reversed_by_e(12)

    found = compare_companies(table)

    with_e = (table.bots == 4).any(axis=1)
    split = next(split for split in found.splits if split.bot == "e")
    for side, rows in ((split.present, with_e), (split.absent, ~with_e)):
        ranks = table.ranks[rows][table.bots[rows] == 0]
        assert side["a"] == round(float(ranks.mean()), 4)
    assert "e" not in split.present
    assert list(found.means.values()) == sorted(found.means.values())
    assert [split.bot for split in found.splits] == list(found.means)


@pytest.mark.parametrize("clusters", [1000, 12])
def test_a_lead_that_a_third_bot_turns_round(monkeypatch, clusters):
    """Is found, with both leads and an interval, also when deals are taken together."""
    monkeypatch.setattr(company, "_CLUSTERS", clusters)

    found = compare_companies(reversed_by_e(20))

    shift = found.shifts[0]
    assert (shift.first, shift.second, shift.bot) in {("a", "b", "e"), ("b", "a", "e")}
    assert shift.present * shift.absent < 0
    assert shift.ci95[0] < shift.present - shift.absent < shift.ci95[1]
    assert shift.ci95[0] * shift.ci95[1] > 0
    assert found.tested == 30


def test_equal_bots_have_no_such_lead():
    """Few tournaments of equal bots show one, if each table has but ten deals of its own."""
    alarms = [
        bool(compare_companies(own_deals(table)).shifts) for table in tables("equal", 15, 50, 8)
    ]

    assert sum(alarms) <= 3  # without strata it would be every fifth


def test_what_cannot_be_compared():
    """No match, few deals, and a bot that is always there leave only what is certain."""
    assert compare_companies(tabulate([], "ab")) == Companies({}, (), (), 0)
    few = compare_companies(reversed_by_e(9))
    assert (few.shifts, few.tested, len(few.splits)) == ((), 0, 5)
    always = compare_companies(
        tabulate(simulate({"a": 0.0, "b": 1.0}, plan_of("ab", 2, 12), 1), "ab")
    )
    assert always.splits[0].absent == {}
    assert (always.shifts, always.tested) == ((), 0)
