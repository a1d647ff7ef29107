from __future__ import annotations

import hashlib
import importlib
import math
import random
import statistics
import sys
from dataclasses import replace

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.rating.models import State
from arena.rating.ratings import (
    MODELS,
    Rater,
    make_model,
    observed_draws,
    pass_count,
    rate_shuffled,
)
from arena.rating.trueskill_model import TrueSkillModel
from arena.storage.records import FixtureRecord, StoredMatch
from tests.simulated_tournament import plan_of, simulate, stored

# What others publish is rated with dynamics, tau 25/300, which widen sigma before a match.
PUBLISHED_START = math.hypot(25 / 3, 25 / 300)


def state_of(mu: float, sigma: float) -> State:
    return sigma**-2, sigma**-2 * mu


def match_of(index: int, bots: tuple[str, ...], ranks: tuple[int, ...]) -> StoredMatch:
    fixture = FixtureRecord(index, f"{index + 1}-1", index + 1, 1, 1, index + 1, 0, bots)
    return stored(fixture, [10 - rank for rank in ranks], ranks=ranks)


def random_matches(count: int, seed: int = 1) -> list[StoredMatch]:
    chance = random.Random(seed)
    matches = []
    for index in range(count):
        bots = tuple(chance.sample("abcdef", 3))
        scores = [chance.randint(0, 6) for _ in bots]
        ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
        matches.append(match_of(index, bots, ranks))
    return matches


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        # The documentation of the trueskill package; also Jeff Moser's Skills, "TwoPlayerTests".
        ([1, 2], [(29.396, 7.171), (20.604, 7.171)]),
        ([1, 1], [(25.000, 6.458), (25.000, 6.458)]),
        # Jeff Moser's Skills, "ThreeTeamsOfOne", "FourTeamsOfOne", "FiveTeamsOfOne".
        ([1, 2, 3], [(31.675, 6.656), (25.000, 6.208), (18.325, 6.656)]),
        ([1, 1, 1], [(25.000, 5.698), (25.000, 5.695), (25.000, 5.698)]),
        ([1, 2, 3, 4], [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
        (
            [1, 2, 3, 4, 5],
            [(34.363, 6.136), (29.058, 5.536), (25.0, 5.420), (20.942, 5.536), (15.637, 6.136)],
        ),
    ],
)
def test_published_examples_come_out(ranks, expected):
    """Newcomers' ratings after one match are those published for it."""
    model = TrueSkillModel(0.10)

    rated = model.rate([state_of(25, PUBLISHED_START)] * len(ranks), ranks, ranks)

    found = [(model.rating(state).mu, model.rating(state).sigma) for state in rated]
    assert found == [pytest.approx(pair, abs=1e-3) for pair in expected]


def random_case(chance: random.Random) -> tuple[list[tuple[float, float]], list[int], float]:
    """Return beliefs, ranks and a draw probability: newcomers and veterans, upsets, ties."""
    draws = chance.choice([0.0, 0.01, 0.1, 0.37, 0.9])
    seats = chance.randint(2, 6)
    beliefs = [(chance.uniform(-10, 60), chance.choice([0.05, 0.3, 1, 3, 9])) for _ in range(seats)]
    if not draws:
        return beliefs, chance.sample(range(1, seats + 1), seats), draws
    return beliefs, [chance.randint(1, seats) for _ in range(seats)], draws


CLEAR_VICTORY = [(3.204, 3), (46.347, 3), (41.286, 9), (16.94, 1), (56.454, 1), (2.623, 0.3)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "cases",
    [
        pytest.param([(CLEAR_VICTORY, [5, 1, 3, 3, 1, 3], 0.1)], id="nothing-to-learn"),
        pytest.param(600, id="many"),
    ],
)
def test_the_chain_is_the_package(cases):
    """Every match is rated as the trueskill package does, with ties and without."""
    if isinstance(cases, int):
        chance = random.Random(cases)
        cases = [random_case(chance) for _ in range(cases)]
    worst = 0.0
    for beliefs, ranks, draws in cases:
        environment = trueskill.TrueSkill(tau=0, draw_probability=draws)
        expected = environment.rate([(trueskill.Rating(*pair),) for pair in beliefs], ranks)
        model = TrueSkillModel(draws)
        rated = model.rate([state_of(*pair) for pair in beliefs], ranks, ranks)
        for (theirs,), state in zip(expected, rated, strict=True):
            ours = model.rating(state)
            worst = max(worst, abs(ours.mu - theirs.mu), abs(ours.sigma - theirs.sigma))

    assert worst < 1e-6


