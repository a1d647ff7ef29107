from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from arena.rating.mix import HardestMix, find_mix, hardest_mix
from arena.rating.statistics import tabulate
from arena.storage.records import FixtureRecord, StoredMatch
from tests.simulated_tournament import stored
from tests.simulated_worlds import measure_mix

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def duels(
    names: Sequence[str], winner: Callable[[str, str, int], str | None], deals: int = 12
) -> list[StoredMatch]:
    """Return all duels on so many deals; None is a tie."""
    matches: list[StoredMatch] = []
    for deal in range(1, deals + 1):
        for pair in itertools.combinations(names, 2):
            index = len(matches)
            best = winner(*pair, deal)
            fixture = FixtureRecord(index, f"m{index}", index, deal, 1, deal, 0, pair)
            matches.append(stored(fixture, [int(name == best) for name in pair]))
    return matches


def mix_of(matches: Sequence[StoredMatch], names: Sequence[str]) -> HardestMix:
    return hardest_mix(tabulate(matches, names))


def shares(mix: HardestMix) -> dict[str, float]:
    return {bot.name: bot.share for bot in mix.bots}


def weights(mix: HardestMix) -> dict[str, float]:
    return {bot.name: bot.weight for bot in mix.bots}


def play(first: str, second: str, deal: int) -> str | None:
    """Rock, paper, scissors, a fool that mostly loses, and copies of them called name-number."""
    a, b = (name.split("-")[0] for name in (first, second))
    if a == b:
        return None
    if "fool" in (a, b):
        # The fool wins against each in other deals.
        other = a if b == "fool" else b
        lucky = deal % 12 < {"rock": 1, "paper": 2, "scissors": 3}[other]
        return (first if a == "fool" else second) if lucky else (second if a == "fool" else first)
    return first if BEATS[a] == b else second


def test_the_mix_of_a_circle_is_even():
    """Of bots that beat each other in a circle, each weighs the same, and all have half."""
    mix = mix_of(duels(list(BEATS), play), list(BEATS))

    assert weights(mix) == dict.fromkeys(weights(mix), 0.3333)
    assert shares(mix) == dict.fromkeys(BEATS, 0.5)
    assert mix.reason == ""


@pytest.mark.parametrize("copied", ["rock", "fool"])
def test_copies_change_nothing(copied):
    """However often a bot is entered, strong or weak, the others' shares stay what they were."""
    names = [*BEATS, "fool"]
    alone = mix_of(duels(names, play), names)
    more = [*names, *(f"{copied}-{number}" for number in range(5))]
    crowded = mix_of(duels(more, play), more)

    for name in names:
        assert shares(crowded)[name] == shares(alone)[name]
        if name != copied:
            assert weights(crowded)[name] == weights(alone)[name]
    together = sum(weight for name, weight in weights(crowded).items() if copied in name)
    assert together == pytest.approx(weights(alone)[copied], abs=0.0003)
    assert shares(alone)["fool"] == pytest.approx(2 / 12, abs=0.0001)


def test_mean_ranks_do_reward_copies_of_a_weak_bot():
    """What the mix is for: the bot that beats the fool most gains with every fool that enters."""

    def win_rate(names: Sequence[str], bot: str) -> float:
        matches = duels(names, play)
        own = [match for match in matches if bot in match.fixture.bots]
        won = [dict(zip(m.fixture.bots, m.report.ranks, strict=True))[bot] == 1 for m in own]
        return sum(won) / len(won)

    names = [*BEATS, "fool"]
    more = [*names, *(f"fool-{number}" for number in range(5))]
    assert win_rate(more, "rock") > win_rate(names, "rock") + 0.1


def test_a_dominant_bot_is_the_mix():
    """A bot that beats all is all of the mix; its own share is a half by definition."""
    mix = mix_of(duels("abc", lambda a, b, _: min(a, b)), "abc")

    assert weights(mix) == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert shares(mix) == {"a": 0.5, "b": 0.0, "c": 0.0}
    by_name = {bot.name: bot for bot in mix.bots}
    assert by_name["a"].ci95 is None
    low, high = by_name["b"].ci95 or (math.nan, math.nan)
    assert (low, high > 0.05) == (0.0, True)


def test_ties_only():
    """Bots that always tie weigh the same and have half."""
    mix = mix_of(duels("abc", lambda *_: None), "abc")

    assert shares(mix) == dict.fromkeys("abc", 0.5)
    assert weights(mix) == dict.fromkeys("abc", 0.3333)


def test_what_cannot_be_known_has_a_reason():
    """One bot, none, bots that never met and few deals are told, and no figure is made up."""
    assert mix_of([], "ab") == HardestMix(reason="it takes two bots that have played")
    apart = [*duels("ab", lambda a, *_: a), *duels("cd", lambda a, *_: a)]
    assert mix_of(apart, "abcd").reason == "a and c have never met"
    few = mix_of(duels("ab", lambda a, *_: a, deals=9), "abz")
    assert few == HardestMix(
        reason="too few deals to tell: a and b met on 9 deals, and 10 are needed"
    )


def test_bots_that_have_not_played_are_left_out():
    """A bot without a match has no line and stops nobody."""
    mix = mix_of(duels("ab", lambda a, *_: a), "abz")

    assert set(shares(mix)) == {"a", "b"}


def test_no_row_beats_the_mix():
    """Of any table of meetings, the one with the exact ties of few matches too."""
    chance = np.random.default_rng(1)
    for bots in (1, 2, 3, 5, 12):
        for values in (
            chance.normal(0, 0.3, (bots, bots)),
            chance.integers(-2, 3, (bots, bots)) / 2,
        ):
            table = np.triu(np.clip(values, -1, 1), 1)
            table = table - table.T
            found = find_mix(table)
            assert found.min() >= 0
            assert found.sum() == pytest.approx(1)
            assert (table @ found).max() < 1e-9


@pytest.mark.slow
def test_shares_against_the_mix_contain_the_truth():
    """95 % intervals contain the share that a bot has against this mix in the long run."""
    found = measure_mix("spread", 20, 60)

    print(f"covered: {found:.1%}")
    assert 0.92 <= found <= 0.985