@pytest.mark.parametrize("ranks", [[1, 2], [2, 1], [1, 1]])
@pytest.mark.parametrize("distance", [100.0, 400.0, 4000.0])
def test_worlds_apart_are_rated_too(distance, ranks):
    """Bots further apart than the package can tell still get finite, sensible ratings."""
    model = TrueSkillModel(0.05)

    rated = model.rate([state_of(25 + distance, 2), state_of(25, 2)], ranks, ranks)

    high, low = (model.rating(state) for state in rated)
    assert math.isfinite(high.mu)
    assert math.isfinite(low.mu)
    assert 0 < high.sigma <= 2
    assert 0 < low.sigma <= 2
    if ranks == [1, 2]:
        assert high.mu - low.mu == pytest.approx(distance, abs=1e-6)
    else:
        assert high.mu - low.mu < distance


@pytest.mark.slow
def test_a_tournament_is_rated_as_the_package_would():
    """After hundreds of matches the ratings are still those of the package, to 4 decimals."""
    matches = random_matches(400)
    rater = Rater()
    rater.add(matches)
    environment = trueskill.TrueSkill(tau=0, draw_probability=rater.draw_probability)
    theirs = {bot: environment.create_rating() for bot in "abcdef"}
    for match in matches:
        bots = match.fixture.bots
        rated = environment.rate([(theirs[bot],) for bot in bots], match.report.ranks)
        theirs.update((bot, rating) for bot, (rating,) in zip(bots, rated, strict=True))

    ours = rater.ratings()

    for bot, rating in theirs.items():
        assert ours[bot].mu == pytest.approx(rating.mu, abs=1e-7)
        assert ours[bot].sigma == pytest.approx(rating.sigma, abs=1e-7)
        assert ours[bot].rating == pytest.approx(rating.mu - 3 * rating.sigma, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_adding_in_pieces_is_adding_at_once(model, data):
    """In whatever order matches are told, some of them twice, the ratings are the same."""
    matches = random_matches(data.draw(st.integers(0, 60)), data.draw(st.integers(0, 5)))
    told = data.draw(st.permutations(matches))
    at_once = Rater(model)
    at_once.replace(matches)
    piecewise = Rater(model)
    while told:
        count = data.draw(st.integers(1, 20))
        piecewise.add([*told[:count], *told[:2]])
        if data.draw(st.booleans()):
            piecewise.ratings()
        del told[:count]

    assert piecewise.ratings() == at_once.ratings()
    assert piecewise.draw_probability == at_once.draw_probability


@pytest.mark.slow
def test_late_and_withdrawn_matches_leave_no_trace():
    """Replacing what counts gives what rating it anew gives, far beyond a snapshot."""
    matches = random_matches(700)
    rater = Rater()
    for kept in (matches[:600], matches, matches[:100] + matches[101:], matches[300:], matches):
        rater.replace(kept)
        fresh = Rater()
        fresh.add(kept)

        assert rater.ratings() == fresh.ratings()


@pytest.mark.slow
def test_only_what_is_new_is_rated(monkeypatch):
    """A match more costs the rating of one match, and a late one that of a few hundred."""
    count = 0
    rate = TrueSkillModel.rate

    def counting(self, states, ranks, scores):
        nonlocal count
        count += 1
        return rate(self, states, ranks, scores)

    matches = random_matches(2000)
    rater = Rater()
    rater.add(matches[:1000] + matches[1001:1990])
    rater.ratings()
    monkeypatch.setattr(TrueSkillModel, "rate", counting)
    rater.add(matches[1990:1991])
    rater.ratings()
    assert count == 1
    rater.add(matches[1000:1001])
    rater.ratings()

    assert 990 < count < 1 + 1991 - 768 + 1


def test_a_wavering_draw_probability_is_not_paid_for_each_time():
    """Between two draw probabilities a rater goes back and forth without starting anew."""
    matches = [match_of(i, ("a", "b"), (1, 2)) for i in range(200)]
    matches[3:6] = [match_of(i, ("a", "b"), (1, 1)) for i in (3, 4, 5)]  # 3 of 200: 0.015
    matches.append(match_of(200, ("a", "b"), (2, 1)))
    rater = Rater()
    seen = set()
    for count in (199, 200, 201):
        rater.replace(matches[:count])
        rater.ratings()
        seen.add(rater.draw_probability)

    assert seen == {0.01, 0.02}
    assert set(rater._tracks) == seen


@pytest.mark.parametrize(
    ("ties", "places", "expected"),
    [(0, 0, 0.0), (0, 9, 0.0), (1, 3, 0.33), (1, 9999, 0.01), (9, 9, 0.99), (1, 40, 0.03)],
)
def test_draws_are_never_impossible_or_certain(ties, places, expected):
    """The draw probability is a rounded share, 0 only without ties and never 1."""
    assert observed_draws(ties, places) == pytest.approx(expected, abs=0.0051)
    assert round(observed_draws(ties, places), 2) == observed_draws(ties, places)
    assert (observed_draws(ties, places) > 0) == (ties > 0)
    assert observed_draws(ties, places) < 1


def test_ties_are_counted_between_neighbours():
    """Ranks 1, 2, 2, 4 are one tie in three places."""
    rater = Rater()
    rater.add([match_of(0, ("a", "b", "c", "d"), (2, 1, 4, 2))])

    assert rater.draw_probability == 0.33


@pytest.mark.parametrize("model", MODELS)
def test_the_order_of_strength_is_found(model):
    """Bots of clearly different strength are rated in its order by every model."""
    strengths = {"a": 0.0, "b": 20.0, "c": 40.0, "d": 60.0, "e": 80.0}
    rater = Rater(model)
    rater.add(simulate(strengths, plan_of(strengths, 3, 12), 1))

    ratings = rater.ratings()

    assert sorted(ratings, key=lambda bot: ratings[bot].rating) == list("abcde")


@pytest.mark.parametrize(
    ("name", "kind"), [("openskill", "BradleyTerryFull"), ("plackett-luce", "PlackettLuce")]
)
def test_openskill_is_the_package(name, kind):
    """The models of the openskill package give what the package gives, without dynamics."""
    models = importlib.import_module("openskill.models")
    package = getattr(models, kind)(tau=0.0)
    teams = [[package.rating(mu=25 + seat, sigma=8 - seat)] for seat in range(4)]
    expected = package.rate(teams, ranks=[2.0, 1.0, 2.0, 4.0])

    states = [(25.0 + seat, 8.0 - seat) for seat in range(4)]
    rated = make_model(name).rate(states, [2, 1, 2, 4], [0, 0, 0, 0])

    assert rated == [pytest.approx((bot.mu, bot.sigma)) for (bot,) in expected]
    start = make_model(name)
    assert start.rating(start.start()).rating == pytest.approx(0)


def test_scores_have_mean_and_standard_error():
    """The model `score` is the mean score with its standard error."""
    model = make_model("score")
    state = model.start()
    assert model.rating(state).rating == 0
    for score in (10, 12, 14, -4):
        [state] = model.rate([state], [1], [score])

    rating = model.rating(state)

    assert rating.mu == rating.rating == 8
    assert rating.sigma == pytest.approx(math.sqrt((4 + 16 + 36 + 144) / 3 / 4))


def test_an_unknown_model_is_refused_with_the_known_ones():
    """A misspelt model names those there are."""
    with pytest.raises(InputError, match=r"'glicko'.*trueskill, openskill, plackett-luce, score"):
        Rater("glicko")


def test_a_model_that_is_not_installed_names_its_extra(monkeypatch):
    """Without its package a model says what to install."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)

    with pytest.raises(InputError, match=r"arena-server\[openskill\]"):
        make_model("plackett-luce")


def test_progress_is_told():
    """Whoever waits is told how far rating is, the end included."""
    rater = Rater()
    rater.add(random_matches(1500))
    told: list[tuple[int, int]] = []

    rater.ratings(lambda done, total: told.append((done, total)))

    assert told == [(1024, 1500), (1500, 1500)]


def test_shuffled_ratings_are_the_mean_over_orders():
    """Published ratings are the mean over orders drawn by the key; the spread is theirs."""
    matches = random_matches(40)
    shuffled = rate_shuffled(matches, "trueskill", b"key")
    passes, rater = [], Rater()
    for number in range(shuffled.passes):
        drawn = sorted(
            matches,
            key=lambda match: hashlib.sha256(
                b"key" + f"{number}/{match.fixture.match}".encode()
            ).digest(),
        )
        in_order = [
            replace(match, fixture=replace(match.fixture, index=index))
            for index, match in enumerate(drawn)
        ]
        rater.replace(in_order)
        passes.append(rater.ratings())

    for bot, rating in shuffled.ratings.items():
        mus = [each[bot].mu for each in passes]
        assert rating.mu == pytest.approx(statistics.fmean(mus))
        assert shuffled.spread[bot] == pytest.approx(statistics.stdev(mus))
        assert rating.rating == pytest.approx(rating.mu - 3 * rating.sigma)
    assert shuffled.draw_probability == rater.draw_probability


def test_the_order_of_telling_does_not_matter():
    """The same matches told in another order have the same ratings; another key has others."""
    matches = random_matches(30)

    assert rate_shuffled(matches[::-1], "trueskill", b"key") == rate_shuffled(
        matches, "trueskill", b"key"
    )
    assert rate_shuffled(matches, "trueskill", b"yek") != rate_shuffled(
        matches, "trueskill", b"key"
    )


def test_many_matches_are_rated_in_fewer_orders():
    """The time for all orders is bounded."""
    assert [pass_count(n) for n in (0, 240, 50_000, 100_000, 1_000_000)] == [8, 8, 8, 4, 2]
